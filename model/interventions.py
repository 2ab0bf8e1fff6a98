"""Interventions on a forward pass: what is switched off, forced or moved, as plain data.

They are arguments of ``forward``, never hooks: the model stays one object that all sessions share, and two
callers with different interventions never meet. A batch may carry one set per row, so that every head of a
model can be ablated in a single pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

AttentionKind = Literal["encoder_self", "decoder_self", "cross"]
KINDS: tuple[AttentionKind, ...] = ("encoder_self", "decoder_self", "cross")


class InterventionError(ValueError):
    """An intervention that does not fit the model or the sentence."""


@dataclass(frozen=True, slots=True)
class HeadAblation:
    """One head switched off: its output zeroed, or its weights made uniform over the keys it may see."""

    kind: AttentionKind
    layer: int
    head: int
    mode: Literal["zero", "uniform"] = "zero"


HeadOff = HeadAblation
"""The name by which scripts and the README know it."""


@dataclass(frozen=True, slots=True)
class ForcedRow:
    """One query's weights in one head, given by hand; normalised to sum to 1 over the keys it covers."""

    kind: AttentionKind
    layer: int
    head: int
    query: int
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if any(not 0 <= weight < float("inf") for weight in self.weights):
            raise InterventionError("forced weights must be finite and not negative")
        if sum(self.weights) <= 0:
            raise InterventionError("a forced row needs some weight: raise at least one token above 0")


@dataclass(frozen=True, slots=True)
class BlockedKey:
    """A key that may not be seen, before the softmax; None stands for every layer, head or query."""

    kind: AttentionKind
    key: int
    layer: int | None = None
    head: int | None = None
    query: int | None = None


@dataclass(frozen=True, slots=True)
class PositionEdit:
    """What happens to the source's positions: none at all, a seeded shuffle, a shift by ``amount``, or reversed."""

    mode: Literal["zero", "shuffle", "shift", "reverse"]
    amount: int = 0
    """Rows to shift by; the seed when shuffling."""

    def apply(self, rows: Tensor) -> Tensor:
        """The table rows that the positions read instead, int64 (N,)."""
        if self.mode == "reverse":
            return rows.flip(0)
        if self.mode == "shift":
            return (rows + self.amount).clamp(min=0)
        if self.mode == "shuffle":
            order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(self.amount))
            return rows[order]
        return rows


@dataclass(frozen=True, slots=True)
class Interventions:
    """Everything that is changed in one forward pass. The empty set changes nothing."""

    heads_off: tuple[HeadAblation, ...] = ()
    forced_rows: tuple[ForcedRow, ...] = ()
    blocked_keys: tuple[BlockedKey, ...] = ()
    source_positions: PositionEdit | None = None
    lift_causal_mask: bool = False

    def __bool__(self) -> bool:
        return self != NONE

    def check(self, *, layers: dict[AttentionKind, int], heads: dict[AttentionKind, int]) -> None:
        """Raise InterventionError when a head or layer is named that the model does not have."""
        for item in (*self.heads_off, *self.forced_rows, *self.blocked_keys):
            for name, index, count in (
                ("layer", item.layer, layers[item.kind]),
                ("head", item.head, heads[item.kind]),
            ):
                if index is not None and not 0 <= index < count:
                    raise InterventionError(f"{item.kind} has no {name} {index}: choose 0 to {count - 1}")


NONE = Interventions()


class Edits:
    """The interventions of a batch, asked layer by layer while the forward pass runs."""

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

    def at(self, kind: AttentionKind, layer: int) -> LayerEdit | None:
        """What is changed in one layer's attention, or None."""
        if self.is_empty:
            return None
        chosen = LayerEdit(
            tuple(tuple(i for i in row.heads_off if i.kind == kind and i.layer == layer) for row in self.rows),
            tuple(tuple(i for i in row.forced_rows if i.kind == kind and i.layer == layer) for row in self.rows),
            tuple(tuple(i for i in row.blocked_keys if i.kind == kind and i.layer in (None, layer))
                  for row in self.rows),
        )  # fmt: skip
        return chosen if any(map(any, (chosen.heads_off, chosen.forced_rows, chosen.blocked_keys))) else None


@dataclass(frozen=True, slots=True)
class LayerEdit:
    """The interventions on one layer's attention: a tuple per batch row."""

    heads_off: tuple[tuple[HeadAblation, ...], ...]
    forced_rows: tuple[tuple[ForcedRow, ...], ...]
    blocked_keys: tuple[tuple[BlockedKey, ...], ...]

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

    def reweigh(self, weights: Tensor, attn_mask: Tensor, *, first_query: int) -> Tensor:
        """Make uniform what is uniform and force what is forced: (B, H, Q, S) in and out."""
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
        given = weights.new_zeros(attn_mask.shape[0])  # (S,)
        n = min(len(row.weights), attn_mask.shape[0])
        given[:n] = weights.new_tensor(row.weights[:n])
        given = given * attn_mask
        total = given.sum()
        if total <= 0:
            raise InterventionError(
                f"the forced row {row.query} of {row.kind} head {row.layer}·{row.head} puts all its weight "
                "on tokens that cannot be seen: give some to a token that can"
            )
        return given / total

    def gate(self, output: Tensor) -> Tensor:
        """Zero the outputs of heads that are off: (B, H, Q, M) in and out."""
        keep = output.new_ones(output.shape[0], output.shape[1], 1, 1)
        for batch, off in enumerate(self.heads_off):
            for item in off:
                if item.mode == "zero":
                    keep[batch, item.head] = 0
        return output * keep
