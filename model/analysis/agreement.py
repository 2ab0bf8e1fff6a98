"""Agreement of two rankings of heads, for example by a weighting and by the effect of switching heads off."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.trace import Floats, ShapeError

WeightKind = Literal["raw", "value_weighted", "rollout", "gradient"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Spearman's rank correlation of two scores over the same heads."""

    correlation: float | None
    """In [-1, 1]; None with fewer than three heads, or if one side gives all heads the same score."""
    n_heads: int


def head_scores(maps: Floats, weighting: WeightKind) -> Floats:
    """The score by which a weighting ranks heads, (L, H, Q, K) -> (L, H); larger is more important.

    Raw weights: the mean over queries of the largest weight, since every row sums to 1 (the "confidence" of Voita et
    al. 2019). Value-weighted: the mean over queries of the row's total norm. Gradient × attention: the absolute value
    of the head's total, as in Michel et al. (2019).

    Raises:
        ShapeError: for rollout, which has no heads to rank.
    """
    if weighting == "raw":
        return maps.max(-1).mean(-1)
    if weighting == "value_weighted":
        return maps.sum(-1).mean(-1)
    if weighting == "gradient":
        return np.abs(maps.sum((-2, -1)))
    raise ShapeError("rollout averages over the heads, so they cannot be ranked: choose another weighting")


def rank_agreement(left: ArrayLike, right: ArrayLike) -> Agreement:
    """Spearman's rank correlation; ties get their mean rank.

    Raises:
        ShapeError: when the shapes differ.
    """
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if a.shape != b.shape:
        raise ShapeError(f"{a.shape} scores against {b.shape}: both must score the same heads")
    known = ~(np.isnan(a) | np.isnan(b))
    x, y = ranks(a[known]), ranks(b[known])
    if len(x) < 3 or x.std() == 0 or y.std() == 0:
        return Agreement(None, len(x))
    return Agreement(float(np.corrcoef(x, y)[0, 1]), len(x))


def ranks(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Ranks from 1, ascending; ties get their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return (last - (counts - 1) / 2)[inverse]
