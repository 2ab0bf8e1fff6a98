"""The rooms of this server: their store, and who waits for news of them."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import defaultdict
from functools import cache

from viz.environment import REDIS_VARIABLE
from viz.rooms.room import Room
from viz.rooms.store import MemoryStore, Store


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
        self._texts: dict[str, tuple[int, str | None]] = {}
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

    async def text(self, code: str) -> str | None:
        """What every phone of a room shows, as JSON; None when the room has ended."""
        change = self._changes[code]
        known = self._texts.get(code)
        if known is not None and known[0] == change and known[1] is not None:
            return known[1]
        snapshot = await asyncio.to_thread(Room(self.store, code).snapshot)
        text = None if snapshot is None else json.dumps(snapshot, ensure_ascii=False, separators=(",", ":"))
        self._texts[code] = (change, text)
        return text

    def close(self) -> None:
        """End all connections: the server is about to stop, and would wait for them."""
        self.is_closing = True
        for code in list(self._waiting):
            self._heard(code)

    def _heard(self, code: str) -> None:
        with self._guard:
            self._changes[code] += 1
            waiting = list(self._waiting.get(code, ()))
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)


@cache
def hub() -> Hub:
    """The one of this process."""
    return Hub(store())
