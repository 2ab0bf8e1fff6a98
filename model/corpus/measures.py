"""The measures of ``analysis.metrics`` for a whole padded batch at once: one number per row and head.

A test checks that both are equal, sentence by sentence. That module explains each measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

MEASURES = (
    "entropy", "normalised_entropy", "offset", "previous", "same", "next", "sink_share", "confidence", "maximum",
    "diagonality", "value_weighted_share", "value_weighted_sink_share",
)  # fmt: skip
"""Columns of the table of heads, beside those that count gold links."""
_TINY = 1e-30
"""Smaller weights add nothing to an entropy."""


@dataclass(frozen=True, slots=True)
class Axes:
    """What is real in B rows of Q queries and K keys."""

    query_is_real: Tensor
    """bool (B, Q)"""
    key_is_real: Tensor
    """bool (B, K)"""
    key_is_sink: Tensor
    """bool (B, K)"""
    is_causal: bool

    @property
    def has_choice(self) -> Tensor:
        """Queries that see more than one key, bool (B, Q); all real ones where none does."""
        choice = (self.visible > 1) & self.query_is_real
        return torch.where(choice.any(-1, keepdim=True), choice, self.query_is_real)

    @property
    def visible(self) -> Tensor:
        """How many keys each query may see, int64 (B, Q)."""
        n_keys = self.key_is_real.sum(-1, keepdim=True)
        if not self.is_causal:
            return n_keys.expand_as(self.query_is_real)
        places = torch.arange(1, self.query_is_real.shape[1] + 1, device=n_keys.device)
        return torch.minimum(places[None], n_keys)


def measure(weights: Sequence[Tensor], axes: Axes, *, is_cross: bool) -> dict[str, Tensor]:
    """Measure every layer's weights (B, H, Q, K): each measure (B, L, H), NaN where it is undefined."""
    stacked = torch.stack(tuple(weights), 1).float().flatten(1, 2)  # (B, N, Q, K)
    n_queries, n_keys = stacked.shape[-2:]
    keys = torch.arange(n_keys, device=stacked.device, dtype=torch.float32)
    queries = torch.arange(n_queries, device=stacked.device, dtype=torch.float32)
    sinks = axes.key_is_sink.float()
    marks = torch.stack([torch.ones_like(sinks), keys.expand_as(sinks), sinks], -1)  # (B, K, 3)
    # One product for all sums over keys, and a separate logarithm, because `entr` takes three times as long.
    sums = (stacked.flatten(1, 2) @ marks).unflatten(1, stacked.shape[1:3])
    total, place, on_sinks = sums.unbind(-1)  # (B, N, Q)
    live = (total > 0) & axes.has_choice[:, None]  # (B, N, Q)
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


def measure_norms(weights: Sequence[Tensor], norms: Sequence[Tensor], axes: Axes) -> dict[str, Tensor]:
    """Measures of value-weighted norms, each (B, L, H): the head's share of its layer's total norm, and the share of
    the head's norm that comes from sinks (Kobayashi et al. 2020)."""
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
    """Mean over the queries that count, (…, Q) -> (…); NaN where there is none."""
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
    n_queries = axes.query_is_real.sum(-1)[:, None, None].float()  # (B, 1, 1)
    n_keys = axes.key_is_real.sum(-1)[:, None, None].float()
    rows = torch.arange(weights.shape[2], device=weights.device)[:, None] / (n_queries - 1).clamp(min=1)
    columns = torch.arange(weights.shape[3], device=weights.device)[None] / (n_keys - 1).clamp(min=1)
    distance = (columns - rows).abs().masked_fill(~axes.key_is_real[:, None], 0)  # (B, Q, K)
    relative = distance / distance.amax(-1, keepdim=True).clamp(min=1e-12)
    diagonality = _mean(1 - (weights * relative[:, None]).sum(-1), live)
    too_short = (n_queries < 2) | (n_keys < 2)  # (B, 1, 1)
    return diagonality.masked_fill(too_short[..., 0] | (live.sum(-1) < 2), torch.nan)
