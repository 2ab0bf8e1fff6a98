"""Runs as processes: the queue for a device, and every way in which a process can end."""

import dataclasses
import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from model import load
from model.runs.errors import QueueError
from model.runs.folder import JobFolder
from model.runs.limits import Limits
from model.runs.processes import is_held
from model.runs.queue import QueueFullError, RunQueue
from model.runs.retention import remove
from model.runs.status import read_status
from model.training.jobs.creation import continue_with, result_of
from tests.training.jobs import (
    LIMITS,
    PATIENCE,
    fault_in,
    hold,
    job_of,
    last_step,
    make_run,
    wait_for,
    wait_until_ended,
)

ROOT = Path(__file__).parents[2]


def child_of(folder: JobFolder) -> int:
    """The id of the process that works on a run."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"model.training.jobs.worker" in words and str(folder.path).encode() in words:
            return int(path.parent.name)
    raise AssertionError("no process works on the run")


@pytest.mark.nightly
def test_runs_take_turns_on_a_device_and_know_their_place(tmp_path):
    queue = RunQueue(LIMITS)
    first, second = make_run(tmp_path, steps=2000, validate_every=1000), make_run(tmp_path, steps=2)
    queue.submit(first, owner="one")
    queue.submit(second, owner="two")
    assert (queue.place(first), queue.place(second)) == (0, 1)
    wait_for(lambda: last_step(first) > 2, first)
    assert read_status(second).state == "queued" and last_step(second) == 0
    with pytest.raises(QueueError, match="is already running"):
        queue.submit(first, owner="one")
    assert not remove(first), "a run in use must stay"
    (first.path / "control").write_text("stop")
    assert wait_until_ended(first).state == "stopped"
    assert wait_until_ended(second).state == "finished"
    assert not is_held(first.alive) and remove(first) and not first.path.exists()


@pytest.mark.nightly
def test_where_a_child_cannot_inherit_a_lock_this_process_holds_it_until_the_run_has_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("model.runs.queue._HANDS_DOWN", False)
    queue, folder = RunQueue(LIMITS), make_run(tmp_path, steps=2)
    queue.submit(folder, owner="me")
    assert wait_until_ended(folder).state == "finished"
    wait_for(lambda: not is_held(folder.alive), folder)


@pytest.mark.nightly
def test_owners_take_turns_and_who_had_one_comes_after_the_others(tmp_path):
    queue = RunQueue(dataclasses.replace(LIMITS, max_alive_per_session=3))
    with hold(tmp_path / ".device-cpu"):
        names = ("a1", "a2", "a3", "b1", "c1", "b2")
        runs = {name: make_run(tmp_path, steps=1) for name in names}
        for name, folder in runs.items():
            queue.submit(folder, owner=name[0])
            if name == "a1":
                wait_for(lambda: read_status(runs["a1"]).state == "waiting", runs["a1"])
        in_turn = sorted(names, key=lambda name: queue.place(runs[name]))
        assert in_turn == ["a1", "b1", "c1", "a2", "b2", "a3"]
        for name in names[1:]:
            assert queue.withdraw(runs[name])
    assert wait_until_ended(runs["a1"]).state == "finished"


@pytest.mark.nightly
def test_a_run_that_could_not_be_queued_on_a_full_disk_can_be_started_again(tmp_path, monkeypatch):
    queue, folder = RunQueue(LIMITS), make_run(tmp_path, steps=1)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("model.runs.queue.write_status", full)
        with pytest.raises(QueueError, match=r"cannot be written \(No space left on device\): make room"):
            queue.submit(folder, owner="me")
    assert not is_held(folder.alive)
    queue.submit(folder, owner="me")
    assert wait_until_ended(folder).state == "finished"


@pytest.mark.nightly
def test_a_run_removed_while_it_waits_blocks_nobody(tmp_path):
    queue = RunQueue(LIMITS)
    stored = hold(tmp_path / ".device-cpu")
    first, gone, damaged, last = (make_run(tmp_path, steps=2) for _ in range(4))
    for folder in (first, gone, damaged, last):
        queue.submit(folder, owner=folder.path.name)
    shutil.rmtree(gone.path)
    damaged.job.write_text("{")
    stored.release()
    assert wait_until_ended(first).state == "finished"
    assert wait_until_ended(last).state == "finished"


@pytest.mark.nightly
def test_a_session_and_all_together_have_a_limit(tmp_path):
    queue = RunQueue(Limits(max_alive_per_session=1, max_alive=2, niceness=0))
    with hold(tmp_path / ".device-cpu"):  # so that nothing starts
        folders = [make_run(tmp_path, steps=1) for _ in range(4)]
        queue.submit(folders[0], owner="one")
        with pytest.raises(QueueFullError, match="already has 1 of the 1 runs"):
            queue.submit(folders[1], owner="one")
        queue.submit(folders[2], owner="two")
        with pytest.raises(QueueFullError, match="2 runs are waiting already"):
            queue.submit(folders[3], owner="three")
        assert queue.withdraw(folders[2]) and read_status(folders[2]).state == "stopped"
        wait_for(lambda: read_status(folders[0]).state == "waiting", folders[0])
    assert wait_until_ended(folders[0]).state == "finished"


def test_where_no_run_may_be_alive_none_is_taken(tmp_path):
    queue = RunQueue(Limits(max_alive=0))
    with pytest.raises(QueueFullError, match="switched off"):
        queue.check_room("me")
    with pytest.raises(QueueFullError, match="switched off"):
        queue.submit(make_run(tmp_path), owner="me")


@pytest.mark.nightly
def test_a_killed_run_has_a_fault_and_resumes_from_its_snapshot_with_other_settings(tmp_path):
    queue = RunQueue(LIMITS)
    folder = make_run(tmp_path, steps=2000, validate_every=5)
    queue.submit(folder, owner="me")
    wait_for(lambda: folder.state.exists() and last_step(folder) > 5, folder)
    os.kill(child_of(folder), signal.SIGKILL)
    status = wait_until_ended(folder)
    assert (status.state, fault_in(status).kind) == ("failed", "killed")
    retained = max(int(path.name) for path in folder.snapshots())
    assert load(folder.snapshot(retained)).config.d_model == 32
    assert result_of(folder).config.d_model == 32
    continue_with(folder, _with(folder, steps=retained + 3, batch_tokens=150), LIMITS)
    queue.submit(folder, owner="me")
    assert wait_until_ended(folder).state == "finished"
    steps = [event["step"] for event in folder.events() if event["kind"] == "StepDone"]
    assert steps == list(range(1, retained + 4))


@pytest.mark.nightly
def test_a_run_killed_in_mid_save_loses_nothing_that_was_saved(tmp_path):
    queue = RunQueue(LIMITS)
    folder = make_run(tmp_path, steps=2000, validate_every=1)
    queue.submit(folder, owner="me")
    wait_for(lambda: folder.state.exists(), folder)
    child, snapshots = child_of(folder), folder.path / "snapshots"
    end = time.monotonic() + PATIENCE
    while not any(path.name.startswith(".") for path in snapshots.iterdir()):
        assert time.monotonic() < end
    os.kill(child, signal.SIGKILL)
    assert fault_in(wait_until_ended(folder)).kind == "killed"
    assert all(load(path).config.d_model == 32 for path in folder.snapshots())
    continue_with(folder, _with(folder, steps=last_step(folder) + 2), LIMITS)
    queue.submit(folder, owner="me")
    assert wait_until_ended(folder).state == "finished"
    assert not [path for path in snapshots.iterdir() if path.name.startswith(".")], "left-overs are cleared away"


SERVER = """
import sys, time
from pathlib import Path
from model.runs.folder import JobFolder
from model.runs.limits import Limits
from model.runs.queue import RunQueue

