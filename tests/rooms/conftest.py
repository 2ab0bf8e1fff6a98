"""Stores for the tests of rooms."""

from collections.abc import Iterator

import pytest

from tests.programs import require_programs
from tests.serving import redis_server
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import Room
from viz.rooms.store import MemoryStore


@pytest.fixture(scope="session")
def redis_program() -> None:
    """Skips a test where Redis is not installed."""
    require_programs("redis-server")


@pytest.fixture(scope="module")
def redis_address(redis_program, tmp_path_factory) -> Iterator[str]:
    """The address of a Redis for this module's tests."""
    with redis_server(tmp_path_factory.mktemp("redis")) as address:
        yield address


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.server)])
def store(request):
    """A store in memory, then one in Redis."""
    if request.param == "memory":
        yield MemoryStore()
        return
    redis_store = RedisStore(request.getfixturevalue("redis_address"))
    yield redis_store
    redis_store.close()


@pytest.fixture
def room(store) -> Room:
    """An open room in that store."""
    return Room.open(store, most_devices=50)[0]
