"""The metrics of every head on one sentence (formulas: ``measures``), and the labels that they support."""

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from model.analysis.measures import METRICS, Axes, measure, strongest
from model.analysis.sinks import sinks_of
from model.interventions import AttentionKind
from model.trace import Floats, ShapeError, TokenSequence, Trace

Bools = NDArray[np.bool_]
FORMER_NAMES = {"sinks": "sink_share"}
"""Names of metrics in earlier versions, still accepted in links and scripts."""
METRIC_NAMES: tuple[str, ...] = tuple(metric.name for metric in METRICS if not metric.needs_values)
LabelName = Literal["previous", "same", "next", "sinks", "diagonal", "uniform"]
_SHARES: dict[LabelName, str] = {"previous": "previous", "same": "same", "next": "next", "sinks": "sink_share"}
"""Labels and the metrics that they name."""
SHARE_NEEDED = 0.5
DIAGONALITY_NEEDED = 0.85
"""Threshold of diagonality; uniform weights have about 0.5."""
UNIFORMITY_NEEDED = 0.95
"""Threshold of the normalised entropy."""


@dataclass(frozen=True, slots=True)
class HeadMetrics:
    """One number per head, (L, H) float32; NaN where a sentence is too short to define the metric.

    A query that sees only one key is left out if other queries see more: under a causal mask, the first row would
    otherwise be every head's strongest link. A query without any weight is left out too.
    """

    entropy: Floats
    """Mean over queries of -sum w log2 w, in bits; 0 means all weight on one token."""
    normalised_entropy: Floats
    """Entropy divided by its maximum for the keys that a query may see, in [0, 1]; 1 is uniform."""
    offset: Floats
    """Mean of key position minus query position, in tokens; negative means earlier keys."""
    previous: Floats
    """Mean weight on the token before the query, over queries that have one, in [0, 1]."""
    same: Floats
    """Mean weight on the query's own position, in [0, 1]."""
    next: Floats
    """Mean weight on the token after the query, over queries that have one; 0 under a causal mask."""
    sink_share: Floats
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
    """Cross-attention only: how close the weight is to the diagonal of the map, in [0, 1]; 1 is on it. NaN unless at
    least two queries have weight."""

    def __post_init__(self) -> None:
        shape = self.entropy.shape
        for field in dataclasses.fields(self):
            values = getattr(self, field.name)
            if values is not None and values.shape != shape:
                raise ShapeError(f"{field.name} is {values.shape} for heads {shape}")

    def of(self, name: str) -> Floats | None:
        """One metric by its field name."""
        return getattr(self, name)

    @property
    def sinks(self) -> Floats:
        """``sink_share`` under its name in earlier versions."""
        warnings.warn("HeadMetrics.sinks is now called sink_share", DeprecationWarning, stacklevel=2)
        return self.sink_share


def head_metrics(
    weights: Floats, *, kind: AttentionKind, key_is_sink: Sequence[bool] | Bools, is_causal: bool | None = None
) -> HeadMetrics:
    """Measure every head of one kind.

    Args:
        weights: (L, H, Q, K), not negative. Rows that do not sum to 1, as in some weightings, are normalised. Rows of
            zeros, and rows with NaN or infinity from a damaged model, are ignored.
        kind: the kind of attention; diagonality is measured for cross-attention.
        key_is_sink: (K,) True for keys that count as sinks, as from ``sinks_of``.
        is_causal: whether a query sees only the keys up to its own position; None: only in decoder self-attention.

    Raises:
        ShapeError: when the shapes do not fit.
    """
    if weights.ndim != 4 or 0 in weights.shape:
        raise ShapeError(f"weights must be (layer, head, query, key) with none of them 0, not {weights.shape}")
    sink = np.asarray(key_is_sink, dtype=bool)
    if sink.shape != weights.shape[-1:]:
        raise ShapeError(f"key_is_sink has {sink.shape} entries for {weights.shape[-1]} keys")
    causal = kind == "decoder_self" if is_causal is None else is_causal
    axes = Axes(
        torch.ones(1, weights.shape[2], dtype=torch.bool), torch.ones(1, weights.shape[3], dtype=torch.bool),
        torch.from_numpy(sink)[None], torch.tensor([causal]),
    )  # fmt: skip
    layers = [torch.from_numpy(np.array(layer, np.float32))[None] for layer in weights]  # (1, H, Q, K) each
    values = {name: tensor[0].numpy() for name, tensor in measure(layers, axes, is_cross=kind == "cross").items()}
    query, key = (tensor[0].numpy() for tensor in strongest(layers, axes))
    diagonality = values.pop("diagonality", None)
    return HeadMetrics(**values, strongest_query=query, strongest_key=key, diagonality=diagonality)


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
    """The mean of each metric over sentences with equal weight, ignoring undefined values.

    A mean has no strongest link, so ``maximum`` is the largest over all sentences and its indexes are -1.
    """
    if not measured:
        raise ShapeError("there is nothing to average: give at least one sentence")
    names = [name for name in METRIC_NAMES if all(metrics.of(name) is not None for metrics in measured)]
    return mean_over_sentences({name: np.stack([getattr(metrics, name) for metrics in measured]) for name in names})


def mean_over_sentences(values: Mapping[str, NDArray]) -> HeadMetrics:
    """The mean of each metric, (sentences, L, H) by name; as ``mean_metrics``."""
    means: dict[str, Any] = {"diagonality": None, **{name: nan_mean(array) for name, array in values.items()}}
    means["maximum"] = values["maximum"].max(0).astype(np.float32)
    nowhere = np.full(means["entropy"].shape, -1, dtype=np.int64)
    return HeadMetrics(**means, strongest_query=nowhere, strongest_key=nowhere)


def nan_mean(values: NDArray[np.floating]) -> Floats:
    """Mean over the first axis, ignoring NaN; NaN where all are NaN."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0).sum(0, dtype=np.float64)
    count = known.sum(0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan).astype(np.float32)


def going_on(weights: Floats) -> Floats:
    """How steadily cross-attention moves forward through the source, as in reading handwriting.

    It is the mean over rows of the largest weight, counted as 0 unless its key is after that of the previous row.

    Args:
        weights: (L, H, T, S).

    Returns:
        (L, H), from 0 to 1.
    """
    places = weights.argmax(-1)  # (L, H, T)
    is_further = np.pad(np.diff(places, axis=-1) > 0, ((0, 0), (0, 0), (1, 0)), constant_values=True)
    return (weights.max(-1) * is_further).mean(-1)


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
