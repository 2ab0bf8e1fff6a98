"""Every reading under every change in every kind of model, alone and in a batch, with a cache and without.

By day a few cells are drawn; at night all of them run, and ``python -m tests.matrix --minutes 60`` tries further places
of each change. A cell fails where a number is not that of plain hooks, or of the same reading done slowly. A
combination without a meaning is refused in one sentence: ``python -m tests.matrix --refusals`` lists these.
"""

from typing import NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from model.errors import RegardError
from tests.matrix import changes, readings
from tests.matrix.kinds import NAMES, bundle_of
from tests.nightly import examples


class Place(NamedTuple):
    """A cell of the matrix by its names."""

    reading: str
    kind: str
    change: str
    in_batch: bool
    cached: bool


def places() -> list[Place]:
    """All cells: a reading without batches or caches has one for each change, and one of the unchanged model one."""
    return [
        Place(reading, kind, change, in_batch, cached)
        for reading in readings.READINGS
        for kind in NAMES
        for change in (("nothing",) if reading in readings.UNCHANGED else changes.CHANGES)
        for in_batch in ((False, True) if reading in readings.IN_BATCHES else (False,))
        for cached in ((False, True) if reading in readings.WITH_CACHE else (False,))
        if not (kind.startswith("encoder-only") and reading in readings.NEEDS_DECODER and change != "nothing")
        and not (change.startswith(("positions",)) and kind.startswith("decoder-only"))
        and not (change == "mask lifted" and kind.startswith("encoder-only"))
    ]


PLACES = places()


def refusal(place: Place) -> str:
    """Words of the sentence that refuses a cell; empty where it has a meaning."""
    of_change = "" if place.reading in readings.UNCHANGED else changes.refusal(place.kind, place.change)
    return "|".join(filter(None, (readings.refusal(place.reading, place.kind), of_change)))


def check(place: Place, seed: int) -> None:
    """Compute one cell.

    Raises:
        AssertionError: when a number is wrong, or a refusal is missing or not expected.
    """
    bundle = bundle_of(place.kind)
    edits = changes.change_of(place.kind, bundle, place.change, seed)
    cell = readings.Cell(place.kind, bundle, edits, place.in_batch, place.cached)
    words = refusal(place)
    if words:
        with pytest.raises(RegardError, match=words) as error:
            readings.READINGS[place.reading](cell)
        assert len(str(error.value).splitlines()) == 1
    else:
        readings.READINGS[place.reading](cell)


@given(place=st.sampled_from(PLACES), seed=st.integers(0, 9))
@settings(max_examples=examples(250), deadline=None, derandomize=True, phases=[Phase.generate], database=None)
def test_a_cell_of_the_matrix_is_right(place: Place, seed: int) -> None:
    check(place, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("reading", readings.READINGS)
def test_the_whole_matrix_is_right(reading: str) -> None:
    for place in PLACES:
        if place.reading == reading:
            check(place, 0)
