"""Other ways to cut words into pieces, for some words of a source: subword regularisation (Kudo 2018).

A word that is always cut in one way teaches its own pieces alone. Cut in its other probable ways too, it teaches the
pieces of which rare words are made. Only sources are cut anew, so translations keep the usual pieces.
"""

import numpy as np
from numpy.typing import NDArray

from model.text.tokenizer import SentencePieceTokenizer

Ids = NDArray[np.int32]
N_WAYS = 6
"""Most probable ways of cutting a word that are looked at."""
MAX_CHARACTERS = 30
"""Longer words keep their pieces."""


class Resplitter:
    """Exchanges the pieces of each word, with a given probability, for those of another probable way of cutting it."""

    def __init__(self, tokenizer: SentencePieceTokenizer, share: float, *, max_length: int) -> None:
        self._tokenizer, self._share, self._max_length = tokenizer, share, max_length
        self._begins, self._is_fixed = tokenizer.word_starts(), tokenizer.fixed_pieces()
        self._ways: dict[tuple[int, ...], list[Ids]] = {}

    def __call__(self, ids: Ids, generator: np.random.Generator) -> Ids:
        """Ids that spell the same text; words with bytes or unknown pieces stay as they are, and so does a
        text that would become too long."""
        starts = np.flatnonzero(self._begins[ids])
        starts = starts if len(starts) and starts[0] == 0 else np.concatenate(([0], starts))
        words = np.split(ids, starts[1:])
        for index in np.flatnonzero(generator.random(len(words)) < self._share):
            ways = self._ways_of(words[index])
            if ways:
                words[index] = ways[int(len(ways) * generator.random() ** 2)]  # the probable ones more often
        cut = np.concatenate(words)
        return cut if len(cut) <= self._max_length else ids

    def _ways_of(self, word: Ids) -> list[Ids]:
        """The other ways, the most probable first."""
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
