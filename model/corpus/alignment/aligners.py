"""Ways to extract a word alignment from cross-attention, and their error against human links.

A map between words is the mean of a target word's rows and the sum of a source word's columns. The rows of a target
word are those that predict its pieces, or those that are fed them.
AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|) with the sure links S inside the possible links P (Och & Ney 2000).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.analysis.intervals import Interval, interval, resamples
from model.bundle import Bundle
from model.corpus.batches import Pass
from model.interpret.attribution import value_norms
from model.nn.transformer import Transformer
from model.text.links import words
from model.trace import TokenSequence

AlignerWeights = Literal["raw", "value_weighted"]
RowMeaning = Literal["fed", "predicted"]
ROW_MEANINGS: tuple[RowMeaning, ...] = ("fed", "predicted")


@dataclass(frozen=True, slots=True)
class WordGroups:
    """The words of the pieces, and the links between words, for B rows of S source and T target pieces."""

    source: Tensor
    """(B, S, source words + 1): 1 if the piece belongs to the word; the last column has pieces of no word, such as the
    end of the sentence."""
    predicted: Tensor
    """(B, target words, T): averaging weights, which sum to 1, over the rows that predict a word's pieces."""
    fed: Tensor
    """The same over the rows that are fed a word's pieces."""
    sure: Tensor
    """bool (B, target words, source words)"""
    possible: Tensor

    def merge(self, weights: Tensor, rows: RowMeaning) -> Tensor:
        """Merge weights from pieces to words, (B, H, T, S) -> (B, H, target words, source words + 1)."""
        queries = self.fed if rows == "fed" else self.predicted
        return queries[:, None] @ weights @ self.source[:, None]


def word_groups(batch: Pass) -> WordGroups:
    """The groups of a batch of linked pairs; the end of the sentence belongs to no word."""
    sizes = [(len(words(row.pair.source)), len(words(row.pair.target))) for row in batch.rows]
    n_source, n_target = map(max, zip(*sizes, strict=True))
    n_rows, n_queries, n_keys = len(sizes), batch.target_is_real.shape[1], batch.source_is_real.shape[1]
    keys = np.zeros((n_rows, n_keys, n_source + 1), np.float32)
    keys[..., -1] = batch.source_is_real.cpu().numpy()
    predicted = np.zeros((n_rows, n_target, n_queries), np.float32)
    fed = np.zeros_like(predicted)
    sure = np.zeros((n_rows, n_target, n_source), bool)
    possible = np.zeros_like(sure)
    for index, row in enumerate(batch.rows):
        for piece, word in _words_of_pieces(row.source, row.pair.source):
            keys[index, piece, word], keys[index, piece, -1] = 1, 0
        for piece, word in _words_of_pieces(row.target, row.pair.target):
            predicted[index, word, piece] = fed[index, word, piece + 1] = 1
        if row.pair.links is not None:
            for marks, links in ((sure, row.pair.links.sure), (possible, row.pair.links.possible)):
                for source, target in links:
                    marks[index, target, source] = True
    for queries in (predicted, fed):
        queries /= np.maximum(queries.sum(-1, keepdims=True), 1)
    device = batch.source_is_real.device
    arrays = (torch.from_numpy(array).to(device) for array in (keys, predicted, fed, sure, possible))
    return WordGroups(*arrays)


def _words_of_pieces(tokens: TokenSequence, text: str) -> list[tuple[int, int]]:
    """(piece, word) for each piece that belongs to a word: the index of the space-separated word where it begins."""
    starts = np.cumsum([0, *(len(word) + 1 for word in words(text))])
    placed = []
    for piece, (span, special) in enumerate(zip(tokens.spans, tokens.is_special, strict=True)):
        if span is not None and not special:
            written = text[slice(*span)]
            first = span[0] + len(written) - len(written.lstrip())  # byte-level tokens may contain the space before
            word = int(np.searchsorted(starts, first, side="right")) - 1
            if word < len(starts) - 1:
                placed.append((piece, word))
    return placed


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """One head, read by predicting or by fed rows."""

    row: RowMeaning
    layer: int
    head: int


