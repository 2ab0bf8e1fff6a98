"""The rooms of this server: their store, and who waits for news of them."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import OrderedDict, defaultdict
from functools import cache

from viz.environment import REDIS_VARIABLE
from viz.rooms.room import Room
from viz.rooms.store import MemoryStore, Store

MOST_PACKETS = 32
"""Packets kept in this process, so that a class that asks for one at once does not ask the store for each phone."""


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
        self._texts: dict[str, tuple[int, asyncio.Task[str | None]]] = {}
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
                self._texts.pop(code, None)
                self._changes.pop(code, None)

    async def text(self, code: str) -> str | None:
        """What every phone of a room shows, as JSON; None when the room has ended.

        The first connection that asks after a change works it out; the others, woken by the same change, wait for it.
        """
        change, known = self._changes.get(code, 0), self._texts.get(code)
        if known is None or known[0] != change or _is_spent(known[1]):
            known = (change, asyncio.create_task(asyncio.to_thread(self._written, code)))
            self._texts[code] = known
        return await asyncio.shield(known[1])

    async def packet(self, code: str, name: str) -> bytes | None:
        """A packet by name: its bytes never change."""
        found = self._packets.get((code, name))
        if found is None:
            found = await asyncio.to_thread(self.store.blob, code, name)
            if found is not None:
                self._packets[code, name] = found
                while len(self._packets) > MOST_PACKETS:
                    self._packets.popitem(last=False)
        return found

    def close(self) -> None:
        """End all connections: the server is about to stop, and would wait for them."""
        self.is_closing = True
        for code in list(self._waiting):
            self._heard(code)

    def _written(self, code: str) -> str | None:
        snapshot = Room(self.store, code).snapshot()
        return None if snapshot is None else json.dumps(snapshot, ensure_ascii=False, separators=(",", ":"))

    def _heard(self, code: str) -> None:
        with self._guard:
            waiting = list(self._waiting.get(code, ()))
            if waiting:
                self._changes[code] += 1
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)


def _is_spent(task: asyncio.Task[str | None]) -> bool:
    """Whether a task has failed, has found no room, or belongs to a loop that is no longer this one."""
    if task.get_loop() is not asyncio.get_running_loop() or task.cancelled():
        return True
    return task.done() and (task.exception() is not None or task.result() is None)


@cache
def hub() -> Hub:
    """The one of this process."""
    return Hub(store())
