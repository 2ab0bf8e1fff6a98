"""Storage of rooms, in this process or in Redis for several servers. Both delete a room after a while."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Protocol

Listener = Callable[[str], None]


class StoreError(ConnectionError):
    """Rooms cannot be reached now; they may be there again in a moment."""


class StoreFullError(RuntimeError):
    """There are as many rooms as the server keeps at once."""


NO_LIMIT = 1_000_000_000
MOST_BLOBS = 2
"""Of a room: a phone may still be fetching the one before the last."""
ANY_ROOM = ""
"""Sent to a listener instead of a room's name: every room may have changed."""


class Store(Protocol):
    """Tables of text by room, table and key. Each method is one indivisible step.

    Raises:
        StoreError: from each method, when the store does not answer.
    """

    def begin(self, room: str, fields: Mapping[str, str], seconds: float, *, most: int = NO_LIMIT) -> bool:
        """Make a room with these fields; False when there is one of this name.

        Raises:
            StoreFullError: when there are ``most`` rooms.
        """
        ...

    def get(self, room: str) -> dict[str, str]:
        """The fields of a room; empty when there is none."""
        ...

    def set(self, room: str, fields: Mapping[str, str]) -> bool:
        """Replace some fields and tell everyone who listens; False when there is no such room."""
        ...

    def once(self, room: str, table: str, key: str, value: str, *, most: int = NO_LIMIT) -> bool:
        """Put a value where there is none; False when there is one, or ``most`` others, or no such room."""
        ...

    def holds(self, room: str, table: str, key: str) -> bool:
        """Whether a table has a key."""
        ...

    def table(self, room: str, table: str) -> dict[str, str]:
        """A whole table."""
        ...

    def count(self, room: str, table: str) -> int:
        """How many keys a table has."""
        ...

    def remove(self, room: str, table: str, key: str) -> None:
        """Take a key out of a table."""
        ...

    def put_blob(self, room: str, name: str, blob: bytes) -> None:
        """Keep bytes; beyond ``MOST_BLOBS`` the oldest are forgotten."""
        ...

    def blob(self, room: str, name: str) -> bytes | None:
        """Bytes by name."""
        ...

    def end(self, room: str) -> None:
        """Delete a room, and notify everyone."""
        ...

    def listen(self, listener: Listener) -> None:
        """Call with the room's name, from any thread, after its fields have changed or it has ended.

        With ``ANY_ROOM`` after a time in which changes may have gone unheard.
        """
        ...


class MemoryStore:
    """Rooms of this process. They end with it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guard = threading.RLock()
        self._rooms: dict[str, dict[str, Any]] = {}
        self._listeners: list[Listener] = []

    def begin(self, room: str, fields: Mapping[str, str], seconds: float, *, most: int = NO_LIMIT) -> bool:
        """See ``Store``."""
        with self._guard:
            self._forget_old()
            if room in self._rooms:
                return False
            if len(self._rooms) >= most:
                raise StoreFullError(f"{most} rooms are open")
            self._rooms[room] = {
                "fields": dict(fields), "tables": defaultdict(dict), "blobs": {}, "ends": self._clock() + seconds,
            }  # fmt: skip
        return True

    def get(self, room: str) -> dict[str, str]:
        """See ``Store``."""
        with self._guard:
            found = self._find(room)
            return dict(found["fields"]) if found else {}

    def set(self, room: str, fields: Mapping[str, str]) -> bool:
        """See ``Store``."""
        with self._guard:
            if not self._find(room):
                return False
            self._rooms[room]["fields"].update(fields)
        self._tell(room)
        return True

    def once(self, room: str, table: str, key: str, value: str, *, most: int = NO_LIMIT) -> bool:
        """See ``Store``."""
        with self._guard:
            found = self._find(room)
            if not found or key in found["tables"][table] or len(found["tables"][table]) >= most:
                return False
            found["tables"][table][key] = value
        return True

    def holds(self, room: str, table: str, key: str) -> bool:
        """See ``Store``."""
        with self._guard:
            found = self._find(room)
            return bool(found) and key in found["tables"].get(table, ())

    def table(self, room: str, table: str) -> dict[str, str]:
        """See ``Store``."""
        with self._guard:
            found = self._find(room)
            return dict(found["tables"].get(table, {})) if found else {}

    def count(self, room: str, table: str) -> int:
        """See ``Store``."""
        with self._guard:
            found = self._find(room)
            return len(found["tables"].get(table, ())) if found else 0

    def remove(self, room: str, table: str, key: str) -> None:
        """See ``Store``."""
        with self._guard:
            if found := self._find(room):
                found["tables"][table].pop(key, None)

    def put_blob(self, room: str, name: str, blob: bytes) -> None:
        """See ``Store``."""
        with self._guard:
            if found := self._find(room):
                found["blobs"].pop(name, None)
                found["blobs"][name] = blob
                for old in list(found["blobs"])[:-MOST_BLOBS]:
                    del found["blobs"][old]

    def blob(self, room: str, name: str) -> bytes | None:
        """See ``Store``."""
        with self._guard:
            found = self._find(room)
            return found["blobs"].get(name) if found else None

    def end(self, room: str) -> None:
        """See ``Store``."""
        with self._guard:
            self._rooms.pop(room, None)
        self._tell(room)

    def listen(self, listener: Listener) -> None:
        """See ``Store``."""
        self._listeners.append(listener)

    def _find(self, room: str) -> dict[str, Any] | None:
        found = self._rooms.get(room)
        if found is not None and found["ends"] <= self._clock():
            del self._rooms[room]
            return None
        return found

    def _forget_old(self) -> None:
        for room in list(self._rooms):
            self._find(room)

    def _tell(self, room: str) -> None:
        for listener in self._listeners:
            listener(room)