@dataclass(frozen=True, slots=True)
class Aligner:
    """The mean map of some heads, and the rule for links: the largest cell of each row, under the conditions below."""

    parts: tuple[Part, ...]
    weights: AlignerWeights
    is_mutual: bool = False
    """Replace each cell by its share of its row times its share of its column, so that a source word to which every
    target word attends is aligned with none."""
    threshold: float = 0.0
    """A link needs a larger value."""
    has_end: bool = False
    """Let the end of the sentence compete; a word for which it is the largest has no link."""

    def links(self, maps: dict[RowMeaning, Tensor], groups: WordGroups, n_heads: int) -> Tensor:
        """The links of a batch: maps (B, L * H, words, words + 1) -> bool (B, words, words)."""
        chosen = [maps[part.row][:, part.layer * n_heads + part.head] for part in self.parts]
        mean = torch.stack(chosen).mean(0) if len(chosen) > 1 else chosen[0]
        return self.links_of(mean, groups)

    def links_of(self, mean: Tensor, groups: WordGroups) -> Tensor:
        """The links of mean maps (B, words, words + 1) -> bool (B, words, words)."""
        if not self.has_end:
            mean = mean[..., :-1]
        if self.is_mutual:
            mean = mutual(mean)
        peak, place = mean.max(-1, keepdim=True)
        points = torch.zeros_like(mean, dtype=torch.bool).scatter_(-1, place, peak > self.threshold)
        return points[..., : groups.sure.shape[-1]] & groups.predicted.any(-1, keepdim=True)


SCORES = ("aer", "precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of alignment points and gold links of a corpus."""

    sure: int
    """|S|"""
    points: int
    """|A|"""
    sure_hits: int
    """|A ∩ S|"""
    possible_hits: int
    """|A ∩ P|"""

    @property
    def aer(self) -> float:
        """Alignment error rate in [0, 1]; 1 if there are neither points nor links."""
        total = self.points + self.sure
        return 1 - (self.sure_hits + self.possible_hits) / total if total else 1.0

    @property
    def precision(self) -> float:
        """Share of the points that are possible links."""
        return self.possible_hits / self.points if self.points else 0.0

    @property
    def recall(self) -> float:
        """Share of the sure links that are found."""
        return self.sure_hits / self.sure if self.sure else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """An aligner and its scores."""

    aligner: Aligner
    counts: Counts
    per_pair: NDArray[np.int64] = field(compare=False, repr=False)
    """The counts of each of N pairs, (N, 4)."""

    @property
    def aer(self) -> float:
        """Its alignment error rate."""
        return self.counts.aer

    @property
    def interval(self) -> Interval:
        """The alignment error rate with its 95 % bootstrap interval over pairs."""
        return interval(_rates(self.per_pair))


def difference(first: Measured, other: Measured) -> Interval:
    """The first's alignment error rate minus the second's, as a paired bootstrap test.

    Both use the same resamples of the same pairs; an interval without 0 means that they differ.

    Raises:
        ValueError: when they were measured on different numbers of pairs.
    """
    if len(first.per_pair) != len(other.per_pair):
        raise ValueError(f"{len(first.per_pair)} pairs and {len(other.per_pair)} cannot be compared pair by pair")
    return interval(_rates(first.per_pair) - _rates(other.per_pair))


def _rates(per_pair: NDArray[np.int64]) -> NDArray[np.float64]:
    """The error rate of all pairs and of each resample, from counts of each pair (N, 4)."""
    sure, points, sure_hits, possible_hits = (_draws(len(per_pair)) @ per_pair).T
    total = sure + points
    return 1 - np.divide(sure_hits + possible_hits, total, out=np.zeros(len(total)), where=total > 0)


_draws = lru_cache(maxsize=2)(resamples)


def mutual(maps: Tensor) -> Tensor:
    """Each cell's share of its row times its share of its column, (…, words, words); 0 in empty rows or columns."""
    rows, columns = maps.sum(-1, keepdim=True), maps.sum(-2, keepdim=True)
    return maps / rows.clamp(min=1e-12) * (maps / columns.clamp(min=1e-12))


def count(links: Tensor, groups: WordGroups) -> Tensor:
    """Sure links, points, sure hits and possible hits of each pair, bool (B, words, words) -> int64 (B, 4)."""
    cells_of_counts = (groups.sure, links, links & groups.sure, links & groups.possible)
    return torch.stack([cells.sum((-2, -1)) for cells in cells_of_counts], -1)


def word_maps(
    bundle: Bundle, batch: Pass, groups: WordGroups, weights: AlignerWeights, rows: Sequence[RowMeaning]
) -> dict[RowMeaning, Tensor]:
    """Every cross-attention head's map between words, (B, L * H, words, words + 1), by the meaning of its rows."""
    layers = batch.weights["cross"]
    if weights == "value_weighted":
        norms = value_norms(bundle.model, "cross", batch.recorded)
        layers = tuple(layer * norm for layer, norm in zip(layers, norms, strict=True))
    together = torch.cat(layers, 1)
    return {row: groups.merge(together, row) for row in rows}


def weightings(bundle: Bundle) -> tuple[AlignerWeights, ...]:
    """The weightings that a model supports; value-weighted ones need access to its value vectors."""
    return ("raw", "value_weighted") if isinstance(bundle.model, Transformer) else ("raw",)
