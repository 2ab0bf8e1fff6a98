"""Repetition loops: a translation repeats the same few tokens (Holtzman et al. 2020, section 4).

A model in such a loop rarely ends the sentence. Decoding stops as soon as a loop is detected.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEAST_TIMES = {1: 6, 2: 5, 3: 4, 4: 4, 5: 4, 6: 4, 7: 3, 8: 3, 9: 3, 10: 3}
"""By the length of a unit: repetitions in a row that make a loop; "no, no, no, no" is none."""
LONGEST = max(period * times for period, times in LEAST_TIMES.items())


@dataclass(frozen=True, slots=True)
class Loop:
    """A unit of tokens that a sequence ends with, several times in a row."""

    start: int
    """Index of the first token of the first repetition."""
    period: int
    """Tokens in the unit."""
    times: int


def find_loop(ids: Sequence[int]) -> Loop | None:
    """The loop at the end of a sequence, with its shortest unit; None if there is none."""
    array = np.asarray(ids)
    for period, least in LEAST_TIMES.items():
        same = array[period:] == array[:-period]
        run = len(same) if same.all() else int(np.argmin(same[::-1]))
        times = run // period + 1
        if len(array) > period and times >= least:
            return Loop(len(array) - times * period, period, times)
    return None


def repeats_itself(ids: Sequence[int]) -> bool:
    """Whether any unit occurs three times in a row: a source like "ha ha ha", whose translation may repeat too."""
    array = np.asarray(ids)
    for period in LEAST_TIMES:
        same = array[period:] == array[:-period]
        edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False]))))
        if len(edges) and int((edges[1::2] - edges[::2]).max()) >= 2 * period:
            return True
    return False


def end_in_loop(rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows (N, T) end in a loop, bool (N,)."""
    ends = np.zeros(len(rows), bool)
    for period, least in LEAST_TIMES.items():
        tail = rows[:, -period * least :]
        if tail.shape[1] == period * least:
            ends |= (tail[:, period:] == tail[:, :-period]).all(1)
    return ends
