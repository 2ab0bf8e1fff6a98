"""From pieces to the words of gold links: the mean of a target word's rows, the sum of a source word's columns.

Which row belongs to a target word is a choice: the row that predicts its pieces, or the row that is fed them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from model.corpus.batches import Pass, Row
from model.text.links import words
from model.trace import TokenSequence

RowMeaning = Literal["fed", "predicted"]
ROW_MEANINGS: tuple[RowMeaning, ...] = ("fed", "predicted")


@dataclass(frozen=True, slots=True)
class WordGroups:
    """Which pieces make which words, and which words are linked, for B rows of S source and T target pieces."""

    source: Tensor
    """(B, S, words of the source and one more): 1 where the piece belongs to the word; the last column takes what
    belongs to none, such as the end of the sentence."""
    predicted: Tensor
    """(B, words of the target, T): shares of the rows that predict a word's pieces, summing to 1."""
    fed: Tensor
    """The same for the rows that are fed them."""
    sure: Tensor
    """bool (B, words of the target, words of the source)"""
    possible: Tensor

    def merge(self, weights: Tensor, rows: RowMeaning) -> Tensor:
        """Pieces to words, (B, H, T, S) -> (B, H, words of the target, words of the source and one more)."""
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
        for piece, word in _placed(row.source, row.pair.source):
            keys[index, piece, word], keys[index, piece, -1] = 1, 0
        for piece, word in _placed(row.target, row.pair.target):
            predicted[index, word, piece] = fed[index, word, piece + 1] = 1
        _mark(row, sure[index], possible[index])
    for queries in (predicted, fed):
        queries /= np.maximum(queries.sum(-1, keepdims=True), 1)
    device = batch.source_is_real.device
    arrays = (torch.from_numpy(array).to(device) for array in (keys, predicted, fed, sure, possible))
    return WordGroups(*arrays)


def _mark(row: Row, sure: np.ndarray, possible: np.ndarray) -> None:
    if row.pair.links is not None:
        for source, target in row.pair.links.possible:
            possible[target, source] = True
        for source, target in row.pair.links.sure:
            sure[target, source] = True


def _placed(tokens: TokenSequence, text: str) -> list[tuple[int, int]]:
    """Each piece that belongs to a word, and the word between spaces in which it begins."""
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
