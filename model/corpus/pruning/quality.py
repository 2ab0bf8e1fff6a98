"""How removing heads changes translations: BLEU and chrF over a corpus, each with its bootstrap interval.

BLEU is computed for the whole corpus at every resample, added up from each sentence's n-gram counts (Papineni et al.
2002; Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation"). chrF is the mean over sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.intervals import Interval, interval, resamples
from model.bundle import Bundle
from model.corpus.pruning.removal import readable_rows
from model.inference.variants import translate_variants
from model.interventions import NONE, Interventions
from model.lazy import sacrebleu
from model.progress import Progress, unreported
from model.text.language_codes import bleu_tokenizer
from model.text.pairs import Pair

ORDER = 4


@dataclass(frozen=True, slots=True)
class Quality:
    """BLEU and chrF of the translations by each variant of a model, compared with the unchanged model's."""

    bleu_before: float
    """0 to 100, as chrF."""
    chrf_before: float
    bleu: tuple[Interval, ...]
    """Change in each variant; negative where translations get worse."""
    chrf: tuple[Interval, ...]


def quality(
    bundle: Bundle,
    pairs: Sequence[Pair],
    variants: Sequence[Interventions],
    *,
    seed: int = 0,
    on_progress: Progress = unreported,
) -> Quality:
    """Translate the corpus greedily under every variant, several of them in a batch.

    Raises:
        CorpusError: when the model can read no pair.
    """
    pairs = [row.pair for row in readable_rows(bundle, pairs)]
    sources = [pair.source for pair in pairs]
    translations = translate_variants(bundle, sources, [NONE, *variants], on_progress=on_progress)
    return _held(pairs, translations, seed=seed, language=bundle.target_language)


def _held(pairs: Sequence[Pair], translations: Sequence[Sequence[str]], *, seed: int, language: str | None) -> Quality:
    """Each variant's scores minus those of the first."""
    known: dict[tuple[int, str], tuple[NDArray[np.int64], float]] = {}
    counts, chrf = [], []
    for texts in translations:
        scored = []
        for index, text in enumerate(texts):
            if (index, text) not in known:
                known[index, text] = _scores(text, pairs[index].target, language)
            scored.append(known[index, text])
        counts.append(np.stack([values for values, _ in scored]))
        chrf.append([value for _, value in scored])
    draws = resamples(len(pairs), seed=seed)
    bleu = np.stack([corpus_bleu(draws @ values) for values in counts])  # (variants, 1 + resamples)
    means = np.stack([draws @ np.array(values) / len(pairs) for values in chrf])
    changes = [tuple(interval(row) for row in scores[1:] - scores[0]) for scores in (bleu, means)]
    return Quality(float(bleu[0, 0]), float(means[0, 0]), *changes)


def scores_of(
    pairs: Sequence[Pair], texts: Sequence[str], *, language: str | None, seed: int = 0
) -> dict[str, Interval]:
    """BLEU and chrF of one set of translations of a corpus, 0 to 100, with their intervals: "bleu" and "chrf"."""
    scored = [_scores(text, pair.target, language) for text, pair in zip(texts, pairs, strict=True)]
    draws = resamples(len(pairs), seed=seed)
    bleu = corpus_bleu(draws @ np.stack([counts for counts, _ in scored]))
    return {"bleu": interval(bleu), "chrf": interval(draws @ np.array([chrf for _, chrf in scored]) / len(pairs))}


def _scores(text: str, reference: str, language: str | None) -> tuple[NDArray[np.int64], float]:
    metric = sacrebleu.BLEU(effective_order=True, tokenize=bleu_tokenizer(language))
    bleu = metric.sentence_score(text, [reference])
    chrf = sacrebleu.CHRF().sentence_score(text, [reference]).score
    return np.array([*bleu.counts, *bleu.totals, bleu.sys_len, bleu.ref_len], np.int64), chrf


def corpus_bleu(sums: NDArray[np.int64]) -> NDArray[np.float64]:
    """BLEU of summed counts, (N, matches of each order, totals, length, length of the reference) -> (N,).

    As ``sacrebleu.BLEU.compute_bleu`` counts with smoothing "exp", for all resamples at once.
    """
    correct, total = sums[:, :ORDER].astype(np.float64), sums[:, ORDER : 2 * ORDER].astype(np.float64)
    length, wanted = sums[:, -2].astype(np.float64), sums[:, -1].astype(np.float64)
    is_none = correct == 0  # each order without a match counts half as much as the one before: smoothing "exp"
    matches = np.where(is_none, 0.5 ** np.cumsum(is_none, 1), correct)
    is_known = (total > 0).all(1) & (correct > 0).any(1)
    precision = np.divide(matches, total, out=np.ones_like(total), where=total > 0)
    brevity = np.exp(np.minimum(0.0, 1 - np.divide(wanted, length, out=np.ones_like(length), where=length > 0)))
    return np.where(is_known, 100 * brevity * np.exp(np.log(precision).mean(1)), 0.0)
