"""The open connections of one room: events are built once and sent to a few connections at a time.

Streamlit answers its visitors from the same event loop and the same processors. If a change were sent to the whole
class at once, the answer to the teacher who made it would be delayed. So the teacher's own page gets a short head
start, and the loop is free between two groups of phones.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from viz.rooms.store import StoreError

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

    @classmethod
    def ended(cls) -> Seat:
        """The place of a connection that ends at once."""
        seat = cls()
        seat.give(None)
        return seat

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
        """Start without connections.

        Args:
            write: builds the events, in a thread.
        """
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
