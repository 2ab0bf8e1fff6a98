"""What all tests of the interface share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from model.runs.queue import RunQueue
from viz import cache


@pytest.fixture(autouse=True)
def line_of_runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each test a queue of its own, in which runs wait and none starts.

    A server has one queue, so otherwise a test would find the runs of the tests before it in the same process.
    """
    cache.run_queue.clear()
    monkeypatch.setattr(RunQueue, "_serve", lambda queue, device: None)
    monkeypatch.setattr(RunQueue, "warm", lambda queue, worker: None)
    yield
    cache.run_queue.clear()
