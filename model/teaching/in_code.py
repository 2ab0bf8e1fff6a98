"""Attention in a few lines of NumPy, for readers: the same numbers as the network's, which a test compares."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.floating]


def attention(q: Matrix, k: Matrix, v: Matrix, mask: NDArray[np.bool_] | None = None) -> tuple[Matrix, Matrix]:
    """Queries (T, K), keys (S, K), values (S, M); a mask (T, S) is True where a query may look."""
    scores = q @ k.T / math.sqrt(q.shape[-1])  # (T, S)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / weights.sum(-1, keepdims=True)  # (T, S): positive, and each row adds up to 1
    return weights @ v, weights  # (T, M), (T, S)


def many_heads(x: Matrix, memory: Matrix, heads: Sequence[tuple[Matrix, Matrix, Matrix]], w_o: Matrix) -> Matrix:
    """Vectors x (T, D) look at a memory (S, D); each head has three matrices (D, K), and W_O (H · K, D) joins them."""
    results = [attention(x @ w_q, memory @ w_k, memory @ w_v)[0] for w_q, w_k, w_v in heads]  # H times (T, K)
    return np.concatenate(results, -1) @ w_o  # (T, D)