queue = RunQueue(Limits(niceness=0))
for name in sys.argv[1:]:
    queue.submit(JobFolder(Path(name)), owner=name)
time.sleep(3600)
"""


@pytest.mark.nightly
def test_a_killed_server_takes_its_runs_with_it_and_they_can_go_on(tmp_path):
    running, queued = make_run(tmp_path, steps=2000, validate_every=1000), make_run(tmp_path, steps=3)
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(running.path), str(queued.path)], cwd=ROOT)
    try:
        wait_for(lambda: last_step(running) > 2, running)
        child = child_of(running)
    finally:
        server.kill()
        server.wait()
    status = wait_until_ended(running)
    assert (status.state, fault_in(status).kind) == ("stopped", "server_ended")
    assert running.snapshot(status.step).is_dir()
    wait_for(lambda: not Path(f"/proc/{child}").exists() or _is_zombie(child), running)
    assert fault_in(read_status(queued)).kind == "server_ended"
    queue = RunQueue(LIMITS)
    queue.submit(queued, owner="me")
    assert wait_until_ended(queued).state == "finished"


@pytest.mark.nightly
def test_a_full_disk_is_named_and_the_run_goes_on_once_there_is_room(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.decode().strip()}")
    try:
        # There is room for what the run announces, but not for its growing number of snapshots.
        limits = dataclasses.replace(LIMITS, undo_bytes=1 << 20)
        queue = RunQueue(limits)
        folder = make_run(disk, limits=limits, steps=2000, validate_every=5)
        queue.submit(folder, owner="me")
        status = wait_until_ended(folder)
        fault = fault_in(status)
        if fault.kind == "disk_limit":  # the check between steps may notice the full disk before a snapshot does
            assert status.state == "stopped"
        else:
            assert (status.state, fault.kind) == ("failed", "disk_full")
            assert "No space left" in fault.detail
        retained = max(int(path.name) for path in folder.snapshots())
        assert load(folder.snapshot(retained)).config.d_model == 32
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        continue_with(folder, _with(folder, steps=retained + 2), limits)
        queue.submit(folder, owner="me")
        assert wait_until_ended(folder).state == "finished"
        wait_for(lambda: not is_held(folder.alive), folder)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def _with(folder, **changes):
    return dataclasses.replace(job_of(folder).config, **changes)


def _is_zombie(process: int) -> bool:
    return ") Z" in Path(f"/proc/{process}/stat").read_text()
