"""Alignment errors of cross-attention heads, layer means and chosen sets of heads, against gold links.

An alignment point is the source word with the largest weight in a target word's mean row, without the end token.
Weights are raw, or norms of the weighted values (Kobayashi et al. 2020, section 5). The sets use the map in both
directions.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.analysis.intervals import Interval
from model.bundle import Bundle
from model.corpus.alignment.aligners import (
    ROW_MEANINGS,
    SCORES,
    Aligner,
    AlignerWeights,
    Counts,
    Measured,
    Part,
    WordGroups,
    count,
    difference,
    mutual,
    weightings,
    word_groups,
    word_maps,
)
from model.corpus.batches import Pass, Row, batches, check_translates, forced_pass, read_rows
from model.progress import Progress, ignore_progress
from model.text.links import CorpusError, words
from model.text.pairs import Pair

MOST_CHOSEN_ON = 300
"""Maximum pairs whose maps are kept in memory while sets of heads are tried."""
MAX_MAP_NUMBERS = 32_000_000
"""Maximum elements of these maps: 128 MB in float32."""
MOST_WEIGHTS = 4_000_000
"""Maximum attention weights per batch: cross-attention is copied for both weightings and both meanings of a row."""
THRESHOLDS = (0.0, 0.05, 0.1, 0.15, 0.2)


@dataclass(frozen=True, slots=True)
class AlignmentTable:
    """Alignment errors of single heads, layer means, first heads, variants of the best head, and chosen sets."""

    heads: tuple[Measured, ...]
    layers: tuple[Measured, ...]
    firsts: tuple[Measured, ...]
    """The mean of the first 1, 2, … heads of every layer by predicting rows: what ``alignment_layer`` and
    ``alignment_heads`` (a number of heads) of OpenNMT-py and CTranslate2 can express."""
    variants: tuple[Measured, ...]
    """The best head with a threshold, with the end token, and in both directions."""
    sets: tuple[Measured, ...]
    """Sets of 1, 2, … heads, measured on other pairs than they were chosen on."""
    diagonal: Counts
    """The baseline: each target word linked to the source word at the same relative position."""
    n_pairs: int
    n_counted_for_sets: int
    skipped: tuple[str, ...]
    """Reasons for skipped pairs."""

    @property
    def best_head(self) -> Measured:
        """The head with the lowest error; in a tie, the first."""
        return min(self.heads, key=lambda head: head.aer)

    @property
    def best_first(self) -> Measured:
        """The layer and number of first heads with the lowest error; in a tie, the first."""
        return min(self.firsts, key=lambda first: first.aer)

    @property
    def weighted_against_raw(self) -> Interval | None:
        """The error rate of the best value-weighted head minus that of the best raw head, on the same pairs
        (``difference``); None if the model only gives raw weights."""
        best = {}
        for head in sorted(self.heads, key=lambda head: head.aer):
            best.setdefault(head.aligner.weights, head)
        return difference(best["value_weighted"], best["raw"]) if len(best) == 2 else None


def alignment_table(
    bundle: Bundle,
    pairs: Sequence[Pair],
    *,
    choose_on: Sequence[Pair] = (),
    most_heads: int = 3,
    on_progress: Progress = ignore_progress,
) -> AlignmentTable:
    """Measure every head, every layer's mean, and greedily grown sets of heads.

    Args:
        choose_on: pairs with links on which sets and their threshold are chosen; without them, every second pair is
            used for that and the others for the counts.
        most_heads: the size of the largest set; 0 tries no sets.

    Raises:
        CorpusError: when the model does not translate, a pair has no links, or the model can read no pair.
    """
    check_translates(bundle)
    rows, skipped = _readable(bundle, pairs)
    shown, counted = (_readable(bundle, choose_on)[0], rows) if choose_on else (rows[0::2], rows[1::2])
    total, shown = 3 * len(rows), _fitting_memory(bundle, shown)
    tried = _aligners(bundle)
    measured = iter(_measure(bundle, rows, [*chain(*tried)], lambda done: on_progress(done, total)))
    heads, layers, opening = (tuple(islice(measured, len(ways))) for ways in tried)
    best = min(heads, key=lambda aligner: aligner.aer).aligner
    variants = _measure(bundle, rows, _variants(best), lambda done: on_progress(len(rows) + done, total))
    sets: tuple[Measured, ...] = ()
    if most_heads and shown and counted:
        sets = _measure(bundle, counted, _grown(bundle, shown, most_heads))
    on_progress(total, total)
    return AlignmentTable(
        heads, layers, opening, variants, sets, diagonal(rows), len(rows), len(counted), tuple(skipped)
    )


def _fitting_memory(bundle: Bundle, rows: Sequence[Row]) -> list[Row]:
    """The first rows whose maps between words fit in memory together."""
    n_maps = len(ROW_MEANINGS) * bundle.config.n_decoder_layers * bundle.config.n_decoder_heads
    sizes = accumulate(n_maps * len(words(row.pair.source)) * len(words(row.pair.target)) for row in rows)
    return [row for row, size in zip(rows[:MOST_CHOSEN_ON], sizes, strict=False) if size <= MAX_MAP_NUMBERS]


def diagonal(rows: Sequence[Row]) -> Counts:
    """The counts of links along the diagonal; this needs no model."""
    totals = Counter()
    for row in rows:
        assert row.pair.links is not None
        n_source, n_target = len(words(row.pair.source)), len(words(row.pair.target))
        links = {(int((j + 0.5) * n_source / n_target), j) for j in range(n_target)}
        sure, possible = row.pair.links.sure, row.pair.links.possible
        totals.update(sure=len(sure), points=n_target, sure_hits=len(links & sure), possible_hits=len(links & possible))
    return Counts(**totals)


def _readable(bundle: Bundle, pairs: Sequence[Pair]) -> tuple[list[Row], list[str]]:
    if not pairs or any(pair.links is None for pair in pairs):
        raise CorpusError("alignment needs links: give source, target and links in Pharaoh notation")
    rows, skipped = read_rows(bundle, pairs)
    if not rows:
        raise CorpusError(f"the model can read none of the pairs: {skipped[0].reason}")
    return rows, [f"pair {skip.id + 1}: {skip.reason}" for skip in skipped]


def _aligners(bundle: Bundle) -> tuple[list[Aligner], list[Aligner], list[Aligner]]:
    """Every head, every layer's mean, and the mean of each number of first heads of a layer."""
    layers, heads = range(bundle.config.n_decoder_layers), range(bundle.config.n_decoder_heads)
    ways = [(weights, row, layer) for weights in weightings(bundle) for row in ROW_MEANINGS for layer in layers]
    return (
        [Aligner((Part(row, layer, head),), weights) for weights, row, layer in ways for head in heads],
        [Aligner(tuple(Part(row, layer, head) for head in heads), weights) for weights, row, layer in ways],
        [
            Aligner(tuple(Part("predicted", layer, head) for head in heads[:count]), "raw")
            for layer in layers
            for count in range(1, len(heads) + 1)
        ],
    )


