"""The metrics of a head: a table that describes them, and their formulas for a whole padded batch.

The positional shares follow Voita et al. (2019, section 4, "positional heads") and Clark et al. (2019, section 3): the
weight on the previous token, on the next token and on separators. ``HeadMetrics``, the columns of a survey and the
menus of pages are made from ``METRICS``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

Unit = Literal["bits", "tokens", "share", "weight", "index"]
"""The format of a value: shares as per cent, weights and indexes as plain numbers."""
Side = Literal["self", "cross"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a head: its name, unit, range and where it is shown. ``HeadMetrics`` and ``measure_norms`` define
    it."""

    name: str
    unit: Unit
    low: float | None
    """Lower bound; None if there is none."""
    high: float | None
    is_ascending: bool = False
    """Whether lists of heads are sorted in ascending order."""
    cards: tuple[Side, ...] = ()
    """The kinds of heads whose card shows it; menus offer it for all."""
    is_in_menus: bool = True
    needs_values: bool = False
    """Whether it needs value vectors, which only a pass of the model has."""


METRICS = (
    Metric("entropy", "bits", 0, None, is_ascending=True, cards=("self", "cross")),
    Metric("normalised_entropy", "share", 0, 1, is_in_menus=False),
    Metric("offset", "tokens", None, None, cards=("self",)),
    Metric("previous", "share", 0, 1, cards=("self",)),
    Metric("same", "share", 0, 1, cards=("self",)),
    Metric("next", "share", 0, 1, cards=("self",)),
    Metric("sink_share", "share", 0, 1, cards=("self", "cross")),
    Metric("confidence", "share", 0, 1, cards=("cross",)),
    Metric("maximum", "weight", 0, 1, cards=("self", "cross")),
    Metric("diagonality", "index", 0, 1, cards=("cross",)),
    Metric("value_weighted_share", "share", 0, 1, needs_values=True),
    Metric("value_weighted_sink_share", "share", 0, 1, needs_values=True),
)
MEASURES = tuple(metric.name for metric in METRICS)
"""Metric columns of a survey's table of heads, without those from gold links."""
_TINY = 1e-30
"""Weights below this are clamped in logarithms; their part of the entropy is negligible."""
_ROUNDING = 2e-3
"""Tolerated deviation of a row's sum from 1, due to half precision."""


@dataclass(frozen=True, slots=True)
class Axes:
    """Which of Q queries and K keys are real tokens, in each of B rows."""

    query_is_real: Tensor
    """bool (B, Q)"""
    key_is_real: Tensor
    """bool (B, K)"""
    key_is_sink: Tensor
    """bool (B, K)"""
    is_causal: Tensor
    """Rows whose queries see no later key, bool (B,)."""

    @property
    def has_choice(self) -> Tensor:
        """Queries that see more than one key, bool (B, Q); all real queries if none does."""
        choice = (self.visible > 1) & self.query_is_real
        return torch.where(choice.any(-1, keepdim=True), choice, self.query_is_real)

    @property
    def visible(self) -> Tensor:
        """Number of keys that each query may see, int64 (B, Q)."""
        n_keys = self.key_is_real.sum(-1, keepdim=True)
        places = torch.arange(1, self.query_is_real.shape[1] + 1, device=n_keys.device)
        return torch.where(self.is_causal[:, None], torch.minimum(places[None], n_keys), n_keys)


def measure(weights: Sequence[Tensor], axes: Axes, *, is_cross: bool) -> dict[str, Tensor]:
    """Measure every layer's weights (B, H, Q, K): each metric (B, L, H) float32, NaN where it is undefined.

    A query that sees only one key is left out if other queries see more: under a causal mask, the first row would
    otherwise be every head's strongest link. A query without any weight is left out too. Rows that do not sum to 1, as
    in some weightings and patches, are normalised.
    """
    stacked, has_weight = _shares(weights)  # (B, N, Q, K), (B, N, Q)
    n_queries, n_keys = stacked.shape[-2:]
    keys = torch.arange(n_keys, device=stacked.device, dtype=torch.float32)
    queries = torch.arange(n_queries, device=stacked.device, dtype=torch.float32)
    sinks = axes.key_is_sink.float()
    marks = torch.stack([torch.ones_like(sinks), keys.expand_as(sinks), sinks], -1)  # (B, K, 3)
    # One product for all sums over keys. The entropy uses a logarithm, because `entr` takes three times as long.
    sums = (stacked.flatten(1, 2) @ marks).unflatten(1, stacked.shape[1:3])
    total, place, on_sinks = sums.unbind(-1)  # (B, N, Q)
    live = has_weight & axes.has_choice[:, None]  # (B, N, Q)
    bits = -(stacked * stacked.clamp(min=_TINY).log2_()).sum(-1)  # (B, N, Q)
    peaks = stacked.amax(-1)
    largest = torch.log2(axes.visible.clamp(min=2).float())[:, None]
    measures = {
        "entropy": _mean(bits, live),
        "normalised_entropy": _mean((bits / largest).clamp(0, 1), live & (axes.visible > 1)[:, None]),
        "offset": _mean(place - total * queries, live),
        "previous": _share_at(stacked, live, axes, -1),
        "same": _share_at(stacked, live, axes, 0),
        "next": _share_at(stacked, live, axes, 1),
        "sink_share": _mean(on_sinks, live),
        "confidence": _mean(peaks, live),
        "maximum": peaks.masked_fill(~live, 0).amax(-1),
    }
    if is_cross:
        measures["diagonality"] = _diagonality(stacked, live, axes)
    shape = (len(stacked), len(weights), -1)
    return {name: values.reshape(shape) for name, values in measures.items()}


