"""From pieces to words: a word's attention is the mean over its pieces as queries, and the sum over them as keys.

This is the rule of Clark et al. (2019, section 4.1). Each row still sums to 1, because the sum keeps a row's total and
the mean of rows that sum to 1 sums to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.trace import AttentionMaps, Floats, ShapeError, TokenSequence

_WORD_MARK = "▁"


@dataclass(frozen=True, slots=True)
class Words:
    """N pieces read as W words; a special token is a word of its own."""

    labels: tuple[str, ...]
    """W words."""
    groups: NDArray[np.int64]
    """(N,) the word that each piece belongs to, counted from 0 without gaps."""
    is_special: tuple[bool, ...]
    """W claims."""

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.is_special):
            raise ShapeError(f"{len(self.labels)} words, but {len(self.is_special)} is_special flags")
        if len(self.groups) and (self.groups[0] != 0 or self.groups[-1] != len(self.labels) - 1):
            raise ShapeError(f"groups {self.groups.tolist()} do not number {len(self.labels)} words")

    def __len__(self) -> int:
        return len(self.labels)

    def pieces_of(self, word: int) -> tuple[int, ...]:
        """Indexes of the pieces of a word."""
        return tuple(int(index) for index in np.flatnonzero(self.groups == word))


def words_of(tokens: TokenSequence, text: str | None = None) -> Words:
    """Group neighbouring pieces of one word.

    With the text that the spans refer to, a word is written as it is there, which also restores what byte
    pieces (``<0xE4>``) stand for; otherwise its pieces are joined.
    """
    groups: list[int] = []
    starts: list[int] = []
    for index, word in enumerate(tokens.words):
        if index == 0 or word < 0 or word != tokens.words[index - 1]:
            starts.append(index)
        groups.append(len(starts) - 1)
    stops = [*starts[1:], len(tokens)][: len(starts)]
    labels = tuple(_label(tokens, text, a, b) for a, b in zip(starts, stops, strict=True))
    special = tuple(tokens.words[start] < 0 for start in starts)
    return Words(labels, np.array(groups, dtype=np.int64), special)


def merge_attention(weights: Floats, queries: Words, keys: Words) -> Floats:
    """Pieces to words, (…, Q, K) -> (…, words of Q, words of K).

    Raises:
        ShapeError: when the words do not cover the axes.
    """
    if weights.shape[-2:] != (len(queries.groups), len(keys.groups)):
        raise ShapeError(
            f"weights {weights.shape[-2:]} for {len(queries.groups)} query and {len(keys.groups)} key pieces"
        )
    sums = np.zeros((len(keys.groups), len(keys)))  # (K, words)
    sums[np.arange(len(keys.groups)), keys.groups] = 1
    means = np.zeros((len(queries), len(queries.groups)))  # (words, Q)
    means[queries.groups, np.arange(len(queries.groups))] = 1
    means /= means.sum(-1, keepdims=True)
    return (means @ weights.astype(np.float64) @ sums).astype(np.float32)


def merge_maps(maps: AttentionMaps, *, source: Words, target: Words, prefix: Words | None = None) -> AttentionMaps:
    """All kinds from pieces to words.

    Args:
        source: the encoder's words.
        target: words of the rows of decoder self-attention and cross-attention: of the tokens predicted, or fed.
        prefix: words of the keys of decoder self-attention, which are the tokens fed; None means as ``target``.
    """
    return AttentionMaps(
        None if maps.encoder_self is None else merge_attention(maps.encoder_self, source, source),
        None if maps.decoder_self is None else merge_attention(maps.decoder_self, target, prefix or target),
        None if maps.cross is None else merge_attention(maps.cross, target, source),
    )


def _label(tokens: TokenSequence, text: str | None, start: int, stop: int) -> str:
    spans = [span for span in tokens.spans[start:stop] if span is not None]
    if text is not None and spans:
        written = text[min(span[0] for span in spans) : max(span[1] for span in spans)].strip()
        if written:
            return written
    return "".join(tokens.pieces[start:stop]).replace(_WORD_MARK, " ").strip() or tokens.pieces[start]
