"""Measures which heads matter, for a translation or a set of sentences, by switching every head off in turn.

The effect of a head is the change of the translation's log-probability without it (Michel et al. 2019; Voita et al.
2019), or over a set of sentences the change of BLEU (Michel et al. 2019, section 3.2). Heads of one layer share a
batch, and the layers below are computed once, because they do not change.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.batches import WIDE_BATCH
from model.inference.reading import check_predicts, kinds_of
from model.inference.teacher_forcing import chosen_log_probs, token_log_probs
from model.inference.variants import translate_variants
from model.interpret.tracing.partial_forward import PartialForward
from model.interventions import NONE, AttentionKind, HeadAblation, Interventions, OffMode, attention_shapes, every_head
from model.lazy import sacrebleu
from model.nn.transformer import Transformer
from model.text.language_codes import bleu_tokenizer
from model.text.tokens import TextError
from model.trace import Floats, Trace

_Measured = tuple[Any, int, Floats]
"""Kind, layer, and each token's log-probability without each head, (H, T); the first item has all heads on, (1, T)."""


@dataclass(frozen=True, slots=True)
class HeadEffects:
    """The effect on a translation of switching each head off; NaN for heads not measured yet."""

    TOKEN_AXES: ClassVar = {"changes": ("target",)}
    log_prob: float
    """Natural logarithm of the translation's probability with all heads on."""
    changes: Mapping[AttentionKind, Floats]
    """(L, H, T) for each kind: change in each token's log-probability, in nats; negative where the head helped."""
    done: int
    total: int
    """Heads measured so far, and in all."""

    def totals(self, kind: AttentionKind) -> Floats:
        """(L, H) change in the whole translation's log-probability, in nats."""
        return self.changes[kind].sum(-1)


def head_effects(
    bundle: Bundle, trace: Trace, *, mode: OffMode = "zero", interventions: Interventions | None = None
) -> HeadEffects:
    """The effect of every head on the trace's translation.

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
        interventions: other interventions, in force with and without the head; None means those of the trace.
    """
    check_predicts(bundle)
    base = trace.interventions if interventions is None else interventions
    shares = isinstance(bundle.model, Transformer) and "cross" in kinds_of(bundle) and not base.patches
    passes = (_shared_passes if shares else _whole_passes)(bundle, trace, base, mode)
    *_, (before,) = next(passes)  # (T,)
    changes: dict[AttentionKind, Floats] = {
        kind: np.full((*shape, len(trace.target)), np.nan, np.float32) for kind, shape in _shapes(bundle).items()
    }
    total = sum(array.shape[0] * array.shape[1] for array in changes.values())
    done = 0
    for kind, layer, log_probs in passes:
        changes[kind][layer] = log_probs - before
        done += len(log_probs)
        copies: dict[AttentionKind, Floats] = {kind: array.copy() for kind, array in changes.items()}
        yield HeadEffects(float(before.sum()), copies, done, total)


def without_head(
    base: Interventions, kind: AttentionKind, layer: int, head: int, mode: OffMode = "zero"
) -> Interventions:
    """The same interventions with one more head off."""
    heads_off = tuple(off for off in base.heads_off if (off.kind, off.layer, off.head) != (kind, layer, head))
    return dataclasses.replace(base, heads_off=(*heads_off, HeadAblation(kind, layer, head, mode)))


def without_layer(
    bundle: Bundle, base: Interventions, kind: AttentionKind, layer: int, mode: OffMode = "zero"
) -> Interventions:
    """The same interventions with every head of one layer off."""
    for head in range(attention_shapes(bundle.config)[kind][1]):
        base = without_head(base, kind, layer, head, mode)
    return base


@torch.inference_mode()
def _whole_passes(bundle: Bundle, trace: Trace, base: Interventions, mode: OffMode) -> Iterator[_Measured]:
    """Any model: one whole pass per layer and kind, a batch row for each head."""

    def log_probs(rows: Sequence[Interventions]) -> Floats:
        return token_log_probs(bundle, trace.source.ids, trace.prefix.ids, trace.target.ids, interventions=rows)

    yield "", 0, log_probs([base])
    for kind, (layers, heads) in _shapes(bundle).items():
        for layer in range(layers):
            yield kind, layer, log_probs([without_head(base, kind, layer, head, mode) for head in range(heads)])


