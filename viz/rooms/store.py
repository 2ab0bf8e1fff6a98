"""Stores rooms, in this process or in Redis for several servers. Both delete a room after a while."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

Listener = Callable[[str], None]


class StoreError(ConnectionError):
    """The store does not answer now; it may answer again in a moment."""


class StoreFullError(RuntimeError):
    """No further room may be opened now.

    Args:
        of_opener: whether this visitor alone has too many rooms.
    """

    def __init__(self, message: str, *, of_opener: bool = False) -> None:
        super().__init__(message)
        self.of_opener = of_opener


NO_LIMIT = 1_000_000_000
DEVICES = "devices"
"""The table of the phones in a room."""
AWAY = "away"
"""The table of the phones whose page is closed or asleep, and since when."""
REMOVED = "removed"
"""The table of the phones that the teacher has removed."""
MAX_BLOBS = 2
"""Blobs of each kind that a room keeps: a phone may still be fetching the last but one."""
ANY_ROOM = ""
"""Sent to a listener instead of a room's name: every room may have changed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many rooms there may be at once."""

    max_rooms: int = NO_LIMIT
    """Of all visitors together."""
    max_rooms_per_opener: int = NO_LIMIT
    """Of one opener. Does not limit rooms whose opener is unknown."""
    idle_seconds: float = 1_800.0
    """A room that no phone has joined for this time may be ended when another needs its place."""


NO_LIMITS = Limits()


class Store(Protocol):
    """Tables of text by room, table and key. Each method is one indivisible step.

    Raises:
        StoreError: from each method, when the store does not answer.
    """

    def begin(
        self, room: str, fields: Mapping[str, str], seconds: float, *, opener: str = "", limits: Limits = NO_LIMITS
    ) -> bool:
        """Create a room with these fields; False if the name exists. Raises StoreFullError at the limits, if no room is
        idle."""

    def get(self, room: str) -> dict[str, str]:
        """The fields of a room; empty when it does not exist."""

    def set(self, room: str, fields: Mapping[str, str], *, only_if: Mapping[str, str] | None = None) -> bool:
        """Replace some fields, if those of ``only_if`` still have these values (a missing field counts as empty), and
        notify all listeners. Returns False, without a change, when there is no such room or a field has another
        value."""

    def once(self, room: str, table: str, key: str, value: str, *, max_keys: int = NO_LIMIT) -> bool:
        """Store a value under a new key; False when the key or ``max_keys`` others exist, or the room does not."""

    def put(self, room: str, table: str, key: str, value: str) -> bool:
        """Store a value under a key, replacing an earlier one; False when the room does not exist."""

    def value(self, room: str, table: str, key: str) -> str | None:
        """The value of a key in a table; None when the table does not have it."""

    def table(self, room: str, table: str) -> dict[str, str]:
        """A whole table."""

    def count(self, room: str, table: str) -> int:
        """How many keys a table has."""

    def remove(self, room: str, table: str, key: str) -> None:
        """Remove a key from a table."""

    def put_blob(self, room: str, name: str, blob: bytes) -> None:
        """Store bytes; beyond ``MAX_BLOBS`` of a kind (``kind_of``) the oldest are deleted."""

    def blob(self, room: str, name: str) -> bytes | None:
        """The bytes with a name, or None."""

    def end(self, room: str) -> None:
        """Delete a room and notify all listeners."""

    def listen(self, listener: Listener) -> None:
        """Register a callback for changes.

        It is called with the room's name, from any thread, after its fields have changed or it has ended, and with
        ``ANY_ROOM`` when changes may have been missed.
        """


def kind_of(name: str) -> str:
    """The kind of a blob, which its name begins with: "picture" of "picture-5f3a", none of "5f3a"."""
    return name.rpartition("-")[0]


def full_error(has_all: bool, limits: Limits) -> StoreFullError:
    """The error when a limit is reached: the opener's (``has_all``), or that of all visitors."""
    if has_all:
        return StoreFullError(f"one visitor has {limits.max_rooms_per_opener} rooms open", of_opener=True)
    return StoreFullError(f"{limits.max_rooms} rooms are open")


