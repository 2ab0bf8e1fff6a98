"""Teacher forcing (Williams & Zipser 1989): one pass over a known translation.

Everything that runs a model over a known translation uses this module. Rows of different length share a pass, and each
gives the same as alone: interventions are fitted to each row's length, padding gets no weight, and log-probabilities of
padding are 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeAlias, TypeVar

import torch
from torch import Tensor

from model.bundle import Bundle
from model.decoding.forced import run_teacher_forced
from model.decoding.step import needs_every_position
from model.inference.fitting import interventions_per_sentence
from model.inference.memory import check_forced
from model.interventions import KINDS, NONE, AttentionKind, Interventions
from model.nn.attention_selection import AttentionSelection
from model.nn.masks import pad
from model.nn.passes import Decoded, Encoded
from model.nn.transformer import NOTHING
from model.trace import Floats, TokenSequence, Trace

LOGITS_AT_ONCE = 5_000_000
"""Logits per chunk, 20 MB: enough tokens for fast products, few enough for a processor's cache."""


class Forcible(Protocol):
    """A sentence with its translation, such as a Trace."""

    @property
    def source(self) -> TokenSequence: ...
    @property
    def prefix(self) -> TokenSequence: ...
    @property
    def target(self) -> TokenSequence: ...


Ids: TypeAlias = tuple[Sequence[int], ...]
"""Ids of the source, of the decoder's input and, if their probabilities are needed, of the target."""
R = TypeVar("R", bound="Forcible | Ids")


