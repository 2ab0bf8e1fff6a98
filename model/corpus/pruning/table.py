"""Head pruning on a corpus as one table of JSON values: each head removed, only one head left, and curves.

    import regard
    regard.pruning_table(bundle, pairs)["zero"]["rows"]     # [kind, layer, head, mean change, low, high] of each head

It contains log-probabilities and, if requested, BLEU and chrF of the translations.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from model.analysis.intervals import Interval
from model.bundle import Bundle
from model.corpus.batches import check_translates
from model.corpus.pruning.quality import Quality, quality, scores_of
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
from model.interventions import KINDS, every_head
from model.progress import Progress, unreported
from model.text.pairs import Pair, as_pairs

N_POINTS = 12
N_RANDOM = 5
"""Number of random orders, to compare with the order of importance."""


def pruning_table(
    bundle: Bundle,
    pairs: Sequence[Pair | Sequence[str]],
    *,
    with_translations: bool = True,
    on_progress: Progress = unreported,
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
        scored = _scored(bundle, read, heads, name) if with_translations else None
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


def _scored(bundle: Bundle, pairs: Sequence[Pair], heads: Sequence[Head], name: str) -> Quality:
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
    scores = scores_of(pairs, [text for _, text in sorted(numbered)], language=bundle.target_language)
    return {name: interval.mean for name, interval in scores.items()} | {
        f"{name}_bounds": [interval.low, interval.high] for name, interval in scores.items()
    }