class MemoryStore:
    """Rooms of this process, which end with it; its methods are those of ``Store``."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guard = threading.RLock()
        self._rooms: dict[str, dict[str, Any]] = {}
        self._listeners: list[Listener] = []

    def begin(
        self, room: str, fields: Mapping[str, str], seconds: float, *, opener: str = "", limits: Limits = NO_LIMITS
    ) -> bool:
        with self._guard:
            self._delete_expired()
            if room in self._rooms:
                return False
            idle = self._make_place(opener, limits)
            now = self._clock()
            self._rooms[room] = {
                "fields": dict(fields), "tables": defaultdict(dict), "blobs": {}, "opener": opener, "began": now,
                "ends": now + seconds,
            }  # fmt: skip
        if idle:
            self._notify(idle)
        return True

    def get(self, room: str) -> dict[str, str]:
        with self._locked(room) as record:
            return dict(record["fields"]) if record else {}

    def set(self, room: str, fields: Mapping[str, str], *, only_if: Mapping[str, str] | None = None) -> bool:
        with self._locked(room) as record:
            if not record or any(record["fields"].get(name, "") != value for name, value in (only_if or {}).items()):
                return False
            record["fields"].update(fields)
        self._notify(room)
        return True

    def once(self, room: str, table: str, key: str, value: str, *, max_keys: int = NO_LIMIT) -> bool:
        with self._locked(room) as record:
            if not record or key in record["tables"][table] or len(record["tables"][table]) >= max_keys:
                return False
            record["tables"][table][key] = value
        return True

    def put(self, room: str, table: str, key: str, value: str) -> bool:
        with self._locked(room) as record:
            if record:
                record["tables"][table][key] = value
        return record is not None

    def value(self, room: str, table: str, key: str) -> str | None:
        with self._locked(room) as record:
            return record["tables"].get(table, {}).get(key) if record else None

    def table(self, room: str, table: str) -> dict[str, str]:
        with self._locked(room) as record:
            return dict(record["tables"].get(table, {})) if record else {}

    def count(self, room: str, table: str) -> int:
        with self._locked(room) as record:
            return len(record["tables"].get(table, ())) if record else 0

    def remove(self, room: str, table: str, key: str) -> None:
        with self._locked(room) as record:
            if record:
                record["tables"][table].pop(key, None)

    def put_blob(self, room: str, name: str, blob: bytes) -> None:
        with self._locked(room) as record:
            if record:
                record["blobs"].pop(name, None)
                record["blobs"][name] = blob
                alike = [blob_name for blob_name in record["blobs"] if kind_of(blob_name) == kind_of(name)]
                for old in alike[:-MAX_BLOBS]:
                    del record["blobs"][old]

    def blob(self, room: str, name: str) -> bytes | None:
        with self._locked(room) as record:
            return record["blobs"].get(name) if record else None

    def end(self, room: str) -> None:
        with self._guard:
            self._rooms.pop(room, None)
        self._notify(room)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    @contextmanager
    def _locked(self, room: str) -> Iterator[dict[str, Any] | None]:
        with self._guard:
            yield self._find(room)

    def _find(self, room: str) -> dict[str, Any] | None:
        record = self._rooms.get(room)
        if record is not None and record["ends"] <= self._clock():
            del self._rooms[room]
            return None
        return record

    def _make_place(self, opener: str, limits: Limits) -> str:
        """End the oldest idle room if a limit is reached, and return its name; empty if there was no need."""
        of_opener = [name for name, room in self._rooms.items() if opener and room["opener"] == opener]
        is_full, has_all = len(self._rooms) >= limits.max_rooms, len(of_opener) >= limits.max_rooms_per_opener
        if not is_full and not has_all:
            return ""
        latest = self._clock() - limits.idle_seconds
        for name in of_opener if has_all else self._rooms:  # the oldest first
            room = self._rooms[name]
            if room["began"] <= latest and not room["tables"].get(DEVICES):
                del self._rooms[name]
                return name
        raise full_error(has_all, limits)

    def _delete_expired(self) -> None:
        for room in list(self._rooms):
            self._find(room)

    def _notify(self, room: str) -> None:
        for listener in self._listeners:
            listener(room)
