"""Head pruning on a corpus as one table of JSON values: each head removed, only one head left, and curves.

    import regard
    regard.pruning_table(bundle, pairs)["zero"]["rows"]     # [kind, layer, head, mean change, low, high] of each head

It contains log-probabilities and, if requested, BLEU and chrF of the translations. BLEU is computed for the whole
corpus at every resample, from summed n-gram counts of sentences (Papineni et al. 2002; Koehn 2004, "Statistical
Significance Tests for Machine Translation Evaluation"). chrF is the mean over sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.analysis.intervals import Interval, interval, resamples
from model.bundle import Bundle
from model.corpus.batches import check_translates
from model.corpus.pruning.removal import (
    Curve,
    Head,
    Removals,
    alone_in_its_layer,
    by_means,
    has_means,
    heads_off,
    importance,
    keep_one,
    prune,
    random_order,
    readable_rows,
    remove_each,
)
from model.inference.translation import translate_texts
from model.inference.variants import translate_variants
from model.interventions import KINDS, NONE, Interventions, every_head
from model.lazy import sacrebleu
from model.progress import Progress, ignore_progress
from model.text.language_codes import bleu_tokenizer
from model.text.pairs import Pair, as_pairs

ORDER = 4
N_POINTS = 12
N_RANDOM = 5
"""Number of random orders, to compare with the order of importance."""


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
    scores = _bootstrap(pairs, translations, bundle.target_language)
    bleu, chrf = (tuple(interval(row) for row in rows[1:] - rows[0]) for rows in scores)
    return Quality(float(scores[0][0, 0]), float(scores[1][0, 0]), bleu, chrf)


def _bootstrap(
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


def pruning_table(
    bundle: Bundle,
    pairs: Sequence[Pair | Sequence[str]],
    *,
    with_translations: bool = True,
    on_progress: Progress = ignore_progress,
) -> dict[str, Any]:
    """Prune heads in every way that the model supports.

    Args:
        with_translations: also translate the corpus for every removal, which takes most of the time.

    Raises:
        CorpusError: when the model does not translate, can read no pair, or cannot be differentiated.
    """
    check_translates(bundle)
    read = [row.pair for row in readable_rows(bundle, as_pairs(pairs))]
    heads, ranked = every_head(bundle.config), importance(bundle, read)
    orders = _orders(heads, ranked)
    removals = {"zero": remove_each, "mean": partial(remove_each, mode="mean"), "keep_one": keep_one}
    if not has_means(bundle):
        del removals["mean"]
    reports = _reports(on_progress, len(removals) + len(orders))
    table: dict[str, Any] = {"n_pairs": len(read)}
    for name, remove in removals.items():
        scored = _score(bundle, read, heads, name) if with_translations else None
        table[name] = _removals(remove(bundle, read, on_progress=next(reports)), scored)
    table["importance"] = [[*head, ranked[head]] for head in heads]
    table["curves"] = {
        name: _curve(bundle, read, order, next(reports), with_translations=with_translations)
        for name, order in orders.items()
    }
    return table


def _orders(heads: Sequence[Head], ranked: Mapping[Head, float]) -> Mapping[str, Sequence[Head]]:
    """The orders in which heads are removed: by importance, at random, and within each kind."""
    order = sorted(heads, key=lambda head: ranked[head])
    chance = {f"random_{seed}": random_order(heads, seed=seed) for seed in range(N_RANDOM)}
    return {"importance": order, **chance, **{kind: [head for head in order if head[0] == kind] for kind in KINDS}}


def _reports(on_progress: Progress, count: int) -> Iterator[Progress]:
    """A progress callback for each of ``count`` parts of the work, weighted equally."""

    def report(part: int, done: int, total: int) -> None:
        on_progress(1_000 * part + 1_000 * done // max(1, total), 1_000 * count)

    return (partial(report, part) for part in range(count))


def _score(bundle: Bundle, pairs: Sequence[Pair], heads: Sequence[Head], name: str) -> Quality:
    if name == "mean":
        return quality(bundle, pairs, by_means(bundle, readable_rows(bundle, pairs), heads))
    alone = [heads_off([head]) if name == "zero" else alone_in_its_layer(heads, head) for head in heads]
    return quality(bundle, pairs, alone)


def _removals(removals: Removals, scored: Quality | None) -> dict[str, Any]:
    """Each head's change in log-probability, and in BLEU and chrF if ``scored``, with intervals."""

    def rows(changes: Sequence[Interval]) -> list[list[Any]]:
        return [[*head, *asdict(change).values()] for head, change in zip(removals.heads, changes, strict=True)]

    table: dict[str, Any] = {"before": removals.before, "rows": rows(removals.intervals())}
    if scored is not None:
        table["bleu"] = {"before": scored.bleu_before, "rows": rows(scored.bleu)}
        table["chrf"] = {"before": scored.chrf_before, "rows": rows(scored.chrf)}
    return table


def _curve(
    bundle: Bundle, pairs: Sequence[Pair], order: Sequence[Head], on_progress: Progress, *, with_translations: bool
) -> dict[str, Any]:
    curve = prune(bundle, pairs, order, n_points=N_POINTS, on_progress=on_progress)
    table: dict[str, Any] = {"order": curve.order, "removed": curve.removed, "log_probs": curve.log_probs}
    table["bounds"] = [[bound.low, bound.high] for bound in curve.bounds]
    if with_translations:
        table["quality"] = [_quality(bundle, pairs, curve, point) for point in range(len(curve.removed))]
    return table


def _quality(bundle: Bundle, pairs: Sequence[Pair], curve: Curve, point: int) -> dict[str, Any]:
    """BLEU and chrF of a point's translations, each with its interval."""
    sources = [pair.source for pair in pairs]
    numbered = translate_texts(bundle, sources, interventions=curve.interventions(point))
    scores = _bootstrap(pairs, [[text for _, text in sorted(numbered)]], bundle.target_language)
    bounds = {name: interval(of_corpus[0]) for name, of_corpus in zip(("bleu", "chrf"), scores, strict=True)}
    return {name: bound.mean for name, bound in bounds.items()} | {
        f"{name}_bounds": [bound.low, bound.high] for name, bound in bounds.items()
    }
