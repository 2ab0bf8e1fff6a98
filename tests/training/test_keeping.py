"""The limits of an installation and what it stores: limits, faults, folders, locks, creation."""

import dataclasses
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from model.checkpoints.basis.errors import SaveError
from model.files.size import size_of
from model.runs.devices import devices
from model.runs.errors import RunError
from model.runs.folder import JobFolder, RunFolder, read_task
from model.runs.limits import VARIABLE, Limits
from model.runs.processes import FileLock, is_held
from model.runs.queue import QueueFullError, RunQueue, environment
from model.runs.retention import DAY, bytes_of, clean, remove
from model.runs.status import Status, can_control, fault_of, find, read_status, write_status
from model.text.pairs import Pair
from model.training.data import wording
from model.training.events import NotFiniteError
from model.training.jobs.creation import continue_with, create, hold_out
from model.training.jobs.job import Job, read_job
from model.training.preparation import NewModel
from model.training.settings import TrainingConfig, TrainingError
from tests.checkpoint import tiny_bundle
from tests.training.jobs import LIMITS, SETTINGS, SMALL, every_third, fault_in, hold, job_of, make_run, wait_for


def test_limits_come_from_one_variable(monkeypatch):
    monkeypatch.setenv(VARIABLE, '{"max_steps": 7, "niceness": 0}')
    assert Limits.from_environment() == Limits(max_steps=7, niceness=0)
    monkeypatch.setenv(VARIABLE, '{"max_stepz": 7}')
    with pytest.raises(RunError, match="max_steps"):
        Limits.from_environment()
    with pytest.raises(RunError, match=r"max_pairs \(0\) must be a positive number"):
        Limits(max_pairs=0)


@pytest.mark.parametrize(
    ("error", "kind"),
    [(NotFiniteError("x"), "not_finite"), (torch.cuda.OutOfMemoryError("x"), "device_memory"),
     (MemoryError(), "memory"),
     (OSError(errno.ENOSPC, "No space left on device"), "disk_full"), (RunError("x"), "settings"),
     (SaveError("could not write (No space left on device)"), "disk_full"), (SaveError("x"), "checkpoint"),
     (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "memory"), (KeyError("x"), "unknown")],
)  # fmt: skip
def test_each_cause_has_its_name(error, kind):
    assert fault_of(error).kind == kind


def test_the_innermost_cause_names_the_fault():
    try:
        try:
            raise OSError(errno.ENOSPC, "No space left on device")
        except OSError as full:
            raise SaveError("could not write: make room") from full
    except SaveError as error:
        assert fault_of(error).kind == "disk_full" and "make room" in fault_of(error).detail


def test_pairs_are_held_out_by_source_the_same_way_each_time():
    pairs = [*(Pair(f"s{i}", f"t{i}") for i in range(50)), Pair("s1", "other")]
    train, held_out = hold_out(pairs, 0.2, seed=1)
    assert len({pair.source for pair in held_out}) == 10 and len(train) + len(held_out) == 51
    assert not {pair.source for pair in train} & {pair.source for pair in held_out}
    assert hold_out(pairs[::-1], 0.2, seed=1)[1][::-1] == held_out and hold_out(pairs, 0.2, seed=2)[1] != held_out
    assert hold_out(pairs, 0.0, seed=1) == (tuple(pairs), ())
    assert len(hold_out(pairs, 0.9, seed=1)[0]) >= 5


def test_no_held_out_sentence_is_trained_on_with_other_punctuation():
    pairs = [Pair(f"Is this sentence{mark} number {n}{end}", "Oui.") for n in range(30)
             for mark, end in (("", "?"), (",", " !"))]  # fmt: skip
    train, held_out = hold_out(pairs, 0.2, seed=1)
    assert len(held_out) == 12 and not {wording(p.source) for p in train} & {wording(p.source) for p in held_out}


