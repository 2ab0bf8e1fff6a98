"""One room: what its teacher can do, what students can do, and what each of them sees."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import hmac
import json
import secrets
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from viz.rooms.questions import Question
from viz.rooms.store import DEVICES, NO_LIMITS, Limits, Store
from viz.rooms.texts import clean, same

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without similar characters: 0 and O, 1, I and L."""
CODE_LENGTH = 6
HOURS = 12.0
MOST_SENTENCES = 400


class RoomError(ValueError):
    """Something that a room does not allow; ``reason`` is a key that a page can translate."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that the class has sent, and how many sent it."""

    key: str
    text: str
    n: int


@dataclass(frozen=True, slots=True)
class Room:
    """A handle that holds only the room's name and its store."""

    store: Store
    code: str

    @classmethod
    def open(
        cls, store: Store, *, most_devices: int, opener: str = "", limits: Limits = NO_LIMITS, hours: float = HOURS
    ) -> tuple[Room, str]:
        """Make a room, and the secret that identifies its teacher.

        Args:
            store: where rooms are kept.
            most_devices: how many phones may join.
            opener: who opens it, for counting rooms; empty when that is not known.
            limits: how many rooms there may be at once.
            hours: the room ends after this time.

        Raises:
            StoreFullError: when the limits allow no further room.
        """
        secret = secrets.token_urlsafe(18)
        fields = {
            "secret": _digest(secret), "most": str(most_devices), "created": str(time.time()), "shown": "{}",
            "question": "", "paused": "", "hidden": "",
        }  # fmt: skip
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            if store.begin(code, fields, hours * 3600, opener=opener, limits=limits):
                return cls(store, code), secret

    @classmethod
    def find(cls, store: Store, code: str) -> Room | None:
        """The room with a code, which may be typed in any case and with spaces; None when there is none."""
        tidy = tidy_code(code)
        return cls(store, tidy) if tidy and store.get(tidy) else None

    @classmethod
    def of_teacher(cls, store: Store, code: str, secret: str) -> Room | None:
        """The room if the secret is right, else None."""
        room = cls.find(store, code)
        kept = store.get(room.code).get("secret", "") if room else ""
        return room if room and hmac.compare_digest(kept, _digest(secret)) else None

    # What the teacher does

    def show(self, shown: Mapping[str, Any], *, packet: bytes | None = None) -> None:
        """Show the teacher's view on the phones; ``packet`` only when its name, ``shown["packet"]``, is new."""
        if packet is not None:
            self.store.put_blob(self.code, shown["packet"], gzip.compress(packet, 6, mtime=0))
        text = json.dumps(shown, ensure_ascii=False, sort_keys=True)
        if text != self.store.get(self.code).get("shown"):
            self.store.set(self.code, {"shown": text})

    def shown(self) -> dict[str, Any]:
        """What the phones show."""
        return json.loads(self.store.get(self.code).get("shown", "") or "{}")

    def ask(self, question: Question) -> None:
        """Open a question on the phones; it replaces the one before."""
        number = self.store.count(self.code, "asked")
        question = dataclasses.replace(question, opened=time.time(), number=number, is_revealed=False)
        self.store.once(self.code, "asked", question.id, question.to_json())
        self.store.set(self.code, {"question": question.to_json(), "hidden": ""})

    def question(self) -> Question | None:
        """The question that is open or revealed, or None."""
        return Question.from_json(self.store.get(self.code).get("question", ""))

    def learn(self, question_id: str, *, right: str, measured: tuple[float, ...]) -> None:
        """Store the results that were computed while the class was thinking; phones receive them after the reveal."""
        question = self.question()
        if question is not None and question.id == question_id:
            known = dataclasses.replace(question, right=right, measured=measured)
            if known.is_revealed:
                self.store.remove(self.code, "revealed", known.id)
                self.store.once(self.code, "revealed", known.id, known.to_json())
            self.store.set(self.code, {"question": known.to_json()})

    def reveal(self) -> None:
        """Close the vote and show everyone the answers, the right one among them."""
        question = self.question()
        if question is not None:
            revealed = dataclasses.replace(question, is_revealed=True)
            self.store.once(self.code, "revealed", question.id, revealed.to_json())
            self.store.set(self.code, {"question": revealed.to_json()})

    def drop_question(self) -> None:
        """Take the question off the phones."""
        self.store.set(self.code, {"question": ""})

    def pause(self, is_paused: bool) -> None:
        """Dim the phones, so that the class looks up."""
        self.store.set(self.code, {"paused": "1" if is_paused else ""})

    def hide(self, is_hidden: bool) -> None:
        """Hide the results on all screens."""
        self.store.set(self.code, {"hidden": "1" if is_hidden else ""})

    def fields(self) -> dict[str, str]:
        """The room's own fields, for the teacher."""
        return self.store.get(self.code)

    def close(self) -> None:
        """End the room and notify every phone."""
        self.store.end(self.code)

    def n_devices(self) -> int:
        """How many phones have joined."""
        return self.store.count(self.code, DEVICES)

    def votes(self, question_id: str) -> dict[str, str]:
        """Each device's vote."""
        return self.store.table(self.code, f"votes:{question_id}")

    def n_votes(self, question_id: str) -> int:
        """How many have voted."""
        return self.store.count(self.code, f"votes:{question_id}")

    def counted(self) -> tuple[int, int]:
        """How many phones have joined, and how many of them have answered the whole question."""
        question = self.question()
        n_votes = 0 if question is None else self.n_votes(question.id) // max(1, len(question.items))
        return self.n_devices(), n_votes

    def tally(self, question_id: str) -> dict[str, int]:
        """How many votes each answer has."""
        return dict(Counter(self.votes(question_id).values()))

    def asked(self) -> list[Question]:
        """Every question that was asked, in order, with what was known when it was revealed."""
        texts = self.store.table(self.code, "asked") | self.store.table(self.code, "revealed")
        found = filter(None, map(Question.from_json, texts.values()))
        return sorted(found, key=lambda question: question.number)

    def sentences(self) -> list[Sentence]:
        """The sentences that the class has sent: equal ones merged, the most frequent first."""
        texts: dict[str, list[str]] = {}
        for text in self.store.table(self.code, "sentences").values():
            texts.setdefault(same(text), []).append(text)
        found = [Sentence(key, items[0], len(items)) for key, items in texts.items()]
        return sorted(found, key=lambda sentence: -sentence.n)

    def drop_sentence(self, key: str) -> None:
        """Remove a sentence, and all that equal it, from the list."""
        for device, text in self.store.table(self.code, "sentences").items():
            if same(text) == key:
                self.store.remove(self.code, "sentences", device)

    # What a student does

    def join(self) -> str:
        """A name for a device, which its later requests carry.

        Raises:
            RoomError: "full".
        """
        most = int(self.store.get(self.code).get("most", "0"))
        device = secrets.token_urlsafe(12)
        if not self.store.once(self.code, DEVICES, device, "1", most=most):
            raise RoomError("full" if self.store.get(self.code) else "gone")
        return device

    def has(self, device: str) -> bool:
        """Whether a device has joined."""
        return self.store.holds(self.code, DEVICES, device)

    def vote(self, device: str, question_id: str, vote: str) -> None:
        """Count a device's answer, once.

        Raises:
            RoomError: "closed", "invalid" or "twice".
        """
        fields = self.store.get(self.code)
        question = Question.from_json(fields.get("question", ""))
        if question is None or question.id != question_id or question.is_revealed or fields["paused"]:
            raise RoomError("closed")
        if not question.admits(vote):
            raise RoomError("invalid")
        if not self.store.once(self.code, f"votes:{question_id}", question.place(device, vote), vote):
            raise RoomError("twice")

    def send(self, device: str, text: str) -> str:
        """Store a device's sentence and return it as stored. A device may send another once the teacher has used it.

        Raises:
            RoomError: "empty", "twice" or "full".
        """
        kept = clean(text)
        if not any(letter.isalnum() for letter in kept):
            raise RoomError("empty")
        if not self.store.once(self.code, "sentences", device, kept, most=MOST_SENTENCES):
            raise RoomError("twice" if self.store.holds(self.code, "sentences", device) else "full")
        return kept

    # What a student sees

    def snapshot(self) -> dict[str, Any] | None:
        """Everything that a phone shows; the same for all phones. None when the room has ended."""
        fields = self.store.get(self.code)
        if not fields:
            return None
        question = Question.from_json(fields["question"])
        return {
            "shown": json.loads(fields["shown"]),
            "paused": bool(fields["paused"]),
            "question": None if question is None else self._public(question, is_hidden=bool(fields["hidden"])),
        }

    def _public(self, question: Question, *, is_hidden: bool) -> dict[str, Any]:
        public = {
            "id": question.id, "kind": question.kind, "words": question.words, "options": question.options,
            "n": question.n, "shape": question.shape, "first": question.first, "revealed": question.is_revealed,
            "sentence": question.sentence, "text": "" if question.is_guessed else question.text,
            "items": [{"id": item.id, "words": item.words, "options": item.options} for item in question.items],
        }  # fmt: skip
        if question.is_revealed and not is_hidden:
            public |= {"right": question.right, "why": question.why, "measured": question.measured,
                       "tally": self.tally(question.id),
                       "answers": [{"right": item.right, "why": item.why} for item in question.items]}  # fmt: skip
        return public


def tidy_code(written: str) -> str:
    """A code in its stored form, however people type it; empty for text that cannot be a code."""
    tidy = written.strip().upper()
    return tidy if len(tidy) == CODE_LENGTH and all(letter in LETTERS for letter in tidy) else ""


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
