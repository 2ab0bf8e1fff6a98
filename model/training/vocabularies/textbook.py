"""The data of a language model as textbooks make them: a vocabulary of whole words, and batches from one long text.

A vocabulary has its special tokens first. Batches are cut at random, or continue from batch to batch.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.training.settings import TrainingError

SPECIAL = ("<pad>", "<unk>", "<bos>", "<eos>")


@dataclass(frozen=True, slots=True)
class WordVocabulary:
    """Words with ids, and the words left out."""

    tokens: tuple[str, ...]
    """The place of a token is its id."""
    n_words: int
    """Distinct words of the text."""
    unknown_share: float
    """0 to 1: of the running text, how much is read as ``<unk>``."""

    @property
    def n_kept(self) -> int:
        """Words with an id of their own."""
        return len(self.tokens) - len(SPECIAL)


def word_vocabulary(words: Sequence[str], *, min_count: int = 1) -> WordVocabulary:
    """Keep each word that comes at least ``min_count`` times."""
    counted = frequencies(words)
    kept = tuple((word, count) for word, count in counted if count >= min_count)
    known = sum(count for _, count in kept)
    share = 1 - known / len(words) if words else 0.0
    return WordVocabulary((*SPECIAL, *(word for word, _ in kept)), len(counted), share)


def frequencies(words: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Each distinct word and its count, most frequent first, ties by spelling."""
    return tuple(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Partition:
    """Where each sequence of each batch begins in the text."""

    starts: NDArray[np.int64]
    """(batches, rows), offsets in tokens."""
    length: int
    """Tokens of a sequence; what it is to predict is one further on."""


def random_partition(n_tokens: int, *, n_rows: int, length: int, seed: int) -> Partition:
    """Disjoint sequences from a random offset, in random order: neighbours in a batch are not neighbours in the text.

    Raises:
        TrainingError: when the text is too short.
    """
    _check(n_tokens, n_rows, length)
    random = np.random.default_rng(seed)
    offset = int(random.integers(0, length))
    n_sequences = (n_tokens - 1 - offset) // length
    starts = offset + length * random.permutation(n_sequences)
    n_batches = n_sequences // n_rows
    return Partition(starts[: n_batches * n_rows].reshape(n_batches, n_rows), length)


def sequential_partition(n_tokens: int, *, n_rows: int, length: int) -> Partition:
    """Each row of a batch continues where the same row of the last batch ended, so a recurrent state can be kept.

    Raises:
        TrainingError: when the text is too short.
    """
    _check(n_tokens, n_rows, length)
    stretch = (n_tokens - 1) // n_rows
    n_batches = stretch // length
    starts = stretch * np.arange(n_rows)[None] + length * np.arange(n_batches)[:, None]
    return Partition(starts.astype(np.int64), length)


def _check(n_tokens: int, n_rows: int, length: int) -> None:
    if n_tokens < n_rows * length + length:
        raise TrainingError(
            f"{n_tokens} tokens are too few for {n_rows} rows of {length}: use a longer text or shorter sequences"
        )
