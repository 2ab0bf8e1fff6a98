"""Results shared by all sessions are limited in bytes, computed once, and read-only."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

from viz.results import LruCache, size_of

MEGABYTE = 1 << 20


def block(megabytes: int) -> np.ndarray:
    return np.zeros(megabytes * MEGABYTE, np.uint8)


@dataclass(frozen=True, slots=True)
class Held:
    arrays: tuple[np.ndarray, ...]
    name: str


def test_the_table_never_holds_more_than_its_bytes():
    results = LruCache(10 * MEGABYTE)
    for i in range(50):
        results.keep(i, lambda i=i: block(1 + i % 4))
        assert results.used_bytes <= 10 * MEGABYTE
    assert results.names()[-1] == 49


def test_the_table_never_holds_more_than_its_number_of_values():
    results = LruCache(10 * MEGABYTE, most=3)
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


def test_what_is_larger_than_the_table_is_handed_on_and_pushes_nothing_out():
    results = LruCache(2 * MEGABYTE)
    results.keep("small", lambda: 1)
    assert results.keep("large", lambda: block(3)).nbytes == 3 * MEGABYTE
    assert results.names() == ["small"]


def test_a_view_counts_as_the_array_behind_it_and_each_array_once():
    whole = block(4)
    assert size_of(Held((whole[:10], whole[10:20]), "x")) == pytest.approx(4 * MEGABYTE, abs=2_000)


def test_a_replaced_value_gives_its_bytes_back():
    results = LruCache(10 * MEGABYTE)
    results.put("a", block(6))
    results.put("a", block(1))
    assert MEGABYTE <= results.used_bytes < 1.1 * MEGABYTE


def test_what_is_kept_cannot_be_written():
    kept = LruCache(MEGABYTE).keep("a", lambda: Held((np.zeros(3),), "x"))
    with pytest.raises(ValueError, match="read-only"):
        kept.arrays[0][0] = 1


def test_equal_wishes_of_many_threads_are_worked_out_once():
    results, made, ready = LruCache(MEGABYTE), [], threading.Barrier(8)

    def make() -> int:
        made.append(1)
        return 7

    def wish(_: int) -> int:
        ready.wait()
        return results.keep("a", make)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(wish, range(8))) == [7] * 8
    assert len(made) == 1


def test_what_fails_is_asked_for_again():
    results = LruCache(MEGABYTE)
    with pytest.raises(ZeroDivisionError):
        results.keep("a", lambda: 1 // 0)
    assert results.keep("a", lambda: 5) == 5
