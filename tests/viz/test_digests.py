"""Keys of shared caches are equal for equal content and different otherwise."""

import gc
from typing import Any

import numpy as np
import pytest

from viz import cache
from viz.components.attention import AttentionView
from viz.digests import digest


def _view(**changes) -> AttentionView:
    weights = np.full((1, 1, 2, 2), 0.5, np.float32)
    fields: dict[str, Any] = {"encoder_self": weights, "source_tokens": ["a", "b"], "caption": "a b · mine"}
    return AttentionView.from_arrays(**fields | changes)


def test_equal_values_made_apart_have_one_digest():
    assert digest(_view(), {"first": 1}) == digest(_view(), {"first": 1})


@pytest.mark.parametrize(
    "other",
    [
        _view(caption="a b · yours"),
        _view(source_tokens=["a", "c"]),
        _view(encoder_self=np.full((1, 1, 2, 2), 0.25, np.float32)),
    ],
    ids=["caption", "tokens", "weights"],
)
def test_a_view_that_differs_anywhere_has_another_digest(other):
    assert digest(other) != digest(_view())


@pytest.mark.parametrize(
    ("one", "other"),
    [((1, 2), (12,)), ("1", 1), (1, 1.0), (True, 1), (("a", "b"), ("ab",)), (None, "None"), (b"a", "a"), ({}, ())],
)
def test_values_that_only_look_alike_are_told_apart(one, other):
    assert digest(one) != digest(other)


def test_an_array_that_may_change_is_read_again():
    numbers = np.zeros(4)
    before = digest(numbers)
    numbers[2] = 1
    assert digest(numbers) != before


def test_an_array_that_takes_the_place_of_another_in_memory_is_not_taken_for_it():
    seen = set()
    for value in range(50):
        array = np.full(1000, value, np.float32)
        array.setflags(write=False)
        seen.add(digest(array))
        del array
        gc.collect(0)
    assert len(seen) == 50


def test_what_has_no_content_is_refused():
    with pytest.raises(TypeError, match="function cannot be part of a cache key"):
        digest(digest)


def test_a_result_is_shared_by_equal_arguments_and_by_no_others():
    calls = []

    def caption(view):
        calls.append(view.caption)
        return view.caption

    assert [cache.memoize_by_content(caption, _view()), cache.memoize_by_content(caption, _view())] == [
        "a b · mine"
    ] * 2
    assert cache.memoize_by_content(caption, _view(caption="other")) == "other"
    assert calls == ["a b · mine", "other"]
