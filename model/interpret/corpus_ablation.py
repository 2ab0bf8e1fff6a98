"""Which heads matter over a set of sentences: BLEU without each head in turn (Michel et al. 2019, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from model.bundle import Bundle
from model.inference.batches import WIDE_BATCH
from model.inference.variants import translate_variants
from model.interpret.ablation import without_head
from model.interventions import NONE, AttentionKind, Interventions, OffMode, attention_shapes, every_head
from model.text.language_codes import bleu_tokenizer
from model.text.tokens import TextError
from model.trace import Floats


@dataclass(frozen=True, slots=True)
class CorpusEffects:
    """BLEU without each head; NaN for heads that were not tried yet."""

    bleu: float
    """With all heads on, 0 to 100 (Papineni et al. 2002, by sacreBLEU)."""
    signature: str
    """The settings with which sacreBLEU gives the same number."""
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
        kinds: kinds of attention to try; None tries all.

    Raises:
        TextError: when there is no sentence, a translation is missing, or a sentence cannot be read.
    """
    if not sources or len(sources) != len(references):
        raise TextError(
            f"{len(sources)} sentences and {len(references)} translations: give one translation for each sentence"
        )
    metric = BLEU(effective_order=len(sources) == 1, tokenize=bleu_tokenizer(bundle.target_language))
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


def _bleu(metric: BLEU, translations: Sequence[str], references: Sequence[str]) -> float:
    return float(metric.corpus_score(list(translations), [list(references)]).score)
