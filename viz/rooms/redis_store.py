"""Stores rooms in Redis: hashes that expire, and a channel that notifies every server of a change."""

import logging
import threading
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

import redis

from viz.rooms.store import (
    ANY_ROOM,
    DEVICES,
    MAX_BLOBS,
    NO_LIMIT,
    NO_LIMITS,
    Limits,
    Listener,
    StoreError,
    full_error,
    kind_of,
)

log = logging.getLogger(__name__)
_PREFIX = "regard:room:"
_CHANNEL = "regard:rooms"
_OPEN = "regard:open"
"""The names of all rooms, by the second in which each ends."""
_TAKEN, _FULL, _HAS_ALL = 0, -1, -2
_BEGIN = """
if redis.call('EXISTS', KEYS[1]) == 1 then return {0, ''} end
local name, opener, prefix, devices = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local seconds, idle = tonumber(ARGV[5]), tonumber(ARGV[8])
local max_rooms, max_per_opener = tonumber(ARGV[6]), tonumber(ARGV[7])
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local open, of_opener = redis.call('ZRANGE', KEYS[2], 0, -1), {}
if opener ~= '' then
    for _, room in ipairs(open) do
        if redis.call('HGET', prefix .. room, 'opener') == opener then of_opener[#of_opener + 1] = room end
    end
end
local has_all, ended = #of_opener >= max_per_opener, ''
if has_all or #open >= max_rooms then
    for _, room in ipairs(has_all and of_opener or open) do
        local began = tonumber(redis.call('HGET', prefix .. room, 'began') or now)
        if began <= now - idle and redis.call('EXISTS', prefix .. room .. ':' .. devices) == 0 then
            ended = room
            break
        end
    end
    if ended == '' then return {has_all and -2 or -1, ''} end
    redis.call('DEL', prefix .. ended)
    redis.call('ZREM', KEYS[2], ended)
end
redis.call('ZADD', KEYS[2], now + seconds, name)
if redis.call('TTL', KEYS[2]) < seconds then redis.call('EXPIRE', KEYS[2], seconds) end
redis.call('HSET', KEYS[1], 'opener', opener, 'began', now, unpack(ARGV, 9))
redis.call('EXPIRE', KEYS[1], seconds)
return {1, ended}
"""
"""Returns one of the numbers above, and the name of the idle room that was ended in its place."""
_SET = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local fields = 2 + 2 * tonumber(ARGV[1])
for place = 2, fields - 1, 2 do
    if (redis.call('HGET', KEYS[1], ARGV[place]) or '') ~= ARGV[place + 1] then return 0 end
