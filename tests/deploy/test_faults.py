"""Nothing that was accepted is lost when a process is killed, a disk fills, a clock jumps, or Redis restarts."""

import asyncio
import base64
import contextlib
import gzip
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from model.corpus.queued import create_survey, result_of
from model.corpus.survey import survey
from model.runs import retention
from model.runs.queue import RunQueue
from model.runs.status import read_status
from model.text.pairs import Pair
from tests.checkpoint import tiny_bundle
from tests.loops import run_coroutine, wait_until
from tests.questions import make_question
from tests.serving import ROOT, redis_server, server
from tests.session import connect_session, upload_head
from tests.training.jobs import LIMITS, make_run, wait_until_ended
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import Room
from viz.rooms.store import MemoryStore, StoreError
from viz.server import garbage

pytestmark = pytest.mark.nightly
QUEUE = """
import sys, time
from pathlib import Path
from model.runs.folder import JobFolder
from model.runs.limits import Limits
from model.runs.queue import RunQueue

queue = RunQueue(Limits(niceness=0))
queue.submit(JobFolder(Path(sys.argv[1])), owner="me")
time.sleep(3600)
"""


def test_a_survey_whose_server_is_killed_goes_on_and_has_the_tables_of_one_that_was_not(tmp_path: Path) -> None:
    pairs = [Pair(f"the cat is sleeping {'.' * (1 + n % 7)}", "le chat dort .") for n in range(40)]
    bundle = tiny_bundle()
    folder = create_survey(tmp_path / "runs", bundle, pairs, LIMITS, title="mine.tsv")
    job = json.loads(folder.survey.read_text())
    folder.survey.write_text(json.dumps(job | {"shard_size": 1}))
    process = subprocess.Popen([sys.executable, "-c", QUEUE, str(folder.path)], cwd=ROOT)
    try:
        wait_until(lambda: len(list(folder.path.rglob("sentences*.parquet"))) > 2)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    status = wait_until_ended(folder)
    assert status.state in ("stopped", "failed", "finished") and not status.is_alive
    result = result_of(folder)
    assert result is not None and result.n_done >= 2, "the shards written before the kill"
    if status.state != "finished":
        RunQueue(LIMITS).submit(folder, owner="me")
        assert wait_until_ended(folder).state == "finished"
    resumed, uninterrupted = result_of(folder), survey(bundle, pairs, tmp_path / "alone", shard_size=1)
    assert resumed is not None and resumed.is_complete
    for table in ("sentences", "heads"):
        query = f"SELECT * FROM {table} ORDER BY ALL"
        assert resumed.query(query).equals(uninterrupted.query(query))


@contextlib.contextmanager
def half_upload(address: str) -> Iterator[socket.socket]:
    """Start a visitor's upload of 4 MB and send half of it."""
    with connect_session(address, patience=120) as visitor:
        visitor.open("checkpoints", {})
        head = upload_head(visitor.upload_place("model.pt").upload_url, f"Content-Length: {4 << 20}")
        part = b'--e\r\nContent-Disposition: form-data; name="file"; filename="model.pt"\r\n\r\n' + bytes(2 << 20)
        with socket.create_connection((urlsplit(address).hostname or "", urlsplit(address).port or 0), 30) as line:
            line.sendall(head + part)
            yield line


def test_a_server_that_is_killed_during_an_upload_leaves_no_file_and_the_next_one_takes_it(tmp_path: Path) -> None:
    environment = {"TMPDIR": str(tmp_path), "REGARD_PUBLIC": "1"}
    with server(environment=environment) as (address, process), contextlib.suppress(Exception), half_upload(address):
        wait_until(lambda: bool(list(tmp_path.glob("regard-*/*"))))
        os.killpg(process, signal.SIGKILL)
    before = {path.name for path in tmp_path.glob("regard-*/*")}
    with server(environment=environment) as (address, _):
        wait_until(lambda: not before & {path.name for path in tmp_path.glob("regard-*/*")})
        with connect_session(address, patience=120) as visitor:
            visitor.open("checkpoints", {})
            visitor._sent("model.pt", bytes(4 << 20))
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > 1 << 16]
    assert not files


def test_a_disk_that_fills_during_an_upload_is_an_error_and_the_server_goes_on(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.decode().strip()}")
    try:
        with (
            server(environment={"TMPDIR": str(disk)}) as (address, _),
            connect_session(address, patience=120) as visitor,
        ):
            visitor.open("checkpoints", {})
            with pytest.raises(RuntimeError, match="answered with 507"):
                visitor._sent("model.pt", bytes(8 << 20))
            wait_until(lambda: shutil.disk_usage(disk).free > 2 << 20)
            visitor._sent("small.pt", bytes(1 << 20))
            visitor.open("checkpoints", {})
            assert not visitor.exceptions
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.by_day
def test_a_clock_that_jumps_loses_no_room_and_no_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, real = random.Random(3), time.time
    monkeypatch.setattr("viz.rooms.room.time.time", lambda: real() + chance.choice((-9e6, -4e3, 0.0, 4e3, 9e6)))
    room, _ = Room.open(MemoryStore(), most_devices=50)
    devices = [room.join() for _ in range(20)]
    for number in range(5):
        room.ask(make_question(f"q#{number}"))
        for device in devices:
            room.vote(device, f"q#{number}", "1")
        room.reveal(f"q#{number}")
        assert room.tally(f"q#{number}") == {"1": 20}
    assert [question.id for question in room.asked_questions()] == [f"q#{number}" for number in range(5)]
    assert {phone.device for phone in room.phones()} == set(devices)


