"""A server runs pages in order of arrival, one at a time unless one takes long; waiting pages share a batched
translation."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import StopException

import model
from model.text.tokens import TextError
from tests.viz.page import new_app
from viz import cache
from viz.passes import SharedPasses
from viz.state.turns import MAX_PER_ADDRESS, MAX_PER_SESSION, TURNS, Turns, in_turn

LONG = 60.0


def waiting(turns: Turns, number: int) -> None:
    """Wait until this many pages wait for their turn."""
    until = time.monotonic() + LONG
    while len(turns._waiting) < number:
        assert time.monotonic() < until
        time.sleep(0.001)


def test_turns_come_in_order_and_one_at_a_time() -> None:
    turns, order, inside = Turns(LONG), [], []

    def page(number: int) -> None:
        with turns.turn():
            inside.append(number)
            assert inside == [number]
            order.append(number)
            time.sleep(0.001)
            inside.remove(number)

    with ThreadPoolExecutor(8) as pool:
        with turns.turn():
            futures = []
            for number in range(8):
                futures.append(pool.submit(page, number))
                waiting(turns, number + 1)
            assert not order
        for future in futures:
            future.result(LONG)
    assert order == list(range(8))


def test_a_long_turn_continues_beside_the_next() -> None:
    turns, is_over = Turns(0.01), threading.Event()

    def long() -> None:
        with turns.turn():
            is_over.wait(LONG)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(long)
        for _ in range(3):
            with turns.turn():
                assert not future.done()
        is_over.set()
        future.result(LONG)


def test_a_turn_within_a_turn_waits_for_nothing_and_ends_nothing() -> None:
    turns = Turns(LONG)

    def page() -> None:
        with turns.turn():
            pass

    with ThreadPoolExecutor(1) as pool:
        with turns.turn():
            page()
            future = pool.submit(page)
            waiting(turns, 1)
            assert not future.done()
        future.result(LONG)


def test_an_exception_ends_a_turn() -> None:
    turns = Turns(LONG)
    for _ in range(2):
        with pytest.raises(ValueError, match="in a page"), turns.turn():
            raise ValueError("in a page")
    assert turns._holder is None


@pytest.fixture
def visitors(monkeypatch: pytest.MonkeyPatch):
    """Turns whose threads set their session and address by ``be``."""
    identity = threading.local()
    monkeypatch.setattr("viz.state.turns._visitor", lambda: getattr(identity, "who", ("", "")))

    def be(session: str, address: str = "") -> None:
        identity.who = (session, address)

    return be


def test_a_session_has_one_run_that_waits_however_many_it_asks_for(visitors) -> None:
    turns, order = Turns(LONG), []

    def page(number: int) -> None:
        visitors("one")
        with turns.turn():
            order.append(number)

    with ThreadPoolExecutor(50) as pool:
        with turns.turn():
            futures = []
            for number in range(50):
                futures.append(pool.submit(page, number))
                while number and not futures[number - 1].done():
                    time.sleep(0.001)
            waiting(turns, 1)
            assert len(turns._waiting) == 1
        errors = [future.exception(LONG) for future in futures]
    assert order == [49] and errors[-1] is None
    assert all(isinstance(error, StopException) for error in errors[:-1])


def test_another_address_waits_for_one_turn_of_an_address_with_many_sessions(visitors) -> None:
    turns, order = Turns(LONG), []

    def page(session: str, address: str) -> None:
        visitors(session, address)
        with turns.turn():
            order.append(address)

    with ThreadPoolExecutor(12) as pool:
        with turns.turn():
            futures = []
            for number in range(10):
                futures.append(pool.submit(page, f"s{number}", "8.8.8.8"))
                waiting(turns, number + 1)
            futures.append(pool.submit(page, "another", "9.9.9.9"))
            waiting(turns, 11)
        for future in futures:
            future.result(LONG)
    assert order.index("9.9.9.9") <= 1


@pytest.mark.parametrize(
    ("kind", "limit"), [("one session", MAX_PER_SESSION), ("one address", MAX_PER_ADDRESS)], ids=["session", "address"]
)
def test_runs_that_take_long_are_few_and_leave_room_for_others(visitors, kind: str, limit: int) -> None:
    """Replaced runs continue for a while: without a limit all would compute at once."""
    turns, is_over, running = Turns(0.001), threading.Event(), []

    def page(number: int) -> None:
        visitors("one" if kind == "one session" else f"s{number}", "8.8.8.8")
        with turns.turn():
            running.append(number)
            is_over.wait(LONG)

    with ThreadPoolExecutor(limit + 3) as pool:
        futures = []
        for number in range(limit + 3):
            futures.append(pool.submit(page, number))
            while number < limit and number not in running:
                time.sleep(0.001)
        visitors("another", "9.9.9.9")
        with turns.turn():
            assert len(running) == limit
        is_over.set()
        errors = [future.exception(LONG) for future in futures]
    assert all(error is None or isinstance(error, StopException) for error in errors)
    assert not turns._running and not turns._waiting


def test_every_page_has_its_turn() -> None:
    app = new_app()
    with ThreadPoolExecutor(1) as pool:
        seconds, TURNS.seconds = TURNS.seconds, LONG
        try:
            with TURNS.turn():
                future = pool.submit(app.run)
                waiting(TURNS, 1)
                assert not future.done()
            future.result(LONG)
        finally:
            TURNS.seconds = seconds


def test_a_fragment_has_its_turn() -> None:
    seconds, TURNS.seconds = TURNS.seconds, LONG
    try:
        with ThreadPoolExecutor(1) as pool:
            with TURNS.turn():
                future = pool.submit(in_turn(lambda first, second: first + second), 1, second=2)
                waiting(TURNS, 1)
                assert not future.done()
            assert future.result(LONG) == 3
    finally:
        TURNS.seconds = seconds


def test_a_page_that_gives_up_while_it_waits_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its visitor has left, and it would never end a turn."""

    class Stopped(BaseException):
        pass

    class Abandoned(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            raise Stopped

    def page() -> None:
        with turns.turn():
            raise AssertionError("it was abandoned")

    turns = Turns(LONG)
    with turns.turn(), ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr("viz.state.turns.threading", SimpleNamespace(Event=Abandoned))
        with pytest.raises(Stopped):
            pool.submit(page).result(LONG)
        assert not turns._waiting
    assert turns._holder is None


def test_a_server_is_quiet_for_unasked_work_until_others_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions, clock = ["me"], [100.0]
    monkeypatch.setattr("viz.state.turns._visitor", lambda: (sessions[0], sessions[0]))
    monkeypatch.setattr("viz.state.turns.time", SimpleNamespace(monotonic=lambda: clock[0]))
    turns = Turns(LONG)

    def take(session: str, seconds: float) -> None:
        sessions[0] = session
        with turns.turn():
            clock[0] += seconds
        sessions[0] = "me"

    take("me", 5.0)
    assert turns.is_quiet(), "the visitor's page is no reason to wait"
    take("another", 2.0)
    assert turns.is_quiet()
    take("a third", 1.0)
    assert not turns.is_quiet()
    clock[0] += 20
    assert turns.is_quiet()


SENTENCES = ("The cat is sleeping.", "I'm home.", "She said that she would not come back tomorrow.", "He's never late.")


def run_together(turns: Turns, pages: list) -> list:
    """The results of pages that all waited before the first started."""
    with ThreadPoolExecutor(len(pages)) as pool:
        with turns.turn():
            futures = []
            for number, page in enumerate(pages):
                futures.append(pool.submit(page))
                waiting(turns, number + 1)
        return [future.exception(LONG) or future.result(LONG) for future in futures]


def test_pages_that_wait_are_answered_in_one_pass() -> None:
    turns, passes = Turns(LONG), []
    shared: SharedPasses[int, int] = SharedPasses(turns)

    def run(requests: list[int]) -> list[int]:
        passes.append(requests)
        return [10 * number for number in requests]

    def page(number: int, group: str) -> int:
        with turns.turn():
            return shared.answer(group, number, number, run)

    pages = [lambda number=number, group=group: page(number, group) for number, group in enumerate("aabaab")]
    assert run_together(turns, [*pages, pages[0]]) == [0, 10, 20, 30, 40, 50, 0]
    assert sorted(map(sorted, passes)) == [[0, 1, 3, 4], [2, 5]]
    assert not shared._waiting


def test_a_page_alone_does_not_wait() -> None:
    turns = Turns(LONG)
    with turns.turn():
        assert SharedPasses(turns).answer("a", 1, 1, lambda requests: requests) == 1


def test_a_pass_has_a_largest_size() -> None:
    turns, passes = Turns(LONG), []
    shared: SharedPasses[int, int] = SharedPasses(turns)

    def run(requests: list[int]) -> list[int]:
        passes.append(len(requests))
        return requests

    def page(number: int) -> int:
        with turns.turn():
            return shared.answer("a", number, number, run)

    assert run_together(turns, [lambda number=number: page(number) for number in range(11)]) == list(range(11))
    assert passes == [8, 3]


def test_an_error_meets_only_the_page_that_caused_it() -> None:
    turns = Turns(LONG)
    shared: SharedPasses[int, int] = SharedPasses(turns)

    def run(requests: list[int]) -> list[int | Exception]:
        if 1 in requests:
            raise ValueError("one")
        return [TextError("two") if number == 2 else number for number in requests]

    def page(number: int) -> int:
        with turns.turn():
            return shared.answer("a", number, number, run)

    failing, first, second, third = run_together(turns, [lambda number=number: page(number) for number in range(4)])
    assert (failing, third) == (0, 3)
    assert isinstance(first, ValueError)
    assert isinstance(second, TextError)
    assert turns._holder is None


@pytest.mark.nightly("beam")
@pytest.mark.parametrize("options", [{}, {"method": "beam", "beam_size": 3}], ids=["greedy", "beam"])
def test_visitors_who_wait_get_their_translations(options: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four sentences in one forward pass give each page the trace and the length limit of its sentence alone."""
    bundle, passes = cache.bundle("en-fr"), []
    encode = bundle.model.encode

    def translate_counted(ids, **options_):
        passes.append(len(ids))
        return encode(ids, **options_)

    monkeypatch.setattr(TURNS, "seconds", LONG)
    cache.RESULTS.clear()
    limits = (30, 3, 30, 24)

    def page(text: str, limit: int) -> model.Trace:
        with TURNS.turn():
            return cache.translate(bundle, text, max_length=limit, **options)

    monkeypatch.setattr(type(bundle.model), "encode", lambda self, ids, **options_: translate_counted(ids, **options_))
    requests = list(zip(SENTENCES, limits, strict=True))
    traces = run_together(TURNS, [lambda text=text, limit=limit: page(text, limit) for text, limit in requests])
    assert sum(passes) == len(SENTENCES)
    assert max(passes) > 1
    for trace, (text, limit) in zip(traces, requests, strict=True):
        alone = model.translate(bundle, text, max_length=limit, **options)
        assert (trace.text, trace.target.ids, trace.is_truncated) == (alone.text, alone.target.ids, alone.is_truncated)
        batched_weights, single_weights = (np.asarray(trace_.attention.cross) for trace_ in (trace, alone))
        np.testing.assert_allclose(batched_weights, single_weights, atol=1e-5)
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
        for future in [pool.submit(first), pool.submit(second)]:
            future.result(LONG)
    assert order == ["first", "second", "first again"]
    assert turns._holder is None
