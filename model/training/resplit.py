"""Subword regularisation (Kudo 2018): alternative segmentations for some words of a source.

A word that is always split the same way trains only its own pieces. Other probable segmentations also train the pieces
of which rare words consist. Only sources are resplit, so translations keep the usual pieces.
"""

import numpy as np
from numpy.typing import NDArray

from model.text.tokenizer import SentencePieceTokenizer

Ids = NDArray[np.int32]
N_WAYS = 6
"""Number of most probable segmentations of a word to consider."""
MAX_CHARACTERS = 30
"""Words of this many characters or more keep their pieces."""


class Resplitter:
    """Replaces the pieces of each word, with probability ``share``, by another probable segmentation."""

    def __init__(self, tokenizer: SentencePieceTokenizer, share: float, *, max_length: int) -> None:
        self._tokenizer, self._share, self._max_length = tokenizer, share, max_length
        self._begins, self._is_fixed = tokenizer.word_starts(), tokenizer.fixed_pieces()
        self._ways: dict[tuple[int, ...], list[Ids]] = {}

    def __call__(self, ids: Ids, generator: np.random.Generator) -> Ids:
        """Ids that spell the same text; words with bytes or unknown pieces, and texts that would become too long, stay
        unchanged."""
        starts = np.flatnonzero(self._begins[ids])
        starts = starts if len(starts) and starts[0] == 0 else np.concatenate(([0], starts))
        words = np.split(ids, starts[1:])
        for index in np.flatnonzero(generator.random(len(words)) < self._share):
            ways = self._ways_of(words[index])
            if ways:
                words[index] = ways[int(len(ways) * generator.random() ** 2)]  # favours the more probable ones
        cut = np.concatenate(words)
        return cut if len(cut) <= self._max_length else ids

    def _ways_of(self, word: Ids) -> list[Ids]:
        """The alternative segmentations of a word, most probable first."""
        key = tuple(word.tolist())
        if key not in self._ways:
            text = "" if self._is_fixed[word].any() else self._tokenizer.decode(key)
            ways = self._tokenizer.ways_to_cut(text, most=N_WAYS) if 1 < len(text) < MAX_CHARACTERS else []
            self._ways[key] = [
                np.array(way, np.int32)
                for way in ways
                if tuple(way) != key and not self._is_fixed[way].any() and self._begins[way[0]] == self._begins[key[0]]
            ]
        return self._ways[key]
