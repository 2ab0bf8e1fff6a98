"""Many visitors of one server: how long each waits for a link, and how much memory the server uses.

    python -m benchmarks.visitors                                  40 visitors, a link each 10 s, 4 minutes
    python -m benchmarks.visitors --visitors 100
    python -m benchmarks.visitors --training                       while a fine-tuning runs
    python -m benchmarks.visitors --against 8ad5ab5                the same on an older commit

Every visit is a separate browser session over a real websocket, with a sentence that nobody has opened before. The time
runs from connecting to the end of the page's run. A visitor stays connected until the next link, and opens that late
when the last one took longer than the pause. Memory is that of the server and the processes it has started; shared
pages are counted once. The exit code is 1 when a visit failed. Run it on an idle machine.
"""

import argparse
import contextlib
import itertools
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from websockets.exceptions import WebSocketException

from benchmarks.browser import chromium, open_page
from model.runs.limits import RUNS_VARIABLE
from tests.serving import ROOT, checkout, memory, processor_seconds, server
from tests.session import connect_session

TRAINING = re.compile(r"Training · step \d+ of")
PATIENCE = 300.0
"""Time limit of one visit in seconds."""
# fmt: off
SUBJECTS = ("The old man", "My little sister", "Our new teacher", "The young doctor", "A tall woman", "The black cat",
            "His best friend", "The small dog", "Her brother", "The lazy student", "A quiet child", "The tired driver")
VERBS = ("was reading", "is waiting", "has been working", "wants to sleep", "will stay", "was singing", "is talking",
         "had been sitting", "likes to walk", "was running", "is standing", "never stops")
PLACES = ("in the garden behind the house", "on a bench near the river", "at the table by the window", "in the rain",
          "under the tree in the park", "in front of the old school", "near the church", "in a small village",
          "on the other side of the street", "in the kitchen", "at the station", "in the mountains")
TIMES = ("today", "this morning", "every evening", "on Sunday", "all day long", "since yesterday", "at night",
         "in winter", "after lunch", "before the lesson", "once again", "for two hours")
# fmt: on


def main() -> int:
    """Measure this version, then the one it is compared with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=40)
    parser.add_argument("--every", type=float, default=10.0, help="seconds from one link of a visitor to the next")
    parser.add_argument("--minutes", type=float, default=4.0, help="minutes of visits, before --speed")
    parser.add_argument("--speed", type=float, default=1.0, help="divide the pauses by this")
    parser.add_argument("--replicas", type=int, default=1, help="servers that share the visitors")
    parser.add_argument("--training", action="store_true", help="with a fine-tuning under way")
    parser.add_argument("--against", help="an older commit")
    chosen = parser.parse_args()
    failed = measure(chosen, "now", ROOT, {})
    if chosen.against:
        with checkout(chosen.against) as folder:
            measure(chosen, f"at {chosen.against}", folder, {"PYTHONPATH": str(folder)})
    return int(failed)


def measure(chosen: argparse.Namespace, name: str, root: Path, environment: dict[str, str]) -> bool:
    """Start the servers, make all visits and print the measurements; returns whether a visit failed."""
    pause, n_visits = chosen.every / chosen.speed, max(1, round(chosen.minutes * 60 / chosen.every))
    links, starts, most = sentences(), random.Random(0), 0.0
    seconds: list[float] = []
    failures: list[str] = []

    def visit_links(address: str, start: float) -> None:
        time.sleep(start)
        with contextlib.ExitStack() as before:
            for _ in range(n_visits):
                began, page = time.monotonic(), contextlib.ExitStack()
                try:
                    session = page.enter_context(connect_session(address, patience=PATIENCE))
                    session.open("", {"text": next(links), "layer": "1", "head": "0"})
                    failures.extend(session.exceptions if session.widget_ids else ["nothing was drawn"])
                except (OSError, WebSocketException) as error:
                    failures.append(f"{type(error).__name__}: {error}")
                seconds.append(time.monotonic() - began)
                before.close()
                before.push(page)
                time.sleep(max(0.0, pause - (time.monotonic() - began)))

    with contextlib.ExitStack() as stack:
        runs = tempfile.TemporaryDirectory(prefix="regard-runs-", ignore_cleanup_errors=True)
        environment |= {RUNS_VARIABLE: stack.enter_context(runs)}
        servers = [stack.enter_context(server(root=root, environment=environment)) for _ in range(chosen.replicas)]
        processes = [process for _, process in servers]
        if chosen.training:
            stack.enter_context(training(servers[0][0]))
        memory_before, used = memory(processes), processor_seconds(processes)
        threads = stack.enter_context(ThreadPoolExecutor(chosen.visitors))
        visitors = [
            threads.submit(visit_links, servers[number % chosen.replicas][0], starts.uniform(0, pause))
            for number in range(chosen.visitors)
        ]
        while not all(visitor.done() for visitor in visitors):
            most = max(most, memory(processes))
            time.sleep(0.5)
        for visitor in visitors:
            visitor.result()
        used = processor_seconds(processes) - used
    seconds.sort()
    p95 = seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]
    print(f"{name}: {chosen.visitors} visitors, a link each {chosen.every:g} s, {len(seconds)} visits: median "
          f"{statistics.median(seconds):.2f} s, p95 {p95:.2f} s, slowest {seconds[-1]:.2f} s; {len(failures)} failed; "
          f"{used / len(seconds):.3f} s of processor time a visit; memory {memory_before:.0f} MiB before, {most:.0f} "
          "MiB at most", *dict.fromkeys(failures), sep="\n", flush=True)  # fmt: skip
    return bool(failures)


def sentences() -> Iterator[str]:
    """20,736 distinct sentences, in a shuffled order that is always the same."""
    texts = [" ".join(parts) + "." for parts in itertools.product(SUBJECTS, VERBS, PLACES, TIMES)]
    random.Random(0).shuffle(texts)
    return itertools.cycle(texts)


@contextlib.contextmanager
def training(address: str) -> Iterator[None]:
    """Start the longest fine-tuning as a visitor, and end it when the visits are over."""
    with chromium() as browser:
        page = open_page(browser, f"{address}/fine_tune?model=en-fr&tune.steps=2000")
        page.get_by_role("button", name="Train", exact=True).click()
        page.get_by_text(TRAINING).wait_for()
        yield
        if not page.get_by_text(TRAINING).is_visible():
            print("The fine-tuning ended before the visits: measure fewer minutes.")


if __name__ == "__main__":
    sys.exit(main())
