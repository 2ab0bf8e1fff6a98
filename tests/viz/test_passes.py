"""Pages that need a translation at the same time share a pass, and each gets its own."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import model
from model.text.tokens import TextError
from tests.viz.test_turns import LONG, waiting
from viz import cache
from viz.passes import SharedPasses
from viz.state.turns import TURNS, Turns

SENTENCES = ("The cat is sleeping.", "I'm home.", "She said that she would not come back tomorrow.", "He's never late.")


def together(turns: Turns, pages: list) -> list:
    """What the pages give that all waited before the first began."""
    with ThreadPoolExecutor(len(pages)) as pool:
        with turns.turn():
            found = []
            for number, page in enumerate(pages):
                found.append(pool.submit(page))
                waiting(turns, number + 1)
        return [one.exception(LONG) or one.result(LONG) for one in found]


def test_pages_that_wait_are_answered_in_one_pass() -> None:
    turns, passes = Turns(LONG), []
    shared: SharedPasses[int, int] = SharedPasses(turns)

    def run(asked: list[int]) -> list[int]:
        passes.append(asked)
        return [10 * number for number in asked]

    def page(number: int, group: str) -> int:
        with turns.turn():
            return shared.answer(group, number, number, run)

    pages = [lambda number=number, group=group: page(number, group) for number, group in enumerate("aabaab")]
    assert together(turns, [*pages, pages[0]]) == [0, 10, 20, 30, 40, 50, 0]
    assert sorted(map(sorted, passes)) == [[0, 1, 3, 4], [2, 5]]
    assert not shared._waiting


def test_a_page_alone_does_not_wait() -> None:
    turns = Turns(LONG)
    with turns.turn():
        assert SharedPasses(turns).answer("a", 1, 1, lambda asked: asked) == 1


def test_a_pass_has_a_largest_size() -> None:
    turns, passes = Turns(LONG), []
    shared: SharedPasses[int, int] = SharedPasses(turns)

    def run(asked: list[int]) -> list[int]:
        passes.append(len(asked))
        return asked

    def page(number: int) -> int:
        with turns.turn():
            return shared.answer("a", number, number, run)

    assert together(turns, [lambda number=number: page(number) for number in range(11)]) == list(range(11))
    assert passes == [8, 3]


def test_an_error_meets_only_the_page_that_caused_it() -> None:
    turns = Turns(LONG)
    shared: SharedPasses[int, int] = SharedPasses(turns)

    def run(asked: list[int]) -> list[int | Exception]:
        if 1 in asked:
            raise ValueError("one")
        return [TextError("two") if number == 2 else number for number in asked]

    def page(number: int) -> int:
        with turns.turn():
            return shared.answer("a", number, number, run)

    zero, one, two, three = together(turns, [lambda number=number: page(number) for number in range(4)])
    assert (zero, three) == (0, 3)
    assert isinstance(one, ValueError)
    assert isinstance(two, TextError)
    assert turns._holder is None


@pytest.mark.nightly("beam")
@pytest.mark.parametrize("options", [{}, {"method": "beam", "beam_size": 3}], ids=["greedy", "beam"])
def test_visitors_who_wait_get_their_own_translations(options: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four sentences in one pass of the model: each page's trace is that of the sentence alone, its limit included."""
    bundle, passes = cache.bundle("en-fr"), []
    encode = bundle.model.encode

    def counted(ids, **given):
        passes.append(len(ids))
        return encode(ids, **given)

    monkeypatch.setattr(TURNS, "seconds", LONG)
    cache.RESULTS.clear()
    limits = (30, 3, 30, 24)

    def page(text: str, limit: int) -> model.Trace:
        with TURNS.turn():
            return cache.translate(bundle, text, max_length=limit, **options)

    monkeypatch.setattr(type(bundle.model), "encode", lambda self, ids, **given: counted(ids, **given))
    asked = list(zip(SENTENCES, limits, strict=True))
    found = together(TURNS, [lambda text=text, limit=limit: page(text, limit) for text, limit in asked])
    assert sum(passes) == len(SENTENCES)
    assert max(passes) > 1
    for trace, (text, limit) in zip(found, asked, strict=True):
        alone = model.translate(bundle, text, max_length=limit, **options)
        assert (trace.text, trace.target.ids, trace.is_truncated) == (alone.text, alone.target.ids, alone.is_truncated)
        together_weights, own_weights = (np.asarray(one.attention.cross) for one in (trace, alone))
        np.testing.assert_allclose(together_weights, own_weights, atol=1e-5)
        assert cache.translate(bundle, text, max_length=limit, **options) is trace


def test_the_next_page_begins_while_one_lets_others_pass() -> None:
    turns, order = Turns(LONG), []

    def first() -> None:
        with turns.turn():
            order.append("first")
            is_begun.set()
            waiting(turns, 1)
            turns.let_others_pass()
            order.append("first again")

    def second() -> None:
        is_begun.wait(LONG)
        with turns.turn():
            order.append("second")

    is_begun = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        for one in [pool.submit(first), pool.submit(second)]:
            one.result(LONG)
    assert order == ["first", "second", "first again"]
    assert turns._holder is None
