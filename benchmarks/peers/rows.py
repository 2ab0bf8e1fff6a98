"""What is compared: each quantity with its definition, its source and the bar; and one comparison as a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peers.models import Twin
from model import RegardError


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity of the library."""

    name: str
    definition: str
    source: str
    bar: float = 1e-5


QUANTITIES = {
    "attention": Quantity("`trace.attention`", "weights after the softmax, before dropout; rows sum to 1",
                          "Vaswani et al. 2017, eq. 1"),
    "log_probs": Quantity("`trace.log_probs`", "natural logarithm of each token's probability", "—"),
    "residual": Quantity("`record(…, names=\"*.residual.after\")`", "residual stream that leaves each layer",
                         "Elhage et al. 2021"),
    "head_off": Quantity("`head_effects(…)`", "change in each token's log-probability when a head writes zeros",
                         "Michel et al. 2019"),
    "patched": Quantity("`Patch(…, from_text=…)`",
                        "log-probabilities with one layer's residual stream from another sentence", "Vig et al. 2020"),
    "steered": Quantity("`Patch(…, add=…, strength=…)`",
                        "log-probabilities with a vector added to the residual stream", "Turner et al. 2023"),
    "gradient": Quantity("`record(…, gradients_of=…)`", "gradient of a token's log-probability by a residual stream",
                         "—", 1e-4),
    "lens": Quantity("`logit_lens(…)`",
                     "logits of each layer's residual stream through the last norm and the output matrix",
                     "nostalgebraist 2020"),
    "gradient_input": Quantity(
        '`attribute(…, method="gradient_input")`',
        "gradient by each token's embedding, before positions, times the embedding, summed over its numbers",
        "Simonyan et al. 2014; Shrikumar et al. 2017", 1e-4),
    "integrated_gradients": Quantity(
        '`attribute(…, method="integrated_gradients")`',
        "mean gradient on the straight path from zeros to the token's embedding, times it, at 300 points",
        "Sundararajan et al. 2017, eq. 1", 1e-4),
    "integrated_from_token": Quantity(
        '`attribute(…, method="integrated_gradients", baseline=…)`', "the same, from the embedding of a token",
        "Sundararajan et al. 2017, section 3", 1e-4),
}  # fmt: skip
"""By the key that comparisons give."""


@dataclass(frozen=True, slots=True)
class Row:
    """The largest difference of one quantity on one model; None where one of the two does not have it."""

    quantity: str
    family: str
    difference: float | None
    reason: str = ""


def compared(quantity: str, twin: Twin, ours: Callable[[], Any], theirs: Callable[[], Any]) -> Row:
    """Both computed and compared; whoever refuses says why."""
    try:
        own = ours()
    except RegardError as error:
        return Row(quantity, twin.family, None, f"Regard: {error}")
    try:
        other = theirs()
    except Exception as error:  # a peer may fail in its own way on a family that it does not know
        return Row(quantity, twin.family, None, f"{type(error).__name__}: {error}"[:200])
    return Row(quantity, twin.family, largest_difference(own, other))


def largest_difference(own: Any, other: Any) -> float:
    """Over all arrays of two dictionaries, or of two arrays; infinite where their shapes or names differ."""
    if isinstance(own, dict):
        if own.keys() != other.keys():
            return float("inf")
        return max(largest_difference(own[key], other[key]) for key in own)
    left, right = (np.asarray(one, np.float64) for one in (own, other))
    return float(np.abs(left - right).max()) if left.shape == right.shape else float("inf")
