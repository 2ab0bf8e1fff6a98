"""The cache of results: computed once, shared, read-only, bounded in bytes, and never returned for other arguments."""

import dataclasses
import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import model
from model.nn.transformer import Transformer
from tests.checkpoint import tiny_bundle
from viz import cache
from viz.components.attention import AttentionView
from viz.results import LruCache, digest, size_of

TEXT = "the cat is sleeping ."


def _cross(trace):
    assert trace.attention.cross is not None
    return trace.attention.cross


@pytest.fixture(scope="module")
def bundle():
    return tiny_bundle()


def test_equal_arguments_return_the_same_object(bundle):
    assert cache.translate(bundle, TEXT) is cache.translate(bundle, TEXT)


@pytest.mark.parametrize(
    "options",
    [
        {"text": "the dog ."},
        {"interventions": model.Interventions((model.HeadOff("cross", 0, 0),))},
        {"method": "beam"},
        {"prefix": (12,)},
    ],
)
def test_other_arguments_are_computed_separately(bundle, options):
    wish = {"text": TEXT} | options
    assert cache.translate(bundle, **wish) is not cache.translate(bundle, TEXT)


def test_another_model_never_answers(bundle):
    twin = dataclasses.replace(tiny_bundle(seed=206), fingerprint="another")
    assert not np.array_equal(_cross(cache.translate(bundle, TEXT))[0], _cross(cache.translate(twin, TEXT))[0])


def test_shared_results_are_read_only(bundle):
    weights = _cross(cache.translate(bundle, TEXT))
    with pytest.raises(ValueError, match="read-only"):
        weights[0, 0, 0, 0] = 1.0


def test_the_cached_trace_equals_the_models(bundle):
    direct = model.translate(bundle, TEXT)
    np.testing.assert_array_equal(_cross(cache.translate(bundle, TEXT)), _cross(direct))


def test_a_cached_result_is_computed_once():
    calls = []
    for _ in range(3):
        assert cache.get_or_compute(("test", 1), lambda: calls.append(1) or len(calls)) == 1
    assert cache.get_or_compute(("test", 2), lambda: len(calls) + 10) == 11


def test_the_extent_is_the_models():
    bundle = tiny_bundle(n_encoder_layers=1, n_decoder_layers=3, n_decoder_heads=4)
    extent = cache.extent(bundle)
    assert extent.layers == {"encoder_self": 1, "decoder_self": 3, "cross": 3}
    assert extent.heads == {"encoder_self": 2, "decoder_self": 4, "cross": 4}


@pytest.mark.nightly
def test_a_model_that_visitors_share_has_its_weights_laid_out_once():
    network = cache.bundle(cache.model_names()[0]).model
    assert isinstance(network, Transformer) and network._laid_out() is network._laid_out()


def _view(**changes) -> AttentionView:
    weights = np.full((1, 1, 2, 2), 0.5, np.float32)
    fields: dict[str, Any] = {"encoder_self": weights, "source_tokens": ["a", "b"], "caption": "a b · mine"}
    return AttentionView.from_arrays(**fields | changes)


def test_equal_values_made_apart_have_one_digest():
    assert digest(_view(), {"first": 1}) == digest(_view(), {"first": 1})


@pytest.mark.parametrize(
    "view",
    [
        _view(caption="a b · yours"),
        _view(source_tokens=["a", "c"]),
        _view(encoder_self=np.full((1, 1, 2, 2), 0.25, np.float32)),
    ],
    ids=["caption", "tokens", "weights"],
)
def test_a_view_that_differs_anywhere_has_another_digest(view):
    assert digest(view) != digest(_view())


@pytest.mark.parametrize(
    ("first", "second"),
    [((1, 2), (12,)), ("1", 1), (1, 1.0), (True, 1), (("a", "b"), ("ab",)), (None, "None"), (b"a", "a"), ({}, ())],
)
def test_values_that_only_look_equal_have_different_digests(first, second):
    assert digest(first) != digest(second)


def test_an_array_that_may_change_is_read_again():
    numbers = np.zeros(4)
    before = digest(numbers)
    numbers[2] = 1
    assert digest(numbers) != before


def test_an_array_that_takes_the_place_of_another_in_memory_is_not_taken_for_it():
    digests = set()
    for value in range(50):
        array = np.full(1000, value, np.float32)
        array.setflags(write=False)
        digests.add(digest(array))
        del array
        gc.collect(0)
    assert len(digests) == 50


def test_values_without_content_have_no_digest():
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


MEGABYTE = 1 << 20


def block(megabytes: int) -> np.ndarray:
    return np.zeros(megabytes * MEGABYTE, np.uint8)


@dataclass(frozen=True, slots=True)
class Value:
    arrays: tuple[np.ndarray, ...]
    name: str


def test_the_table_never_holds_more_than_its_bytes():
    results = LruCache(10 * MEGABYTE)
    for i in range(50):
        results.keep(i, lambda i=i: block(1 + i % 4))
        assert results.used_bytes <= 10 * MEGABYTE
    assert results.names()[-1] == 49


def test_the_table_never_holds_more_than_its_number_of_values():
    results = LruCache(10 * MEGABYTE, max_entries=3)
    for i in range(10):
        results.keep(i, lambda i=i: i)
    results.find(7)
    results.put("last", 1)
    assert results.names() == [9, 7, "last"]
    assert results.used_bytes < 3_000


def test_the_longest_unused_goes_first():
    results = LruCache(3 * MEGABYTE + 4_096)
    for name in "abc":
        results.keep(name, lambda: block(1))
    results.find("a")
    results.keep("d", lambda: block(1))
    assert results.names() == ["c", "a", "d"]


def test_a_value_larger_than_the_cache_is_returned_without_evicting_others():
    results = LruCache(2 * MEGABYTE)
    results.keep("small", lambda: 1)
    assert results.keep("large", lambda: block(3)).nbytes == 3 * MEGABYTE
    assert results.names() == ["small"]


def test_a_view_counts_as_the_array_behind_it_and_each_array_once():
    array = block(4)
    assert size_of(Value((array[:10], array[10:20]), "x")) == pytest.approx(4 * MEGABYTE, abs=2_000)


def test_a_replaced_value_gives_its_bytes_back():
    results = LruCache(10 * MEGABYTE)
    results.put("a", block(6))
    results.put("a", block(1))
    assert MEGABYTE <= results.used_bytes < 1.1 * MEGABYTE


def test_cached_values_are_read_only():
    value = LruCache(MEGABYTE).keep("a", lambda: Value((np.zeros(3),), "x"))
    with pytest.raises(ValueError, match="read-only"):
        value.arrays[0][0] = 1


def test_equal_requests_of_many_threads_are_computed_once():
    results, calls, ready = LruCache(MEGABYTE), [], threading.Barrier(8)

    def make() -> int:
        calls.append(1)
        return 7

    def wish(_: int) -> int:
        ready.wait()
        return results.keep("a", make)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(wish, range(8))) == [7] * 8
    assert len(calls) == 1


def test_a_failed_computation_is_repeated():
    results = LruCache(MEGABYTE)
    with pytest.raises(ZeroDivisionError):
        results.keep("a", lambda: 1 // 0)
    assert results.keep("a", lambda: 5) == 5
