"""A worker that waits for a run: it takes the next one, is replaced when it has ended, and ends with its server."""

import dataclasses
import os
import signal
from pathlib import Path

import pytest

from model.runs.folder import TRAINING
from model.runs.processes import is_held
from model.runs.queue import RunQueue
from model.runs.spare import SpareWorker
from tests.training.jobs import LIMITS, PATIENCE, make_run, wait_for, wait_until_ended


def _waiting(queue: RunQueue) -> SpareWorker:
    queue.warm(TRAINING)
    assert queue._spare is not None
    return queue._spare


def test_the_waiting_worker_takes_the_run_and_ends_with_it(tmp_path: Path) -> None:
    queue, folder = RunQueue(LIMITS), make_run(tmp_path, steps=2)
    spare = _waiting(queue)
    assert _waiting(queue) is spare, "one waits at most"
    queue.submit(folder, owner="me")
    wait_for(lambda: is_held(folder.alive) and queue._spare is None, folder)
    assert wait_until_ended(folder).state == "finished"
    assert spare.process.wait(PATIENCE) == 0
    assert not is_held(folder.alive) and not folder.log.read_text("utf-8").count("Traceback")


@pytest.mark.nightly
def test_a_waiting_worker_ends_when_its_server_does() -> None:
    spare = SpareWorker("json", os.environ)
    assert spare.is_waiting
    spare.close()
    assert spare.process.wait(PATIENCE) == 0 and not spare.is_waiting


@pytest.mark.nightly
def test_a_worker_without_a_run_ends() -> None:
    spare = SpareWorker("json", os.environ, seconds=0.1)
    assert spare.process.wait(PATIENCE) == 0
    assert not spare.give(Path(), 0, 0, {})


def test_none_waits_where_no_run_may_be_started() -> None:
    queue = RunQueue(dataclasses.replace(LIMITS, max_alive=0))
    queue.warm(TRAINING)
    assert queue._spare is None


@pytest.mark.nightly
def test_a_worker_that_has_ended_meanwhile_is_replaced(tmp_path: Path) -> None:
    queue, folder = RunQueue(LIMITS), make_run(tmp_path, steps=2)
    spare = _waiting(queue)
    os.kill(spare.process.pid, signal.SIGKILL)
    queue.submit(folder, owner="me")
    assert wait_until_ended(folder).state == "finished"
    assert spare.process.wait(PATIENCE) < 0
