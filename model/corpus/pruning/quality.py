"""The effect of removing heads on translations: BLEU and chrF over a corpus, with bootstrap intervals.

BLEU is computed for the whole corpus at every resample, from summed n-gram counts of sentences (Papineni et al. 2002;
Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation"). chrF is the mean over sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from model.analysis.intervals import Interval, interval, resamples
from model.bundle import Bundle
from model.corpus.pruning.removal import readable_rows
from model.inference.variants import translate_variants
from model.interventions import NONE, Interventions
from model.lazy import sacrebleu
from model.text.language_codes import bleu_tokenizer
from model.text.pairs import Pair

ORDER = 4


@dataclass(frozen=True, slots=True)
class Quality:
    """BLEU and chrF of each variant's translations, compared with those of the unchanged model."""

    bleu_before: float
    """0 to 100, like chrF."""
    chrf_before: float
    bleu: tuple[Interval, ...]
    """Change for each variant; negative if translations get worse."""
    chrf: tuple[Interval, ...]


def quality(bundle: Bundle, pairs: Sequence[Pair], variants: Sequence[Interventions]) -> Quality:
    """Translate the corpus greedily under every variant, several variants per batch.

    Raises:
        CorpusError: when the model can read no pair.
    """
    pairs = [row.pair for row in readable_rows(bundle, pairs)]
    translations = translate_variants(bundle, [pair.source for pair in pairs], [NONE, *variants])
    scores = _resampled(pairs, translations, bundle.target_language)
    bleu, chrf = (tuple(interval(row) for row in rows[1:] - rows[0]) for rows in scores)
    return Quality(float(scores[0][0, 0]), float(scores[1][0, 0]), bleu, chrf)


def scores_of(pairs: Sequence[Pair], texts: Sequence[str], *, language: str | None) -> dict[str, Interval]:
    """ "bleu" and "chrf" of one set of translations of a corpus, 0 to 100, with intervals."""
    bleu, chrf = _resampled(pairs, [texts], language)
    return {"bleu": interval(bleu[0]), "chrf": interval(chrf[0])}


def _resampled(
    pairs: Sequence[Pair], translations: Sequence[Sequence[str]], language: str | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """BLEU and chrF of each set of translations, (sets, 1 + resamples); column 0 is the whole corpus."""
    scores_once, draws = cache(_scores), resamples(len(pairs), seed=0)  # most translations do not change without a head
    bleu, chrf = [], []
    for texts in translations:
        counts, values = zip(
            *(scores_once(text, pair.target, language) for text, pair in zip(texts, pairs, strict=True)), strict=True
        )
        bleu.append(corpus_bleu(draws @ np.stack(counts)))
        chrf.append(draws @ np.array(values) / len(pairs))
    return np.stack(bleu), np.stack(chrf)


def _scores(text: str, reference: str, language: str | None) -> tuple[NDArray[np.int64], float]:
    metric = sacrebleu.BLEU(effective_order=True, tokenize=bleu_tokenizer(language))
    bleu = metric.sentence_score(text, [reference])
    chrf = sacrebleu.CHRF().sentence_score(text, [reference]).score
    return np.array([*bleu.counts, *bleu.totals, bleu.sys_len, bleu.ref_len], np.int64), chrf


def corpus_bleu(sums: NDArray[np.int64]) -> NDArray[np.float64]:
    """BLEU of summed counts, (N, matches of each order, totals, length, reference length) -> (N,).

    Equal to ``sacrebleu.BLEU.compute_bleu`` with smoothing "exp", vectorised over resamples.
    """
    correct, total = sums[:, :ORDER].astype(np.float64), sums[:, ORDER : 2 * ORDER].astype(np.float64)
    length, reference_length = sums[:, -2].astype(np.float64), sums[:, -1].astype(np.float64)
    is_none = correct == 0  # each order without a match counts half as much as the one before: smoothing "exp"
    matches = np.where(is_none, 0.5 ** np.cumsum(is_none, 1), correct)
    is_known = (total > 0).all(1) & (correct > 0).any(1)
    precision = np.divide(matches, total, out=np.ones_like(total), where=total > 0)
    brevity = np.exp(
        np.minimum(0.0, 1 - np.divide(reference_length, length, out=np.ones_like(length), where=length > 0))
    )
    return np.where(is_known, 100 * brevity * np.exp(np.log(precision).mean(1)), 0.0)
