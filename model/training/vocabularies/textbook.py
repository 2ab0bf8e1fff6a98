"""Language-model data as in textbooks: a vocabulary of whole words, and batches from one long text.

A vocabulary begins with its special tokens. Batches are sampled at random, or sequential.
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
    """Words with ids, and statistics of the words left out."""

    tokens: tuple[str, ...]
    """Tokens by id."""
    n_words: int
    """Number of distinct words of the text."""
    unknown_share: float
    """Share of the running text that becomes ``<unk>``, 0 to 1."""

    @property
    def n_kept(self) -> int:
        """Number of words with an id."""
        return len(self.tokens) - len(SPECIAL)


def word_vocabulary(words: Sequence[str], *, min_count: int = 1) -> WordVocabulary:
    """A vocabulary of the words that occur at least ``min_count`` times."""
    counted = frequencies(words)
    frequent = tuple((word, count) for word, count in counted if count >= min_count)
    known = sum(count for _, count in frequent)
    share = 1 - known / len(words) if words else 0.0
    return WordVocabulary((*SPECIAL, *(word for word, _ in frequent)), len(counted), share)


def frequencies(words: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Each distinct word with its count, most frequent first, ties by spelling."""
    return tuple(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Partition:
    """The offsets of each batch's sequences in the text."""

    starts: NDArray[np.int64]
    """(batches, rows), offsets in tokens."""
    length: int
    """Tokens of a sequence; its targets are shifted by one."""


def random_partition(n_tokens: int, *, n_rows: int, length: int, seed: int) -> Partition:
    """Disjoint sequences from a random offset, in random order: rows of a batch are not adjacent in the text.

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
    """Each row of a batch continues the same row of the previous batch, so that a recurrent state can be carried over.

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
