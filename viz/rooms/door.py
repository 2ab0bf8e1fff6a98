"""Membership of a room: the names of phones, who may join, and whom the teacher removes."""

import base64
import hmac
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass

from viz.rooms.store import AWAY, DEVICES, REMOVED, Store


class RoomError(ValueError):
    """Something that a room does not allow; ``reason`` is a key that a page can translate."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


AWAY_SECONDS = 15.0
"""Longer than a phone needs to reload its page or change its network."""


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone in the room."""

    device: str
    came: float
    """Seconds since 1970 when it joined; 1 in rooms that an earlier version opened."""


@dataclass(frozen=True, slots=True)
class Door:
    """The part of a room that admits phones.

    A phone first gets a name, which need not be stored, because its second half is a MAC with the room's key. It counts
    as a phone once it follows the room with this name.
    """

    store: Store
    code: str

    def shut(self, is_shut: bool) -> None:
        """Close the door: no further phone may join. Phones that have joined stay and may return."""
        self.store.set(self.code, {"door": "1" if is_shut else ""})

    def is_shut(self) -> bool:
        """Whether the door is closed."""
        return bool(self.store.get(self.code).get("door"))

    def phones(self) -> list[Phone]:
        """The phones in the room, in the order in which they joined."""
        devices = self.store.table(self.code, DEVICES).items()
        return sorted((Phone(device, float(came)) for device, came in devices), key=lambda phone: phone.came)

    def votes(self, question_id: str) -> dict[str, str]:
        """Each device's vote."""
        return self.store.table(self.code, f"votes:{question_id}")

    def n_devices(self) -> int:
        """How many phones have joined."""
        return self.store.count(self.code, DEVICES)

    def arrive(self, device: str) -> None:
        """Mark a phone as following."""
        self.store.remove(self.code, AWAY, device)

    def leave(self, device: str) -> None:
        """Mark a phone as no longer following; it may return."""
        if self.has(device):
            self.store.once(self.code, AWAY, device, str(time.time()))

    def away(self) -> set[str]:
        """The phones that have been gone for longer than ``AWAY_SECONDS``."""
        now = time.time()
        return {
            phone for phone, since in self.store.table(self.code, AWAY).items() if now - float(since) > AWAY_SECONDS
        }

    def remove(self, devices: Iterable[str]) -> None:
        """Remove phones with their votes and sentences. A removed name cannot join again."""
        removed = set(devices)
        for device in removed:
            self.store.once(self.code, REMOVED, device, "1")
            self.store.remove(self.code, DEVICES, device)
            self.store.remove(self.code, AWAY, device)
            self.store.remove(self.code, "sentences", device)
        for question_id in self.store.table(self.code, "asked"):
            for place in self.votes(question_id):
                if place.partition(".")[0] in removed:
                    self.store.remove(self.code, f"votes:{question_id}", place)
        self.store.set(self.code, {"removed": secrets.token_urlsafe(6)})  # notifies every server

    def invite(self, previous: str = "") -> str:
        """A name for a device, which its later requests carry. It counts as a phone only when it has joined.

        Args:
            previous: the name that the device had; kept if it is from this room and was not removed.

        Raises:
            RoomError: "door", "full" or "gone", when a new phone could not join now.
        """
        if self.has(previous) or (self._is_from_here(previous) and not self._is_removed(previous)):
            return previous
        self._check_entry()
        token = secrets.token_urlsafe(9)
        return token + self._seal(token)

    def join(self, device: str = "") -> str:
        """Count a device among the phones of the room, and return its name.

        Args:
            device: a name that ``invite`` gave; empty for a new one.

        Raises:
            RoomError: "stranger" for a name that is not from here, "removed", "door", "full" or "gone".
        """
        device = device or self.invite()
        if self.has(device):
            return device
        if not self._is_from_here(device):
            raise RoomError("stranger")
        if self._is_removed(device):
            raise RoomError("removed")
        limit = self._check_entry()
        if not self.store.once(self.code, DEVICES, device, str(time.time()), max_keys=limit) and not self.has(device):
            raise RoomError("full" if self.store.get(self.code) else "gone")
        return device

    def has(self, device: str) -> bool:
        """Whether a device has joined."""
        return self.store.value(self.code, DEVICES, device) is not None

    def _check_entry(self) -> int:
        """The room's limit of phones; raises RoomError when no further one may join now."""
        fields = self.store.get(self.code)
        if not fields:
            raise RoomError("gone")
        if fields.get("door"):
            raise RoomError("door")
        if self.n_devices() >= int(fields["most"]):
            raise RoomError("full")
        return int(fields["most"])

    def _seal(self, token: str) -> str:
        """The MAC that makes a token a name from this room."""
        fields = self.store.get(self.code)
        key = fields.get("names") or fields.get("secret", "").partition(" ")[0]  # opened by an earlier version
        return base64.urlsafe_b64encode(hmac.digest(key.encode(), token.encode(), "sha256"))[:12].decode()

    def _is_from_here(self, device: str) -> bool:
        return len(device) == 24 and hmac.compare_digest(device[12:].encode(), self._seal(device[:12]).encode())

    def _is_removed(self, device: str) -> bool:
        return self.store.value(self.code, REMOVED, device) is not None
