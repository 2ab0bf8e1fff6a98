"""Many visitors of one server: how long each waits for a link, and how much memory the server uses.

    python -m benchmarks.visitors                                  40 visitors, a link each 10 s, 4 minutes
    python -m benchmarks.visitors --visitors 100
    python -m benchmarks.visitors --training                       while a fine-tuning runs
    python -m benchmarks.visitors --minutes 60 --every 30 --speed 4   as many visits as in an hour, in a quarter of it
    python -m benchmarks.visitors --against 8ad5ab5                the same on an older commit

Every visit is a separate browser session over a real websocket, with a sentence that nobody has opened before. The time
runs from connecting to the end of the page's run. A visitor stays connected until the next link, and opens that late
when the last one took longer than the pause. Memory is that of the server and the processes it has started; shared
pages are counted once. The exit code is 1 when a visit failed, or the memory exceeded its limit.

Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import WebSocketException

from benchmarks.browser import chromium, opened
from benchmarks.processes import memory, processor
from benchmarks.serving import ROOT, checkout, server
from model.runs.limits import RUNS_VARIABLE
from tests.session import session

UNDER_WAY = re.compile(r"Training · step \d+ of")
PATIENCE = 300.0
"""Time limit of one visit in seconds."""
BARS = {(40, False): " (bar 0.6)", (100, False): " (bar 1.0)", (40, True): " (bar 0.9)"}
"""Limit of the 95th percentile, by the number of visitors and whether a fine-tuning runs."""
SUBJECTS = (
    "The old man",
    "My little sister",
    "Our new teacher",
    "The young doctor",
    "A tall woman",
    "The black cat",
    "His best friend",
    "The small dog",
    "Her brother",
    "The lazy student",
    "A quiet child",
    "The tired driver",
)
VERBS = (
    "was reading",
    "is waiting",
    "has been working",
    "wants to sleep",
    "will stay",
    "was singing",
    "is talking",
    "had been sitting",
    "likes to walk",
    "was running",
    "is standing",
    "never stops",
)
PLACES = (
    "in the garden behind the house",
    "on a bench near the river",
    "at the table by the window",
    "in the rain",
    "under the tree in the park",
    "in front of the old school",
    "near the church",
    "in a small village",
    "on the other side of the street",
    "in the kitchen",
    "at the station",
    "in the mountains",
)
TIMES = ("today", "this morning", "every evening", "on Sunday", "all day long", "since yesterday", "at night",
         "in winter", "after lunch", "before the lesson", "once again", "for two hours")  # fmt: skip


@dataclass(slots=True)
class Run:
    """What was measured."""

    seconds: list[float] = field(default_factory=list)
    """Duration of each visit, in the order in which they ended."""
    failures: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    """Server memory in MiB: before the visits, after their first minute, at the end, and the highest seen."""
    processor: float = 0.0
    """Seconds of processor time that the servers have used."""


def main() -> int:
    """Measure this version, then the one it is compared with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=40)
    parser.add_argument("--every", type=float, default=10.0, help="seconds from one link of a visitor to the next")
    parser.add_argument(
        "--minutes", type=float, default=4.0, help="minutes of visits; --speed does not change how many visits that is"
    )
    parser.add_argument("--speed", type=float, default=1.0, help="divide the pauses by this")
    parser.add_argument("--most-mb", type=float, default=2048, help="memory that the server may hold, MiB")
    parser.add_argument("--replicas", type=int, default=1, help="servers that share the visitors")
    parser.add_argument("--training", action="store_true", help="with a fine-tuning under way")
    parser.add_argument("--against", help="an older commit")
    chosen = parser.parse_args()
    run = measured(chosen, "now", ROOT, {})
    if chosen.against:
        with checkout(chosen.against) as folder:
            measured(chosen, f"at {chosen.against}", folder, {"PYTHONPATH": str(folder)})
    return int(bool(run.failures) or run.memory[3] > chosen.most_mb)


