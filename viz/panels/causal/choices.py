"""What the reader has chosen on the Causal page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from viz import session
from viz.rules import bounded, one_of, words

AREA = "causal"
PARTS = ("map", "tokens", "direct", "group")
METHODS = ("alti", "raw", "rollout", "value_weighted", "gradient_input", "integrated_gradients", "erasure")
WHAT = ("residual", "attention", "feed_forward", "heads")
DEFAULT_FIRST = "The dog is sleeping on the sofa."
"""Beside the sentence that every session begins with."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Kept in the link under ``causal.``."""

    part: str = one_of(*PARTS)
    first: str = words(DEFAULT_FIRST, longest=500)
    """The sentence that activations are taken from."""
    what: str = one_of(*WHAT)
    values: str = one_of("exact", "estimated")
    step: int = bounded(0, 0, 1024)
    rival: int = bounded(-1, -1, 10_000_000)
    """A token id to hold the token against; -1 for none."""
    method: str = one_of(*METHODS)
    group: str = one_of("number", "gender", "polarity")


def choices() -> Choices:
    """This page's choices."""
    return session.part(Choices, AREA)


def bind(field: str, *, shown: Any = None) -> dict[str, Any]:
    """Arguments that tie a widget to one of them."""
    return session.bind(field, Choices, AREA, shown=shown)