end
redis.call('HSET', KEYS[1], unpack(ARGV, fields))
return 1
"""
"""The number of fields that must have a value, these fields and values, then the new ones."""
_ONCE = """
local ttl = redis.call('TTL', KEYS[1])
if ttl < 0 then return 0 end
local is_known = redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1
if is_known and ARGV[4] == '' then return 0 end
if not is_known and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ttl)
return 1
"""
"""A key, its value, the maximum number of keys, and "again" where an existing value is replaced."""
_PUT = """
local ttl = redis.call('TTL', KEYS[1])
if ttl <= 0 then return end
redis.call('SET', KEYS[3] .. ARGV[1], ARGV[2], 'EX', ttl)
redis.call('LREM', KEYS[2], 0, ARGV[1])
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('EXPIRE', KEYS[2], ttl)
while redis.call('LLEN', KEYS[2]) > tonumber(ARGV[3]) do redis.call('DEL', KEYS[3] .. redis.call('LPOP', KEYS[2])) end
"""
RETRY_SECONDS = 1.0
IDLE_SECONDS = 5.0
"""Seconds between two checks whether a silent Redis still answers."""
T = TypeVar("T")


def _raise_store_errors(store: type[T]) -> type[T]:
    """Let the public methods of a class raise ``StoreError`` when Redis does not answer."""

    def wrapped(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return method(*args, **kwargs)
            except redis.RedisError as error:
                raise StoreError(f"Redis does not answer: {type(error).__name__}") from error

        return call

    for name in [name for name in vars(store) if not name.startswith("_")]:
        setattr(store, name, wrapped(getattr(store, name)))
    return store


@_raise_store_errors
class RedisStore:
    """Rooms shared by any number of servers, which outlive a server."""

    def __init__(self, address: str) -> None:
        self._redis: Any = redis.Redis.from_url(address, socket_timeout=5, socket_connect_timeout=5,
                                                health_check_interval=IDLE_SECONDS)  # fmt: skip
        self._listeners: list[Listener] = []
        self._begin, self._set, self._once, self._put = map(self._redis.register_script, (_BEGIN, _SET, _ONCE, _PUT))
        self._is_listening = self._is_warned = False
        self._is_closed = threading.Event()

    def begin(
        self, room: str, fields: Mapping[str, str], seconds: float, *, opener: str = "", limits: Limits = NO_LIMITS
    ) -> bool:
        arguments = [room, opener, _PREFIX, DEVICES, int(seconds), limits.max_rooms, limits.max_rooms_per_opener,
                     int(limits.idle_seconds)]  # fmt: skip
        status, ended = self._begin(keys=[_PREFIX + room, _OPEN], args=[*arguments, *_flat(fields)])
        if status in (_FULL, _HAS_ALL):
            raise full_error(status == _HAS_ALL, limits)
        if ended:
            self.end(ended.decode())  # removes its other tables and notifies everyone
        return status != _TAKEN

    def get(self, room: str) -> dict[str, str]:
        return _text(self._redis.hgetall(_PREFIX + room))

    def set(self, room: str, fields: Mapping[str, str], *, only_if: Mapping[str, str] | None = None) -> bool:
        expected = only_if or {}
        is_set = bool(self._set(keys=[_PREFIX + room], args=[len(expected), *_flat(expected), *_flat(fields)]))
        if is_set:
            self._redis.publish(_CHANNEL, room)
        return is_set

    def once(self, room: str, table: str, key: str, value: str, *, max_keys: int = NO_LIMIT) -> bool:
        return bool(self._once(keys=[_PREFIX + room, f"{_PREFIX}{room}:{table}"], args=[key, value, max_keys, ""]))

    def put(self, room: str, table: str, key: str, value: str) -> bool:
        return bool(self._once(keys=[_PREFIX + room, f"{_PREFIX}{room}:{table}"], args=[key, value, NO_LIMIT, "again"]))

    def value(self, room: str, table: str, key: str) -> str | None:
        stored = self._redis.hget(f"{_PREFIX}{room}:{table}", key)
        return None if stored is None else stored.decode()

    def table(self, room: str, table: str) -> dict[str, str]:
        return _text(self._redis.hgetall(f"{_PREFIX}{room}:{table}"))

    def count(self, room: str, table: str) -> int:
        return cast(int, self._redis.hlen(f"{_PREFIX}{room}:{table}"))

    def remove(self, room: str, table: str, key: str) -> None:
        self._redis.hdel(f"{_PREFIX}{room}:{table}", key)

    def put_blob(self, room: str, name: str, blob: bytes) -> None:
        key = _PREFIX + room
        self._put(keys=[key, f"{key}:blobs{kind_of(name)}", f"{key}:blob:"], args=[name, blob, MAX_BLOBS])

    def blob(self, room: str, name: str) -> bytes | None:
        return self._redis.get(f"{_PREFIX}{room}:blob:{name}")

    def end(self, room: str) -> None:
        names = [_PREFIX + room, *self._redis.scan_iter(f"{_PREFIX}{room}:*")]
        self._redis.delete(*names)
        self._redis.zrem(_OPEN, room)
        self._redis.publish(_CHANNEL, room)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)
        if not self._is_listening:
            self._is_listening = True
            threading.Thread(target=self._listen, daemon=True, name="rooms").start()

    def close(self) -> None:
        """Stop listening, without an error, at the next message from Redis or when it disconnects."""
        self._is_closed.set()

    def _listen(self) -> None:
        while not self._is_closed.is_set():
            try:
                self._listen_until_disconnected()
            except redis.RedisError as error:
                if not self._is_closed.is_set():
                    log.warning("rooms: Redis does not answer (%s); trying again", type(error).__name__)
                self._is_closed.wait(RETRY_SECONDS)

    def _listen_until_disconnected(self) -> None:
        with self._redis.pubsub() as subscription:
            subscription.subscribe(_CHANNEL)
            self._warn_without_persistence()
            while not self._is_closed.is_set():
                message = subscription.get_message(timeout=IDLE_SECONDS)
                if message is None:
                    continue
                # Changes that were published before this subscription began, or while it was interrupted, were missed.
                room = message["data"].decode() if message["type"] == "message" else ANY_ROOM
                for listener in self._listeners:
                    listener(room)

    def _warn_without_persistence(self) -> None:
        if not self._redis.info("persistence").get("aof_enabled") and not self._is_warned:
            self._is_warned = True
            log.warning("rooms: all rooms end when this Redis restarts: set its option appendonly to yes")


def _flat(fields: Mapping[str, str]) -> list[str]:
    return [part for pair in fields.items() for part in pair]


def _text(table: Mapping[bytes, bytes]) -> dict[str, str]:
    return {key.decode(): value.decode() for key, value in table.items()}
