"""The server notifies a room's connections of a change in groups, after the teacher's page has been sent."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable

import pytest

from tests.loops import run_coroutine
from viz.rooms import hub as connections
from viz.rooms.hub import Audience, Hub, News, Seat
from viz.rooms.room import Room
from viz.rooms.store import ANY_ROOM, MemoryStore, StoreError


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(connections, "START_SECONDS", 0.0)
    monkeypatch.setattr(connections, "PAUSE_SECONDS", 0.0)


@pytest.fixture
def hub() -> Hub:
    return Hub(MemoryStore())


@pytest.fixture
def room(hub) -> Room:
    return Room.open(hub.store, most_devices=50)[0]


def news(number: int = 0, *, is_last: bool = False) -> News:
    event = f"data: {number}\n\n".encode()
    return News(event, is_last=is_last)


async def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


async def next_news(seats: list[Seat]) -> list[News | None]:
    return await asyncio.gather(*(seat.take() for seat in seats))


def is_paused(news: News | None) -> bool:
    assert news is not None
    return json.loads(news.event.removeprefix(b"data: "))["paused"]


def run_with(hub: Hub, code: str, n: int, work: Callable[[list[Seat]], Awaitable[None]]) -> None:
    """Run a coroutine with a number of seats in a room, and release them afterwards."""

    async def run() -> None:
        seats = [hub.enter(code) for _ in range(n)]
        await work(seats)
        for seat in seats:
            hub.leave(code, seat)

    run_coroutine(run())
    assert not hub._audiences


def test_the_event_for_all_phones_is_computed_once(hub, room, monkeypatch):
    computed: list[str] = []
    snapshot = Room.snapshot

    def count_and_make(self: Room):
        computed.append(self.code)
        return snapshot(self)

    monkeypatch.setattr(Room, "snapshot", count_and_make)

    async def follow(seats: list[Seat]) -> None:
        received = await next_news(seats)
        assert len({id(item) for item in received}) == 1 and received[0] is not None
        assert len(computed) == 1

    run_with(hub, room.code, 50, follow)


def test_between_two_groups_the_loop_is_free_for_others(monkeypatch):
    monkeypatch.setattr(connections, "GROUP", 10)

    async def follow() -> set[int]:
        crowd = Audience(lambda: news())
        seats, phases = [crowd.enter() for _ in range(30)], set()
        while len(phases) < 4:
            phases.add(sum(seat._filled.is_set() for seat in seats))
            await asyncio.sleep(0)
        for seat in seats:
            crowd.leave(seat)
        return phases

    assert run_coroutine(follow()) == {0, 10, 20, 30}


def test_the_teachers_page_has_a_start_and_several_changes_within_it_are_one(hub, room, monkeypatch):
    async def follow(seats: list[Seat]) -> None:
        assert not is_paused(await seats[0].take())
        monkeypatch.setattr(connections, "START_SECONDS", 3600.0)
        room.pause(True)
        room.hide(True)
        await asyncio.sleep(0.05)
        assert not seats[0]._filled.is_set()

    run_with(hub, room.code, 1, follow)


def test_a_connection_that_lags_behind_gets_the_newest_alone(hub, room):
    async def follow(seats: list[Seat]) -> None:
        quick, slow = seats
        assert not is_paused(await quick.take())
        room.pause(True)
        assert is_paused(await quick.take())
        await wait_until(slow._filled.is_set)
        assert is_paused(await slow.take())
        assert not slow._filled.is_set()

    run_with(hub, room.code, 2, follow)


def test_a_late_connection_gets_the_current_event_at_once(hub, room):
    async def follow(seats: list[Seat]) -> None:
        first = await seats[0].take()
        late = hub.enter(room.code)
        assert await late.take() is first
        hub.leave(room.code, late)

    run_with(hub, room.code, 1, follow)


def test_a_change_without_a_notification_still_reaches_the_phones(hub, room, monkeypatch):
    monkeypatch.setattr(hub.store, "_listeners", [])
    monkeypatch.setattr(connections, "FRESH_SECONDS", 0.01)

    async def follow(seats: list[Seat]) -> None:
        await seats[0].take()
        room.pause(True)
        while not is_paused(await seats[0].take()):
            pass

    run_with(hub, room.code, 1, follow)


def test_all_phones_of_all_rooms_look_again_when_any_room_may_have_changed(hub, room, monkeypatch):
    other_room = Room.open(hub.store, most_devices=5)[0]
    monkeypatch.setattr(hub.store, "_listeners", [])

    async def follow() -> None:
        seats = {code: hub.enter(code) for code in (room.code, other_room.code)}
        await next_news(list(seats.values()))
        room.pause(True)
        other_room.pause(True)
        hub._on_change(ANY_ROOM)
        assert all(map(is_paused, await next_news(list(seats.values()))))
        for code, seat in seats.items():
            hub.leave(code, seat)

    run_coroutine(follow())


def test_connections_wait_while_the_store_is_unreachable(monkeypatch):
    monkeypatch.setattr(connections, "RETRY_SECONDS", 0.0)
    answers = iter([StoreError("away"), StoreError("away"), news(1)])

    def write() -> News:
        answer = next(answers)
        if isinstance(answer, StoreError):
            raise answer
        return answer

    async def follow() -> None:
        crowd = Audience(write)
        seat = crowd.enter()
        assert await seat.take() == news(1)
        crowd.leave(seat)

    run_coroutine(follow())


def test_the_end_of_a_room_is_the_last_event():
    async def follow() -> None:
        crowd = Audience(lambda: news(is_last=True))
        seats = [crowd.enter() for _ in range(3)]
        assert await next_news(seats) == [news(is_last=True)] * 3
        await wait_until(lambda: crowd.is_over)
        assert not any(seat._filled.is_set() for seat in seats)

    run_coroutine(follow())


def test_connections_end_rather_than_wait_for_ever_when_nothing_can_be_worked_out():
    def fail() -> News:
        raise RuntimeError("a defect")

    async def follow() -> None:
        crowd = Audience(fail)
        assert await crowd.enter().take() is None
        assert crowd.is_over

    run_coroutine(follow())


def test_a_server_that_stops_ends_its_connections_and_takes_no_more(hub, room):
    async def follow(seats: list[Seat]) -> None:
        await next_news(seats)
        hub.close()
        assert await next_news(seats) == [None, None]
        assert await hub.enter(room.code).take() is None

    run_with(hub, room.code, 2, follow)


def test_a_signal_within_the_lock_does_not_deadlock(hub):
    def interrupted() -> None:
        with hub._guard:
            hub.close()

    thread = threading.Thread(target=interrupted, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
