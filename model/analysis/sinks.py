"""Attention sinks: special tokens and punctuation, which receive weight that has no other use.

Clark et al. (2019, section 3.2) found that heads attend to separators and full stops and argue that this is a "no-op";
Xiao et al. (2024) named the effect. Removing sinks rescales the weights, so the removed mass is returned too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.text.tokenizer import is_punctuation
from model.trace import Floats, ShapeError, TokenSequence

_BOUNDARY = "▁Ġ "


@dataclass(frozen=True, slots=True)
class SinksRemoved:
    """Weights with the sinks' columns set to 0 and each row rescaled to sum to 1."""

    weights: Floats
    """(…, Q, K); a row with all of its weight on sinks is 0."""
    removed: Floats
    """(…, Q) the weight of each row on sinks, in [0, 1]."""


def sinks_of(tokens: TokenSequence) -> NDArray[np.bool_]:
    """Which tokens are sinks, bool (N,): special tokens, and pieces that are only punctuation."""
    return np.array(
        [
            special or is_punctuation(piece.strip(_BOUNDARY))
            for special, piece in zip(tokens.is_special, tokens.pieces, strict=True)
        ],
        dtype=bool,
    )


def remove_sinks(weights: Floats, key_is_sink: Sequence[bool] | NDArray[np.bool_]) -> SinksRemoved:
    """Set the sinks' columns to 0 and renormalise, (…, Q, K).

    Raises:
        ShapeError: when ``key_is_sink`` does not have one entry for each key.
    """
    sink = np.asarray(key_is_sink, dtype=bool)
    if sink.shape != weights.shape[-1:]:
        raise ShapeError(f"key_is_sink has {sink.shape} entries for {weights.shape[-1]} keys")
    exact = weights.astype(np.float64)
    emptied = np.where(sink, 0.0, exact)
    left, total = emptied.sum(-1, keepdims=True), exact.sum(-1, keepdims=True)
    scaled = np.divide(emptied * total, left, out=np.zeros_like(emptied), where=left > 0)
    removed = np.divide(total - left, total, out=np.zeros_like(total), where=total > 0)[..., 0]
    return SinksRemoved(scaled.astype(np.float32), np.clip(removed, 0, 1).astype(np.float32))
