"""The questions to a class: one data type for the lesson's questions, free ones and the quiz."""

from __future__ import annotations

import dataclasses
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

BEFORE, AFTER = "quiz.before", "quiz.after"
Kind = Literal["options", "source", "head", "quiz", "write"]
_PAIR = re.compile(r"\d{1,2}\.\d{1,2}")
_WRITTEN = re.compile(r"ink\.[A-Za-z0-9_-]{1,6000}")
"""The text form of a picture (model/picture/runs.py)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question of a quiz."""

    id: str
    words: dict[str, str]
    options: dict[str, tuple[str, ...]]
    right: int
    why: dict[str, str]
    about: dict[str, str] = dataclasses.field(default_factory=dict)
    """What it asks about, in each language, in a word or two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that is open, or whose answers have been revealed."""

    id: str
    """Identifies the question and how often it was asked; each device has one vote per id."""
    kind: Kind = "options"
    words: dict[str, str]
    """The question in each language; a question without a language has the same text in all."""
    options: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """The answers in each language; of kind "source", the tokens."""
    n: int = 0
    """Number of answers: options, or tokens of the source; of kind "head", layers times heads."""
    shape: tuple[int, int] = (0, 0)
    """Of kind "head": layers and heads."""
    about: str = ""
    """The state of model and sentence that it is about, if any."""
    sentence: str = ""
    """The sentence that it is about; empty if it is about the sentence on screen."""
    text: str = ""
    """That sentence's translation."""
    maps: str = ""
    """Of kind "head": rows, columns, and a small map of each head in base64."""
    step: int = -1
    """Of "what comes next?": the step to guess. The model's output from that step on is hidden."""
    right: str = ""
    """The right answer in the form of a vote; empty if it is unknown."""
    why: dict[str, str] = dataclasses.field(default_factory=dict)
    """The explanation of the right answer, in each language."""
    measured: tuple[float, ...] = ()
    """The model's value for each answer: a token's weight, or the log-probability lost without a head."""
    items: tuple[Item, ...] = ()
    """Of kind "quiz": its questions. A vote is then "item.option", one for each item."""
    first: int = 0
    """Of kind "head": the number of the first layer and head on screen."""
    opened: float = 0.0
    """Seconds since 1970, for the table; the clock may be set back, so it orders nothing."""
    number: int = 0
    """How many questions were asked before it."""
    again: int = 0
    """How often the question with this id has left the phones: a quiz can be opened again."""
    is_revealed: bool = False
    """Whether the vote is closed and its distribution is shown."""
    is_explained: bool = False
    """Whether the right answer and its reason are shown too: after the experiment."""
    said: dict[str, str] = dataclasses.field(default_factory=dict)
    """The reason in one sentence, in each language, for the second screen."""
    replies: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """The reply to each answer, in each language; empty where there are none."""
    earlier: dict[str, int] = dataclasses.field(default_factory=dict)
    """The votes on the same question before the class discussed it."""
    by_hands: bool = False
    """Whether the class votes by show of hands."""
    closes: float = 0.0
    """Seconds since 1970 at which the vote closes by itself; 0 for a vote that the teacher closes."""
    words_shown: str = ""
    """Of kind "write": the name of the blob with the class's words, once all screens show them."""

    @property
    def is_guessed(self) -> bool:
        """Whether the class is guessing the next word of the translation."""
        return self.step >= 0 and not self.is_explained

    @property
    def is_over(self) -> bool:
        """Whether the time to vote has passed."""
        return bool(self.closes) and time.time() > self.closes

    @property
    def is_open(self) -> bool:
        """Whether phones may vote on it."""
        return not (self.is_revealed or self.is_over or self.by_hands)

    def admits(self, vote: str) -> bool:
        """Whether a vote is one of the answers; of kind "write", whether it has the form of a picture's text."""
        if self.kind == "write":
            return bool(_WRITTEN.fullmatch(vote))
        if self.kind in ("head", "quiz"):
            if not _PAIR.fullmatch(vote):
                return False
            first, second = map(int, vote.split("."))
            if self.kind == "head":
                return first < self.shape[0] and second < self.shape[1]
            return first < len(self.items) and second < len(self.items[first].options["en"])
        return vote.isascii() and vote.isdigit() and len(vote) <= 3 and int(vote) < self.n

    def place(self, device: str, vote: str) -> str:
        """The key of a device's vote: one for each device, and in a quiz one for each device and item."""
        return f"{device}.{vote.partition('.')[0]}" if self.kind == "quiz" else device

    def public(self, results: Mapping[str, Any] | None) -> dict[str, Any]:
        """What the phones receive of it now, with the class's votes, or None while they are hidden."""
        visible: dict[str, Any] = {
            "id": self.id, "kind": self.kind, "words": self.words, "options": self.options, "n": self.n,
            "shape": self.shape, "first": self.first, "revealed": self.is_revealed, "explained": self.is_explained,
            "maps": self.maps, "hands": self.by_hands, "sentence": self.sentence,
            "text": "" if self.is_guessed else self.text,
            "items": [
                {"id": item.id, "words": item.words, "options": item.options, "about": item.about}
                for item in self.items
            ],
        }  # fmt: skip
        if self.words_shown and results is not None:
            visible["shown"] = self.words_shown
        if self.closes and not self.is_revealed:
            visible["left"] = round(max(0.0, self.closes - time.time()), 1)
        if results is not None:
            visible |= {**results, "earlier": self.earlier}
        if results is not None and self.is_explained:
            visible |= {"right": self.right, "why": self.why, "said": self.said, "replies": self.replies,
                     "measured": self.measured,
                     "answers": [{"right": item.right, "why": item.why} for item in self.items]}  # fmt: skip
        return visible

    def to_json(self) -> str:
        """The question as JSON."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Question | None:
        """Read a question from JSON; None when there is none."""
        if not text:
            return None
        fields = json.loads(text)
        fields.setdefault("is_explained", fields["is_revealed"])  # earlier versions did both at once
        fields["options"] = _tuples(fields["options"])
        fields["replies"] = _tuples(fields.get("replies", {}))
        fields["items"] = tuple(Item(**item | {"options": _tuples(item["options"])}) for item in fields["items"])
        return cls(**fields | {"shape": tuple(fields["shape"]), "measured": tuple(fields["measured"])})


def asked_again(question: Question, tally: dict[str, int], *, times: int) -> Question:
    """The same question, asked ``times`` before, for a second vote, with the votes of the first."""
    name = f"{question.id.partition('#')[0]}#{times + 1}"
    return dataclasses.replace(question, id=name, earlier=tally, closes=0.0)


def times_asked(questions: list[Question], offer: str) -> int:
    """How often an offer was asked."""
    return sum(question.id.partition("#")[0] == offer for question in questions)


def _tuples(options: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {code: tuple(words) for code, words in options.items()}