@torch.inference_mode()
def _shared_passes(bundle: Bundle, trace: Trace, base: Interventions, mode: OffMode) -> Iterator[_Measured]:
    """Our own Transformer of two stacks: each pass starts at the layer whose heads are off."""
    passes = PartialForward(bundle, trace.source.ids, trace.prefix.ids, base)
    target = torch.tensor([trace.target.ids], device=bundle.device)

    def log_probs(hidden: Tensor) -> Floats:
        """Log-probabilities of the translation's tokens from the decoder's output: (B, T, D) -> (B, T)."""
        return chosen_log_probs(bundle.model.project(hidden), target).cpu().numpy()

    yield "", 0, log_probs(passes.decoded.hidden)
    stacks: tuple[tuple[str, tuple[AttentionKind, ...]], ...]
    stacks = (("encoder", ("encoder_self",)), ("decoder", ("decoder_self", "cross")))
    for stack, kinds in stacks:
        layers, heads = attention_shapes(bundle.config)[kinds[0]]
        for layer in range(layers):
            rows = [without_head(base, kind, layer, head, mode) for kind in kinds for head in range(heads)]
            of_kinds = np.split(log_probs(passes.under(stack, layer, rows)), len(kinds))
            yield from ((kind, layer, of_kind) for kind, of_kind in zip(kinds, of_kinds, strict=True))


def _shapes(bundle: Bundle) -> dict[AttentionKind, tuple[int, int]]:
    """Layers and heads of each kind that the model has: an encoder-only or decoder-only model has one kind."""
    return {kind: shape for kind, shape in attention_shapes(bundle.config).items() if kind in kinds_of(bundle)}


@dataclass(frozen=True, slots=True)
class CorpusEffects:
    """BLEU without each head; NaN for heads not measured yet."""

    bleu: float
    """With all heads on, 0 to 100 (Papineni et al. 2002, by sacreBLEU)."""
    signature: str
    """sacreBLEU's signature of the settings."""
    changes: Mapping[AttentionKind, Floats]
    """(L, H) change in BLEU; negative where the head helps."""
    done: int
    total: int


def corpus_effects_as_they_come(
    bundle: Bundle,
    sources: Sequence[str],
    references: Sequence[str],
    *,
    mode: OffMode = "zero",
    interventions: Interventions = NONE,
    kinds: Sequence[AttentionKind] | None = None,
) -> Iterator[CorpusEffects]:
    """Decode the set greedily without each head, several heads to a batch; stop iterating to cancel.

    Args:
        kinds: kinds of attention whose heads are switched off; None: all.

    Raises:
        TextError: when there is no sentence, a translation is missing, or a sentence cannot be read.
    """
    if not sources or len(sources) != len(references):
        raise TextError(
            f"{len(sources)} sentences and {len(references)} translations: give one translation for each sentence"
        )
    metric = sacrebleu.BLEU(effective_order=len(sources) == 1, tokenize=bleu_tokenizer(bundle.target_language))
    sizes: dict[AttentionKind, tuple[int, int]] = {
        kind: shape for kind, shape in attention_shapes(bundle.config).items() if kinds is None or kind in kinds
    }
    heads = [head for head in every_head(bundle.config) if head[0] in sizes]
    changes: dict[AttentionKind, Floats] = {kind: np.full(shape, np.nan, np.float32) for kind, shape in sizes.items()}
    bleu = _bleu(metric, translate_variants(bundle, sources, [interventions])[0], references)
    signature = str(metric.get_signature())
    at_once = max(1, WIDE_BATCH // len(sources))
    for start in range(0, len(heads), at_once):
        tried = heads[start : start + at_once]
        texts = translate_variants(bundle, sources, [without_head(interventions, *head, mode) for head in tried])
        for (kind, layer, head), translations in zip(tried, texts, strict=True):
            changes[kind][layer, head] = _bleu(metric, translations, references) - bleu
        copies: dict[AttentionKind, Floats] = {kind: array.copy() for kind, array in changes.items()}
        yield CorpusEffects(bleu, signature, copies, start + len(tried), len(heads))


def _bleu(metric: sacrebleu.BLEU, translations: Sequence[str], references: Sequence[str]) -> float:
    return float(metric.corpus_score(list(translations), [list(references)]).score)
