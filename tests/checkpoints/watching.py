"""Measurements on a server under attack: another visitor's clicks, the event loop, and the memory."""

import http.client
import itertools
import math
import multiprocessing
import queue
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from benchmarks.processes import descendants
from tests.checkpoints.leavings import memory_mb
from tests.session import connect_session


@dataclass(slots=True)
class Found:
    """The measurements while one file was open."""

    name: str
    n_bytes: int
    waited: float
    clicks: list[float] = field(default_factory=list)
    beats: list[float] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    server_mb: float = 0.0
    children_mb: float = 0.0

    @property
    def usual(self) -> float:
        """The median of the clicks."""
        return statistics.median(self.clicks or [math.nan])

    @property
    def p95(self) -> float:
        """The 95th percentile of the clicks."""
        return sorted(self.clicks or [math.nan])[int(0.95 * len(self.clicks))]

    @property
    def worst(self) -> float:
        """The longest."""
        return max(self.clicks, default=math.nan)


class Clicks:
    """The reports of the clicking process so far."""

    def __init__(self, told: Any) -> None:
        self._told = told

    def forget(self) -> None:
        """Discard all reports so far."""
        list(self._all())

    def taken(self, name: str, n_bytes: int, waited: float = 0.0) -> Found:
        """The reports since ``forget``."""
        found = Found(name, n_bytes, waited)
        for kind, seconds in self._all():
            (found.clicks if kind == "click" else found.beats).append(seconds)
        return found

    def _all(self) -> Iterator[tuple[str, float]]:
        with_care = 0.2
        while True:
            try:
                yield self._told.get(timeout=with_care)
            except queue.Empty:
                return
            with_care = 0.0


@contextmanager
def clicking(address: str) -> Iterator[Clicks]:
    """A visitor in a separate process, so that generating files does not delay its timing."""
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=_click, args=(address, told), daemon=True)
    process.start()
    try:
        yield Clicks(told)
    finally:
        process.kill()
        process.join()


def _click(address: str, told: Any) -> None:
    """Click on other heads of a sentence until ended, and now and then open another sentence."""
    threading.Thread(target=_beat, args=(address, told), daemon=True).start()
    with connect_session(address, patience=120) as visitor:
        visitor.open("", {"text": "The cat is sleeping on the sofa."})
        for number in itertools.count():
            subject = ("cat", "dog", "child")[number // 10 % 3]
            query = {"text": f"The {subject} is sleeping on the sofa.", "layer": number % 3, "head": number % 8}
            told.put(("click", visitor.send("sentence", "address", f"?{urlencode(query)}")))
            time.sleep(0.05)


def _beat(address: str, told: Any) -> None:
    """Request the server's health address repeatedly; only its event loop answers that."""
    while True:
        began = time.monotonic()
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=120)
        connection.request("GET", "/_stcore/health")
        connection.getresponse().read()
        connection.close()
        told.put(("beat", time.monotonic() - began))
        time.sleep(0.05)


@contextmanager
def watched(process: int) -> Iterator[list[float]]:
    """Peak memory of the server in MiB beyond its current memory, and peak total memory of its children."""
    memory, is_over = [0.0, 0.0], threading.Event()
    at_first = memory_mb(process)
    Path(f"/proc/{process}/clear_refs").write_text("5")

    def watch() -> None:
        while not is_over.wait(0.1):
            memory[1] = max(memory[1], sum(map(memory_mb, descendants(process))))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        is_over.set()
        thread.join()
        memory[0] = memory_mb(process, "VmHWM") - at_first
