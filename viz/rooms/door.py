"""Who is in a room: the names of phones, who may come in, and whom the teacher sends away."""

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
"""A phone that reloads its page or changes its network is back before."""


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone in the room."""

    device: str
    came: float
    """Seconds since 1970 when it joined; 1 in rooms that an earlier version opened."""


@dataclass(frozen=True, slots=True)
class Door:
    """The part of a room that admits phones.

    A phone first gets a name, which costs nothing to keep, because only the room can compute its second half. It
    counts as a phone when it follows the room with this name.
    """

    store: Store
    code: str

    def shut(self, is_shut: bool) -> None:
        """Close the door: no further phone may come in. Those that are in stay and may come back."""
        self.store.set(self.code, {"door": "1" if is_shut else ""})

    def is_shut(self) -> bool:
        """Whether the door is closed."""
        return bool(self.store.get(self.code).get("door"))

    def phones(self) -> list[Phone]:
        """The phones in the room, in the order in which they came."""
        devices = self.store.table(self.code, DEVICES).items()
        return sorted((Phone(device, float(came)) for device, came in devices), key=lambda phone: phone.came)

    def votes(self, question_id: str) -> dict[str, str]:
        """Each device's vote."""
        return self.store.table(self.code, f"votes:{question_id}")

    def n_devices(self) -> int:
        """How many phones have joined."""
        return self.store.count(self.code, DEVICES)

    def come(self, device: str) -> None:
        """Note that a phone follows."""
        self.store.remove(self.code, AWAY, device)

    def leave(self, device: str) -> None:
        """Note that a phone has stopped following; it may come back."""
        if self.has(device):
            self.store.once(self.code, AWAY, device, str(time.time()))

    def away(self) -> set[str]:
        """The phones that have left for longer than a reload takes."""
        now = time.time()
        return {
            phone for phone, since in self.store.table(self.code, AWAY).items() if now - float(since) > AWAY_SECONDS
        }

    def remove(self, devices: Iterable[str]) -> None:
        """Send phones away, with their votes and sentences. A name that was removed cannot come back."""
        gone = set(devices)
        for device in gone:
            self.store.once(self.code, REMOVED, device, "1")
            self.store.remove(self.code, DEVICES, device)
            self.store.remove(self.code, AWAY, device)
            self.store.remove(self.code, "sentences", device)
        for question_id in self.store.table(self.code, "asked"):
            for place in self.votes(question_id):
                if place.partition(".")[0] in gone:
                    self.store.remove(self.code, f"votes:{question_id}", place)
        self.store.set(self.code, {"removed": secrets.token_urlsafe(6)})  # tells every server

    def invite(self, known: str = "") -> str:
        """A name for a device, which its later requests carry. It counts as a phone only when it has joined.

        Args:
            known: the name that the device had; it keeps it if the room gave it and has not removed it.

        Raises:
            RoomError: "door", "full" or "gone", when a new phone could not join now.
        """
        if self.has(known) or (self._is_own(known) and not self._is_removed(known)):
            return known
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
        if not self._is_own(device):
            raise RoomError("stranger")
        if self._is_removed(device):
            raise RoomError("removed")
        most = self._check_entry()
        if not self.store.once(self.code, DEVICES, device, str(time.time()), most=most) and not self.has(device):
            raise RoomError("full" if self.store.get(self.code) else "gone")
        return device

    def has(self, device: str) -> bool:
        """Whether a device has joined."""
        return self.store.value(self.code, DEVICES, device) is not None

    def _check_entry(self) -> int:
        """How many phones the room takes; raises RoomError when no further one may come in now."""
        fields = self.store.get(self.code)
        if not fields:
            raise RoomError("gone")
        if fields.get("door"):
            raise RoomError("door")
        if self.n_devices() >= int(fields["most"]):
            raise RoomError("full")
        return int(fields["most"])

    def _seal(self, token: str) -> str:
        """What makes a token a name from this room: nobody else can compute it, and nothing has to be stored."""
        fields = self.store.get(self.code)
        key = fields.get("names") or fields.get("secret", "").partition(" ")[0]  # opened by an earlier version
        return base64.urlsafe_b64encode(hmac.digest(key.encode(), token.encode(), "sha256"))[:12].decode()

    def _is_own(self, device: str) -> bool:
        return len(device) == 24 and hmac.compare_digest(device[12:].encode(), self._seal(device[:12]).encode())

    def _is_removed(self, device: str) -> bool:
        return self.store.value(self.code, REMOVED, device) is not None
