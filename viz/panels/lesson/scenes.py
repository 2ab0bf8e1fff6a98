"""The twelve scenes in order, and the one change that each proposes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model import NONE, BlockedKey, HeadOff, Interventions, PositionEdit
from model.trace import Trace
from viz import session
from viz.panels.reading import Reading
from viz.selection import bounded, numbers

AREA = "lesson"


@dataclass(frozen=True, slots=True)
class Choices:
    """Where the class is; all of it travels in the link."""

    scene: int = bounded(0, 0, 11)
    seen: tuple[int, ...] = numbers(most=12)
    """Scenes whose answer was revealed."""
    changed: tuple[int, ...] = numbers(most=12)
    """Scenes whose change was made and concerns the scene's own view."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene; its words are ``lesson.<name>_…``."""

    name: str
    page: str
    """The page where the same thing can be done freely."""
    minutes: int
    change: Callable[[Reading], None] | None
    """Makes the one change; None where the view itself changes, or another page is opened."""


def sharpest_head(trace: Trace) -> tuple[int, int] | None:
    """Layer and head of the cross-attention whose largest weights are largest; None without cross-attention."""
    weights = trace.attention.cross
    if weights is None or not weights.size:
        return None
    sharp = weights.max(-1).mean(-1)  # (L, H)
    layer, head = np.unravel_index(int(sharp.argmax()), sharp.shape)
    return int(layer), int(head)


def _without_mark(here: Reading) -> None:
    session.new_sentence(here.fitted.text.rstrip(" .!?…。！？") or here.fitted.text)


def _double_longest(here: Reading) -> None:
    words = here.fitted.text.split()
    place = max(range(len(words)), key=lambda i: len(words[i]))
    core = words[place].rstrip(".,!?;:。！？")
    words[place] = core + core.lower() + words[place][len(core) :]
    session.new_sentence(" ".join(words))


def _shuffle(here: Reading) -> None:
    _with(here, source_positions=PositionEdit("shuffle", 1))


def _layer_off(here: Reading) -> None:
    heads = range(here.bundle.config.n_decoder_heads)
    _with(here, heads_off=tuple(HeadOff("cross", 0, head) for head in heads))


def _hide_word(here: Reading) -> None:
    real = [i for i, special in enumerate(here.trace.source.is_special) if not special]
    longest = max(real, key=lambda i: len(here.trace.source.pieces[i]), default=0)
    _with(here, blocked_keys=(BlockedKey("encoder_self", longest),))


def _lift_mask(here: Reading) -> None:
    _with(here, lift_causal_mask=True)


def _relabel(here: Reading) -> None:
    session.change(rows="fed" if here.selection.rows == "predicted" else "predicted")


def _beam(here: Reading) -> None:
    session.change(method="beam", beam_size=4)


def _head_off(here: Reading) -> None:
    found = sharpest_head(here.trace)
    if found is not None:
        _with(here, heads_off=(HeadOff("cross", *found),))


def _undo_all(here: Reading) -> None:
    session.intervene(NONE)


def _with(here: Reading, **fields: object) -> None:
    session.intervene(dataclasses.replace(Interventions(), **fields))


SCENES = (
    Scene("box", "explore", 5, _without_mark),
    Scene("pieces", "laboratory", 5, _double_longest),
    Scene("positions", "positions", 8, _shuffle),
    Scene("head", "inside", 12, None),
    Scene("heads", "explore", 8, _layer_off),
    Scene("encoder", "explore", 8, _hide_word),
    Scene("mask", "laboratory", 6, _lift_mask),
    Scene("cross", "explore", 8, _relabel),
    Scene("beam", "decode", 8, _beam),
    Scene("explain", "decode", 10, _head_off),
    Scene("train", "fine_tune", 10, None),
    Scene("share", "explore", 5, _undo_all),
)
