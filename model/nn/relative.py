"""Relative positions (Raffel et al. 2020, section 2.1): each head adds a bias to a score, chosen by the distance.

Each near distance has its own bucket, farther ones share buckets whose width grows logarithmically, and all distances
beyond the last bucket share it. All layers of a stack use one table, or each has its own; cross-attention has none.
ALiBi subtracts a penalty that grows with the distance.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.interventions import PositionEdit
from model.nn.positional import moved_positions


class RelativeBias(nn.Module):
    """The table of one stack: what each head adds for each bucket."""

    def __init__(self, config: TransformerConfig, n_heads: int, *, is_causal: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(config.relative_buckets, n_heads))
        self.is_causal, self.distance = is_causal, config.relative_distance

    def forward(
        self,
        n_queries: int,
        n_keys: int,
        first_query: int,
        edits: tuple[PositionEdit | None, ...] = (),
        lengths: tuple[int, ...] = (),
    ) -> Tensor:
        """The bias on the scores of queries first_query…, (1 or B, H, Q, K).

        ``edits`` and ``lengths`` as in ``PositionalEncoding``: a row whose positions are zeroed adds nothing.
        """
        keys = torch.arange(n_keys, device=self.weight.device)
        queries = torch.arange(first_query, first_query + n_queries, device=self.weight.device)
        if not any(edits):
            return self._added(queries, keys)
        lengths = lengths or (n_keys,) * len(edits)
        return torch.cat([self._edited(edit, queries, keys, n) for edit, n in zip(edits, lengths, strict=True)])

    def _edited(self, edit: PositionEdit | None, queries: Tensor, keys: Tensor, length: int) -> Tensor:
        if edit is None:
            return self._added(queries, keys)
        if edit.mode == "zero":
            return self.weight.new_zeros(1, self.weight.shape[1], len(queries), len(keys))
        places = moved_positions(edit, keys, length)
        return self._added(places[queries], places)

    def _added(self, queries: Tensor, keys: Tensor) -> Tensor:
        """The bias for query positions (Q,) and key positions (K,): (1, H, Q, K)."""
        return self.weight[self.buckets(keys - queries[:, None])].permute(2, 0, 1).unsqueeze(0)

    def buckets(self, ahead: Tensor) -> Tensor:
        """Rows of the table for distances from query to key, int64 (Q, K), positive where the key comes later."""
        n_buckets = len(self.weight)
        if self.is_causal:
            start, distance = 0, (-ahead).clamp(min=0)
        else:
            n_buckets //= 2
            start, distance = (ahead > 0) * n_buckets, ahead.abs()
        n_near = n_buckets // 2
        grown = (distance.float() / n_near).log() / math.log(self.distance / n_near) * (n_buckets - n_near)
        far = (n_near + grown.clamp(min=0).long()).clamp(max=n_buckets - 1)
        return start + torch.where(distance < n_near, distance, far)


def distance_bias(slopes: Sequence[float], n_queries: int, n_keys: int, first_query: int, like: Tensor) -> Tensor:
    """ALiBi's bias on the scores: minus each head's slope times the distance, (1, H, Q, S)."""
    queries = torch.arange(first_query, first_query + n_queries, device=like.device)
    distance = (queries[:, None] - torch.arange(n_keys, device=like.device)).abs().to(like.dtype)
    return -torch.tensor(slopes, dtype=like.dtype, device=like.device)[None, :, None, None] * distance
