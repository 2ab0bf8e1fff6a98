"""The rooms of this server: their store, and the connections that wait for changes."""

import asyncio
import json
import os
import threading
from base64 import b64encode
from collections import OrderedDict
from functools import cache, partial

from viz.environment import REDIS_VARIABLE
from viz.rooms.audience import Audience, News, Seat
from viz.rooms.room import Room, blobs_of
from viz.rooms.store import ANY_ROOM, REMOVED, MemoryStore, Store

MAX_PACKETS = 64
"""Packets and pictures cached in this process, so that the store is not read once for every phone of a class."""
GONE = b"event: gone\ndata: {}\n\n"
"""The last event of a connection."""


@cache
def store() -> Store:
    """Redis if an address is given, and this process otherwise."""
    address = os.environ.get(REDIS_VARIABLE)
    if not address:
        return MemoryStore()
    from viz.rooms.redis_store import RedisStore

    return RedisStore(address)


class Hub:
    """Sends changes of a room to this server's connections, and caches the packets they need."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.is_closing = False
        # A signal may end the server at any line of the main thread.
        self._guard = threading.RLock()
        self._audiences: dict[tuple[str, asyncio.AbstractEventLoop], Audience] = {}
        self._packets: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        store.listen(self._on_change)

    def enter(self, code: str) -> Seat:
        """Add a connection to a room, in the running event loop, and return its place."""
        key = (code, asyncio.get_running_loop())
        with self._guard:
            if self.is_closing:
                return Seat.ended()
            if key not in self._audiences or self._audiences[key].is_over:
                self._audiences[key] = Audience(partial(self._build_news, code))
            return self._audiences[key].enter()

    def leave(self, code: str, seat: Seat) -> None:
        """Release a place."""
        key = (code, asyncio.get_running_loop())
        with self._guard:
            if key in self._audiences and self._audiences[key].leave(seat):
                del self._audiences[key]

    async def packet(self, code: str, name: str) -> bytes | None:
        """A packet by name. Its bytes never change, so it is cached until its room is known to have ended."""
        return self._packets.get((code, name)) or await asyncio.to_thread(self._fetch, code, name)

    def close(self) -> None:
        """End all connections: the server is about to stop, and would wait for them."""
        self.is_closing = True
        with self._guard:
            for audience in list(self._audiences.values()):
                audience.close()

    def _build_news(self, code: str) -> News:
        snapshot = Room(self.store, code).snapshot()
        if snapshot is None:
            self._forget_packets(code)
            return News(GONE, is_last=True)
        text = json.dumps(snapshot, ensure_ascii=False, separators=(",", ":"))
        blobs = {name: self._blob_event(code, name) for name in blobs_of(snapshot)}
        return News(f"data: {text}\n\n".encode(), blobs, removed=frozenset(self.store.table(code, REMOVED)))

    def _blob_event(self, code: str, name: str) -> bytes:
        blob = self._packets.get((code, name)) or self._fetch(code, name)
        return b"event: packet\ndata: %s %s\n\n" % (name.encode(), b64encode(blob)) if blob else b""

    def _fetch(self, code: str, name: str) -> bytes | None:
        packet = self.store.blob(code, name)
        if packet is not None:
            with self._guard:
                self._packets[code, name] = packet
                while len(self._packets) > MAX_PACKETS:
                    self._packets.popitem(last=False)
        return packet

    def _on_change(self, code: str) -> None:
        with self._guard:
            audiences = [audience for (room, _), audience in self._audiences.items() if code in (room, ANY_ROOM)]
        for audience in audiences:
            audience.notify()
        if not audiences and code != ANY_ROOM:
            self._forget_packets(code)

    def _forget_packets(self, code: str) -> None:
        with self._guard:
            for key in [key for key in self._packets if key[0] == code]:
                del self._packets[key]


@cache
def hub() -> Hub:
    """The hub of this process."""
    return Hub(store())
