"""How links name the lesson's scenes: by name, so that a link opens the same scene when the order changes.

Links of earlier versions count the twelve scenes of that time from 0.
"""

import dataclasses
import re
from typing import Any

from viz.state.rules import Rule

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
    return dataclasses.field(default=(), metadata={"rule": Rule(lambda n: ".".join(NAMES[i] for i in n), _scenes)})


def votes() -> Any:
    """For each scene the option voted for, counted from 1; 0 before the vote."""
    return dataclasses.field(default=(), metadata={"rule": Rule(_written_votes, _votes)})


def _scene(text: str) -> int:
    """The number of a scene from its name or its number in earlier versions.

    Raises:
        ValueError: for neither.
    """
    return NAMES.index(
        NAMES_BY_FORMER_NUMBER[min(int(text), len(NAMES_BY_FORMER_NUMBER) - 1)] if text.isdecimal() else text
    )


def _scenes(text: str) -> tuple[int, ...]:
    valid = (part for part in text.split(".") if part in NAMES or (part.isdecimal() and len(part) < 3))
    return tuple(dict.fromkeys(map(_scene, valid)))


def _written_votes(votes_by_scene: tuple[int, ...]) -> str:
    return ".".join(f"{NAMES[place]}{vote}" for place, vote in enumerate(votes_by_scene) if vote)


def _votes(text: str) -> tuple[int, ...]:
    parts = text.split(".")
    if _COUNTED.fullmatch(text):
        answers = {name: part for name, part in zip(NAMES_BY_FORMER_NUMBER, parts, strict=False) if len(part) == 1}
    else:
        answers = {match[1]: match[2] for match in map(_VOTE.fullmatch, parts) if match}
    last = max((place for place, name in enumerate(NAMES) if name in answers), default=-1)
    return tuple(int(answers.get(name, 0)) for name in NAMES[: last + 1])