def _variants(best: Aligner) -> list[Aligner]:
    return [
        dataclasses.replace(best, has_end=True),
        *(dataclasses.replace(best, threshold=threshold) for threshold in (0.2, 0.3, 0.4)),
        dataclasses.replace(best, is_mutual=True),
        dataclasses.replace(best, is_mutual=True, threshold=0.1),
    ]


@torch.inference_mode()
def _measure(
    bundle: Bundle,
    rows: Sequence[Row],
    aligners: Sequence[Aligner],
    on_progress: Callable[[int], object] = lambda done: None,
) -> tuple[Measured, ...]:
    counts, done = np.zeros((len(aligners), len(rows), 4), np.int64), 0
    places = {row.id: place for place, row in enumerate(rows)}
    weightings: set[AlignerWeights] = {aligner.weights for aligner in aligners}
    for batch, groups in _passes(bundle, rows):
        pairs = [places[row.id] for row in batch.rows]
        for weights in weightings:
            maps = word_maps(bundle, batch, groups, weights, ROW_MEANINGS)
            for place, aligner in enumerate(aligners):
                if aligner.weights == weights:
                    links = aligner.links(maps, groups, bundle.config.n_decoder_heads)
                    counts[place, pairs] = count(links, groups).cpu().numpy()
        done += len(batch.rows)
        on_progress(done)
    return tuple(
        Measured(aligner, Counts(*each.sum(0).tolist()), each) for aligner, each in zip(aligners, counts, strict=True)
    )


def _passes(bundle: Bundle, rows: Sequence[Row]) -> Iterator[tuple[Pass, WordGroups]]:
    for chosen in batches(bundle, rows, max_weights=MOST_WEIGHTS):
        batch = forced_pass(bundle, chosen)
        yield batch, word_groups(batch)


