"""Times two functions in turn, so that other load slows both equally, and holds the benchmarks' shared arguments."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Compared:
    """Medians over the rounds, in seconds, and the median of the rounds' ratios."""

    ours: float
    peer: float
    ratio: float
    """ours / peer"""
    rounds: int


def arguments(documentation: str | None) -> argparse.ArgumentParser:
    """A parser with --rounds, --threads and --cpu-time."""
    parser = argparse.ArgumentParser(
        description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument(
        "--cpu-time",
        action="store_true",
        help="use one thread and its processor time, which does not depend on other load",
    )
    return parser


def clock(chosen: argparse.Namespace) -> Clock:
    """Set the number of threads and return the clock that the arguments choose."""
    if chosen.cpu_time:
        chosen.threads = 1
    torch.set_num_threads(chosen.threads)
    return time.process_time if chosen.cpu_time else time.perf_counter


def conditions(chosen: argparse.Namespace) -> str:
    """How the times were measured, for the first line of output."""
    threads = "1 thread, its own time" if chosen.cpu_time else f"{chosen.threads} threads"
    return f"{threads}, median of {chosen.rounds} rounds"


def compare(
    ours: Callable[[], object],
    peer: Callable[[], object],
    *,
    rounds: int = 20,
    repeats: int = 1,
    clock: Clock = time.perf_counter,
) -> Compared:
    """Run each ``repeats`` times a round, one after the other; the first round warms up and is not counted."""
    times = [(_seconds(ours, repeats, clock), _seconds(peer, repeats, clock)) for _ in range(rounds + 1)][1:]
    return Compared(
        statistics.median(mine for mine, _ in times),
        statistics.median(other for _, other in times),
        statistics.median(mine / other for mine, other in times),
        rounds,
    )


def _seconds(action: Callable[[], object], repeats: int, clock: Clock) -> float:
    started = clock()
    for _ in range(repeats):
        action()
    return (clock() - started) / repeats