@pytest.mark.parametrize(
    ("limits", "n_pairs", "steps", "words"),
    [(Limits(max_pairs=10), 20, 1, "20 pairs are too many: give at most 10"),
     (Limits(max_steps=10), 20, 11, r"steps \(11\) must be at most 10"),
     (LIMITS, 3, 1, "3 pairs are too few")],
)  # fmt: skip
def test_runs_beyond_a_limit_are_refused_and_leave_nothing_behind(tmp_path, limits, n_pairs, steps, words):
    with pytest.raises(TrainingError, match=words):
        create(tmp_path, SMALL, every_third(n_pairs), dataclasses.replace(SETTINGS, steps=steps), limits)
    assert not list(tmp_path.iterdir())


def test_a_job_survives_its_file(tmp_path):
    folder = make_run(tmp_path, trains="last-layers")
    job = job_of(folder)
    assert job.beginning == SMALL and job.config.trains == "last-layers"
    folder.job.write_text('{"config": {}}')
    with pytest.raises(TrainingError, match=r"job\.json is damaged"):
        read_job(folder)


def test_the_trained_part_cannot_change_when_a_run_resumes(tmp_path):
    folder = make_run(tmp_path)
    with pytest.raises(TrainingError, match="must stay everything"):
        continue_with(folder, dataclasses.replace(SETTINGS, trains="cross-attention"), LIMITS)


@pytest.mark.parametrize("name", ["..", "a/b", "", "x" * 65, "nobody", ".device-cpu"])
def test_only_a_run_s_own_name_finds_a_folder(tmp_path, name):
    (tmp_path / "known").mkdir()
    (tmp_path / ".device-cpu").mkdir()
    assert find(tmp_path / "known", name) is None
    assert find(tmp_path, "known") == JobFolder(tmp_path / "known")


def test_a_name_that_a_person_chose_is_left_out_where_names_must_be_secret(tmp_path):
    secret = make_run(tmp_path)
    (tmp_path / "mine").mkdir()
    assert find(tmp_path, "mine", secret_only=True) is None and find(tmp_path, "mine") is not None
    assert find(tmp_path, secret.path.name, secret_only=True) == secret


def test_two_runs_have_names_that_cannot_be_guessed(tmp_path):
    names = {make_run(tmp_path).path.name for _ in range(3)}
    assert len(names) == 3 and all(len(name) == 24 for name in names)


def test_a_lock_is_held_until_its_last_holder_ends(tmp_path):
    path = tmp_path / "lock"
    assert not is_held(path)
    lock = hold(path)
    assert is_held(path) and FileLock.take(path) is None
    copy = os.dup(lock.descriptor)
    lock.release()
    assert is_held(path), "a child that was given the descriptor holds it still"
    os.close(copy)
    assert not is_held(path)


def test_a_run_whose_process_is_gone_without_a_word_was_killed(tmp_path):
    folder = make_run(tmp_path)
    write_status(folder, Status(state="running", step=5))
    status = read_status(folder)
    assert (status.state, fault_in(status).kind, status.step) == ("failed", "killed", 5)
    with hold(folder.alive):
        assert read_status(folder).state == "running"


def test_a_run_of_the_command_line_is_recognised_by_its_files(tmp_path):
    folder = JobFolder(tmp_path / "mine")
    folder.path.mkdir()
    folder.record({"kind": "StepDone", "step": 3})
    assert read_status(folder).state == "running" and read_status(folder).step == 3
    os.utime(folder.metrics, (0, 0))
    assert read_status(folder).state == "stopped"
    folder.result.mkdir()
    assert read_status(folder).state == "finished"


NOW = 1e9


def last_used(*paths: Path, days_ago: float) -> None:
    for path in paths:
        os.utime(path, (NOW - days_ago * DAY, NOW - days_ago * DAY))


