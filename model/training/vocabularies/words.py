"""A vocabulary of whole words, as textbooks build it: special tokens first, then words by frequency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.training.vocabularies.partition import frequencies

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
