"""The server notifies a room's connections of a change in groups, after the teacher's own page has started."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable

import pytest

from tests.loops import run_coroutine
from viz.rooms import audience
from viz.rooms.audience import Audience, News, Seat
from viz.rooms.hub import Hub
from viz.rooms.room import Room
from viz.rooms.store import ANY_ROOM, MemoryStore, StoreError


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(audience, "START_SECONDS", 0.0)
    monkeypatch.setattr(audience, "PAUSE_SECONDS", 0.0)


@pytest.fixture
def hub() -> Hub:
    return Hub(MemoryStore())


@pytest.fixture
def room(hub) -> Room:
    return Room.open(hub.store, most_devices=50)[0]


def news(number: int = 0, *, is_last: bool = False) -> News:
    event = f"data: {number}\n\n".encode()
    return News(event, is_last=is_last)


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.005)


async def each(seats: list[Seat]) -> list[News | None]:
    return await asyncio.gather(*(seat.take() for seat in seats))


def is_paused(found: News | None) -> bool:
    assert found is not None
    return json.loads(found.event.removeprefix(b"data: "))["paused"]


def run_with(hub: Hub, code: str, n: int, work: Callable[[list[Seat]], Awaitable[None]]) -> None:
    """Let a coroutine use a number of places in a room, and release them afterwards."""

    async def run() -> None:
        seats = [hub.enter(code) for _ in range(n)]
        await work(seats)
        for seat in seats:
            hub.leave(code, seat)

    run_coroutine(run())
    assert not hub._audiences


def test_what_all_phones_are_sent_is_worked_out_once(hub, room, monkeypatch):
    made: list[str] = []
    snapshot = Room.snapshot

    def counted(self: Room):
        made.append(self.code)
        return snapshot(self)

    monkeypatch.setattr(Room, "snapshot", counted)

    async def follow(seats: list[Seat]) -> None:
        found = await each(seats)
        assert len({id(one) for one in found}) == 1 and found[0] is not None
        assert len(made) == 1

    run_with(hub, room.code, 50, follow)


def test_between_two_groups_the_loop_is_free_for_others(monkeypatch):
    monkeypatch.setattr(audience, "GROUP", 10)

    async def follow() -> set[int]:
        crowd = Audience(lambda: news())
        seats, seen = [crowd.enter() for _ in range(30)], set()
        while len(seen) < 4:
            seen.add(sum(seat._filled.is_set() for seat in seats))
            await asyncio.sleep(0)
        for seat in seats:
            crowd.leave(seat)
        return seen

    assert run_coroutine(follow()) == {0, 10, 20, 30}


def test_the_teachers_page_has_a_start_and_several_changes_within_it_are_one(hub, room, monkeypatch):
    async def follow(seats: list[Seat]) -> None:
        assert not is_paused(await seats[0].take())
        monkeypatch.setattr(audience, "START_SECONDS", 3600.0)
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
        await until(slow._filled.is_set)
        assert is_paused(await slow.take())
        assert not slow._filled.is_set()

    run_with(hub, room.code, 2, follow)


def test_who_comes_late_gets_at_once_what_the_others_have(hub, room):
    async def follow(seats: list[Seat]) -> None:
        first = await seats[0].take()
        late = hub.enter(room.code)
        assert await late.take() is first
        hub.leave(room.code, late)

    run_with(hub, room.code, 1, follow)


def test_a_change_that_nobody_heard_of_reaches_the_phones_all_the_same(hub, room, monkeypatch):
    monkeypatch.setattr(hub.store, "_listeners", [])
    monkeypatch.setattr(audience, "FRESH_SECONDS", 0.01)

    async def follow(seats: list[Seat]) -> None:
        await seats[0].take()
        room.pause(True)
        while not is_paused(await seats[0].take()):
            pass

    run_with(hub, room.code, 1, follow)


def test_all_phones_of_all_rooms_look_again_when_any_room_may_have_changed(hub, room, monkeypatch):
    other = Room.open(hub.store, most_devices=5)[0]
    monkeypatch.setattr(hub.store, "_listeners", [])

    async def follow() -> None:
        seats = {each.code: hub.enter(each.code) for each in (room, other)}
        await each(list(seats.values()))
        room.pause(True)
        other.pause(True)
        hub._heard(ANY_ROOM)
        assert all(map(is_paused, await each(list(seats.values()))))
        for code, seat in seats.items():
            hub.leave(code, seat)

    run_coroutine(follow())


def test_while_the_rooms_are_away_the_connections_stay_and_wait(monkeypatch):
    monkeypatch.setattr(audience, "RETRY_SECONDS", 0.0)
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


def test_a_room_that_has_ended_is_said_and_nothing_after_it():
    async def follow() -> None:
        crowd = Audience(lambda: news(is_last=True))
        seats = [crowd.enter() for _ in range(3)]
        assert await each(seats) == [news(is_last=True)] * 3
        await until(lambda: crowd.is_over)
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
        await each(seats)
        hub.close()
        assert await each(seats) == [None, None]
        assert await hub.enter(room.code).take() is None

    run_with(hub, room.code, 2, follow)


def test_a_signal_that_comes_in_the_midst_of_a_line_does_not_wait_for_itself(hub):
    def interrupted() -> None:
        with hub._guard:
            hub.close()

    thread = threading.Thread(target=interrupted, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
