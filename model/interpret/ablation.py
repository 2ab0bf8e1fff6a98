"""Which heads matter for a translation: every head switched off in turn, in batched passes.

The effect of a head is how the translation's log-probability changes without it (Michel et al. 2019; Voita et al.
2019). Heads of one layer share a batch, and what lies below that layer is computed once: nothing there changes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.interventions import AttentionKind, Edits, HeadAblation, Interventions
from model.nn.attention import causal_mask
from model.nn.transformer import Encoded, Transformer
from model.trace import Floats, Trace

OffMode = Literal["zero", "uniform"]
AFTER_ENCODER: tuple[AttentionKind, ...] = ("decoder_self", "cross")


@dataclass(frozen=True, slots=True)
class HeadEffects:
    """What switching each head off does to a translation; not yet tried heads are NaN."""

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
    """The effect of every head on the trace's own translation."""
    *_, last = head_effects_as_they_come(bundle, trace, mode=mode, interventions=interventions)
    return last


def head_effects_as_they_come(
    bundle: Bundle, trace: Trace, *, mode: OffMode = "zero", interventions: Interventions | None = None
) -> Iterator[HeadEffects]:
    """The same, yielded whenever more heads are known; whoever stops iterating has cancelled.

    Args:
        mode: zero a head's output, or make its weights uniform.
        interventions: what else is in force, with and without the head; None takes the trace's own.
    """
    base = trace.interventions if interventions is None else interventions
    source, fed, said = (torch.tensor([tokens.ids]) for tokens in (trace.source, trace.prefix, trace.target))
    passes = (_SharedPasses if isinstance(bundle.model, Transformer) else _WholePasses)(bundle, source, fed, said, base)
    before = passes.before()  # (T,)
    changes: dict[AttentionKind, Floats] = {
        kind: np.full((*shape, len(trace.target)), np.nan, np.float32) for kind, shape in shapes(bundle).items()
    }
    total = sum(array.shape[0] * array.shape[1] for array in changes.values())
    done = 0
    for kind, layer, found in passes.each_layer(mode):
        changes[kind][layer] = found - before
        done += len(found)
        copies: dict[AttentionKind, Floats] = {kind: array.copy() for kind, array in changes.items()}
        yield HeadEffects(float(before.sum()), copies, done, total)


def shapes(bundle: Bundle) -> dict[AttentionKind, tuple[int, int]]:
    """Layers and heads of each kind."""
    config = bundle.config
    decoder = (config.n_decoder_layers, config.n_decoder_heads)
    return {
        "encoder_self": (config.n_encoder_layers, config.n_encoder_heads),
        "decoder_self": decoder,
        "cross": decoder,
    }


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
    for head in range(shapes(bundle)[kind][1]):
        base = without_head(base, kind, layer, head, mode)
    return base


def spoken(logits: Tensor, said: Tensor) -> Floats:
    """Log-probabilities of given tokens: logits (B, T, V), ids (1 or B, T) -> (B, T)."""
    logits = logits.float()
    chosen = logits.gather(2, said.expand(len(logits), -1).unsqueeze(2)).squeeze(2)
    return (chosen - logits.logsumexp(-1)).cpu().numpy()


class _WholePasses:
    """Any model: one whole pass per layer and kind, a batch row for each head."""

    def __init__(self, bundle: Bundle, source: Tensor, fed: Tensor, said: Tensor, base: Interventions) -> None:
        self.bundle, self.model, self.base = bundle, bundle.model, base
        device = next(bundle.model.parameters()).device
        self.source, self.fed, self.said = source.to(device), fed.to(device), said.to(device)

    @torch.inference_mode()
    def before(self) -> Floats:
        """Log-probability of each token with all heads on, (T,)."""
        return self._score([self.base])[0]

    @torch.inference_mode()
    def each_layer(self, mode: OffMode) -> Iterator[tuple[AttentionKind, int, Floats]]:
        """Kind, layer, and each token's log-probability without each head, (H, T)."""
        for kind, (layers, heads) in shapes(self.bundle).items():
            for layer in range(layers):
                yield (
                    kind,
                    layer,
                    self._score([without_head(self.base, kind, layer, head, mode) for head in range(heads)]),
                )

    def _score(self, rows: Sequence[Interventions]) -> Floats:
        edited = None if not any(rows) else list(rows)
        encoded = self.model.encode(self.source.expand(len(rows), -1), interventions=edited)
        decoded = self.model.decode(self.fed.expand(len(rows), -1), encoded, interventions=edited)
        return spoken(self.model.project(decoded.hidden), self.said)


