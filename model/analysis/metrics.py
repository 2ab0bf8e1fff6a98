"""What a head does, in numbers: how spread its weights are, how far they reach, on which tokens and sinks they lie, how
diagonal they are.

The positional shares follow Voita et al. (2019, section 4, "positional heads") and Clark et al. (2019, section 3),
who count how much a head gives to the previous and the next token and to separators.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.sinks import sinks_of
from model.interventions import AttentionKind
from model.trace import Floats, ShapeError, TokenSequence, Trace

Bools = NDArray[np.bool_]
_ROUNDING = 2e-3
"""How far half precision lets a row stray from 1."""


@dataclass(frozen=True, slots=True)
class HeadMetrics:
    """One number per head, (L, H) float32; NaN where a sentence is too short for the question to make sense.

    A query that sees only one key has no choice, so it is left out wherever other queries have more (the first row
    under a causal mask would otherwise be every head's strongest link). So is a query without any weight.
    """

    entropy: Floats
    """Mean over queries of -sum w log2 w, in bits; 0 is all on one token."""
    normalised_entropy: Floats
    """Entropy over its largest possible value for the keys a query may see, in [0, 1]; 1 is uniform."""
    offset: Floats
    """Mean of key position minus query position, in tokens; negative looks back."""
    previous: Floats
    """Mean weight on the token before the query, over queries that have one, in [0, 1]."""
    same: Floats
    """Mean weight on the query's own position, in [0, 1]."""
    next: Floats
    """Mean weight on the token after the query, over queries that have one; 0 under a causal mask."""
    sinks: Floats
    """Mean weight on special tokens and punctuation, in [0, 1]."""
    confidence: Floats
    """Mean over queries of the largest weight (Voita et al. 2019, section 4), in [0, 1]."""
    maximum: Floats
    """The largest weight of the head, in [0, 1]."""
    strongest_query: NDArray[np.int64]
    """Query index of the largest weight."""
    strongest_key: NDArray[np.int64]
    """Key index of the largest weight."""
    diagonality: Floats | None
    """Cross-attention alone: how close the weight lies to the diagonal of the map, in [0, 1]; 1 is on it.
    NaN unless at least two queries have weight."""

    def __post_init__(self) -> None:
        shape = self.entropy.shape
        for field in dataclasses.fields(self):
            values = getattr(self, field.name)
            if values is not None and values.shape != shape:
                raise ShapeError(f"{field.name} is {values.shape} for heads {shape}")

    def of(self, name: str) -> Floats | None:
        """One metric by its field name."""
        return getattr(self, name)


METRIC_NAMES: tuple[str, ...] = tuple(
    field.name for field in dataclasses.fields(HeadMetrics) if not field.name.startswith("strongest")
)


def head_metrics(
    weights: Floats, *, kind: AttentionKind, key_is_sink: Sequence[bool] | Bools, is_causal: bool | None = None
) -> HeadMetrics:
    """Measure every head of one kind.

    Args:
        weights: (L, H, Q, K), not negative. Rows that do not sum to 1, as some weightings give them, count by their
            shares. A row of zeros counts for nothing, and neither does a row with NaN or infinity, as a damaged model
            gives it.
        kind: which attention this is; diagonality is given for cross-attention.
        key_is_sink: (K,) True for keys that count as sinks, as ``sinks_of`` says.
        is_causal: whether a query sees only the keys up to its own position; None means decoder self-attention does.

    Raises:
        ShapeError: when the shapes do not fit.
    """
    if weights.ndim != 4 or 0 in weights.shape:
        raise ShapeError(f"weights must be (layer, head, query, key) with none of them 0, not {weights.shape}")
    sink = np.asarray(key_is_sink, dtype=bool)
    if sink.shape != weights.shape[-1:]:
        raise ShapeError(f"key_is_sink has {sink.shape} entries for {weights.shape[-1]} keys")
    causal = kind == "decoder_self" if is_causal is None else is_causal
    weights, total, has_weight = _shares(weights.astype(np.float32, copy=False))
    n_queries, n_keys = weights.shape[-2:]
    visible = np.minimum(np.arange(1, n_queries + 1), n_keys) if causal else np.full(n_queries, n_keys)
    has_choice = visible > 1 if (visible > 1).any() else np.full(n_queries, True)
    live = has_weight & has_choice
    bits = _entropy(weights)  # (L, H, Q)
    peaks = weights.max(-1)  # (L, H, Q)
    strongest = np.where(live, peaks, 0).argmax(-1)  # (L, H)
    offset = weights @ np.arange(n_keys, dtype=np.float32) - total * np.arange(n_queries)
    return HeadMetrics(
        entropy=_mean(bits, live),
        normalised_entropy=_normalised(bits, live, visible),
        offset=_mean(offset, live),
        previous=_share_at(weights, live, -1),
        same=_share_at(weights, live, 0),
        next=_share_at(weights, live, 1),
        sinks=_mean(weights @ sink.astype(np.float32), live),
        confidence=_mean(peaks, live),
        maximum=np.where(live, peaks, 0).max(-1).astype(np.float32),
        strongest_query=strongest,
        strongest_key=_row(weights, strongest).argmax(-1),
        diagonality=_diagonality(weights, live) if kind == "cross" else None,
    )


def trace_metrics(trace: Trace, kind: AttentionKind) -> HeadMetrics:
    """Measure every head of one kind of a trace.

    Raises:
        ShapeError: when the model has no such attention.
    """
    weights = trace.attention.of(kind)
    if weights is None:
        raise ShapeError(f"this trace has no {kind} attention: choose one of {', '.join(trace.attention.kinds)}")
    keys: TokenSequence = trace.prefix if kind == "decoder_self" else trace.source
    causal = kind == "decoder_self" and not trace.interventions.lift_causal_mask
    return head_metrics(weights, kind=kind, key_is_sink=sinks_of(keys), is_causal=causal)


def mean_metrics(measured: Sequence[HeadMetrics]) -> HeadMetrics:
    """The mean of each metric over sentences, each sentence counting once; undefined values are left out.

    The strongest link of a mean has no place, so ``maximum`` is the largest of all and its indexes are -1.
    """
    if not measured:
        raise ShapeError("there is nothing to average: give at least one sentence")
    merged: dict[str, Floats | None] = {}
    for name in METRIC_NAMES:
        values = [metric.of(name) for metric in measured]
        stacked = [value for value in values if value is not None]
        merged[name] = nan_mean(np.stack(stacked)) if len(stacked) == len(values) else None
    nowhere = np.full(measured[0].entropy.shape, -1, dtype=np.int64)
    merged["maximum"] = np.max([metric.maximum for metric in measured], axis=0).astype(np.float32)
    return HeadMetrics(**merged, strongest_query=nowhere, strongest_key=nowhere)  # pyright: ignore[reportArgumentType]


def nan_mean(values: NDArray[np.floating]) -> Floats:
    """Mean over the first axis of what is defined; NaN where nothing is."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0).sum(0, dtype=np.float64)
    count = known.sum(0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan).astype(np.float32)


def _shares(weights: Floats) -> tuple[Floats, Floats, Bools]:
    """Each row as shares of its sum, (L, H, Q, K); its sum, 1 or 0, (L, H, Q); and whether it counts, (L, H, Q).

    A row of zeros, or with NaN or infinity, does not count and becomes zeros.
    """
    total = weights.sum(-1)
    has_weight = (total > 0) & np.isfinite(total)
    if not has_weight.all():
        weights, total = np.where(has_weight[..., None], weights, 0), np.where(has_weight, total, 0)
    if np.abs(total - 1, where=has_weight, out=np.zeros_like(total)).max() > _ROUNDING:
        weights = (weights / np.where(has_weight, total, 1)[..., None]).astype(np.float32)
        total = has_weight.astype(np.float32)
    return weights, total, has_weight


def _mean(values: NDArray[np.floating], rows: Bools) -> Floats:
    """Mean over the chosen queries, (L, H, Q) -> (L, H)."""
    return nan_mean(np.moveaxis(np.where(rows, values, np.nan), -1, 0))


def _row(weights: Floats, queries: NDArray[np.int64]) -> Floats:
    """One row of each head, (L, H, Q, K) and (L, H) -> (L, H, K)."""
    return np.take_along_axis(weights, queries[..., None, None], axis=2)[:, :, 0]


def _entropy(weights: Floats) -> Floats:
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    return -np.einsum("lhqk,lhqk->lhq", weights, logs) + 0.0


def _normalised(bits: Floats, live: Bools, visible: NDArray[np.int64]) -> Floats:
    largest = np.log2(np.maximum(visible, 2))
    return _mean(np.clip(bits / largest, 0.0, 1.0), live & (visible > 1))


def _share_at(weights: Floats, live: Bools, offset: int) -> Floats:
    n_queries, n_keys = weights.shape[-2:]
    keys = np.arange(n_queries) + offset
    inside = (keys >= 0) & (keys < n_keys)
    at = weights[..., np.arange(n_queries), np.clip(keys, 0, n_keys - 1)]  # (L, H, Q)
    return _mean(at, live & inside)


def _diagonality(weights: Floats, live: Bools) -> Floats:
    """Diagonality (Zhang et al. 2021, "On the Usefulness of Self-Attention for ASR with Transformers", SLT).

    A row's centrality is 1 - sum_k w |distance to the diagonal| / the largest such distance in the row; a head's
    diagonality is the mean. There both axes have one length; here positions are taken relative to each length.
    Uniform weights give about one half.
    """
    n_queries, n_keys = weights.shape[-2:]
    if n_queries < 2 or n_keys < 2:
        return np.full(weights.shape[:2], np.nan, dtype=np.float32)
    distance = np.abs(np.linspace(0, 1, n_keys)[None, :] - np.linspace(0, 1, n_queries)[:, None])  # (Q, K)
    relative = (distance / distance.max(-1, keepdims=True)).astype(np.float32)
    diagonality = _mean(1 - np.einsum("lhqk,qk->lhq", weights, relative), live)
    return np.where(live.sum(-1) > 1, diagonality, np.float32(np.nan))
