"""The sentences that a class sends to its teacher."""

import unicodedata
from dataclasses import dataclass

from viz.rooms.door import Door, RoomError

LONGEST = 500
"""Maximum length of a sentence, in characters."""
MAX_MARKS = 3
"""Maximum number of combining marks on a letter."""


def clean(text: str) -> str:
    """The text as one line without control and direction characters or stacked marks, cut at ``LONGEST``."""
    letters, marks = [], 0
    for letter in unicodedata.normalize("NFC", text[: 8 * LONGEST]):
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
    return " ".join("".join(letters).split())[:LONGEST].strip()


def comparable(text: str) -> str:
    """A form that is equal for sentences that differ only in case, spaces and final punctuation."""
    return clean(text).casefold().rstrip(" .!?…。！？")


MAX_SENTENCES = 400


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that the class has sent, and how many sent it."""

    key: str
    text: str
    n: int


@dataclass(frozen=True, slots=True)
class Inbox(Door):
    """The part of a room that takes sentences: one per phone until the teacher has handled it."""

    def sentence_of(self, device: str) -> str | None:
        """The sentence of a device that the teacher has not handled yet."""
        return self.store.value(self.code, "sentences", device)

    def send(self, device: str, text: str) -> str:
        """Store a device's sentence and return it as stored. A device may send another once the teacher has used it.

        Raises:
            RoomError: "empty", "twice" or "full".
        """
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
        for device, text in self.store.table(self.code, "sentences").items():
            if comparable(text) == key:
                self.store.remove(self.code, "sentences", device)

    def senders(self, key: str) -> list[str]:
        """The devices that sent a sentence."""
        return [device for device, text in self.store.table(self.code, "sentences").items() if comparable(text) == key]