def test_old_folders_go_first_and_those_in_use_or_looked_at_stay(tmp_path):
    old, used, seen, new = (make_run(tmp_path) for _ in range(4))
    (tmp_path / "by-hand").mkdir()
    for folder, age in ((old, 9), (used, 9), (seen, 9), (new, 1)):
        last_used(folder.job, folder.path, days_ago=age)
    with hold(used.alive):
        write_status(used, Status(state="running"))
        last_used(used.status, used.path, days_ago=9)
        assert clean(tmp_path, Limits(keep_days=7), keep=frozenset({seen.path.name}), now=NOW) == [old.path.name]
        assert {path.name for path in tmp_path.iterdir()} == {f.path.name for f in (used, seen, new)} | {"by-hand"}
        assert not remove(used)
        assert clean(tmp_path, Limits(keep_bytes=1, keep_days=99), now=NOW) == [seen.path.name, new.path.name]
    assert remove(used) and not used.path.exists()


def test_an_event_is_recorded_whole_or_not_at_all(tmp_path, monkeypatch):
    folder = RunFolder(tmp_path)
    folder.record({"step": 1})
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, line: write(file, line[: len(line) // 2]))
    with pytest.raises(OSError, match="No space left"):
        folder.record({"step": 2, "loss": 1.5})
    monkeypatch.undo()
    folder.record({"step": 3})
    assert [event["step"] for event in folder.events()] == [1, 3]


@pytest.mark.parametrize("gpus", [[], ["0, NVIDIA L4, 1000", "1, NVIDIA L4, [N/A]"]], ids=["none", "two"])
def test_the_processor_is_listed_after_the_gpus_with_its_free_memory(gpus, tmp_path, monkeypatch):
    command = tmp_path / "nvidia-smi"
    command.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in gpus), "utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: bool(gpus))
    *others, processor = devices()
    messages = [(device.id, device.name, device.free_bytes) for device in others]
    assert messages == ([("cuda:0", "NVIDIA L4", 1000 << 20), ("cuda:1", "NVIDIA L4", None)] if gpus else [])
    assert processor.id == "cpu" and (processor.free_bytes or 0) > 1 << 20


def test_a_run_sees_its_assigned_gpu_and_threads(tmp_path, monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    task = read_task(make_run(tmp_path))
    assert task is not None
    assert environment(task)["OMP_NUM_THREADS"] == "1" and "CUDA_VISIBLE_DEVICES" not in environment(task)
    second = dataclasses.replace(task, device="cuda:1")
    assert environment(second)["CUDA_VISIBLE_DEVICES"] == "1"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    assert environment(second)["CUDA_VISIBLE_DEVICES"] == "3"


def test_a_job_is_json_that_people_can_read(tmp_path):
    run = create(tmp_path, tiny_bundle(), [Pair("the cat", "le chat")] * 9, SETTINGS, Limits())
    fields = json.loads(run.job.read_text())
    assert TrainingConfig.from_mapping(fields["config"]).steps == SETTINGS.steps
    assert fields["record_every"] <= SETTINGS.steps, "the probe is recorded while it runs"


def test_a_model_too_large_to_train_is_refused_by_its_size_and_leaves_nothing(tmp_path):
    pairs = [Pair(f"a {n}", f"b {n}") for n in range(8)]
    large = NewModel(d_model=512, d_feed_forward=2048, n_encoder_layers=10, n_decoder_layers=10, vocab_size=30_000)
    with pytest.raises(
        TrainingError, match=r"parameters, but this installation trains at most 40,000,000.*max_parameters"
    ):
        create(tmp_path, large, pairs, SETTINGS, Limits())
    small = NewModel(vocab_size=64, d_model=16, d_feed_forward=16, n_encoder_layers=1, n_decoder_layers=1, n_heads=2)
    with pytest.raises(TrainingError, match=r"but its disk has .* free"):
        create(tmp_path, small, pairs, SETTINGS, Limits(undo_bytes=1 << 60))
    assert not list(tmp_path.iterdir())


def test_a_run_under_way_keeps_its_job_and_a_full_disk_keeps_the_old_one(tmp_path, monkeypatch):
    folder = make_run(tmp_path)
    before = folder.job.read_bytes()
    with hold(folder.alive):
        write_status(folder, Status(state="running"))
        with pytest.raises(RunError, match="is already running"):
            continue_with(folder, job_of(folder).config, LIMITS)
    write_status(folder, Status(state="finished"))
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "no space left")))
    with pytest.raises(OSError, match="no space left"):
        continue_with(folder, job_of(folder).config, LIMITS)
    assert folder.job.read_bytes() == before


