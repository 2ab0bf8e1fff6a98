"""The rooms of this server: their store, and the connections that wait for changes.

Streamlit answers its visitors from the same event loop and the same processors. If a change were sent to the whole
class at once, the answer to the teacher who made it would be delayed. So the teacher's own page gets a short head
start, and the loop is free between two groups of phones.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial

from viz.environment import REDIS_VARIABLE
from viz.rooms.room import Room, blobs_of
from viz.rooms.store import ANY_ROOM, REMOVED, MemoryStore, Store, StoreError

log = logging.getLogger(__name__)

START_SECONDS = 0.08
"""Head start of the teacher's own page before the class is notified; changes within it are sent as one."""
GROUP = 20
"""Number of connections in a group that is served at once."""
PAUSE_SECONDS = 0.004
"""Pause between two groups, so that sending, about a millisecond for each, uses at most a fifth of the loop's time."""
FRESH_SECONDS = 10.0
"""Seconds after which events are rebuilt even without a change; connections that have the newest get a keep-alive."""
RETRY_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class News:
    """The events for all connections of a room, built once."""

    event: bytes
    """The event that the phones receive: what they show."""
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    """The packet and the picture that it names, as events; empty for one that cannot be read now."""
    is_last: bool = False
    """Whether the room has ended."""
    removed: frozenset[str] = frozenset()
    """The phones that the teacher has sent away: their connections end."""


class Seat:
    """The mailbox of one connection: it holds only the newest event that was not sent yet."""

    __slots__ = ("_filled", "_news")

    def __init__(self) -> None:
        self._filled = asyncio.Event()
        self._news: News | None = None

    def give(self, news: News | None) -> None:
        """Store an event, replacing one that has not been taken yet; None ends the connection."""
        self._news = news
        self._filled.set()

    async def take(self) -> News | None:
        """Wait for the next event."""
        await self._filled.wait()
        self._filled.clear()
        return self._news


class Audience:
    """All connections to a room in the running event loop."""

    def __init__(self, write: Callable[[], News]) -> None:
        """Start without connections; ``write`` builds the events, in a thread."""
        self.loop = asyncio.get_running_loop()
        self._write = write
        self._seats: dict[Seat, None] = {}
        self._latest: News | None = None
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._serve())

    def enter(self) -> Seat:
        """Add a connection, which first receives the latest event."""
        seat = Seat()
        if self._latest is not None:
            seat.give(self._latest)
        self._seats[seat] = None
        return seat

    def leave(self, seat: Seat) -> bool:
        """Release a place; return whether it was the last and the audience has ended."""
        self._seats.pop(seat, None)
        if not self._seats:
            self._task.cancel()
        return not self._seats

    @property
    def is_over(self) -> bool:
        """Whether nothing is sent any more."""
        return self._task.done()

    def notify(self) -> None:
        """Notify all connections, from any thread, that the room has changed."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._changed.set)

    def close(self) -> None:
        """End all connections, from any thread: the server is about to stop, and would wait for them."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._task.cancel)

    async def _serve(self) -> None:
        try:
            while await self._hand_round():
                await self._wait()
        except BaseException:
            for seat in self._seats:
                seat.give(None)
            raise

    async def _hand_round(self) -> bool:
        """Run one round; return whether there will be another."""
        self._changed.clear()
        self._latest = news = await self._written()
        seats = list(self._seats)
        for first in range(0, len(seats), GROUP):
            for seat in seats[first : first + GROUP]:
                seat.give(news)
            await asyncio.sleep(PAUSE_SECONDS)
        return not news.is_last

    async def _wait(self) -> None:
        """Wait until something has changed and the teacher's head start is over, or until a keep-alive is due."""
        try:
            await asyncio.wait_for(self._changed.wait(), FRESH_SECONDS)
            await asyncio.sleep(START_SECONDS)
        except TimeoutError:
            return

    async def _written(self) -> News:
        """The events to send; while the store cannot be reached, the connections stay open."""
        while True:
            try:
                return await asyncio.to_thread(self._write)
            except StoreError as error:
                log.warning("rooms: %s", error)
                await asyncio.sleep(RETRY_SECONDS)


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
                seat = Seat()
                seat.give(None)  # the connection ends at once
                return seat
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
        blobs = {name: self._packets.get((code, name)) or self._fetch(code, name) for name in blobs_of(snapshot)}
        events = {
            name: b"event: packet\ndata: %s %s\n\n" % (name.encode(), b64encode(blob)) if blob else b""
            for name, blob in blobs.items()
        }
        return News(f"data: {text}\n\n".encode(), events, removed=frozenset(self.store.table(code, REMOVED)))

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
