"""Two things timed in turn, so that a busy machine slows both alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compared:
    """Medians over the rounds, in seconds, and the median of the rounds' ratios."""

    ours: float
    peer: float
    ratio: float
    """ours / peer"""
    rounds: int


def compare(ours: Callable[[], object], peer: Callable[[], object], *, rounds: int = 20, repeats: int = 1) -> Compared:
    """Run each ``repeats`` times a round, one after the other; the first round warms up and is not counted."""
    times = [(_seconds(ours, repeats), _seconds(peer, repeats)) for _ in range(rounds + 1)][1:]
    return Compared(
        statistics.median(mine for mine, _ in times),
        statistics.median(other for _, other in times),
        statistics.median(mine / other for mine, other in times),
        rounds,
    )


def _seconds(action: Callable[[], object], repeats: int) -> float:
    started = time.perf_counter()
    for _ in range(repeats):
        action()
    return (time.perf_counter() - started) / repeats
