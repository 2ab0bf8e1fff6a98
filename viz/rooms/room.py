"""A room: opening and leading it, showing the teacher's view, and the snapshot for phones.

A class types the room's code to join, and a teacher a transfer code to lead from another device.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from viz.rooms.ballot import Ballot
from viz.rooms.questions import AFTER, BEFORE, Question
from viz.rooms.store import NO_LIMITS, Limits, Store, kind_of

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without similar characters: 0 and O, 1, I and L."""
CODE_LENGTH = 6
TRANSFER_LENGTH = 8
"""Letters of a transfer code after the room's own code: 31 ** 8 possibilities."""
TRANSFER_SECONDS = 600.0


def new_code(length: int = CODE_LENGTH) -> str:
    """Random letters."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def tidy_code(written: str) -> str:
    """A code in its stored form, however people type it; empty for text that cannot be a code."""
    tidy = written.strip().upper()
    return tidy if len(tidy) == CODE_LENGTH and all(letter in LETTERS for letter in tidy) else ""


def split_transfer(written: str) -> tuple[str, str]:
    """The room's code and the token of a transfer code, typed in any case and with spaces or hyphens."""
    tidy = "".join(letter for letter in written.upper() if letter in LETTERS)
    return tidy[:CODE_LENGTH], tidy[CODE_LENGTH:]


def digest(secret: str) -> str:
    """The stored form of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


HOURS = 12.0
MAX_SECRETS = 8
"""Maximum number of browsers that lead a room."""
PICTURE = "picture"
"""The kind of a blob that is an experiment's picture; packets have none."""
WORDS = f"{PICTURE}-words"
"""The kind of a blob that holds the words that a class has written."""


@dataclass(frozen=True, slots=True)
class Room(Ballot):
    """A handle that holds only the room's name and its store."""

    @classmethod
    def open(
        cls, store: Store, *, most_devices: int, secret: str = "", opener: str = "", limits: Limits = NO_LIMITS,
        hours: float = HOURS,
    ) -> tuple[Room, str]:  # fmt: skip
        """Make a room, and the secret that identifies its teacher.

        Args:
            store: where rooms are kept.
            most_devices: how many phones may join.
            secret: known only to the teacher's browser; empty for a new one.
            opener: who opens it, for counting rooms; empty when unknown.
            limits: how many rooms there may be at once.
            hours: the room ends after this time.

        Raises:
            StoreFullError: when the limits allow no further room.
        """
        secret = secret or secrets.token_urlsafe(18)
        fields = {
            "secret": digest(secret), "most": str(most_devices), "created": str(time.time()), "shown": "{}",
            "question": "", "paused": "", "hidden": "", "names": secrets.token_urlsafe(18),
        }  # fmt: skip
        while True:
            code = new_code()
            if store.begin(code, fields, hours * 3600, opener=opener, limits=limits):
                return cls(store, code), secret

    @classmethod
    def find(cls, store: Store, code: str) -> Room | None:
        """The room with a code, which may be typed in any case and with spaces; None when there is none."""
        tidy = tidy_code(code)
        return cls(store, tidy) if tidy and store.get(tidy) else None

    @classmethod
    def taken_over(cls, store: Store, transfer: str, secret: str) -> Room | None:
        """The room of a transfer code (from ``hand_over``, typed in any case and with spaces or hyphens), now also led
        with this secret; None for an invalid code."""
        code, token = split_transfer(transfer)
        room = cls.find(store, code)
        if room is None:
            return None
        stored, _, until = room.fields().get("transfer", "").partition(" ")
        is_right = hmac.compare_digest(stored, digest(token))
        if not is_right or time.time() > float(until or 0) or not store.once(room.code, "transfers", stored, "1"):
            return None
        room.admit(secret)
        return room

    def knows(self, secret: str) -> bool:
        """Whether a secret belongs to this room's teacher."""
        digests = self.store.get(self.code).get("secret", "").split()
        return any(hmac.compare_digest(stored, digest(secret)) for stored in digests)

    def admit(self, secret: str) -> None:
        """Let a further browser of the teacher lead the room."""
        while not self.knows(secret) and (stored := self.store.get(self.code).get("secret")):
            digests = (*stored.split()[1 - MAX_SECRETS :], digest(secret))
            self.store.set(self.code, {"secret": " ".join(digests)}, only_if={"secret": stored})

    def hand_over(self) -> str:
        """A transfer code that lets another browser lead the room: valid once, for ``TRANSFER_SECONDS``."""
        token = new_code(TRANSFER_LENGTH)
        self.store.set(self.code, {"transfer": f"{digest(token)} {time.time() + TRANSFER_SECONDS}"})
        return f"{self.code}-{token[:4]}-{token[4:]}"

    def show(self, view: Mapping[str, Any], *, packet: bytes | None = None, picture: bytes | None = None) -> None:
        """Show the teacher's view on the phones, with the packet that ``view["packet"]`` names and the picture that
        ``view["experiment"]`` names, each only when its name is new."""
        for name, blob in (("packet", packet), ("experiment", picture)):
            if blob is not None:
                self.store.put_blob(self.code, view[name], gzip.compress(blob, 6, mtime=0))
        text = json.dumps(view, ensure_ascii=False, sort_keys=True)
        if text != self.store.get(self.code).get("shown"):
            self.store.set(self.code, {"shown": text})

    def current_view(self) -> dict[str, Any]:
        """The view that the phones show."""
        return json.loads(self.store.get(self.code).get("shown", "") or "{}")

    def pause(self, is_paused: bool) -> None:
        """Dim the phones, so that the class looks up."""
        self.store.set(self.code, {"paused": "1" if is_paused else ""})

    def hide(self, is_hidden: bool) -> None:
        """Hide the results on all screens."""
        self.store.set(self.code, {"hidden": "1" if is_hidden else ""})

    def fields(self) -> dict[str, str]:
        """The room's fields, for the teacher."""
        return self.store.get(self.code)

    def close(self) -> None:
        """End the room and notify every phone."""
        self.store.end(self.code)

    def snapshot(self) -> dict[str, Any] | None:
        """Everything that a phone shows; the same for all phones. None when the room has ended."""
        fields = self.store.get(self.code)
        if not fields:
            return None
        question = Question.from_json(fields["question"])
        is_open = bool(question and question.is_revealed and not fields["hidden"])
        return {
            "shown": json.loads(fields["shown"]),
            "paused": bool(fields["paused"]),
            "question": question and question.public(self._results(question) if is_open else None),
        }

    def _results(self, question: Question) -> dict[str, Any]:
        """The class's votes; after the second quiz also the shares of right answers before and after."""
        has_tally = not question.by_hands and question.kind != "write"
        votes: dict[str, Any] = {"tally": self.tally(question.id)} if has_tally else {}
        if question.id == AFTER and question.is_explained:
            ids = [item.id for item in question.items]
            shares = {name: self.shares(name, ids) for name in (BEFORE, AFTER)}
            if len(shares[BEFORE]) == len(shares[AFTER]):
                votes["shares"] = shares
        return votes


def is_picture(name: str) -> bool:
    """Whether a blob is the picture of an experiment, or of a class's words."""
    return kind_of(name) in (PICTURE, WORDS)


def blobs_of(snapshot: Mapping[str, Any]) -> list[str]:
    """The names of a snapshot's blobs: the view's packet, an experiment's picture and the class's words."""
    view, question = snapshot["shown"], snapshot["question"] or {}
    names = (view.get("packet"), view.get("experiment"), question.get("shown"))
    return [name for name in names if name and isinstance(name, str)]
