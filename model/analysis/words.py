"""Merges pieces to words: the mean over a word's pieces as queries, and the sum over its pieces as keys.

This is the rule of Clark et al. (2019, section 4.1); rows still sum to 1.
"""

import logging
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.text.tokenizer import without_marks
from model.trace import AttentionMaps, Floats, ShapeError, TokenSequence


@dataclass(frozen=True, slots=True)
class Words:
    """N pieces grouped to W words; each special token is a separate word."""

    labels: tuple[str, ...]
    """W words."""
    groups: NDArray[np.int64]
    """(N,) index of each piece's word, from 0 without gaps."""
    is_special: tuple[bool, ...]
    """Whether each of W words is a special token."""

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.is_special):
            raise ShapeError(f"{len(self.labels)} words, but {len(self.is_special)} is_special flags")
        if len(self.groups) and (self.groups[0] != 0 or self.groups[-1] != len(self.labels) - 1):
            raise ShapeError(f"groups {self.groups.tolist()} do not number {len(self.labels)} words")

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def membership(self) -> NDArray[np.float64]:
        """(N, W): 1 where a piece belongs to a word, otherwise 0."""
        return (self.groups[:, None] == np.arange(len(self))).astype(np.float64)

    def pieces_of(self, word: int) -> tuple[int, ...]:
        """Indexes of the pieces of a word."""
        return tuple(int(index) for index in np.flatnonzero(self.groups == word))


def words_of(tokens: TokenSequence, text: str | None = None) -> Words:
    """Group neighbouring pieces of one word.

    With the text that the spans refer to, labels are taken from it, which also restores byte pieces (``<0xE4>``);
    otherwise the pieces of a word are joined.
    """
    return words_from(tokens.words, lambda start, stop: _label(tokens, text, start, stop))


def words_from(words: Sequence[int], label: Callable[[int, int], str]) -> Words:
    """Group neighbouring pieces with the same number; each piece with -1 is special and a separate word.

    Args:
        words: (N,) the number of each piece's word.
        label: the label of the pieces from ``start`` up to ``stop``.
    """
    keys = [word if word >= 0 else -1 - at for at, word in enumerate(words)]
    return group_by_key(keys, label, lambda start: words[start] < 0)


def group_by_key(keys: Sequence[Any], label: Callable[[int, int], str], is_special: Callable[[int], bool]) -> Words:
    """Group neighbouring pieces with the same key; the first piece of a word decides whether it is special."""
    starts = [at for at, key in enumerate(keys) if at == 0 or key != keys[at - 1]]
    stops = [*starts[1:], len(keys)][: len(starts)]
    begins = np.zeros(len(keys), np.int64)
    begins[starts] = 1
    return Words(tuple(map(label, starts, stops)), begins.cumsum() - 1, tuple(map(is_special, starts)))


def unspaced_words(words: Words, tokens: TokenSequence, text: str) -> Words:
    """Split text without spaces into words by jieba, if it is installed and the text is Chinese, else into characters.

    A token is never split: one that covers several words stays whole.
    """
    if not _UNSPACED.search(text):
        return words
    starts = _word_starts(text)
    keys: list[tuple[int, int]] = []
    for index, span in enumerate(tokens.spans):
        group = int(words.groups[index])
        begun = bisect_right(starts, span[0]) if span is not None and span[0] < span[1] else None
        is_inside = begun is None and index > 0 and keys[-1][0] == group
        keys.append((group, keys[-1][1] if is_inside else begun or 0))
    return group_by_key(keys, partial(_label, tokens, text), lambda start: words.is_special[keys[start][0]])


_HAN, _KANA = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff", "\u3040-\u30ff\u31f0-\u31ff"
_UNSPACED = re.compile(f"[{_HAN}{_KANA}]")
_RUN = re.compile(f"[{_HAN}{_KANA}]+")
_KANA_RUN = re.compile(f"[{_KANA}]")


def _word_starts(text: str) -> list[int]:
    """Offsets at which words begin in the parts of a text without spaces, and at which those parts end."""
    cut = None if _KANA_RUN.search(text) else _chinese_words()
    starts: set[int] = set()
    for run in _RUN.finditer(text):
        place = run.start()
        for word in run[0] if cut is None else cut(run[0]):
            starts.add(place)
            place += len(word)
        starts.add(run.end())
    return sorted(starts)


def _chinese_words() -> Callable[[str], list[str]] | None:
    """jieba's tokenizer; None if it is not installed."""
    try:
        import jieba
    except ImportError:
        return None
    jieba.setLogLevel(logging.WARNING)
    return jieba.lcut


def merge_attention(weights: Floats, queries: Words, keys: Words) -> Floats:
    """Merge weights from pieces to words, (…, Q, K) -> (…, words of Q, words of K).

    Raises:
        ShapeError: when the words do not cover the axes.
    """
    if weights.shape[-2:] != (len(queries.groups), len(keys.groups)):
        raise ShapeError(
            f"weights {weights.shape[-2:]} for {len(queries.groups)} query and {len(keys.groups)} key pieces"
        )
    means = queries.membership.T  # (words, Q)
    means /= means.sum(-1, keepdims=True)
    return (means @ weights.astype(np.float64) @ keys.membership).astype(np.float32)


def merge_maps(maps: AttentionMaps, *, source: Words, target: Words, prefix: Words | None = None) -> AttentionMaps:
    """Merge all kinds of attention from pieces to words.

    Args:
        source: the encoder's words.
        target: words of the rows of decoder self-attention and cross-attention: of the predicted tokens, or of those
            fed.
        prefix: words of the keys of decoder self-attention, which are the tokens fed; None means ``target``.
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
    return readable(tokens.pieces[start:stop]) or tokens.pieces[start]


def readable(pieces: Sequence[str]) -> str:
    """Pieces as text: without word marks, and with byte pieces (<0xE7>) decoded to characters."""
    written = "".join(without_marks(piece.removeprefix("##").removesuffix("@@")) for piece in pieces)
    return decoded_bytes(written).strip()


def decoded_bytes(written: str) -> str:
    """Decode runs of byte pieces (<0xE7>) to characters; a run that cuts a character apart stays as it is."""

    def characters(run: re.Match[str]) -> str:
        try:
            return bytes.fromhex(run[0].replace("<0x", "").replace(">", "")).decode("utf-8")
        except UnicodeDecodeError:
            return run[0]

    return re.sub(r"(?:<0x[0-9A-F]{2}>)+", characters, written)