@dataclass(frozen=True)
class TeacherForced(Generic[R]):
    """The output of a model for B rows, padded to S and T tokens."""

    bundle: Bundle
    rows: tuple[R, ...]
    interventions: tuple[Interventions, ...]
    """One set per row, fitted to its length."""
    encoded: Encoded
    decoded: Decoded
    source: Tensor
    """int64 (B, S)"""
    prefix: Tensor
    """The decoder's input, int64 (B, T)."""
    source_is_real: Tensor
    """bool (B, S)"""
    target_is_real: Tensor
    """bool (B, T)"""

    @property
    def weights(self) -> dict[AttentionKind, tuple[Tensor, ...]]:
        """Captured weights per layer, (B, H, Q, K), by the kinds that the model has."""
        captured = (self.encoded.attention, self.decoded.self_attention, self.decoded.cross)
        return {kind: layers for kind, layers in zip(KINDS, captured, strict=True) if layers}

    @property
    def recorded(self) -> dict[str, Tensor]:
        """The activations that were asked for, by name."""
        return {**self.encoded.recorded, **self.decoded.recorded}

    @cached_property
    def logits(self) -> Tensor:
        """float32 (B, T, V), or (B, S, V) for an encoder-only model; log-probabilities if the model returns those."""
        config = self.bundle.config
        is_read = getattr(config, "masked_head", False) or getattr(config, "plain_head", False)
        return self.bundle.model.project(self.encoded.memory if is_read else self.decoded.hidden).float()

    @cached_property
    def target(self) -> Tensor:
        """The rows' targets, padded, int64 (B, T)."""
        rows = [ids_of(row)[2] for row in self.rows]
        return pad(rows, self.bundle.config.target_pad_id, device=self.bundle.device)

    @cached_property
    def log_probs(self) -> Tensor:
        """Natural logarithm of each target token's probability, float32 (B, T); 0 for padding.

        Logits are computed in chunks of tokens.
        """
        real = self.target_is_real
        rows = max(32, LOGITS_AT_ONCE // self.bundle.config.target_vocab_size)
        parts = zip(self.decoded.hidden[real].split(rows), self.target[real].split(rows), strict=True)
        chosen = torch.cat([_of_chosen(self.bundle.model.project(hidden).float(), ids) for hidden, ids in parts])
        return torch.zeros(real.shape, dtype=chosen.dtype, device=chosen.device).masked_scatter(real, chosen)

    def under(self, interventions: Interventions | Sequence[Interventions]) -> TeacherForced[R]:
        """Rerun the rows under other interventions, without capture; the encoder runs only if they change it."""
        edits = _interventions_per_row(self.bundle, self.rows, interventions)
        is_same = all(new.of_encoder == old.of_encoder for new, old in zip(edits, self.interventions, strict=True))
        model, changes = self.bundle.model, edits if any(edits) else None
        encoded = self.encoded if is_same else model.encode(self.source, interventions=changes)
        decoded = model.decode(self.prefix, encoded, interventions=changes)
        return dataclasses.replace(self, interventions=tuple(edits), encoded=encoded, decoded=decoded)


def teacher_forced(
    bundle: Bundle,
    rows: Sequence[R],
    *,
    interventions: Interventions | Sequence[Interventions] = NONE,
    capture: bool | AttentionSelection = False,
    record: Iterable[str] = NOTHING,
    tokens: tuple[Tensor, Tensor] | None = None,
    cached: bool = False,
    has_bound: bool = True,
    n_layers: tuple[int | None, int | None] = (None, None),
) -> TeacherForced[R]:
    """Run the encoder on each row's source and the decoder on each row's prefix.

    Args:
        interventions: one set for all rows, or one for each. An item at a position that a row does not have has no
            effect on it, so that one set can serve translations of different length.
        capture: keep attention and the residual stream; or only the selected attention.
        record: names of the activations to keep.
        tokens: embeddings (B, S, D) and (B, T, D) that replace those of the ids, before positions are added.
        cached: decode position by position with a key-value cache, as ``translate`` does; the residual stream and
            activations are not kept then.
        n_layers: as in ``run_teacher_forced``.
        has_bound: check the memory limit; a caller that limits its batches itself sets it to False.

    Raises:
        InterventionError: when an intervention names what the model does not have, or the number of sets is not the
            number of rows.
        TooLargeError: when the attention would take too much memory.
    """
    edits = _interventions_per_row(bundle, rows, interventions)
    model, config, device = bundle.model, bundle.config, bundle.device
    sources, prefixes = ([ids_of(row)[side] for row in rows] for side in (0, 1))
    source = pad(sources, config.source_pad_id, device=device)
    prefix = pad(prefixes, config.target_pad_id, device=device)
    if has_bound:
        batch = len(rows) if capture else 1
        check_forced(config, n_source=source.shape[1], n_target=prefix.shape[1], batch=batch)
    encoded, decoded = run_teacher_forced(
        model, source, prefix, capture=capture, interventions=edits if any(edits) else None, record=frozenset(record),
        tokens=tokens, cached=cached and not needs_every_position(config, edits, prefix[_real(prefixes, prefix)]),
        n_layers=n_layers,
    )  # fmt: skip
    source_is_real, target_is_real = _real(sources, source), _real(prefixes, prefix)
    return TeacherForced(
        bundle, tuple(rows), tuple(edits), encoded, decoded, source, prefix, source_is_real, target_is_real
    )


@torch.inference_mode()
def token_log_probs(
    bundle: Bundle,
    source_ids: Sequence[int],
    prefix_ids: Sequence[int],
    target_ids: Sequence[int],
    *,
    interventions: Interventions | Sequence[Interventions] = NONE,
) -> Floats:
    """Natural logarithm of the probability of each of T target tokens, of which token t is predicted from
    ``prefix_ids[: t + 1]``: (T,) for one set of interventions, (B, T) for B sets.

    Raises:
        InterventionError: when an intervention names what the model does not have.
    """
    edits = [interventions] if isinstance(interventions, Interventions) else interventions
    rows = [(source_ids, prefix_ids, target_ids)] * len(edits)
    log_probs = teacher_forced(bundle, rows, interventions=edits).log_probs.cpu().numpy()
    return log_probs[0] if isinstance(interventions, Interventions) else log_probs


def chosen_log_probs(logits: Tensor, target_ids: Tensor) -> Tensor:
    """Log-probabilities of target tokens: logits (B, T, V), ids (1 or B, T) -> float32 (B, T)."""
    logits = logits.float()
    chosen = logits.gather(2, target_ids.expand(len(logits), -1).unsqueeze(2)).squeeze(2)
    return chosen - logits.logsumexp(-1)


def ids_of(row: Forcible | Ids) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Ids of the source, prefix and target of a row; the target is empty if the row has none."""
    if isinstance(row, tuple):
        return row[0], row[1], row[2] if len(row) > 2 else ()
    return row.source.ids, row.prefix.ids, row.target.ids


def trace_interventions(row: object) -> Interventions:
    """The interventions of a trace; none for ids."""
    return row.interventions if isinstance(row, Trace) else NONE


def _interventions_per_row(
    bundle: Bundle, rows: Sequence[Forcible | Ids], interventions: Interventions | Sequence[Interventions]
) -> list[Interventions]:
    return interventions_per_sentence(
        bundle, interventions, [(len(ids_of(row)[0]), len(ids_of(row)[1])) for row in rows]
    )


def _real(rows: Sequence[Sequence[int]], padded: Tensor) -> Tensor:
    """Which tokens of padded rows are real, bool (B, N)."""
    lengths = torch.tensor([len(row) for row in rows], device=padded.device)
    return torch.arange(padded.shape[1], device=padded.device) < lengths[:, None]


def _of_chosen(logits: Tensor, ids: Tensor) -> Tensor:
    """Log-probabilities of ids (N,) under logits (N, V), which are overwritten when no gradient is needed."""
    chosen = logits.gather(1, ids[:, None])[:, 0]
    if torch.is_grad_enabled():
        return chosen - logits.logsumexp(-1)
    peak = logits.amax(-1, keepdim=True)
    return chosen - peak[:, 0] - logits.sub_(peak).exp_().sum(-1).log_()
