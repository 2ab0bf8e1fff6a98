"""The Positions page's choices, and the questions that apply to the model in use."""

from dataclasses import dataclass

import streamlit as st

from model.config import NOT_ADDED, TransformerConfig
from model.layer_spec import AttentionSpec
from viz.i18n import tr
from viz.panels.reading import Reading, is_alone
from viz.state import session
from viz.state.rules import bounded, one_of

OF_SENTENCE = ("shuffle", "sentence", "beyond")
"""Questions about the reader's own sentence."""
IN_ATTENTION = ("rotary", "alibi")
"""Questions about models that use positions inside attention."""
PARTS = ("table", "waves", "vector", "dot", "rotation", "layout", "learned", *OF_SENTENCE)


@dataclass(frozen=True, slots=True)
class Choices:
    """This page's choices."""

    part: str = one_of("", *IN_ATTENTION, *PARTS)
    """The question on screen; empty for the first that applies to the model in use."""
    n_positions: int = bounded(64, 8, 512)
    position: int = bounded(3, 0, 511)
    offset: int = bounded(5, -64, 64)
    pair: int = bounded(8, 0, 4095)
    layer: int = bounded(0, 0, 999)
    head: int = bounded(0, 0, 999)
    seed: int = bounded(1, 0, 9999)


PAGE = session.Area(Choices, "positions")


def slider(field: str, label: str, low: int, high: int, *, value: int) -> None:
    """A slider tied to a choice."""
    st.slider(tr(label), low, max(high, low + 1), width=420, **PAGE.bind(field, value=value))


def self_attention(reading: Reading) -> list[tuple[int, AttentionSpec]]:
    """Each layer's index in its stack and its self-attention, the encoder's layers first."""
    config = reading.bundle.config
    if not isinstance(config, TransformerConfig):
        return []
    stacks = [config.layers(encoder=encoder) for encoder in (True, False)]
    return [(index, layer.attention) for stack in stacks for index, layer in enumerate(stack)]


def questions(reading: Reading) -> dict[str, tuple[str, ...]]:
    """The questions about the reader's sentence, and those about the machinery.

    Without position vectors there is no table of them, and a model that does not translate has no translation whose
    source could be moved.
    """
    specs = [spec for _, spec in self_attention(reading)]
    in_attention = ("rotary",) * any(spec.rotary for spec in specs) + ("alibi",) * any(spec.slopes for spec in specs)
    unavailable = set[str]()
    if is_alone(reading.bundle):
        unavailable |= {"beyond"} if len(reading.trace.source) else {"beyond", "shuffle"}
    if reading.bundle.config.positions in NOT_ADDED and (is_alone(reading.bundle) or in_attention):
        unavailable |= {"table", "vector", "sentence", "beyond"}
    machinery = (*in_attention, *(name for name in PARTS if name not in OF_SENTENCE))
    return {
        "sentence": tuple(name for name in OF_SENTENCE if name not in unavailable),
        "machinery": tuple(name for name in machinery if name not in unavailable),
    }


def current_question(reading: Reading) -> str:
    """The question that the page answers."""
    available, part = [name for names in questions(reading).values() for name in names], PAGE.read().part
    return part if part in available else available[0]


def is_of_sentence(reading: Reading) -> bool:
    """Whether the question that the page answers is about the reader's sentence."""
    return current_question(reading) in OF_SENTENCE
