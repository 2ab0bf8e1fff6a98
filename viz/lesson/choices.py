"""The lesson's state, stored in links, which name a scene instead of counting it: its number may change.

Links of earlier versions count the twelve scenes of that time from 0.
"""

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from viz.state import session
from viz.state.rules import Rule, names, numbers, one_of, words, yes_no

NAMES = (
    "box", "pieces", "positions", "head", "heads", "layer", "encoder", "mask", "loss", "cross", "beam", "train",
    "explain", "share", "reader", "since",
)  # fmt: skip
"""The scenes in order, each a module of ``scenes/``. A name never changes: links and votes hold it."""
NAMES_BY_FORMER_NUMBER = (
    "box", "pieces", "positions", "head", "heads", "encoder", "mask", "cross", "beam", "explain", "train", "share"
)  # fmt: skip
_VOTE = re.compile(r"([a-z]+)(\d)", re.ASCII)
_COUNTED = re.compile(r"[\d.]*", re.ASCII)


def scene_number() -> Any:
    """The number of a scene, from 0."""
    return dataclasses.field(default=0, metadata={"rule": Rule(NAMES.__getitem__, _scene)})


def scene_numbers() -> Any:
    """Numbers of scenes."""

    def read(text: str) -> tuple[int, ...]:
        valid = (part for part in text.split(".") if part in NAMES or (part.isdecimal() and len(part) < 3))
        return tuple(dict.fromkeys(map(_scene, valid)))

    return dataclasses.field(default=(), metadata={"rule": Rule(lambda n: ".".join(NAMES[i] for i in n), read)})


def votes() -> Any:
    """For each scene the option voted for, counted from 1; 0 before the vote."""

    def write(by_scene: tuple[int, ...]) -> str:
        return ".".join(f"{NAMES[place]}{vote}" for place, vote in enumerate(by_scene) if vote)

    def read(text: str) -> tuple[int, ...]:
        parts = text.split(".")
        if _COUNTED.fullmatch(text):
            by_name = {name: part for name, part in zip(NAMES_BY_FORMER_NUMBER, parts, strict=False) if len(part) == 1}
        else:
            by_name = {match[1]: match[2] for match in map(_VOTE.fullmatch, parts) if match}
        last = max((place for place, name in enumerate(NAMES) if name in by_name), default=-1)
        return tuple(int(by_name.get(name, 0)) for name in NAMES[: last + 1])

    return dataclasses.field(default=(), metadata={"rule": Rule(write, read)})


def _scene(text: str) -> int:
    """The number of a scene from its name or its number in earlier versions; raises ValueError for neither."""
    return NAMES.index(
        NAMES_BY_FORMER_NUMBER[min(int(text), len(NAMES_BY_FORMER_NUMBER) - 1)] if text.isdecimal() else text
    )


AREA = "lesson"
N_OPTIONS = 3
TIE = N_OPTIONS
"""In place of an option: no option has the most votes."""
TRIES = 5
"""Heads to try before the page tells how many matter."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The lesson's state; all of it is in the link."""

    scene: int = scene_number()
    route: str = one_of("full", "short")
    votes: tuple[int, ...] = votes()
    """For each scene the option voted for, counted from 1; 0 before the vote."""
    explained: tuple[int, ...] = scene_numbers()
    """Scenes whose explanation was opened."""
    changed: bool = yes_no()
    """Whether this scene's change is active."""
    is_late: bool = yes_no()
    """Whether the change was made after the explanation."""
    before: str = words()
    """The sentence before the change."""
    made_on: str = words(longest=16)
    """The beginning of the fingerprint of the model on which the change was made."""
    before_edits: str = words()
    """The interventions before the change, as in a link."""
    altered: tuple[str, ...] = names()
    """Shared choices that the change replaced, besides the sentence and the interventions."""
    earlier: str = words(longest=4_000)
    """Their previous values, as link parameters."""
    tried: tuple[int, ...] = numbers()
    """Heads tried in the hunt, as layer × heads + head."""
    claim: str = words(longest=300)
    word: str = words(longest=6_100)
    """The text form of the picture of a word that the class has written."""
    letter: tuple[int, ...] = numbers(most=1)
    """Index of the letter of the written word that is painted out; empty where none was chosen."""
    run: str = words(longest=64)
    """The training run of the scene on training."""

    def vote(self, number: int) -> int | None:
        """The option voted for in a scene, from 0; ``TIE`` when the class was divided, None before the vote."""
        voted = self.votes[number] if number < len(self.votes) else 0
        return voted - 1 if 0 < voted <= TIE + 1 else None


def is_changed() -> bool:
    """Whether this scene's change is active."""
    return session.choices_of(Choices, AREA).changed
