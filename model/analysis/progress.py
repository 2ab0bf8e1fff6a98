"""How steadily the cross-attention of a head moves forward through the source, as in reading handwriting."""

from __future__ import annotations

import numpy as np

from model.trace import Floats


def going_on(weights: Floats) -> Floats:
    """The mean of the largest weights of each head's rows; only those count that are further right than the one before.

    Args:
        weights: (L, H, T, S).

    Returns:
        (L, H), from 0 to 1.
    """
    places = weights.argmax(-1)  # (L, H, T)
    is_further = np.pad(np.diff(places, axis=-1) > 0, ((0, 0), (0, 0), (1, 0)), constant_values=True)
    return (weights.max(-1) * is_further).mean(-1)
