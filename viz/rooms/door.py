"""The phones of a room: their names, who may join, whom the teacher removes, and the sentences that they send."""

import base64
import hmac
import secrets
import time
import unicodedata
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
MAX_CHARACTERS = 500
"""Maximum length of a sentence, in characters."""
MAX_MARKS = 3
"""Maximum number of combining marks on a letter."""
MAX_SENTENCES = 400


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone in the room."""

    device: str
    came: float
    """Seconds since 1970 when it joined; 1 in rooms that an earlier version opened."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that the class has sent, and how many sent it."""

    key: str
    text: str
    n: int


@dataclass(frozen=True, slots=True)
class Door:
    """The part of a room that admits phones, and takes one sentence of each until the teacher has handled it.

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
        """A name for a device, which its later requests carry: the previous one, if it is from this room and was not
        removed. It counts as a phone only when it has joined. Raises RoomError: "door", "full" or "gone", when a new
        phone could not join now."""
        if self.has(previous) or (self._is_from_here(previous) and not self._is_removed(previous)):
            return previous
        self._check_entry()
        token = secrets.token_urlsafe(9)
        return token + self._seal(token)

    def join(self, device: str = "") -> str:
        """Count a device, by the name that ``invite`` gave or a new one, among the phones of the room, and return its
        name. Raises RoomError: "stranger" for a name that is not from here, "removed", "door", "full" or "gone"."""
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

    def sentence_of(self, device: str) -> str | None:
        """The sentence of a device that the teacher has not handled yet."""
        return self.store.value(self.code, "sentences", device)

    def send(self, device: str, text: str) -> str:
        """Store a device's sentence and return it as stored; raises RoomError: "empty", "twice" (until it is handled),
        "full"."""
        sentence = clean(text)
        if not any(letter.isalnum() for letter in sentence):
            raise RoomError("empty")
        if not self.store.once(self.code, "sentences", device, sentence, max_keys=MAX_SENTENCES):
            raise RoomError("full" if self.sentence_of(device) is None else "twice")
        return sentence

    def sentences(self) -> list[Sentence]:
        """The sentences that the class has sent: equal ones merged, the most frequent first."""
        texts: dict[str, list[str]] = {}
        for text in self.store.table(self.code, "sentences").values():
            texts.setdefault(comparable(text), []).append(text)
        merged = [Sentence(key, items[0], len(items)) for key, items in texts.items()]
        return sorted(merged, key=lambda sentence: -sentence.n)

    def drop_sentence(self, key: str) -> None:
        """Remove a sentence, and all that equal it, from the list."""
        for device in self.senders(key):
            self.store.remove(self.code, "sentences", device)

    def senders(self, key: str) -> list[str]:
        """The devices that sent a sentence."""
        return [device for device, text in self.store.table(self.code, "sentences").items() if comparable(text) == key]

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


def clean(text: str) -> str:
    """The text as one line without control and direction characters or stacked marks, cut at ``MAX_CHARACTERS``."""
    letters, marks = [], 0
    for letter in unicodedata.normalize("NFC", text[: 8 * MAX_CHARACTERS]):
        kind = unicodedata.category(letter)
        if kind in ("Mn", "Me"):
            marks += 1
            if marks > MAX_MARKS:
                continue
        else:
            marks = 0
        if kind in ("Cc", "Zl", "Zp", "Zs"):
            letters.append(" ")
        elif kind not in ("Cf", "Cs", "Co", "Cn"):
            letters.append(letter)
    return " ".join("".join(letters).split())[:MAX_CHARACTERS].strip()


def comparable(text: str) -> str:
    """A form that is equal for sentences that differ only in case, spaces and final punctuation."""
    return clean(text).casefold().rstrip(" .!?…。！？")
