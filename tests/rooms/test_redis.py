"""Listening to Redis: an outage is an error and then told to everyone, and a silence is neither."""

import time
from collections.abc import Callable

import pytest

from benchmarks.serving import redis_server
from viz.rooms import redis_store
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import Room
from viz.rooms.store import ANY_ROOM, StoreError

pytestmark = pytest.mark.server


@pytest.mark.usefixtures("redis_program")
def test_redis_that_is_away_is_a_store_error_and_everyone_hears_again_when_it_is_back(tmp_path):
    with redis_server(tmp_path) as address:
        store = RedisStore(address)
        heard: list[str] = []
        store.listen(heard.append)
        Room.open(store, most_devices=5)
    with pytest.raises(StoreError):
        store.get("ABCDEF")
    with redis_server(tmp_path, port=int(address.rpartition(":")[2].partition("/")[0])):
        opened, _ = Room.open(store, most_devices=5)

        def is_heard() -> bool:
            opened.pause(True)
            return opened.code in heard

        until(is_heard)
        store.close()


def test_phones_are_asked_to_look_again_after_a_time_without_ears(redis_address, monkeypatch):
    monkeypatch.setattr(redis_store, "RETRY_SECONDS", 0.01)
    store = RedisStore(redis_address)
    heard = listened_to(store)
    store._redis.client_kill_filter(_type="pubsub")
    until(lambda: len(heard) > 1)
    store.close()
    assert heard[1] == ANY_ROOM


def test_a_silent_redis_is_listened_to_without_a_break(redis_address, monkeypatch):
    monkeypatch.setattr(redis_store, "IDLE_SECONDS", 0.02)
    store = RedisStore(redis_address)
    heard = listened_to(store)
    before = checks(store)
    until(lambda: checks(store) > before + 5)
    opened, _ = Room.open(store, most_devices=5)
    opened.pause(True)
    until(lambda: opened.code in heard)
    store.close()
    assert heard.count(ANY_ROOM) == 1


@pytest.mark.usefixtures("redis_program")
@pytest.mark.parametrize("is_kept", [True, False])
def test_an_administrator_is_told_that_rooms_would_end_with_redis(tmp_path, caplog, is_kept):
    with redis_server(tmp_path, is_kept=is_kept) as address, caplog.at_level("WARNING", "viz.rooms.redis_store"):
        store = RedisStore(address)
        listened_to(store)
        store.close()
        assert ("appendonly" in caplog.text) is not is_kept


def listened_to(store: RedisStore) -> list[str]:
    """What the store tells from now on; its thread listens already."""
    heard: list[str] = []
    store.listen(heard.append)
    until(lambda: heard == [ANY_ROOM])
    return heard


def checks(store: RedisStore) -> int:
    """How often a silent connection was asked whether it is alive."""
    return store._redis.info("commandstats").get("cmdstat_ping", {"calls": 0})["calls"]


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert holds()
