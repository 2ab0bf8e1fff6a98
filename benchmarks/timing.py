"""The benchmarks' shared arguments, and two functions timed in turn, so that other load slows both equally."""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import torch


class Times(NamedTuple):
    """Seconds by the clock on the wall, and of processor time of all threads."""

    wall: float
    processor: float


class Compared(NamedTuple):
    """Medians over the rounds, and the medians of the rounds' ratios, peer / ours: how many times as fast ours is."""

    ours: Times
    peer: Times
    ratio: Times


def arguments(documentation: str | None, rounds: int = 20) -> argparse.ArgumentParser:
    """A parser with --rounds and --threads."""
    parser = argparse.ArgumentParser(
        description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    return parser


def parse(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Read the arguments, set the number of threads, and print both."""
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(0)
    print(f"{chosen.threads} threads, median of {chosen.rounds} rounds")
    return chosen


def measure(action: Callable[[], object], repeats: int = 1) -> Times:
    """The times of one call."""
    wall, processor = time.perf_counter(), time.process_time()
    for _ in range(repeats):
        action()
    return Times((time.perf_counter() - wall) / repeats, (time.process_time() - processor) / repeats)


def compare(ours: Callable[[], object], peer: Callable[[], object], *, rounds: int, repeats: int = 1) -> Compared:
    """Run each ``repeats`` times a round, one after the other; the first round warms up and is not counted."""
    pairs = [(measure(ours, repeats), measure(peer, repeats)) for _ in range(rounds + 1)][1:]
    ratios = [[theirs / own for own, theirs in zip(*pair, strict=True)] for pair in pairs]
    columns = (*zip(*pairs, strict=True), ratios)
    return Compared(*(Times(*map(statistics.median, zip(*times, strict=True))) for times in columns))