def strongest(weights: Sequence[Tensor], axes: Axes) -> tuple[Tensor, Tensor]:
    """Query and key of each head's largest weight, int64 (B, L, H) each."""
    stacked, has_weight = _shares(weights)
    peaks, places = stacked.max(-1)  # (B, N, Q)
    queries = peaks.masked_fill(~(has_weight & axes.has_choice[:, None]), 0).argmax(-1, keepdim=True)  # (B, N, 1)
    shape = (len(stacked), len(weights), -1)
    return queries.reshape(shape), places.gather(-1, queries).reshape(shape)


def _shares(weights: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """All layers' rows normalised to sum to 1, float32 (B, L·H, Q, K), and which rows count, bool (B, L·H, Q).

    A row of zeros, or with NaN or infinity from a damaged model, does not count and becomes zeros.
    """
    stacked = torch.stack(tuple(weights), 1).float().flatten(1, 2)
    total = stacked.sum(-1)
    has_weight = (total > 0) & total.isfinite()
    if not bool(has_weight.all()):
        stacked, total = stacked.masked_fill(~has_weight[..., None], 0), total.masked_fill(~has_weight, 1)
    if bool(((total - 1).abs() > _ROUNDING).any()):
        stacked = stacked / total[..., None]
    return stacked, has_weight


def measure_norms(weights: Sequence[Tensor], norms: Sequence[Tensor], axes: Axes) -> dict[str, Tensor]:
    """Metrics of value-weighted norms (Kobayashi et al. 2020), each (B, L, H): the head's share of its layer's total
    norm, and the share of the head's norm that comes from sinks."""
    moved = torch.stack([layer.float() * norm for layer, norm in zip(weights, norms, strict=True)], 1)
    rows = moved.sum(-1)  # (B, L, H, Q)
    live = axes.has_choice[:, None, None] & (rows > 0)
    per_head = (rows * axes.query_is_real[:, None, None]).sum(-1)  # (B, L, H)
    on_sinks = (moved @ axes.key_is_sink.float()[:, None, None, :, None])[..., 0]
    return {
        "value_weighted_share": per_head / per_head.sum(-1, keepdim=True).clamp(min=1e-12),
        "value_weighted_sink_share": _mean(on_sinks / rows.clamp(min=1e-12), live),
    }


def _mean(values: Tensor, live: Tensor) -> Tensor:
    """Mean over the queries that count, (…, Q) -> (…); NaN if there is none."""
    live = live.expand_as(values)
    count = live.sum(-1)
    mean = values.masked_fill(~live, 0).sum(-1) / count.clamp(min=1)
    return mean.masked_fill(count == 0, torch.nan)


def _share_at(weights: Tensor, live: Tensor, axes: Axes, offset: int) -> Tensor:
    n_queries, n_keys = weights.shape[-2:]
    places = torch.arange(n_queries, device=weights.device) + offset
    inside = (places >= 0) & (places[None] < axes.key_is_real.sum(-1, keepdim=True))  # (B, Q)
    at = places.clamp(0, n_keys - 1)[None, None, :, None].expand(*weights.shape[:3], 1)
    return _mean(weights.gather(3, at)[..., 0], live & inside[:, None])


def _diagonality(weights: Tensor, live: Tensor, axes: Axes) -> Tensor:
    """Diagonality (Zhang et al. 2021, "On the Usefulness of Self-Attention for ASR with Transformers", SLT).

    A row's centrality is 1 - sum_k w |distance to the diagonal| / the largest such distance in the row; a head's
    diagonality is their mean. In the paper both axes have the same length; here positions are relative to the length of
    their axis. Uniform weights give about 1/2.
    """
    n_queries = axes.query_is_real.sum(-1)[:, None, None].float()  # (B, 1, 1)
    n_keys = axes.key_is_real.sum(-1)[:, None, None].float()
    rows = torch.arange(weights.shape[2], device=weights.device)[:, None] / (n_queries - 1).clamp(min=1)
    columns = torch.arange(weights.shape[3], device=weights.device)[None] / (n_keys - 1).clamp(min=1)
    distance = (columns - rows).abs().masked_fill(~axes.key_is_real[:, None], 0)  # (B, Q, K)
    relative = distance / distance.amax(-1, keepdim=True).clamp(min=1e-12)
    diagonality = _mean(1 - (weights * relative[:, None]).sum(-1), live)
    too_short = (n_queries < 2) | (n_keys < 2)  # (B, 1, 1)
    return diagonality.masked_fill(too_short[..., 0] | (live.sum(-1) < 2), torch.nan)