def test_room_is_made_from_the_callers_own_runs_first(tmp_path):
    strangers, own = make_run(tmp_path), make_run(tmp_path)
    for folder, age in ((strangers, 2), (own, 1)):
        last_used(folder.job, folder.path, days_ago=age)
    room = max(size_of(strangers.path), size_of(own.path))
    removed = clean(tmp_path, Limits(keep_bytes=room, keep_days=99), owned=frozenset({own.path.name}), now=NOW)
    assert removed == [own.path.name] and strangers.path.exists()
    full = Limits(keep_bytes=size_of(strangers.path), keep_days=99)
    assert not clean(tmp_path, full, now=NOW), "what just fits stays"
    assert clean(tmp_path, full, now=NOW, needed=1) == [strangers.path.name]


def test_disk_space_is_reserved_for_waiting_runs_and_freed_by_ended_ones(tmp_path):
    """The limit holds at each moment, also when every run writes all that it may."""
    ended, waiting, new = (make_run(tmp_path) for _ in range(3))
    most = job_of(new).max_bytes
    write_status(ended, Status(state="finished"))
    with hold(waiting.alive):
        write_status(waiting, Status(state="queued"))
        assert bytes_of(waiting) == most > size_of(waiting.path)
        tight = RunQueue(Limits(keep_bytes=2 * most - 1))
        with pytest.raises(QueueFullError, match="try again when one has ended"):
            tight.submit(new, owner="me")
        assert not is_held(new.alive) and waiting.path.exists() and new.path.exists()
        with pytest.raises(QueueFullError):
            tight.check_room("me", tmp_path, most)
    assert not ended.path.exists()
    RunQueue(Limits(keep_bytes=2 * most + size_of(new.path))).check_room("me", tmp_path, most)


def test_room_is_made_when_a_run_ends(tmp_path, monkeypatch):
    old, new = make_run(tmp_path), make_run(tmp_path)
    write_status(old, Status(state="finished"))
    queue = RunQueue(Limits(keep_bytes=job_of(new).max_bytes + size_of(old.path) + size_of(new.path), niceness=0))

    def work(_: RunQueue, folder: JobFolder, lock: FileLock) -> None:
        (folder.path / "weights").write_bytes(bytes(1_000))
        queue.limits = Limits(keep_bytes=size_of(new.path) + 1)

    monkeypatch.setattr(RunQueue, "_run", work)
    queue.submit(new, owner="me")
    wait_for(lambda: not old.path.exists(), new)
    assert new.path.exists(), "somebody looks at it"


def test_a_run_of_an_earlier_version_opens_with_defaults_for_missing_fields(tmp_path):
    folder = make_run(tmp_path)
    write_status(folder, Status(state="finished", step=7))
    expected, later = read_job(folder), ("threads", "niceness", "max_bytes", "max_pause_seconds", "lesson")
    fields = json.loads(folder.job.read_text("utf-8"))
    retained = {name: value for name, value in fields.items() if name not in later}
    retained["config"] = {name: value for name, value in fields["config"].items() if name != "keep_curve"}
    assert len(retained) == len(fields) - len(later) and len(retained["config"]) == len(fields["config"]) - 1
    folder.job.write_text(json.dumps(retained), "utf-8")
    folder.status.write_text(json.dumps({"state": "finished", "step": 7, "fault": None}), "utf-8")
    folder.owner.unlink(missing_ok=True)
    assert expected is not None
    usual: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(Job) if field.name in later}
    assert read_job(folder) == dataclasses.replace(expected, **usual)
    assert read_status(folder).step == 7 and can_control(folder, "anyone")
