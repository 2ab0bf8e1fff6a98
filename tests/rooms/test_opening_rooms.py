"""Who may open a room, and which room is closed when the server is full."""

from contextlib import suppress

import pytest
import redis

from tests.loops import wait_until
from viz.rooms.opener import rate_limit_key, visitor_address
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import Room
from viz.rooms.store import ANY_ROOM, Limits, StoreFullError


@pytest.fixture
def empty_store(store, request):
    """The store, emptied of other tests' rooms."""
    if isinstance(store, RedisStore):
        redis.Redis.from_url(request.getfixturevalue("redis_address")).flushall()
    return store


def open_room(store, limits: Limits, opener: str = "") -> Room:
    return Room.open(store, most_devices=5, opener=opener, limits=limits)[0]


def test_the_number_of_open_rooms_is_limited_and_a_room_that_ends_frees_its_place(empty_store):
    limits, opened = Limits(max_rooms=2), []
    first = open_room(empty_store, limits)
    Room.open(empty_store, most_devices=5, limits=limits, hours=1 / 3600)
    with pytest.raises(StoreFullError):
        open_room(empty_store, limits)
    first.close()
    second = open_room(empty_store, limits)

    def can_open() -> bool:
        with suppress(StoreFullError):
            opened.append(open_room(empty_store, limits))
        return bool(opened)

    wait_until(can_open, seconds=30)  # the one-second room has ended
    assert {Room.find(empty_store, room.code) for room in (second, *opened)} == {second, *opened}


def test_one_address_opens_no_more_rooms_than_its_share_and_others_still_open_theirs(empty_store):
    limits = Limits(max_rooms=4, max_rooms_per_opener=2)
    first = open_room(empty_store, limits, "192.0.2.1")
    open_room(empty_store, limits, "192.0.2.1")
    with pytest.raises(StoreFullError) as refused:
        open_room(empty_store, limits, "192.0.2.1")
    assert refused.value.of_opener
    for _ in range(2):
        open_room(empty_store, limits, "192.0.2.2")
    with pytest.raises(StoreFullError) as refused:
        open_room(empty_store, limits, "192.0.2.3")
    assert not refused.value.of_opener
    first.close()
    reopened = open_room(empty_store, limits, "192.0.2.1")
    assert Room.find(empty_store, reopened.code) is not None


def test_rooms_whose_opener_is_unknown_share_no_bound(empty_store):
    for _ in range(3):
        open_room(empty_store, Limits(max_rooms_per_opener=1))


def test_an_idle_room_makes_way_when_there_is_no_place_and_one_with_a_phone_stays(empty_store):
    limits = Limits(max_rooms=2, idle_seconds=0)
    used = open_room(empty_store, limits)
    device = used.join()
    idle = open_room(empty_store, limits)
    idle.show({"packet": "one"}, packet=b"bytes")
    notified: list[str] = []
    empty_store.listen(notified.append)
    if isinstance(empty_store, RedisStore):  # its listening thread misses what happens before its start
        wait_until(lambda: notified == [ANY_ROOM])
    new_room = open_room(empty_store, limits)
    assert Room.find(empty_store, idle.code) is None and empty_store.blob(idle.code, "one") is None
    assert used.has(device) and Room.find(empty_store, new_room.code) is not None
    wait_until(lambda: idle.code in notified)


def test_a_stranger_who_has_all_of_a_share_ends_no_room_but_an_idle_one_of_that_share(empty_store):
    limits = Limits(max_rooms=9, max_rooms_per_opener=1, idle_seconds=0)
    other_room = open_room(empty_store, limits, "192.0.2.2")
    first = open_room(empty_store, limits, "192.0.2.1")
    second = open_room(empty_store, limits, "192.0.2.1")
    assert Room.find(empty_store, other_room.code) is not None and Room.find(empty_store, first.code) is None
    second.join()
    with pytest.raises(StoreFullError):
        open_room(empty_store, limits, "192.0.2.1")


def test_a_room_is_not_idle_before_its_time(empty_store):
    limits = Limits(max_rooms=1)
    open_room(empty_store, limits)
    with pytest.raises(StoreFullError):
        open_room(empty_store, limits)


@pytest.mark.parametrize(
    ("peer", "forwarded", "n_proxies", "opener"),
    [
        ("8.8.8.8", "", 0, "8.8.8.8"),
        ("8.8.8.8", "1.1.1.1", 0, "8.8.8.8"),
        ("127.0.0.1", "1.1.1.1", 0, "127.0.0.1"),
        ("10.0.0.8", "1.1.1.1", 0, "10.0.0.8"),
        ("172.18.0.4", "1.1.1.1, 8.8.8.8", 1, "8.8.8.8"),
        ("127.0.0.1", "8.8.8.8, 9.9.9.9", 2, "8.8.8.8"),
        ("10.0.0.8", "8.8.8.8", 2, "8.8.8.8"),
        ("127.0.0.1", "not an address", 1, "127.0.0.1"),
        ("127.0.0.1", "1.1.1.1, 0:0:0:0:0:ffff:808:808", 1, "8.8.8.8"),
        ("2001:db8:1:2:3:4:5:6", "", 0, "2001:db8:1:2::/64"),
        ("::ffff:8.8.8.8", "", 0, "8.8.8.8"),
        ("", "", 0, ""),
    ],
)
def test_a_visitor_is_counted_by_the_address_that_the_proxies_in_front_saw(peer, forwarded, n_proxies, opener):
    assert rate_limit_key(visitor_address(peer, forwarded, n_proxies)) == opener
