"""An hour of 40 scripted visitors on one public server, followed by a check for leaks.

    python -m tests.soak                              60 minutes, 40 visitors
    python -m tests.soak --minutes 5 --visitors 10

Each visitor opens pages, writes sentences, chooses heads, drops a small model with a new tokenizer, and leaves; then
another takes its place. The server's memory, child processes, open files and disk use are printed each minute. The
baseline is taken after every visitor has visited and left once, because first visits load modules, and compared when
the last visitor can no longer reconnect. The cache of results is limited to 16 MiB instead of 512, so that it is full
at the baseline and does not look like a leak. The exit code is 1 if a number has grown by more than a tenth, or if a
page showed an unexpected error.
"""

import argparse
import itertools
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from model.files.size import size_of
from model.runs.limits import RUNS_VARIABLE
from tests.attacks import LEAVES_WITHIN, strangers_model
from tests.checkpoints.blows import drop
from tests.serving import ROOT, descendants, memory, server
from tests.session import Session, connect_session
from viz.cache import MEGABYTES_VARIABLE

MOST_GROWTH = 0.1
ALLOWED = {"memory, MiB": 16.0, "processes": 0.0, "open files": 4.0, "disk, MiB": 4.0}
"""Allowed growth in addition to the tenth, for small baselines."""
PAUSE = 2.0
"""Seconds between two actions of a visitor."""
SUBJECTS = ("cat", "dog", "child", "teacher", "bird", "man", "woman")


State = dict[str, float]
"""A server's use of resources, by the names in ``ALLOWED``."""


def state_of(process: int, folder: Path) -> State:
    """Memory of the server and its children, the number of children and open files, and disk use."""
    children = list(descendants(process))
    files = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
    return dict(zip(ALLOWED, (memory([process]), len(children), files, size_of(folder) / (1 << 20)), strict=True))


class Crowd:
    """Concurrent visitors who are replaced when they leave."""

    def __init__(self, address: str) -> None:
        self.address, self.acts, self.errors = address, Counter[str](), list[str]()
        self._numbers = itertools.count()
        self._is_over = threading.Event()
        self._model = strangers_model()

    def visit(self, n_visitors: int, seconds: float) -> None:
        """Let a number of visitors visit concurrently for some time; returns when the last has left."""
        self._is_over.clear()
        threads = [threading.Thread(target=self._visit_again, daemon=True) for _ in range(n_visitors)]
        for thread in threads:
            thread.start()
            time.sleep(min(1.0, seconds / n_visitors / 4))
        self._is_over.wait(seconds)
        self._is_over.set()
        for thread in threads:
            thread.join()

    def _visit_again(self) -> None:
        while not self._is_over.is_set():
            try:
                with connect_session(self.address, patience=120) as visitor:
                    self._visit(visitor, next(self._numbers))
                self.errors += visitor.exceptions
            except Exception as error:
                self.acts[f"stopped by {type(error).__name__}"] += 1
                time.sleep(PAUSE)

    def _visit(self, visitor: Session, number: int) -> None:
        sentence = f"The {SUBJECTS[number % len(SUBJECTS)]} number {number} is sleeping on the sofa."
        acts = {
            "explore": lambda: visitor.open("", {"text": sentence}),
            "another head": lambda: visitor.open("", {"text": sentence, "layer": "1", "head": str(number % 8)}),
            "decode": lambda: visitor.open("decode", {"text": sentence}),
            "inside": lambda: visitor.open("inside", {"text": sentence}),
            "model": lambda: drop(visitor, self._model) if number % 8 == 0 else None,
            "corpus": lambda: visitor.open("corpus", {"corpus.view": "find"}),
            "lesson": lambda: visitor.open("lesson", {}),
        }
        for name, act in acts.items():
            if self._is_over.is_set():
                return
            act()
            self.acts[name] += 1
            time.sleep(PAUSE)


def main() -> int:
    """Visit, leave and compare; returns 0 if nothing has leaked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--visitors", type=int, default=40)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="regard-soak-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        environment = {"REGARD_PUBLIC": "1", RUNS_VARIABLE: f"{place}/runs", "TMPDIR": place, MEGABYTES_VARIABLE: "16"}
        with server(environment=environment, root=ROOT) as (address, process):
            crowd = Crowd(address)
            print(f"{'':34}" + "".join(f"{name:>14}" for name in ALLOWED))
            crowd.visit(chosen.visitors, min(60.0, 60 * chosen.minutes / 4))
            before = state_after_visits(process, folder, "the first have left")
            for minute in range(1, round(chosen.minutes) + 1):
                crowd.visit(chosen.visitors, 60.0)
                print_state(state_of(process, folder), f"minute {minute}, {chosen.visitors} at once")
            after = state_after_visits(process, folder, "the last has left")
    print("; ".join(f"{name} {times:,} times" for name, times in sorted(crowd.acts.items())))
    print(f"errors without a name: {'; '.join(crowd.errors)[:2_000] or 'none'}")
    grown = [name for name, value in before.items() if after[name] > upper_limit(name, value)]
    print(f"more than a tenth above the beginning: {', '.join(grown) or 'nothing'}")
    return 1 if grown or crowd.errors else 0


def upper_limit(name: str, baseline: float) -> float:
    """The largest acceptable number at the end."""
    return max((1 + MOST_GROWTH) * baseline, baseline + ALLOWED[name])


def state_after_visits(process: int, folder: Path, when: str) -> State:
    """The state when no visitor can reconnect."""
    time.sleep(LEAVES_WITHIN)
    state = state_of(process, folder)
    print_state(state, when)
    return state


def print_state(state: State, when: str) -> None:
    """Print a line of the table."""
    print(f"{when:34}" + "".join(f"{value:14,.0f}" for value in state.values()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
