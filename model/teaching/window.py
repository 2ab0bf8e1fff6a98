"""A convolution as attention with the same weights for every sentence."""

import math

import numpy as np

from model.trace import Floats


def window_weights(n_tokens: int, width: int) -> Floats:
    """The weights (N, N) of a one-dimensional convolution that averages ``width`` tokens around each one.

    At the edges the window is cut off and the remaining tokens share the weight, so that every row sums to 1.

    Raises:
        ValueError: for a width that is even or below 3.
    """
    reach = _reach(width)
    place = np.arange(n_tokens)
    inside = np.abs(place[None] - place[:, None]) <= reach  # (N, N)
    return (inside / inside.sum(1, keepdims=True)).astype(np.float32)


def layers_to_reach(n_tokens: int, width: int) -> int:
    """Layers of such a window after which the last token can depend on the first.

    Raises:
        ValueError: for a width that is even or below 3.
    """
    return max(1, math.ceil((n_tokens - 1) / _reach(width)))


def _reach(width: int) -> int:
    if width < 3 or width % 2 == 0:
        raise ValueError(f"width ({width}) must be odd and at least 3")
    return width // 2
