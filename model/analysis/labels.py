"""Labels for the behaviour of a head, each with the measurement that supports it.

A head gets a label only if at least half of its weight goes where the label says. Most heads have none.
"""

from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

import numpy as np

from model.analysis.metrics import HeadMetrics

LabelName = Literal["previous", "same", "next", "sinks", "diagonal", "uniform"]

_SHARES: dict[LabelName, str] = {"previous": "previous", "same": "same", "next": "next", "sinks": "sink_share"}
"""Labels and the metrics that they name."""
SHARE_NEEDED = 0.5
DIAGONALITY_NEEDED = 0.85
"""Threshold of diagonality; uniform weights have about 0.5."""
UNIFORMITY_NEEDED = 0.95
"""Threshold of the normalised entropy."""


@dataclass(frozen=True, slots=True)
class Earned:
    """A label and its evidence."""

    name: LabelName
    value: float
    """The metric behind the label, in [0, 1]: a share of the weight, the diagonality or the normalised entropy."""


def earned_label(metrics: HeadMetrics, layer: int, head: int) -> Earned | None:
    """The label that the metrics support for one head, or None."""
    # Equal positions of two languages do not correspond, so cross-attention has no positional label but the diagonal.
    names: tuple[LabelName, ...] = tuple(_SHARES) if metrics.diagonality is None else ("sinks",)
    shares = [Earned(name, float(getattr(metrics, _SHARES[name])[layer, head])) for name in names]
    best = max((share for share in shares if share.value >= SHARE_NEEDED), key=attrgetter("value"), default=None)
    if best is not None:
        return best
    if metrics.diagonality is not None and metrics.diagonality[layer, head] >= DIAGONALITY_NEEDED:
        return Earned("diagonal", float(metrics.diagonality[layer, head]))
    if metrics.normalised_entropy[layer, head] >= UNIFORMITY_NEEDED:
        return Earned("uniform", float(metrics.normalised_entropy[layer, head]))
    return None


def earned_labels(metrics: HeadMetrics) -> tuple[tuple[Earned | None, ...], ...]:
    """The labels of all heads, (L, H)."""
    n_layers, n_heads = np.shape(metrics.entropy)
    return tuple(tuple(earned_label(metrics, layer, head) for head in range(n_heads)) for layer in range(n_layers))
