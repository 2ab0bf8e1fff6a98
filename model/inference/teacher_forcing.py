"""Teacher forcing (Williams & Zipser 1989): one pass over a known translation.

Everything that runs a model over a given translation uses this module. Rows of different length share a pass, and each
gives what it gives alone: interventions are fitted to each row's own length, no weight falls on padding, and
log-probabilities of padding are 0.
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
"""Logits that are computed together, 20 MB: many tokens, for fast products, and few enough for a processor's cache."""


class Forcible(Protocol):
    """One sentence with its translation, such as a Trace."""

    @property
    def source(self) -> TokenSequence: ...
    @property
    def prefix(self) -> TokenSequence: ...
    @property
    def target(self) -> TokenSequence: ...


Ids: TypeAlias = tuple[Sequence[int], ...]
"""What the encoder reads, what the decoder is fed and, where their probabilities are asked for, what it should
predict."""
R = TypeVar("R", bound="Forcible | Ids")


@dataclass(frozen=True)
class TeacherForced(Generic[R]):
    """The output of a model for B rows, padded to S and T tokens."""

    bundle: Bundle
    rows: tuple[R, ...]
    interventions: tuple[Interventions, ...]
    """Of each row, fitted to its length."""
    encoded: Encoded
    decoded: Decoded
    source: Tensor
    """int64 (B, S)"""
    prefix: Tensor
    """What the decoder was fed, int64 (B, T)."""
    source_is_real: Tensor
    """bool (B, S)"""
    target_is_real: Tensor
    """bool (B, T)"""

    @property
    def weights(self) -> dict[AttentionKind, tuple[Tensor, ...]]:
        """Captured weights of each layer, (B, H, Q, K), of the kinds that the model has."""
        captured = (self.encoded.attention, self.decoded.self_attention, self.decoded.cross)
        return {kind: layers for kind, layers in zip(KINDS, captured, strict=True) if layers}

    @property
    def recorded(self) -> dict[str, Tensor]:
        """The activations that were asked for, by name."""
        return {**self.encoded.recorded, **self.decoded.recorded}

    @cached_property
    def logits(self) -> Tensor:
        """float32 (B, T, V); log-probabilities where the original gives those. Of an encoder-only model, (B, S, V)."""
        config = self.bundle.config
        is_read = getattr(config, "masked_head", False) or getattr(config, "plain_head", False)
        return self.bundle.model.project(self.encoded.memory if is_read else self.decoded.hidden).float()

    @cached_property
    def target(self) -> Tensor:
        """The rows' own targets, int64 (B, T)."""
        rows = [ids_of(row)[2] for row in self.rows]
        return pad(rows, self.bundle.config.target_pad_id, device=self.bundle.device)

    @cached_property
    def log_probs(self) -> Tensor:
        """Natural logarithm of each target token's probability, float32 (B, T); 0 where it is padding.

        Logits are computed for a few tokens at a time.
        """
        real = self.target_is_real
        rows = max(32, LOGITS_AT_ONCE // self.bundle.config.target_vocab_size)
        parts = zip(self.decoded.hidden[real].split(rows), self.target[real].split(rows), strict=True)
        chosen = torch.cat([_of_chosen(self.bundle.model.project(hidden).float(), ids) for hidden, ids in parts])
        return torch.zeros(real.shape, dtype=chosen.dtype, device=chosen.device).masked_scatter(real, chosen)

    def under(self, interventions: Interventions | Sequence[Interventions]) -> TeacherForced[R]:
        """The same rows under other interventions, without weights; the encoder runs again only if they change it."""
        edits = _fitted(self.bundle, self.rows, interventions)
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
    """Run the encoder on each row's source and the decoder on what each row is fed.

    Args:
        interventions: one set for all rows, or one for each. What names a position beyond a row's tokens has no effect
            on that row, because the same set is used for translations of different length.
        capture: keep attention and the residual stream; or only some of the attention.
        record: names of the activations to keep.
        tokens: embeddings (B, S, D) and (B, T, D) to take in place of the tokens' own, before positions are added.
        cached: give the decoder one position at a time, with the keys and values of earlier ones kept, as ``translate``
            does; the residual stream and activations are not kept then.
        n_layers: as in ``run_teacher_forced``.
        has_bound: refuse what needs too much memory; a caller that limits its batches itself sets it to False.

    Raises:
        InterventionError: when an intervention names what the model does not have, or there is not one for each row.
        TooLargeError: when the attention would take too much memory.
    """
    edits = _fitted(bundle, rows, interventions)
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
    """Natural logarithm of the probability of each of T target tokens, row t of which is fed ``prefix_ids[t]``: (T,)
    for one set of interventions, (B, T) for B of them.

    Raises:
        InterventionError: when an intervention names what the model does not have.
    """
    edits = [interventions] if isinstance(interventions, Interventions) else interventions
    rows = [(source_ids, prefix_ids, target_ids)] * len(edits)
    log_probs = teacher_forced(bundle, rows, interventions=edits).log_probs.cpu().numpy()
    return log_probs[0] if isinstance(interventions, Interventions) else log_probs


def chosen_log_probs(logits: Tensor, target_ids: Tensor) -> Tensor:
    """Log-probabilities of given tokens: logits (B, T, V), ids (1 or B, T) -> float32 (B, T)."""
    logits = logits.float()
    chosen = logits.gather(2, target_ids.expand(len(logits), -1).unsqueeze(2)).squeeze(2)
    return chosen - logits.logsumexp(-1)


def ids_of(row: Forcible | Ids) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Source, prefix and target of a row; no target where the ids do not have it."""
    if isinstance(row, tuple):
        return row[0], row[1], row[2] if len(row) > 2 else ()
    return row.source.ids, row.prefix.ids, row.target.ids


def trace_interventions(row: object) -> Interventions:
    """The interventions under which a trace was made; none for ids."""
    return row.interventions if isinstance(row, Trace) else NONE


def _fitted(
    bundle: Bundle, rows: Sequence[Forcible | Ids], interventions: Interventions | Sequence[Interventions]
) -> list[Interventions]:
    return interventions_per_sentence(
        bundle, interventions, [(len(ids_of(row)[0]), len(ids_of(row)[1])) for row in rows]
    )


def _real(rows: Sequence[Sequence[int]], padded: Tensor) -> Tensor:
    """Which tokens of padded rows are not padding, bool as (B, N)."""
    lengths = torch.tensor([len(row) for row in rows], device=padded.device)
    return torch.arange(padded.shape[1], device=padded.device) < lengths[:, None]


def _of_chosen(logits: Tensor, ids: Tensor) -> Tensor:
    """Log-probabilities of ids (N,) under logits (N, V), which are overwritten when no gradient is needed."""
    chosen = logits.gather(1, ids[:, None])[:, 0]
    if torch.is_grad_enabled():
        return chosen - logits.logsumexp(-1)
    peak = logits.amax(-1, keepdim=True)
    return chosen - peak[:, 0] - logits.sub_(peak).exp_().sum(-1).log_()