class _SharedPasses(_WholePasses):
    """Our own Transformer: each pass starts at the layer whose heads are off."""

    @torch.inference_mode()
    def before(self) -> Floats:
        edited = self.base or None
        self.encoded = self.model.encode(self.source, capture=True, interventions=edited)
        self.decoded = self.model.decode(self.fed, self.encoded, capture=True, interventions=edited)
        return spoken(self.model.project(self.decoded.hidden), self.said)[0]

    @torch.inference_mode()
    def each_layer(self, mode: OffMode) -> Iterator[tuple[AttentionKind, int, Floats]]:
        sizes = shapes(self.bundle)
        for layer in range(sizes["encoder_self"][0]):
            rows = [
                without_head(self.base, "encoder_self", layer, head, mode) for head in range(sizes["encoder_self"][1])
            ]
            yield "encoder_self", layer, self._from_encoder(layer, rows)
        for layer in range(sizes["cross"][0]):
            rows = [
                without_head(self.base, kind, layer, head, mode)
                for kind in AFTER_ENCODER
                for head in range(sizes["cross"][1])
            ]
            for kind, found in zip(AFTER_ENCODER, np.split(self._from_decoder(layer, rows), 2), strict=True):
                yield kind, layer, found

    def _from_encoder(self, first: int, rows: Sequence[Interventions]) -> Floats:
        edits = Edits(rows, len(rows))
        x = self.encoded.hidden_states[first].expand(len(rows), -1, -1)
        for index in range(first, len(self.model.encoder.layers)):
            x, _ = self.model.encoder.layers[index](x, self.encoded.attn_mask, edit=edits.at("encoder_self", index))
        memory = self.model.encoder.finish(x)
        encoded = Encoded(memory, self.encoded.attn_mask.expand(len(rows), -1, -1, -1), (), ())
        edited = list(rows) if self.base else None
        decoded = self.model.decode(self.fed.expand(len(rows), -1), encoded, interventions=edited)
        return spoken(self.model.project(decoded.hidden), self.said)

    def _from_decoder(self, first: int, rows: Sequence[Interventions]) -> Floats:
        edits = Edits(rows, len(rows))
        x = self.decoded.hidden_states[first].expand(len(rows), -1, -1)
        attn_mask = self._fed_mask()
        for index in range(first, len(self.model.decoder.layers)):
            layer = self.model.decoder.layers[index]
            keys, values = layer.cross_attention.keys_values(self.encoded.memory)
            crossed = (keys.expand(len(rows), -1, -1, -1), values.expand(len(rows), -1, -1, -1))
            x, *_ = layer(
                x, crossed, attn_mask, self.encoded.attn_mask,
                edits=(edits.at("decoder_self", index), edits.at("cross", index)),
            )  # fmt: skip
        return spoken(self.model.project(self.model.decoder.finish(x)), self.said)

    def _fed_mask(self) -> Tensor | None:
        length = self.fed.shape[1]
        attn_mask = causal_mask(length, length, self.fed.device)[None, None]
        if self.base.lift_causal_mask:
            attn_mask = torch.ones_like(attn_mask)
        if self.model.config.mask_target_padding:
            attn_mask = attn_mask & (self.fed != self.model.config.target_pad_id)[:, None, None, :]
        return attn_mask
