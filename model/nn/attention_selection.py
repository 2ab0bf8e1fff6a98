"""Which attention weights a pass returns: those of some layers, heads or query rows, or block-averaged maps.

All weights of a long text take gigabytes: 2.3 GB for 2,000 tokens in 12 layers of 12 heads. Weights that are not
selected are never held: they are computed for some rows at a time and dropped.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import torch
from torch import Tensor

from model.errors import RegardError
from model.interventions import KINDS, AttentionKind

_NUMBERS = 1 << 20
"""Weights over all heads per chunk: few enough for a processor's cache."""


class SelectionError(RegardError, ValueError):
    """Layers, heads or rows that no model has, or that cannot be selected."""


@dataclass(frozen=True, slots=True)
class AttentionSelection:
    """The attention weights to return, ordered by layer and head; None selects everything.

    Raises:
        SelectionError: for layers, heads, rows or a block that are no valid indexes.
    """

    layers: tuple[int, ...] | None = None
    """Indexes from 0: an int or any iterable of them, stored sorted and without duplicates."""
    heads: tuple[int, ...] | None = None
    """As ``layers``."""
    rows: tuple[int, int] | None = None
    """Queries as (start, stop)."""
    block: int | None = None
    """Block size in tokens, for a block-averaged map: mean over a block's queries of the sum over a block's keys.
    Rows sum to 1."""
    kinds: tuple[AttentionKind, ...] | None = None

    def __post_init__(self) -> None:
        if self.kinds is not None and not (self.kinds and set(self.kinds) <= set(KINDS)):
            raise SelectionError(f"kinds ({self.kinds!r:.60}) must be of {', '.join(KINDS)}")
        for name in ("layers", "heads"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _numbers(name, value))
        if self.rows is not None:
            object.__setattr__(self, "rows", tuple(int(row) if isinstance(row, Integral) else row for row in self.rows))
        if self.rows is not None and not (len(self.rows) == 2 and 0 <= self.rows[0] < self.rows[1]):
            raise SelectionError(
                f"rows ({self.rows!r:.40}) must be the first row and the one after the last, such as (0, 50)"
            )
        if self.block is not None and self.block < 1:
            raise SelectionError(f"block ({self.block}) must be at least 1 token")

    def wants(self, kind: AttentionKind, layer: int) -> bool:
        """Whether the weights of a layer and kind are selected."""
        return self.has(kind) and (self.layers is None or layer in self.layers)

    def has(self, kind: AttentionKind) -> bool:
        """Whether weights of this kind are selected."""
        return self.kinds is None or kind in self.kinds

    def numbers(self, n_layers: int, n_heads: int, n_queries: int, n_keys: int) -> int:
        """Number of selected weights."""
        layers = n_layers if self.layers is None else len(self.layers)
        heads = n_heads if self.heads is None else len(self.heads)
        first, end = self.rows or (0, n_queries)
        rows = max(0, min(end, n_queries) - first)
        if self.block is not None:
            rows, n_keys = -(-rows // self.block), -(-n_keys // self.block)
        return layers * heads * rows * n_keys

    def part(self, weights: Tensor) -> Tensor:
        """The selected part of one layer's weights (B, H, Q, S)."""
        gathered = SelectedWeights(self, weights.shape[2])
        gathered.take(weights, 0)
        return gathered.weights


def _numbers(name: str, value: Any) -> tuple[int, ...]:
    """Indexes of layers or heads, sorted and without duplicates."""
    plain = value.tolist() if hasattr(value, "tolist") else value  # an array or a tensor
    items = [plain] if isinstance(plain, Integral) else list(plain) if isinstance(plain, Iterable) else []
    if not items or not all(isinstance(n, Integral) and not isinstance(n, bool) and int(n) >= 0 for n in items):
        raise SelectionError(f"{name} ({value!r:.40}) must be numbers from 0, such as (0, 3)")
    return tuple(sorted({int(n) for n in items}))


def in_parts(
    only: AttentionSelection,
    n_queries: int,
    n_keys: int,
    n_rows: int,
    attend: Callable[[int, int], tuple[Tensor, Tensor]],
) -> tuple[Tensor, Tensor]:
    """Attention computed in chunks of queries.

    Args:
        n_rows: rows of weights per query: batch size times heads.
        attend: maps (start, stop) of a chunk of q queries to their heads' outputs (B, H, q, M) and weights
            (B, H, q, S).

    Returns:
        The heads' outputs (B, H, Q, M), and the selected weights.
    """
    step = max(16, _NUMBERS // max(1, n_keys * n_rows))
    gathered, mixed = SelectedWeights(only, n_queries), []
    for first in range(0, n_queries, step):
        part, weights = attend(first, min(first + step, n_queries))
        mixed.append(part)
        gathered.take(weights, first)
    return torch.cat(mixed, 2), gathered.weights


def in_heads(
    only: AttentionSelection,
    n_queries: int,
    n_keys: int,
    shape: tuple[int, int],
    attend: Callable[[int, int, slice], tuple[Tensor, Tensor]],
    mix: Callable[[int], Tensor] | None,
) -> tuple[Tensor, Tensor]:
    """Attention computed head by head: with many keys, few large products are faster than many small ones.

    Args:
        shape: batch size and heads.
        attend: as for ``in_parts``, with the slice of heads as a third argument.
        mix: the output (B, 1, Q, M) of a head whose weights are not selected; None computes it by ``attend``.

    Returns:
        The heads' outputs (B, H, Q, M), and the selected weights.
    """
    batch, n_heads = shape
    selected = range(n_heads) if only.heads is None else only.heads
    of_head, mixed, rows = replace(only, heads=None), [], {}
    for head in range(n_heads):
        if head not in selected and mix is not None:
            mixed.append(mix(head))
            continue
        at = slice(head, head + 1)
        part, rows[head] = in_parts(of_head, n_queries, n_keys, batch, lambda first, end, at=at: attend(first, end, at))
        mixed.append(part)
    return torch.cat(mixed, 1), torch.cat([rows[head] for head in selected], 1)


class SelectedWeights:
    """Collects the selected weights of one layer chunk by chunk of its queries."""

    def __init__(self, only: AttentionSelection, n_queries: int) -> None:
        self.only = only
        self.first, end = only.rows or (0, n_queries)
        self.end = min(end, n_queries)
        self._parts: list[Tensor] = []
        self._sums: Tensor | None = None

    def take(self, weights: Tensor, first: int) -> None:
        """Store the selected part of the weights (B, H, q, S) of the queries from ``first`` on."""
        begin, end = max(first, self.first), min(first + weights.shape[2], self.end)
        if begin >= end:
            return
        weights = weights[:, :, begin - first : end - first]
        if self.only.heads is not None:
            weights = weights[:, list(self.only.heads)]
        if self.only.block is None:
            self._parts.append(weights.clone())  # a view would keep the unselected weights in memory
            return
        size = self.only.block
        columns = _block_sums(weights, size)
        if self._sums is None:
            n_blocks = -(-(self.end - self.first) // size)
            self._sums = columns.new_zeros(*columns.shape[:2], n_blocks, columns.shape[-1])
        blocks = (torch.arange(begin, end, device=weights.device) - self.first) // size
        self._sums.index_add_(2, blocks, columns)

    @property
    def weights(self) -> Tensor:
        """(B, heads, rows, S), or (B, heads, blocks of rows, blocks of S)."""
        if self.only.block is None:
            if not self._parts:
                raise SelectionError(f"rows {self.only.rows} begin beyond the text")
            return torch.cat(self._parts, 2)
        if self._sums is None:
            raise SelectionError(f"rows {self.only.rows} begin beyond the text")
        counts = torch.arange(self.end - self.first, device=self._sums.device) // self.only.block
        return self._sums / counts.bincount().to(self._sums)[:, None]


def _block_sums(weights: Tensor, size: int) -> Tensor:
    """The sum over each block of keys, of which the last may be shorter: (…, S) -> (…, blocks of S)."""
    whole = weights.shape[-1] // size * size
    sums = weights[..., :whole].unflatten(-1, (-1, size)).sum(-1)
    return sums if whole == weights.shape[-1] else torch.cat((sums, weights[..., whole:].sum(-1, keepdim=True)), -1)
