"""A server runs pages one after the other in the order of arrival, and no page waits long for another."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import StopException

from tests.viz.page import new_app
from viz.state.turns import MOST_OF_ADDRESS, MOST_OF_SESSION, TURNS, Turns, in_turn

LONG = 60.0


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


@pytest.fixture
def visitors(monkeypatch: pytest.MonkeyPatch):
    """Turns whose threads name their session and address with ``be``."""
    own = threading.local()
    monkeypatch.setattr("viz.state.turns._visitor", lambda: getattr(own, "who", ("", "")))

    def be(session: str, address: str = "") -> None:
        own.who = (session, address)

    return be


def test_a_session_has_one_run_that_waits_however_many_it_asks_for(visitors) -> None:
    turns, drawn = Turns(LONG), []

    def page(number: int) -> None:
        visitors("one")
        with turns.turn():
            drawn.append(number)

    with ThreadPoolExecutor(50) as pool:
        with turns.turn():
            found = []
            for number in range(50):
                found.append(pool.submit(page, number))
                while number and not found[number - 1].done():
                    time.sleep(0.001)
            waiting(turns, 1)
            assert len(turns._waiting) == 1
        ended = [one.exception(LONG) for one in found]
    assert drawn == [49] and ended[-1] is None
    assert all(isinstance(error, StopException) for error in ended[:-1])


def test_another_address_waits_for_one_turn_of_an_address_with_many_sessions(visitors) -> None:
    turns, drawn = Turns(LONG), []

    def page(session: str, address: str) -> None:
        visitors(session, address)
        with turns.turn():
            drawn.append(address)

    with ThreadPoolExecutor(12) as pool:
        with turns.turn():
            found = []
            for number in range(10):
                found.append(pool.submit(page, f"s{number}", "8.8.8.8"))
                waiting(turns, number + 1)
            found.append(pool.submit(page, "another", "9.9.9.9"))
            waiting(turns, 11)
        for one in found:
            one.result(LONG)
    assert drawn.index("9.9.9.9") <= 1


@pytest.mark.parametrize(
    ("many", "limit"), [("one session", MOST_OF_SESSION), ("one address", MOST_OF_ADDRESS)], ids=["session", "address"]
)
def test_runs_that_take_long_are_few_and_leave_room_for_others(visitors, many: str, limit: int) -> None:
    """Each run that is replaced goes on for a while: without a limit they would all compute at once."""
    turns, is_over, running = Turns(0.001), threading.Event(), []

    def page(number: int) -> None:
        visitors("one" if many == "one session" else f"s{number}", "8.8.8.8")
        with turns.turn():
            running.append(number)
            is_over.wait(LONG)

    with ThreadPoolExecutor(limit + 3) as pool:
        found = []
        for number in range(limit + 3):
            found.append(pool.submit(page, number))
            while number < limit and number not in running:
                time.sleep(0.001)
        visitors("another", "9.9.9.9")
        with turns.turn():
            assert len(running) == limit
        is_over.set()
        ended = [one.exception(LONG) for one in found]
    assert all(error is None or isinstance(error, StopException) for error in ended)
    assert not turns._begun and not turns._waiting


def test_every_page_has_its_turn() -> None:
    app = new_app()
    with ThreadPoolExecutor(1) as pool:
        seconds, TURNS.seconds = TURNS.seconds, LONG
        try:
            with TURNS.turn():
                made = pool.submit(app.run)
                waiting(TURNS, 1)
                assert not made.done()
            made.result(LONG)
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
    monkeypatch.setattr("viz.state.turns._visitor", lambda: (who[0], who[0]))
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
