"""The event streams of rooms, limited by phone and by network address."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from viz.environment import DEFAULT_ROOM_SIZE, ROOM_SIZE_VARIABLE, positive_number
from viz.rooms.door import RoomError
from viz.rooms.hub import GONE, Seat, hub
from viz.rooms.room import Room, is_picture
from viz.rooms.store import StoreError

SPARE = 50
"""Streams of one address beyond those of a full room: phones that reconnect, a second room."""
MAX_SCREENS = 20
"""Streams of one address without a phone's name, which second screens use."""
MAX_PER_PHONE = 3
"""Streams of one phone: browser tabs. When one more is opened, the oldest ends."""
KEEP_ALIVE = b": here\n\n"
_open: Counter[tuple[str, bool]] = Counter()
"""Open streams by address, and whether they are phones'."""
_seats: dict[tuple[str, str], list[Seat]] = {}
"""The seats of each phone, the oldest first."""


class EventStream(StreamingResponse):
    """What a room shows, until the room ends or the phone is removed."""

    def __init__(self, address: str, code: str, device: str = "") -> None:
        """The stream for a phone, or an unnamed second screen; raises RoomError ("busy") at the address's limit."""
        self._key = (address, bool(device))
        limit = positive_number(ROOM_SIZE_VARIABLE, DEFAULT_ROOM_SIZE) + SPARE if device else MAX_SCREENS
        if _open[self._key] >= limit:
            raise RoomError("busy")
        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        super().__init__(events(code, device), media_type="text/event-stream", headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, and count it until it ends."""
        _open[self._key] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            _open[self._key] -= 1
            if not _open[self._key]:
                del _open[self._key]


async def events(code: str, device: str = "") -> AsyncGenerator[bytes]:
    """The bytes of a stream: packet, picture and state when they change, and a keep-alive in between."""
    seat, last, sent = hub().enter(code), b"", frozenset[str]()
    seats = _seats.setdefault((code, device), []) if device else []
    if device and not seats:
        _report(Room.arrive, code, device)
    seats.append(seat)
    for oldest in seats[:-MAX_PER_PHONE]:
        oldest.give(None)
    try:
        while (news := await seat.take()) is not None:
            if device in news.removed:
                yield GONE
                return
            # If every phone of a class requested each new packet, the server would answer the teacher late.
            new = b"".join(blob for name, blob in news.blobs.items() if name not in sent)
            yield new + news.event if news.event != last else KEEP_ALIVE
            if news.is_last:
                return
            # A phone keeps every picture and the newest packet.
            last, sent = news.event, frozenset(filter(is_picture, sent)) | news.blobs.keys()
    finally:
        hub().leave(code, seat)
        seats.remove(seat)
        if device and not seats:
            _seats.pop((code, device), None)
            _report(Room.leave, code, device)


def _report(change: Callable[[Room, str], None], code: str, device: str) -> None:
    """Call ``Room.arrive`` or ``Room.leave`` in a thread: the end of a stream cannot wait."""

    def call() -> None:
        with suppress(StoreError):
            change(Room(hub().store, code), device)

    asyncio.get_running_loop().run_in_executor(None, call)
