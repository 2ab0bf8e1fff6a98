"""Measurements on a server under attack, and hostile files that one visitor drops while another clicks.

``python -m tests.checkpoints.attack --stall`` prints a row for each file: the time of the clicks during it and before
it, how long the server's event loop was blocked, and the peak memory of the server and of its children.
"""

import http.client
import itertools
import math
import multiprocessing
import queue
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from model.runs.limits import RUNS_VARIABLE
from tests.checkpoints.blows import BLOWS, Blow, drop, without_tokens
from tests.checkpoints.leavings import memory_mb
from tests.serving import descendants, server
from tests.session import connect_session


@dataclass(slots=True)
class Measurements:
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

    def __init__(self, reported: Any) -> None:
        self._reports = reported

    def forget(self) -> None:
        """Discard all reports so far."""
        list(self._all())

    def since_forget(self, name: str, n_bytes: int, waited: float = 0.0) -> Measurements:
        """The reports since ``forget``."""
        result = Measurements(name, n_bytes, waited)
        for kind, seconds in self._all():
            (result.clicks if kind == "click" else result.beats).append(seconds)
        return result

    def _all(self) -> Iterator[tuple[str, float]]:
        with_care = 0.2
        while True:
            try:
                yield self._reports.get(timeout=with_care)
            except queue.Empty:
                return
            with_care = 0.0


@contextmanager
def clicking(address: str) -> Iterator[Clicks]:
    """A visitor in a separate process, so that generating files does not delay its timing."""
    context = multiprocessing.get_context("spawn")
    reported = context.Queue()
    process = context.Process(target=_click, args=(address, reported), daemon=True)
    process.start()
    try:
        yield Clicks(reported)
    finally:
        process.kill()
        process.join()


def _click(address: str, reported: Any) -> None:
    """Click on other heads of a sentence until ended, and now and then open another sentence."""
    threading.Thread(target=_beat, args=(address, reported), daemon=True).start()
    with connect_session(address, patience=120) as visitor:
        visitor.open("", {"text": "The cat is sleeping on the sofa."})
        for number in itertools.count():
            subject = ("cat", "dog", "child")[number // 10 % 3]
            query = {"text": f"The {subject} is sleeping on the sofa.", "layer": number % 3, "head": number % 8}
            reported.put(("click", visitor.send("sentence", "address", f"?{urlencode(query)}")))
            time.sleep(0.05)


def _beat(address: str, reported: Any) -> None:
    """Request the server's health address repeatedly; only its event loop answers that."""
    while True:
        began = time.monotonic()
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=120)
        connection.request("GET", "/_stcore/health")
        connection.getresponse().read()
        connection.close()
        reported.put(("beat", time.monotonic() - began))
        time.sleep(0.05)


@contextmanager
def watch_memory(process: int) -> Iterator[list[float]]:
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


MOST_SECONDS, MOST_MB = 1.0, 1024.0
"""Limits: seconds by which a click may exceed the median of the clicks before, and MiB of server memory per file."""
PATIENCE = 40.0
"""The hostile visitor continues with the next file after this many seconds."""
QUIET = 15.0
"""Seconds of clicks before the first file, and again until there are ``LEAST_CLICKS``."""
LEAST_CLICKS = 20
HEADS = ("", "MB", "waited", "clicks", "median", "p95", "worst", "ratio", "loop", "server", "others")
"""Size, seconds of the hostile visitor; clicks and their seconds, the worst over the median before, seconds of the
server's loop; MiB of the server and of its children."""


def run(chosen: Sequence[str] = ()) -> bool:
    """Measure and print; returns whether all clicks and the memory stayed within their limits.

    Args:
        chosen: parts of file names; without any, all files are used.
    """
    blows = [blow for blow in BLOWS if not chosen or any(part in blow.name for part in chosen)]
    with tempfile.TemporaryDirectory(prefix="regard-stall-") as place, ExitStack() as stack:
        environment = {RUNS_VARIABLE: f"{place}/runs", "OMP_NUM_THREADS": "1"}
        address, process = stack.enter_context(server(environment=environment))
        clicks = stack.enter_context(clicking(address))
        with connect_session(address, patience=PATIENCE) as visitor:
            drop(visitor, {"model.pt": without_tokens()})  # load everything first, so that no file is charged for it
        time.sleep(5)
        before = _click_undisturbed(clicks)
        print("".join(f"{head:>{34 if not head else 8}}" for head in HEADS))
        _say(before, before)
        results = [_struck(blow, address, clicks, process, Path(place), before) for blow in blows]
    slow = [result.name for result in results if result.worst > before.usual + MOST_SECONDS]
    print(f"clicks that took {MOST_SECONDS:g} s longer than before: {', '.join(slow) or 'none'}")
    large = [result.name for result in results if result.server_mb > MOST_MB]
    print(f"took more than {MOST_MB:g} MiB of the server: {', '.join(large) or 'none'}")
    unnamed = [f"{result.name}: {message}" for result in results for message in result.exceptions]
    print(f"errors without a name: {'; '.join(unnamed)[:2000] or 'none'}")
    return not slow and not large and not unnamed


def _click_undisturbed(clicks: Clicks) -> Measurements:
    """Click while nobody drops anything, often enough for a median."""
    clicks.forget()
    before = Measurements("before", 0, 0.0)
    while len(before.clicks) < LEAST_CLICKS:
        time.sleep(QUIET)
        more = clicks.since_forget("before", 0)
        before.clicks += more.clicks
        before.beats += more.beats
    return before


def _struck(blow: Blow, address: str, clicks: Clicks, process: int, place: Path, before: Measurements) -> Measurements:
    """Use the file in another browser session."""
    files = blow.make(Path(tempfile.mkdtemp(dir=place)))
    clicks.forget()
    with watch_memory(process) as memory:
        began = time.monotonic()
        with connect_session(address, patience=PATIENCE) as visitor:
            try:
                blow.do(visitor, files)
            except KeyError as error:  # the next widget is not on the page because the last step timed out
                print(f"{blow.name}: no {error} on the page")
            waited = time.monotonic() - began
        time.sleep(1.0)
    result = clicks.since_forget(blow.name, sum(map(len, files.values())), waited)
    result.server_mb, result.children_mb = memory
    result.exceptions += visitor.exceptions
    _say(result, before)
    return result


def _say(result: Measurements, before: Measurements) -> None:
    times = (result.usual, result.p95, result.worst, result.worst / before.usual, max(result.beats, default=0.0))
    numbers = (result.n_bytes / 1e6, result.waited, len(result.clicks), *times, result.server_mb, result.children_mb)
    print(f"{result.name[:33]:34}" + "".join(f"{number:8.2f}" for number in numbers), flush=True)