@pytest.mark.by_day
def test_a_clock_that_is_set_forward_removes_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_RUNS", str(tmp_path))
    folder, real, ahead = make_run(tmp_path), time.time, [0.0]
    monkeypatch.setattr(garbage.time, "time", lambda: real() + ahead[0])
    checked: list[float] = []
    clean = retention.clean

    def advance_clock(*args, **kwargs):
        if not checked:
            ahead[0] = 365 * 86_400.0  # while the ages of the runs are read
        checked.append(kwargs["now"])
        return clean(*args, **kwargs)

    monkeypatch.setattr(retention, "clean", advance_clock)

    async def through_a_jump() -> None:
        task = asyncio.create_task(garbage.tidy_now_and_then(0.01))
        while len(checked) < 4:
            await asyncio.sleep(0.01)
        task.cancel()

    run_coroutine(through_a_jump())
    assert 0 < checked[0] <= real() and checked[1:4] == [0.0] * 3
    assert folder.path.is_dir() and read_status(folder) is not None


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_redis_killed_in_mid_vote_and_restarted_loses_no_vote_no_question_and_no_picture(tmp_path: Path) -> None:
    redis_options = {"is_kept": True, "end": signal.SIGKILL}
    with contextlib.ExitStack() as stack:
        redis = contextlib.ExitStack()
        place = redis.enter_context(redis_server(tmp_path, **redis_options))
        port = int(place.rpartition(":")[2].partition("/")[0])
        environment = {"REGARD_REDIS_URL": place}
        replicas = [stack.enter_context(server(environment=environment))[0] for _ in range(2)]
        room, secret = Room.open(RedisStore(place), most_devices=100)
        devices = [room.join() for _ in range(60)]
        shown_state = {"packet": "one", "experiment": "picture-a"}
        room.show(shown_state, packet=b"the packet", picture=b"the picture")
        room.ask(make_question())
        votes = {device: str(number % 3) for number, device in enumerate(devices)}
        refused: list[int] = []

        def vote(devices_: list[str], replica: str) -> None:
            for device in devices_:
                while True:
                    status, reply = post_vote(replica, room.code, device, votes[device])
                    if reply.get("vote") == votes[device]:
                        break
                    refused.append(status)
                    time.sleep(0.2)

        threads = [threading.Thread(target=vote, args=(devices[n::4], replicas[n % 2]), daemon=True) for n in range(4)]
        for thread in threads[:2]:
            thread.start()
        wait_until(lambda: room.n_votes("q#1") >= 5)
        redis.close()
        for thread in threads[2:]:
            thread.start()
        wait_until(lambda: 503 in refused)
        with redis_server(tmp_path, port, **redis_options):
            for thread in threads:
                thread.join(120)
            assert until_answered(lambda: room.votes("q#1")) == votes
            assert Room.find(room.store, room.code) == room and room.knows(secret)
            for replica in replicas:
                event, blobs = first_event(replica, room.code)
                assert event["question"]["id"] == "q#1"
                assert {key: event["shown"][key] for key in shown_state} == shown_state
                assert blobs == {"one": b"the packet", "picture-a": b"the picture"}


def post_vote(replica: str, code: str, device: str, vote: str) -> tuple[int, dict[str, str]]:
    """Send a phone's vote; returns the status and the reply."""
    line = http.client.HTTPConnection(urlsplit(replica).netloc, timeout=30)
    line.request("POST", f"/class/{code}/vote", json.dumps({"device": device, "question": "q#1", "vote": vote}))
    answer = line.getresponse()
    reply = json.loads(answer.read())
    line.close()
    return answer.status, reply


def first_event(replica: str, code: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The first event of a phone that joins now, and the blobs that it names."""
    line = http.client.HTTPConnection(urlsplit(replica).netloc, timeout=60)
    line.request("GET", f"/class/{code}/events")
    answer, blobs = line.getresponse(), {}
    while text := answer.readline().decode():
        name, _, encoded = text.removeprefix("data: ").strip().partition(" ")
        if text.startswith("data: {"):
            line.close()
            return json.loads(text.removeprefix("data: ")), blobs
        if text.startswith("data: "):
            blobs[name] = gzip.decompress(base64.b64decode(encoded))
    raise AssertionError("the stream ended")


def until_answered(ask: Callable[[], dict[str, str]]) -> dict[str, str]:
    """The store's first reply after an outage."""
    while True:
        with contextlib.suppress(StoreError):
            return ask()
        time.sleep(0.1)