def measured(chosen: argparse.Namespace, name: str, root: Path, environment: dict[str, str]) -> Run:
    """Start the servers, make all visits, and print two lines of results."""
    with contextlib.ExitStack() as stack:
        runs = tempfile.TemporaryDirectory(prefix="regard-runs-", ignore_cleanup_errors=True)
        environment |= {RUNS_VARIABLE: stack.enter_context(runs)}
        servers = [stack.enter_context(server(root=root, environment=environment)) for _ in range(chosen.replicas)]
        addresses, processes = zip(*servers, strict=True)
        if chosen.training:
            stack.enter_context(training(addresses[0]))
        run = Run()
        visits(run, addresses, processes, chosen)
    ordered = sorted(run.seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    ends = min(len(run.seconds), round(chosen.visitors * 60 / chosen.every))
    begun, settled, ended, most = run.memory
    beside = " while a fine-tuning runs" if chosen.training else ""
    beside += f", {chosen.replicas} replicas" if chosen.replicas > 1 else ""
    bar = BARS.get((chosen.visitors, chosen.training), "")
    say(f"{name}: {chosen.visitors} visitors, a link each {chosen.every:g} s{beside}, {len(run.seconds)} visits: "
        f"median {statistics.median(ordered):.2f} s, p95 {p95:.2f} s{bar}, slowest {ordered[-1]:.2f} s; "
        f"median of the first minute {statistics.median(run.seconds[:ends]):.2f} s, "
        f"of the last {statistics.median(run.seconds[-ends:]):.2f} s; {len(run.failures)} failed; "
        f"{run.processor / len(run.seconds):.3f} s of processor time a visit")  # fmt: skip
    say(f"{name}: memory {begun:.0f} MiB before, {settled:.0f} MiB after the first minute, {ended:.0f} MiB at the end "
        f"({100 * (ended / settled - 1):+.1f} %, bar +10 after an hour's visits), {most:.0f} MiB at most")  # fmt: skip
    for failure in dict.fromkeys(run.failures):
        say(f"  {failure}")
    return run


def visits(run: Run, addresses: Sequence[str], processes: Sequence[int], chosen: argparse.Namespace) -> None:
    """Run all visitors, each in a thread and on one of the servers, and record the memory meanwhile."""
    pause, each = chosen.every / chosen.speed, max(1, round(chosen.minutes * 60 / chosen.every))
    first_minute = min(round(chosen.visitors * 60 / chosen.every), each * chosen.visitors)
    links, starts = sentences(), random.Random(0)
    run.memory, began = [memory(processes)] * 4, processor(processes)
    with ThreadPoolExecutor(chosen.visitors) as threads:
        visiting = [
            threads.submit(visitor, address, links, run, n_visits=each, pause=pause, start=starts.uniform(0, pause))
            for address, _ in zip(itertools.cycle(addresses), range(chosen.visitors), strict=False)
        ]
        while not all(one.done() for one in visiting):
            run.memory[2] = memory(processes)
            run.memory[3] = max(run.memory[2:])
            if len(run.seconds) < first_minute:
                run.memory[1] = run.memory[2]
            time.sleep(0.5)
    run.processor = processor(processes) - began


def visitor(address: str, links: Iterator[str], run: Run, *, n_visits: int, pause: float, start: float) -> None:
    """One visitor: open a link, pause, open the next link."""
    time.sleep(start)
    with contextlib.ExitStack() as before:
        for _ in range(n_visits):
            began, page = time.monotonic(), contextlib.ExitStack()
            try:
                come = page.enter_context(session(address, patience=PATIENCE))
                come.open("", {"text": next(links), "layer": "1", "head": "0"})
                run.failures += come.exceptions
                if not come.drawn:
                    run.failures.append("nothing was drawn")
            except (OSError, WebSocketException) as error:
                run.failures.append(f"{type(error).__name__}: {error}")
            run.seconds.append(time.monotonic() - began)
            before.close()
            before.push(page)
            time.sleep(max(0.0, pause - (time.monotonic() - began)))


def sentences() -> Iterator[str]:
    """20,736 distinct sentences, in a shuffled order that is always the same."""
    found = [" ".join(parts) + "." for parts in itertools.product(SUBJECTS, VERBS, PLACES, TIMES)]
    random.Random(0).shuffle(found)
    return itertools.cycle(found)


@contextlib.contextmanager
def training(address: str) -> Iterator[None]:
    """Start the longest fine-tuning as a visitor, and end it when the visits are over."""
    with chromium() as browser:
        page = opened(browser, f"{address}/fine_tune?model=en-fr&tune.steps=2000")
        page.get_by_role("button", name="Train", exact=True).click()
        page.get_by_text(UNDER_WAY).wait_for()
        yield
        if not page.get_by_text(UNDER_WAY).is_visible():
            say("The fine-tuning ended before the visits: measure fewer minutes.")


def say(text: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
