"""Measures which heads matter for a translation by switching every head off in turn, in batched passes.

The effect of a head is how the translation's log-probability changes without it (Michel et al. 2019; Voita et al.
2019). Heads of one layer share a batch, and the layers below are computed once, because they do not change.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.reading import check_predicts, kinds_of
from model.inference.teacher_forcing import chosen_log_probs, token_log_probs
from model.interpret.tracing.partial_forward import PartialForward
from model.interventions import AttentionKind, HeadAblation, Interventions, OffMode, attention_shapes
from model.nn.transformer import Transformer
from model.trace import Floats, Trace

AFTER_ENCODER: tuple[AttentionKind, ...] = ("decoder_self", "cross")


@dataclass(frozen=True, slots=True)
class HeadEffects:
    """The effect of switching each head off on a translation; NaN for heads that were not tried yet."""

    TOKEN_AXES: ClassVar = {"changes": ("target",)}
    log_prob: float
    """Natural logarithm of the translation's probability with all heads on."""
    changes: Mapping[AttentionKind, Floats]
    """(L, H, T) for each kind: change in each token's log-probability, in nats; negative where the head helped."""
    done: int
    total: int
    """Heads tried so far, and all there are."""

    def totals(self, kind: AttentionKind) -> Floats:
        """(L, H) change in the whole translation's log-probability, in nats."""
        return self.changes[kind].sum(-1)


def head_effects(
    bundle: Bundle, trace: Trace, *, mode: OffMode = "zero", interventions: Interventions | None = None
) -> HeadEffects:
    """The effect of every head on the trace's own translation.

    Raises:
        DecodingError: for an encoder-only model, which predicts no tokens.
    """
    *_, last = head_effects_as_they_come(bundle, trace, mode=mode, interventions=interventions)
    return last


def head_effects_as_they_come(
    bundle: Bundle, trace: Trace, *, mode: OffMode = "zero", interventions: Interventions | None = None
) -> Iterator[HeadEffects]:
    """The same, yielded after each layer; stop iterating to cancel.

    Args:
        mode: zero a head's output, or make its weights uniform.
        interventions: other interventions, in force with and without the head; None takes the trace's own.
    """
    check_predicts(bundle)
    base = trace.interventions if interventions is None else interventions
    shares = isinstance(bundle.model, Transformer) and "cross" in kinds_of(bundle) and not base.patches
    passes = (_SharedPasses if shares else _WholePasses)(bundle, trace, base)
    before = passes.before()  # (T,)
    changes: dict[AttentionKind, Floats] = {
        kind: np.full((*shape, len(trace.target)), np.nan, np.float32) for kind, shape in _shapes(bundle).items()
    }
    total = sum(array.shape[0] * array.shape[1] for array in changes.values())
    done = 0
    for kind, layer, log_probs in passes.each_layer(mode):
        changes[kind][layer] = log_probs - before
        done += len(log_probs)
        copies: dict[AttentionKind, Floats] = {kind: array.copy() for kind, array in changes.items()}
        yield HeadEffects(float(before.sum()), copies, done, total)


def without_head(
    base: Interventions, kind: AttentionKind, layer: int, head: int, mode: OffMode = "zero"
) -> Interventions:
    """The same interventions with one more head off."""
    kept = tuple(off for off in base.heads_off if (off.kind, off.layer, off.head) != (kind, layer, head))
    return dataclasses.replace(base, heads_off=(*kept, HeadAblation(kind, layer, head, mode)))


def without_layer(
    bundle: Bundle, base: Interventions, kind: AttentionKind, layer: int, mode: OffMode = "zero"
) -> Interventions:
    """The same interventions with every head of one layer off."""
    for head in range(attention_shapes(bundle.config)[kind][1]):
        base = without_head(base, kind, layer, head, mode)
    return base


def _shapes(bundle: Bundle) -> dict[AttentionKind, tuple[int, int]]:
    """Layers and heads of each kind that the model has: an encoder-only or decoder-only model has one kind."""
    return {kind: shape for kind, shape in attention_shapes(bundle.config).items() if kind in kinds_of(bundle)}


class _WholePasses:
    """Any model: one whole pass per layer and kind, a batch row for each head."""

    def __init__(self, bundle: Bundle, trace: Trace, base: Interventions) -> None:
        self.bundle, self.trace, self.base = bundle, trace, base
        self.shapes = _shapes(bundle)

    @torch.inference_mode()
    def before(self) -> Floats:
        """Log-probability of each token with all heads on, (T,)."""
        return self._log_probs([self.base])[0]

    @torch.inference_mode()
    def each_layer(self, mode: OffMode) -> Iterator[tuple[AttentionKind, int, Floats]]:
        """Kind, layer, and each token's log-probability without each head, (H, T)."""
        for kind, (layers, heads) in self.shapes.items():
            for layer in range(layers):
                rows = [without_head(self.base, kind, layer, head, mode) for head in range(heads)]
                yield kind, layer, self._log_probs(rows)

    def _log_probs(self, rows: Sequence[Interventions]) -> Floats:
        trace = self.trace
        return token_log_probs(self.bundle, trace.source.ids, trace.prefix.ids, trace.target.ids, interventions=rows)


class _SharedPasses(_WholePasses):
    """Our own Transformer of two stacks: each pass starts at the layer whose heads are off."""

    @torch.inference_mode()
    def before(self) -> Floats:
        trace = self.trace
        self.passes = PartialForward(self.bundle, trace.source.ids, trace.prefix.ids, self.base)
        self.target = torch.tensor([trace.target.ids], device=self.bundle.device)
        return self._of_targets(self.passes.decoded.hidden)[0]

    @torch.inference_mode()
    def each_layer(self, mode: OffMode) -> Iterator[tuple[AttentionKind, int, Floats]]:
        layers, heads = self.shapes["encoder_self"]
        for layer in range(layers):
            rows = [without_head(self.base, "encoder_self", layer, head, mode) for head in range(heads)]
            yield "encoder_self", layer, self._of_targets(self.passes.under("encoder", layer, rows))
        layers, heads = self.shapes["cross"]
        for layer in range(layers):
            rows = [without_head(self.base, kind, layer, head, mode) for kind in AFTER_ENCODER for head in range(heads)]
            both = self._of_targets(self.passes.under("decoder", layer, rows))
            for kind, of_kind in zip(AFTER_ENCODER, np.split(both, 2), strict=True):
                yield kind, layer, of_kind

    def _of_targets(self, hidden: Tensor) -> Floats:
        """Log-probabilities of the translation's tokens from the decoder's output: (B, T, D) -> (B, T)."""
        return chosen_log_probs(self.bundle.model.project(hidden), self.target).cpu().numpy()
