"""The rooms of this server: their store, and who waits for news of them."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from base64 import b64encode
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from functools import cache

from viz.environment import REDIS_VARIABLE
from viz.rooms.room import Room
from viz.rooms.store import ANY_ROOM, MemoryStore, Store

MOST_PACKETS = 32
"""Packets kept in this process, so that a class that asks for one at once does not ask the store for each phone."""

FRESH_SECONDS = 10.0
"""After which what phones are sent is worked out again when one asks, whether or not a change was heard."""


@dataclass(frozen=True, slots=True)
class News:
    """What all connections of a room are sent, as events made once."""

    event: bytes
    """What the phones show."""
    packet: str
    """The name of the packet that it needs."""
    packet_event: bytes
    """That packet, for a connection that has not brought it yet; empty when it is not there."""


@cache
def store() -> Store:
    """Redis where an address is given, this process otherwise."""
    address = os.environ.get(REDIS_VARIABLE)
    if not address:
        return MemoryStore()
    from viz.rooms.redis_store import RedisStore

    return RedisStore(address)


class Hub:
    """Wakes the connections of a room when it has changed, and works out once what all of them are sent."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.is_closing = False
        self._guard = threading.Lock()
        self._waiting: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = defaultdict(set)
        self._changes: dict[str, int] = defaultdict(int)
        self._news: dict[str, tuple[int, float, asyncio.Task[News | None]]] = {}
        self._packets: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        store.listen(self._heard)

    def subscribe(self, code: str) -> asyncio.Event:
        """An event that is set, in this thread's loop, after each change of a room."""
        entry = (asyncio.get_running_loop(), asyncio.Event())
        with self._guard:
            self._waiting[code].add(entry)
        return entry[1]

    def unsubscribe(self, code: str, event: asyncio.Event) -> None:
        """Wait no longer."""
        with self._guard:
            self._waiting[code] = {entry for entry in self._waiting[code] if entry[1] is not event}
            if not self._waiting[code]:
                del self._waiting[code]
                self._news.pop(code, None)
                self._changes.pop(code, None)

    async def news(self, code: str) -> News | None:
        """What every phone of a room is sent; None when the room has ended.

        The first connection that asks after a change works it out; the others, woken by the same change, wait for it.
        """
        change, now, known = self._changes.get(code, 0), time.monotonic(), self._news.get(code)
        if known is None or known[0] != change or now - known[1] > FRESH_SECONDS or _is_spent(known[2]):
            known = (change, now, asyncio.create_task(asyncio.to_thread(self._written, code)))
            self._news[code] = known
        return await asyncio.shield(known[2])

    async def packet(self, code: str, name: str) -> bytes | None:
        """A packet by name: its bytes never change. Forgotten with its room, as soon as that is known to have ended."""
        return self._packets.get((code, name)) or await asyncio.to_thread(self._fetched, code, name)

    def close(self) -> None:
        """End all connections: the server is about to stop, and would wait for them."""
        self.is_closing = True
        for code in list(self._waiting):
            self._heard(code)

    def _written(self, code: str) -> News | None:
        snapshot = Room(self.store, code).snapshot()
        if snapshot is None:
            self._forget_packets(code)
            return None
        text, name = (
            json.dumps(snapshot, ensure_ascii=False, separators=(",", ":")),
            snapshot["shown"].get("packet", ""),
        )
        blob = self._packets.get((code, name)) or self._fetched(code, name) if name else None
        packet = b"event: packet\ndata: %s %s\n\n" % (name.encode(), b64encode(blob)) if blob else b""
        return News(f"data: {text}\n\n".encode(), name, packet)

    def _fetched(self, code: str, name: str) -> bytes | None:
        found = self.store.blob(code, name)
        if found is not None:
            with self._guard:
                self._packets[code, name] = found
                while len(self._packets) > MOST_PACKETS:
                    self._packets.popitem(last=False)
        return found

    def _heard(self, code: str) -> None:
        if code == ANY_ROOM:
            for each in list(self._waiting):
                self._heard(each)
            return
        with self._guard:
            waiting = list(self._waiting.get(code, ()))
            if waiting:
                self._changes[code] += 1
        if not waiting:
            self._forget_packets(code)
        by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Event]] = defaultdict(list)
        for loop, event in waiting:
            by_loop[loop].append(event)
        for loop, events in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_set_all, events)

    def _forget_packets(self, code: str) -> None:
        with self._guard:
            for key in [key for key in self._packets if key[0] == code]:
                del self._packets[key]


def _set_all(events: list[asyncio.Event]) -> None:
    for event in events:
        event.set()


def _is_spent(task: asyncio.Task[News | None]) -> bool:
    """Whether a task has failed, has found no room, or belongs to a loop that is no longer this one."""
    if task.get_loop() is not asyncio.get_running_loop() or task.cancelled():
        return True
    return task.done() and (task.exception() is not None or task.result() is None)


@cache
def hub() -> Hub:
    """The one of this process."""
    return Hub(store())
