"""An hour of 40 scripted visitors on one public server, and what is left of them afterwards.

    python -m tests.soak                              60 minutes, 40 visitors
    python -m tests.soak --minutes 5 --visitors 10

Each visitor opens pages, writes sentences, chooses heads, drops a small model with a tokenizer of its own, and
leaves; then another comes in its place. The server's memory, child processes, open files and disk are printed each
minute. They are taken as the beginning once everybody has visited once and has left, because a server loads what it
needs with its first visitors, and compared when the last visitor can no longer come back. The table of results, which
fills to 512 MiB and then drops its oldest, has 16 here, so that it is full when the beginning is taken; what grows
after that is no table. The exit code is 1 when one of them has grown by more than a tenth, or a page showed an
unexpected error.
"""

import argparse
import itertools
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.processes import descendants, own_memory
from benchmarks.serving import ROOT, server
from model.files.size import size_of
from model.runs.limits import RUNS_VARIABLE
from tests.attacks import LEAVES_WITHIN, strangers_model
from tests.checkpoints.blows import drop
from tests.session import Session, connect_session
from viz.cache import MEGABYTES_VARIABLE

MOST_GROWTH = 0.1
ALLOWED = {"memory, MiB": 16.0, "processes": 0.0, "open files": 4.0, "disk, MiB": 4.0}
"""What may be more at the end beside the tenth, where the beginning is small."""
PAUSE = 2.0
"""Seconds between two acts of a visitor."""
SUBJECTS = ("cat", "dog", "child", "teacher", "bird", "man", "woman")


@dataclass(frozen=True, slots=True)
class State:
    """What a server takes of its machine."""

    memory: float
    processes: float
    files: float
    disk: float

    def named(self) -> Mapping[str, float]:
        """Its numbers by what they count."""
        return dict(zip(ALLOWED, (self.memory, self.processes, self.files, self.disk), strict=True))


def state_of(process: int, folder: Path) -> State:
    """The server's memory and that of its children, its children, its open files, and its files on disk."""
    children = list(descendants(process))
    memory = sum(map(own_memory, (process, *children)))
    files = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
    return State(memory, len(children), files, size_of(folder) / (1 << 20))


class Crowd:
    """Visitors who come and go."""

    def __init__(self, address: str) -> None:
        self.address, self.acts, self.errors = address, Counter[str](), list[str]()
        self._numbers = itertools.count()
        self._is_over = threading.Event()
        self._model = strangers_model()

    def come(self, n_visitors: int, seconds: float) -> None:
        """Let so many visit at once for some time, and return when the last has left."""
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
    """Visit, leave, and compare; 0 when nothing is left."""
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
            crowd.come(chosen.visitors, min(60.0, 60 * chosen.minutes / 4))
            before = left_behind(process, folder, "the first have left")
            for minute in range(1, round(chosen.minutes) + 1):
                crowd.come(chosen.visitors, 60.0)
                tell(state_of(process, folder), f"minute {minute}, {chosen.visitors} at once")
            after = left_behind(process, folder, "the last has left")
    print("; ".join(f"{name} {times:,} times" for name, times in sorted(crowd.acts.items())))
    print(f"errors without a name: {'; '.join(crowd.errors)[:2_000] or 'none'}")
    grown = [name for name, was in before.named().items() if after.named()[name] > allowed(name, was)]
    print(f"more than a tenth above the beginning: {', '.join(grown) or 'nothing'}")
    return 1 if grown or crowd.errors else 0


def allowed(name: str, was: float) -> float:
    """The most that a number may be at the end."""
    return max((1 + MOST_GROWTH) * was, was + ALLOWED[name])


def left_behind(process: int, folder: Path, when: str) -> State:
    """What is left when nobody can come back."""
    time.sleep(LEAVES_WITHIN)
    found = state_of(process, folder)
    tell(found, when)
    return found


def tell(state: State, when: str) -> None:
    """Print one line."""
    print(f"{when:34}" + "".join(f"{value:14,.0f}" for value in state.named().values()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
