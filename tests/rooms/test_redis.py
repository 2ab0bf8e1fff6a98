"""Listening to Redis: an outage is an error after which all listeners are notified; silence is not."""

import pytest

from tests.loops import wait_until
from tests.serving import redis_server
from viz.rooms import redis_store
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import Room
from viz.rooms.store import ANY_ROOM, StoreError

pytestmark = pytest.mark.server


@pytest.mark.usefixtures("redis_program")
def test_redis_that_is_away_is_a_store_error_and_everyone_hears_again_when_it_is_back(tmp_path):
    with redis_server(tmp_path) as address:
        store = RedisStore(address)
        notified: list[str] = []
        store.listen(notified.append)
        Room.open(store, most_devices=5)
    with pytest.raises(StoreError):
        store.get("ABCDEF")
    with redis_server(tmp_path, port=int(address.rpartition(":")[2].partition("/")[0])):
        room, _ = Room.open(store, most_devices=5)

        def is_notified() -> bool:
            room.pause(True)
            return room.code in notified

        wait_until(is_notified)
        store.close()


def test_phones_reload_the_state_after_the_store_could_not_listen(redis_address, monkeypatch):
    monkeypatch.setattr(redis_store, "RETRY_SECONDS", 0.01)
    store = RedisStore(redis_address)
    notified = start_listening(store)
    store._redis.client_kill_filter(_type="pubsub")
    wait_until(lambda: len(notified) > 1)
    store.close()
    assert notified[1] == ANY_ROOM


def test_a_silent_redis_is_listened_to_without_a_break(redis_address, monkeypatch):
    monkeypatch.setattr(redis_store, "IDLE_SECONDS", 0.02)
    store = RedisStore(redis_address)
    notified = start_listening(store)
    before = checks(store)
    wait_until(lambda: checks(store) > before + 5)
    room, _ = Room.open(store, most_devices=5)
    room.pause(True)
    wait_until(lambda: room.code in notified)
    store.close()
    assert notified.count(ANY_ROOM) == 1


@pytest.mark.usefixtures("redis_program")
@pytest.mark.parametrize("is_kept", [True, False])
def test_the_log_warns_that_rooms_would_end_with_redis(tmp_path, caplog, is_kept):
    with redis_server(tmp_path, is_kept=is_kept) as address, caplog.at_level("WARNING", "viz.rooms.redis_store"):
        store = RedisStore(address)
        start_listening(store)
        store.close()
        assert ("appendonly" in caplog.text) is not is_kept


def start_listening(store: RedisStore) -> list[str]:
    """A growing list of the store's notifications; its thread already listens."""
    notified: list[str] = []
    store.listen(notified.append)
    wait_until(lambda: notified == [ANY_ROOM])
    return notified


def checks(store: RedisStore) -> int:
    """The number of health checks of a silent connection."""
    return store._redis.info("commandstats").get("cmdstat_ping", {"calls": 0})["calls"]
