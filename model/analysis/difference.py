"""Compares two traces: aligns their tokens, then subtracts every head's weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from model.errors import RegardError
from model.interventions import AttentionKind
from model.trace import Floats, ShapeError, Trace


class CompareError(RegardError, ValueError):
    """Two traces cannot be compared; the message says why, and which can."""


@dataclass(frozen=True, slots=True)
class TokenMatch:
    """Two token sequences aligned on one axis of N places; -1 where a side has no token."""

    left: NDArray[np.int64]
    """(N,) index into the left tokens."""
    right: NDArray[np.int64]
    """(N,) index into the right tokens."""
    labels: tuple[str, ...]
    """The token, or ``left → right`` for a replacement."""

    def __post_init__(self) -> None:
        if not len(self.left) == len(self.right) == len(self.labels):
            raise ShapeError("a token match needs one left, one right and one label for each place")

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def is_shared(self) -> NDArray[np.bool_]:
        """(N,) True where both sides have a token."""
        return (self.left >= 0) & (self.right >= 0)


@dataclass(frozen=True, slots=True)
class Difference:
    """Weights of both sides on common axes, and their difference."""

    left: Floats
    """(…, Q, K); NaN where the left has no such query or key."""
    right: Floats
    """(…, Q, K); NaN where the right has no such query or key."""
    signed: Floats
    """(…, Q, K) right minus left in [-1, 1]; NaN where either is missing."""
    queries: TokenMatch
    keys: TokenMatch


def match_tokens(left: Sequence[str], right: Sequence[str]) -> TokenMatch:
    """Match equal tokens in order (Ratcliff & Obershelp, by difflib).

    A replaced range of equal length is matched token by token, so that a minimal pair aligns completely; replaced
    ranges of different length stay unmatched on both sides.
    """
    pairs: list[tuple[int, int]] = []
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "replace" and b - a == d - c):
            pairs += zip(range(a, b), range(c, d), strict=True)
        else:
            pairs += [(index, -1) for index in range(a, b)] + [(-1, index) for index in range(c, d)]
    labels = tuple(_label(left, right, a, b) for a, b in pairs)
    return TokenMatch(
        np.array([a for a, _ in pairs], dtype=np.int64), np.array([b for _, b in pairs], dtype=np.int64), labels
    )


def difference(left: Floats, right: Floats, *, queries: TokenMatch, keys: TokenMatch) -> Difference:
    """Right minus left for every head, (…, Q, K) and (…, Q', K') on the matched axes.

    Raises:
        CompareError: when the numbers of layers or heads differ.
    """
    if left.shape[:-2] != right.shape[:-2]:
        raise CompareError(
            f"layers and heads differ, {left.shape[:-2]} against {right.shape[:-2]}: "
            "compare one head of each, or the mean over heads"
        )
    on_left, on_right = (_spread(left, queries.left, keys.left), _spread(right, queries.right, keys.right))
    return Difference(on_left, on_right, on_right - on_left, queries, keys)


def compare_traces(left: Trace, right: Trace, kind: AttentionKind) -> Difference:
    """Compare one kind of attention of two traces on common axes; rows are matched by the predicted tokens.

    Raises:
        CompareError: when a trace lacks this kind, or layers and heads differ.
    """
    weights = left.attention.of(kind), right.attention.of(kind)
    if weights[0] is None or weights[1] is None:
        raise CompareError(f"one of the two has no {kind} attention: choose another kind")
    source = match_tokens(left.source.pieces, right.source.pieces)
    target = match_tokens(left.target.pieces, right.target.pieces)
    fed = match_tokens(left.prefix.pieces, right.prefix.pieces)
    queries = source if kind == "encoder_self" else target
    return difference(weights[0], weights[1], queries=queries, keys=fed if kind == "decoder_self" else source)


def moved(compared: Difference) -> Floats:
    """Total variation distance between the two rows of a matched query, mean over queries: (L, H) in [0, 1].

    A token that one side lacks has weight 0 there. NaN if no query is matched.
    """
    shared = compared.queries.is_shared
    if not shared.any():
        return np.full(compared.signed.shape[:-2], np.nan, dtype=np.float32)
    left, right = (np.nan_to_num(side[..., shared, :].astype(np.float64)) for side in (compared.left, compared.right))
    return (0.5 * np.abs(right - left).sum(-1)).mean(-1).astype(np.float32)


def _label(left: Sequence[str], right: Sequence[str], a: int, b: int) -> str:
    if a < 0 or b < 0:
        return right[b] if a < 0 else left[a]
    return left[a] if left[a] == right[b] else f"{left[a]} → {right[b]}"


def _spread(weights: Floats, queries: NDArray[np.int64], keys: NDArray[np.int64]) -> Floats:
    """Place weights (…, Q, K) on the matched axes, NaN elsewhere."""
    if queries.max(initial=-1) >= weights.shape[-2] or keys.max(initial=-1) >= weights.shape[-1]:
        raise ShapeError(f"the token match has indexes beyond weights of {weights.shape[-2:]}")
    spread = weights[..., queries[:, None], keys[None, :]].astype(np.float32)
    missing = (queries < 0)[:, None] | (keys < 0)[None, :]
    return np.where(missing, np.float32(np.nan), spread)