@torch.inference_mode()
def _grown(bundle: Bundle, rows: Sequence[Row], most_heads: int) -> list[Aligner]:
    """Sets of 1 to ``most_heads`` heads, used in both directions; each adds the head that lowers the error most."""
    weights, n_heads = weightings(bundle)[-1], bundle.config.n_decoder_heads
    passes = []
    for batch, groups in _passes(bundle, rows):
        maps = word_maps(bundle, batch, groups, weights, ROW_MEANINGS)
        passes.append((groups, torch.cat([maps[row] for row in ROW_MEANINGS], 1)[..., :-1]))
    n_maps = passes[0][1].shape[1]
    chosen: list[int] = []
    grown = []
    for _ in range(min(most_heads, n_maps)):
        errors = _errors(passes, chosen)  # (candidates, thresholds)
        errors[chosen] = 2.0
        added, threshold = divmod(int(errors.argmin()), len(THRESHOLDS))
        chosen.append(added)
        parts = (Part(ROW_MEANINGS[i // (n_maps // 2)], *divmod(i % (n_maps // 2), n_heads)) for i in chosen)
        grown.append(Aligner(tuple(parts), weights, is_mutual=True, threshold=THRESHOLDS[threshold]))
    return grown


def _errors(passes: Sequence[tuple[WordGroups, Tensor]], chosen: Sequence[int]) -> Tensor:
    """The error of the chosen maps with each further map, at each threshold: (maps, thresholds)."""
    totals = torch.zeros(passes[0][1].shape[1], len(THRESHOLDS), 4)
    for groups, maps in passes:
        cells = mutual(maps + maps[:, list(chosen)].sum(1, keepdim=True))  # (B, N, words, words)
        peak, place = cells.max(-1)  # (B, N, target words)
        hits = [
            links[:, None].expand(-1, cells.shape[1], -1, -1).gather(3, place[..., None])[..., 0]
            for links in (groups.sure, groups.possible)
        ]
        for index, threshold in enumerate(THRESHOLDS):
            points = (peak > threshold) & groups.predicted.any(-1)[:, None]
            hit_cells = (points, points & hits[0], points & hits[1])
            totals[:, index, 1:] += torch.stack([cell.sum((0, 2)) for cell in hit_cells], -1).cpu()
        totals[..., 0] += groups.sure.sum().cpu()
    sure, points, sure_hits, possible_hits = totals.unbind(-1)
    return 1 - (sure_hits + possible_hits) / (sure + points)


@torch.inference_mode()
def pair_map(bundle: Bundle, pair: Pair, part: Part) -> NDArray[np.float32]:
    """One head's map between the words of a pair, (words of the target, words of the source).

    Raises:
        CorpusError: when the model cannot read the pair.
    """
    rows, _ = _readable(bundle, [pair])
    batch, groups = next(iter(_passes(bundle, rows)))
    maps = word_maps(bundle, batch, groups, "raw", [part.row])[part.row]
    return maps[0, part.layer * bundle.config.n_decoder_heads + part.head, :, :-1].float().cpu().numpy()


def report_values(table: AlignmentTable) -> dict[str, Any]:
    """The table as JSON values."""
    compared = table.weighted_against_raw
    best = table.best_head.aligner.parts[0]
    return {
        "n_pairs": table.n_pairs,
        "weighted_against_raw": None if compared is None else dataclasses.asdict(compared),
        "skipped": len(table.skipped),
        "heads": [_head(measured) for measured in table.heads],
        "layers": [{**_head(measured), "head": None} for measured in table.layers],
        "variants": [_set(measured) for measured in table.variants],
        "sets": [_set(measured) for measured in table.sets],
        "n_pairs_of_sets": table.n_counted_for_sets,
        "best": {**_head(table.best_head), "alignment_layer": best.layer, "alignment_heads": [[best.layer, best.head]]},
        "best_first_heads": {
            "alignment_layer": table.best_first.aligner.parts[0].layer,
            "alignment_heads": len(table.best_first.aligner.parts),
            **_scores(table.best_first.counts),
        },
        "diagonal": _scores(table.diagonal),
    }


def _head(measured: Measured) -> dict[str, Any]:
    part = measured.aligner.parts[0]
    return {
        "kind": "cross",
        "layer": part.layer,
        "head": part.head,
        "row": part.row,
        "weights": measured.aligner.weights,
        **_score_values(measured),
    }


def _set(measured: Measured) -> dict[str, Any]:
    aligner = measured.aligner
    return {
        "kind": "cross",
        "heads": [{"layer": part.layer, "head": part.head, "row": part.row} for part in aligner.parts],
        "weights": aligner.weights,
        "points": "mutual" if aligner.is_mutual else "argmax",
        "threshold": aligner.threshold,
        "end_token": aligner.has_end,
        **_score_values(measured),
    }


def _score_values(measured: Measured) -> dict[str, float]:
    """The scores, with the 95 % bootstrap interval of the error rate."""
    bounds = measured.interval
    return {**_scores(measured.counts), "aer_low": bounds.low, "aer_high": bounds.high}


def _scores(counts: Counts) -> dict[str, float]:
    return {name: getattr(counts, name) for name in SCORES}
