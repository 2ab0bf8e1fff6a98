"""A server runs pages one after the other in the order of arrival, and no page waits long for another."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from viz.state.turns import TURNS, Turns, in_turn

LONG = 60.0
MAIN = Path(__file__).parents[2] / "viz/main.py"


def waiting(turns: Turns, number: int) -> None:
    """Wait until this many pages are waiting."""
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
            found = []
            for number in range(8):
                found.append(pool.submit(page, number))
                waiting(turns, number + 1)
            assert not order
        for one in found:
            one.result(LONG)
    assert order == list(range(8))


def test_a_long_turn_goes_on_beside_the_next() -> None:
    turns, is_over = Turns(0.01), threading.Event()

    def long() -> None:
        with turns.turn():
            is_over.wait(LONG)

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(long)
        for _ in range(3):
            with turns.turn():
                assert not found.done()
        is_over.set()
        found.result(LONG)


def test_a_turn_within_a_turn_waits_for_nothing_and_ends_nothing() -> None:
    turns = Turns(LONG)

    def page() -> None:
        with turns.turn():
            pass

    with ThreadPoolExecutor(1) as pool:
        with turns.turn():
            page()
            other = pool.submit(page)
            waiting(turns, 1)
            assert not other.done()
        other.result(LONG)


def test_an_exception_ends_a_turn() -> None:
    turns = Turns(LONG)
    for _ in range(2):
        with pytest.raises(ValueError, match="in a page"), turns.turn():
            raise ValueError("in a page")
    assert turns._holder is None


def test_every_page_has_its_turn() -> None:
    app = AppTest.from_file(str(MAIN), default_timeout=LONG)
    with ThreadPoolExecutor(1) as pool:
        seconds, TURNS.seconds = TURNS.seconds, LONG
        try:
            with TURNS.turn():
                made = pool.submit(app.run)
                waiting(TURNS, 1)
                assert not made.done()
            assert not made.result(LONG).exception
        finally:
            TURNS.seconds = seconds


def test_a_fragment_has_its_turn() -> None:
    seconds, TURNS.seconds = TURNS.seconds, LONG
    try:
        with ThreadPoolExecutor(1) as pool:
            with TURNS.turn():
                drawn = pool.submit(in_turn(lambda one, two: one + two), 1, two=2)
                waiting(TURNS, 1)
                assert not drawn.done()
            assert drawn.result(LONG) == 3
    finally:
        TURNS.seconds = seconds


def test_a_page_that_gives_up_while_it_waits_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its visitor has left: nobody would end a turn that was given to it."""

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
    who, clock = ["me"], [100.0]
    monkeypatch.setattr("viz.state.turns._session", lambda: who[0])
    monkeypatch.setattr("viz.state.turns.time", SimpleNamespace(monotonic=lambda: clock[0]))
    turns = Turns(LONG)

    def take(session: str, seconds: float) -> None:
        who[0] = session
        with turns.turn():
            clock[0] += seconds
        who[0] = "me"

    take("me", 5.0)
    assert turns.is_quiet(), "its own page is no reason to wait"
    take("another", 2.0)
    assert turns.is_quiet()
    take("a third", 1.0)
    assert not turns.is_quiet()
    clock[0] += 20
    assert turns.is_quiet()
