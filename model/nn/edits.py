"""Applies interventions to a batch: masks keys, overrides weights and switches heads off, layer by layer.

``Interventions`` are plain data; this module applies them to tensors. A batch may have one set per row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.interventions import (
    NONE,
    AttentionKind,
    BlockedKey,
    ForcedRow,
    HeadAblation,
    InterventionError,
    Interventions,
    PositionEdit,
)
from model.nn.taps import PatchSources, Taps
from model.patch import Patch


class BatchInterventions:
    """The interventions of a batch, looked up layer by layer during the forward pass."""

    def __init__(self, interventions: Interventions | Sequence[Interventions] | None, batch_size: int) -> None:
        if interventions is None:
            interventions = NONE
        if isinstance(interventions, Interventions):
            interventions = (interventions,) * batch_size
        if len(interventions) != batch_size:
            raise InterventionError(f"{len(interventions)} sets of interventions for {batch_size} sentences")
        self.rows = tuple(interventions)
        self.is_empty = not any(self.rows)

    @property
    def source_positions(self) -> tuple[PositionEdit | None, ...]:
        """One edit per batch row, or empty when no row has one."""
        edits = tuple(row.source_positions for row in self.rows)
        return edits if any(edits) else ()

    def lifted(self, device: torch.device) -> Tensor | None:
        """Batch rows whose causal mask is lifted, bool (B, 1, 1, 1), or None."""
        if self.is_empty or not any(row.lift_causal_mask for row in self.rows):
            return None
        return torch.tensor([row.lift_causal_mask for row in self.rows], device=device)[:, None, None, None]

    def patch_sources(self) -> tuple[tuple[int, ...], ...]:
        """The distinct texts, as token ids, that patches copy activations from.

        Raises:
            InterventionError: when a text has not been tokenized yet.
        """
        sources: dict[tuple[int, ...], None] = {}
        for patch in self._patches():
            if patch.from_text is not None and patch.from_ids is None:
                raise InterventionError(f"{patch.from_text!r:.60} has not been tokenized yet: give from_ids")
            if patch.from_ids is not None:
                sources[patch.from_ids] = None
        return tuple(sources)

    def names_to_record(self, stack: str, patch_source: tuple[int, ...]) -> frozenset[str]:
        """The activations of one stack that patches copy from another text."""
        return frozenset(
            patch.name for patch in self._patches() if patch.from_ids == patch_source and patch.stack == stack
        )

    def taps(
        self,
        stack: str,
        record: frozenset[str],
        patch_sources: PatchSources,
        source_is_real: Tensor,
        *,
        first: int = 0,
        query_is_real: Tensor | None = None,
    ) -> Taps | None:
        """The activations to record and to replace in one pass of a stack, or None."""
        patches: dict[str, list[tuple[int, Patch]]] = {}
        for row, interventions in enumerate(self.rows):
            for patch in interventions.patches:
                if patch.stack == stack:
                    patches.setdefault(patch.name, []).append((row, patch))
        wanted = frozenset(name for name in record if name.startswith(stack))
        if not patches and not wanted:
            return None
        by_name = {name: tuple(items) for name, items in patches.items()}
        return Taps(by_name, wanted, patch_sources, source_is_real, first, query_is_real)

    def _patches(self) -> Iterator[Patch]:
        if not self.is_empty:
            for row in dict.fromkeys(self.rows):
                yield from row.patches

    def at(self, kind: AttentionKind, layer: int, lengths: tuple[int, ...] = ()) -> LayerEdit | None:
        """The changes of one layer's attention, or None.

        Args:
            lengths: number of real tokens of each row, needed if the encoder's positions are edited.
        """
        if self.is_empty:
            return None
        distinct = {id(row): row for row in self.rows}
        edits_of_rows = {
            place: (
                tuple(i for i in row.heads_off if i.kind == kind and i.layer == layer),
                tuple(i for i in row.forced_rows if i.kind == kind and i.layer == layer),
                tuple(i for i in row.blocked_keys if i.kind == kind and i.layer in (None, layer)),
            )
            for place, row in distinct.items()
        }
        moved = self.source_positions if kind == "encoder_self" else ()
        if not moved and not any(map(any, edits_of_rows.values())):
            return None
        off, forced, blocked = zip(*(edits_of_rows[id(row)] for row in self.rows), strict=True)
        return LayerEdit(off, forced, blocked, moved, lengths if moved else ())


@dataclass(frozen=True, slots=True)
class LayerEdit:
    """The interventions on one layer's attention: a tuple per batch row."""

    heads_off: tuple[tuple[HeadAblation, ...], ...]
    forced_rows: tuple[tuple[ForcedRow, ...], ...]
    blocked_keys: tuple[tuple[BlockedKey, ...], ...]
    moved: tuple[PositionEdit | None, ...] = ()
    """Edits of relative and rotary positions. Absolute positions are edited in ``Stack.embed``, not here."""
    lengths: tuple[int, ...] = ()
    """Number of real tokens of each row if positions are edited; empty: no row is padded."""

    def silences(self, n_heads: int) -> bool:
        """Whether every head of every row is off."""
        off = {id(row): row for row in self.heads_off}.values()
        if any(self.forced_rows):
            return False
        return all(len({item.head for item in row if item.mode == "zero"}) == n_heads for row in off)

    def allow(self, attn_mask: Tensor, *, first_query: int) -> Tensor:
        """Hide blocked keys: bool (B, H, Q, S) in and out."""
        attn_mask = attn_mask.clone()
        for batch, blocked in enumerate(self.blocked_keys):
            for item in blocked:
                head = slice(None) if item.head is None else item.head
                query = slice(None) if item.query is None else item.query - first_query
                inside = item.query is None or 0 <= item.query - first_query < attn_mask.shape[2]
                if inside and item.key < attn_mask.shape[3]:
                    attn_mask[batch, head, query, item.key] = False
        return attn_mask

    def override_weights(self, weights: Tensor, attn_mask: Tensor, *, first_query: int) -> Tensor:
        """Apply uniform heads and forced rows: (B, H, Q, S) in and out."""
        weights = weights.clone()
        for batch, (off, forced) in enumerate(zip(self.heads_off, self.forced_rows, strict=True)):
            for item in off:
                if item.mode == "uniform":
                    seen = attn_mask[batch, item.head].to(weights.dtype)  # (Q, S)
                    weights[batch, item.head] = seen / seen.sum(-1, keepdim=True).clamp(min=1)
            for row in forced:
                query = row.query - first_query
                if 0 <= query < weights.shape[2]:
                    weights[batch, row.head, query] = self._forced(row, weights, attn_mask[batch, row.head, query])
        return weights

    @staticmethod
    def _forced(row: ForcedRow, weights: Tensor, attn_mask: Tensor) -> Tensor:
        n_keys = len(attn_mask)
        filled = [*row.weights[:n_keys], *[0.0] * (n_keys - len(row.weights))]
        masked = torch.tensor(filled, dtype=weights.dtype, device=weights.device) * attn_mask  # (S,)
        total = masked.sum()
        if total <= 0:
            raise InterventionError(
                f"the forced row {row.query} of {row.kind} head {row.layer}·{row.head} gives all its weight "
                "to masked tokens: give some to a token that the query may attend to"
            )
        return masked / total

    def gate(self, output: Tensor) -> Tensor:
        """Zero the outputs of heads that are off: (B, H, Q, M) in and out.

        Only the output is zeroed: the attention weights returned for such a head are unchanged.
        """
        keep = output.new_ones(output.shape[0], output.shape[1], 1, 1)
        for batch, off in enumerate(self.heads_off):
            for item in off:
                if item.mode == "zero":
                    keep[batch, item.head] = 0
        return output * keep
