"""The questions to a class: one data type for the lesson's questions, free ones and the quiz."""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["options", "source", "head", "quiz"]
_PAIR = re.compile(r"\d{1,2}\.\d{1,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question of a quiz."""

    id: str
    words: dict[str, str]
    options: dict[str, tuple[str, ...]]
    right: int
    why: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that is open, or whose answers have been revealed."""

    id: str
    """Identifies the question and how often it was asked before; each device has one vote for an id."""
    kind: Kind = "options"
    words: dict[str, str]
    """The question in each language; a question without a language has the same text in all."""
    options: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """The answers in each language; of kind "source", the tokens."""
    n: int = 0
    """How many answers there are: options, or tokens of the source; of kind "head", layers times heads."""
    shape: tuple[int, int] = (0, 0)
    """Of kind "head": layers and heads."""
    about: str = ""
    """Which state of the model and sentence it is about, if that matters."""
    sentence: str = ""
    """The sentence that it is about; empty if it is about the sentence on screen."""
    text: str = ""
    """That sentence's translation."""
    step: int = -1
    """Of "what comes next?": the step to guess. The model's output from that step on is hidden."""
    right: str = ""
    """The right answer in the form of a vote; empty if it is unknown."""
    why: dict[str, str] = dataclasses.field(default_factory=dict)
    """The explanation of the right answer, in each language."""
    measured: tuple[float, ...] = ()
    """The model's own number for each answer: a token's weight, or the log-probability lost without a head."""
    items: tuple[Item, ...] = ()
    """Of kind "quiz": its questions. A vote is then "item.option", one for each item."""
    first: int = 0
    """Of kind "head": the number of the first layer and head on screen."""
    opened: float = 0.0
    """Seconds since 1970, for the table; the clock may be set back, so it orders nothing."""
    number: int = 0
    """How many questions were asked before it."""
    is_revealed: bool = False

    @property
    def is_guessed(self) -> bool:
        """Whether the class is guessing the next word of the translation."""
        return self.step >= 0 and not self.is_revealed

    def admits(self, vote: str) -> bool:
        """Whether a vote is one of the answers."""
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

    def to_json(self) -> str:
        """The question as JSON."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Question | None:
        """Read a question from JSON; None when there is none."""
        if not text:
            return None
        fields = json.loads(text)
        fields["options"] = _tuples(fields["options"])
        fields["items"] = tuple(Item(**item | {"options": _tuples(item["options"])}) for item in fields["items"])
        return cls(**fields | {"shape": tuple(fields["shape"]), "measured": tuple(fields["measured"])})


def _tuples(options: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {code: tuple(words) for code, words in options.items()}
