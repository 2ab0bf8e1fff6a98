"""How steadily the cross-attention of a head moves forward through the source, as in reading handwriting."""

from __future__ import annotations

import numpy as np

from model.trace import Floats


def going_on(weights: Floats) -> Floats:
    """The mean over rows of each head's largest weight, 0 for a row whose key is not right of the row before's.

    Args:
        weights: (L, H, T, S).

    Returns:
        (L, H), from 0 to 1.
    """
    places = weights.argmax(-1)  # (L, H, T)
    is_further = np.pad(np.diff(places, axis=-1) > 0, ((0, 0), (0, 0), (1, 0)), constant_values=True)
    return (weights.max(-1) * is_further).mean(-1)
