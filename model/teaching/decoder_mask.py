"""The decoder's mask, and the fill values of masked scores (Vaswani et al. 2017, section 3.2.3)."""

import itertools
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

PRECISIONS = ("float32", "bfloat16", "float16")
FILLS = (-np.inf, -1e9)
"""Fill values that programs add to the score of a masked key."""


@dataclass(frozen=True, slots=True)
class DecoderMask:
    """Both conditions of the decoder's self-attention over T positions; True = may attend."""

    not_later: NDArray[np.bool_]
    """(T, T): the key is not after the query."""
    not_padding: NDArray[np.bool_]
    """(T, T): the key is a real token; the same in every row."""

    @property
    def both(self) -> NDArray[np.bool_]:
        """(T, T): True where both conditions hold."""
        return self.not_later & self.not_padding


def decoder_mask(n_tokens: int, n_padding: int) -> DecoderMask:
    """The mask of ``n_tokens`` real tokens followed by ``n_padding`` tokens of padding."""
    n = n_tokens + n_padding
    is_real = np.arange(n) < n_tokens
    return DecoderMask(np.tri(n, dtype=bool), np.broadcast_to(is_real, (n, n)).copy())


@dataclass(frozen=True, slots=True)
class HiddenWeights:
    """Weights after softmax when a large negative number is added to masked scores."""

    precision: str
    fill: float
    """The added number."""
    stored: float
    """The number in this precision; float16 ends at 65,504."""
    one_hidden: tuple[float, ...]
    """Weights of the scores 2, 1 and 3 with the last masked."""
    all_hidden: tuple[float, ...]
    """Weights with all scores masked; NaN for 0 / 0."""


def hidden_weights() -> tuple[HiddenWeights, ...]:
    """Each of ``FILLS`` in each of ``PRECISIONS``, computed by PyTorch."""
    found = []
    for precision, fill in itertools.product(PRECISIONS, FILLS):
        dtype = getattr(torch, precision)
        scores, added = torch.tensor([2.0, 1.0, 3.0], dtype=dtype), torch.tensor(fill).to(dtype)
        last_hidden = torch.where(torch.tensor([False, False, True]), scores + added, scores)
        one, every = (tuple(hidden.softmax(-1).tolist()) for hidden in (last_hidden, scores + added))
        found.append(HiddenWeights(precision, fill, float(added), one, every))
    return tuple(found)
