"""What the reader has chosen on the Positions page."""

from dataclasses import dataclass

import streamlit as st

from viz.i18n import tr
from viz.state import session
from viz.state.rules import bounded, one_of

OF_SENTENCE = ("shuffle", "sentence", "beyond")
"""Questions about the reader's own sentence."""
IN_ATTENTION = ("rotary", "alibi")
"""Questions about models that use positions inside attention."""
PARTS = ("table", "waves", "vector", "dot", "rotation", "layout", "learned", *OF_SENTENCE)


@dataclass(frozen=True, slots=True)
class Choices:
    """What this page shows."""

    part: str = one_of("", *IN_ATTENTION, *PARTS)
    """The question that is answered; empty for the first one that the model in use has an answer to."""
    n_positions: int = bounded(64, 8, 512)
    position: int = bounded(3, 0, 511)
    offset: int = bounded(5, -64, 64)
    pair: int = bounded(8, 0, 4095)
    layer: int = bounded(0, 0, 999)
    head: int = bounded(0, 0, 999)
    seed: int = bounded(1, 0, 9999)


def slider(field: str, label: str, low: int, high: int, *, value: int) -> None:
    """A slider tied to one of them."""
    st.slider(tr(label), low, max(high, low + 1), width=420, **session.bind(field, Choices, "positions", value=value))
