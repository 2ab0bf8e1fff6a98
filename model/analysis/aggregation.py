"""From tokens to words, and to spans that the reader names, for every result that has a number for each token.

A word's number as something that is read (a source token, or one already written) is the sum over its pieces. As
something predicted it is the sum where numbers add up over predictions, as nats do, and the mean where each prediction
shares out a whole, as attention weights do (Clark et al. 2019, section 4.1). Totals stay what they were.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.analysis.words import Words, grouped, unspaced_words, words_of
from model.trace import AttentionMaps, Floats, ShapeError, TokenSequence, Trace

Span = str | tuple[int, int]
"""A phrase of the text, or a range of its characters."""
_MAPS = {
    "encoder_self": ("source", "source"), "decoder_self": ("target", "prefix"), "cross": ("target", "source"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ByWords:
    """A result over W words and spans in place of tokens."""

    source: Words
    target: Words
    """Of predicted tokens."""
    prefix: Words
    """Of the decoder's input: begin of sentence, and the tokens before each prediction."""
    arrays: Mapping[str, Floats]
    """By the names of the result's fields, or of the kinds of attention, with words on the axes of tokens."""

    def __getitem__(self, name: str) -> Floats:
        return self.arrays[name]


def by_words(
    measured: Any,
    trace: Trace,
    *,
    source_spans: Mapping[str, Span] | None = None,
    target_spans: Mapping[str, Span] | None = None,
) -> ByWords:
    """A result of this trace from pieces to words.

    Args:
        measured: the trace itself (its attention and ``log_probs``), AttentionMaps, or a result of
            ``token_attribution``, ``source_contribution``, ``gradient_attention`` or ``head_effects``.
            Chinese and Japanese are read by words where jieba is installed, and otherwise by characters; never by what
            stands between two spaces.
        source_spans: tokens to be read as one, by the name that they get: phrases of the source, such as
            ``{"subject": "The old man"}``, or ranges of its characters. Where a phrase stands twice, the first counts.
        target_spans: the same of the translation.

    Raises:
        ShapeError: when the result has no axis of tokens, or a phrase is not in the text.
    """
    words = {
        "source": spanned(trace.source, trace.source_text, source_spans or {}),
        "target": spanned(trace.target, trace.text, target_spans or {}),
        "prefix": spanned(trace.prefix, trace.text, target_spans or {}),
    }
    arrays = {
        name: _merged(name, array, [words[side] for side in sides], adds=adds)
        for name, array, sides, adds in _arrays(measured)
    }
    return ByWords(**words, arrays=arrays)


def spanned(tokens: TokenSequence, text: str, spans: Mapping[str, Span]) -> Words:
    """The words of a sequence, with the tokens of each span as one.

    Raises:
        ShapeError: when a phrase is not in the text, or a span has no token.
    """
    words = unspaced_words(words_of(tokens, text), tokens, text)
    groups, labels = words.groups.tolist(), [words.labels[group] for group in words.groups]
    for place, (name, span) in enumerate(spans.items()):
        for index in positions_of(tokens, text, span):
            groups[index], labels[index] = -1 - place, name
    return grouped(
        groups, lambda start, _: labels[start], lambda start: groups[start] >= 0 and words.is_special[groups[start]]
    )


def positions_of(tokens: TokenSequence, text: str, span: Span) -> tuple[int, ...]:
    """The tokens of a phrase, whole words of the text, or of a range of its characters.

    Raises:
        ShapeError: when there is none.
    """
    start, stop = _range(text, span) if isinstance(span, str) else span
    positions = tuple(i for i, own in enumerate(tokens.spans) if own is not None and own[0] < stop and start < own[1])
    if not positions:
        raise ShapeError(f"no token stands at {span!r:.60} in “{text[:80]}”: give a phrase or characters of the text")
    return positions


def _range(text: str, phrase: str) -> tuple[int, int]:
    start = text.find(phrase) if phrase else -1
    while start >= 0:
        stop = start + len(phrase)
        if not _goes_on(phrase[0], text[start - 1 : start]) and not _goes_on(phrase[-1], text[stop : stop + 1]):
            return start, stop
        start = text.find(phrase, start + 1)
    raise ShapeError(f"{phrase!r:.60} does not stand in “{text[:80]}”: give a phrase as it is written there")


def _goes_on(token: str, neighbour: str) -> bool:
    """Whether a word goes on beyond the phrase; Chinese words are found anywhere."""
    return token.isascii() and token.isalnum() and neighbour.isalnum()


def _arrays(measured: Any) -> list[tuple[str, Floats, tuple[str, ...], bool]]:
    """Name, array, what its last axes are, and whether it adds up over predictions."""
    if isinstance(measured, Trace):
        return [("log_probs", measured.log_probs, ("target",), True), *_arrays(measured.attention)]
    if isinstance(measured, AttentionMaps):
        return [(kind, maps, _MAPS[kind], False) for kind in measured.kinds if (maps := measured.of(kind)) is not None]
    axes: Mapping[str, tuple[str, ...]] = getattr(measured, "TOKEN_AXES", {})
    if not axes:
        raise ShapeError(f"{type(measured).__name__} has no numbers for each token: see by_words for what has")
    adds, arrays = getattr(measured, "is_signed", True), []
    for name, sides in axes.items():
        value = getattr(measured, name)
        if isinstance(value, AttentionMaps):
            arrays += [(kind, maps, sides, True) for kind, maps, sides, _ in _arrays(value)]
        elif isinstance(value, Mapping):
            arrays += [(kind, array, sides, adds) for kind, array in value.items()]
        else:
            arrays.append((name, value, sides, adds))
    return arrays


def _merged(name: str, array: Floats, axes: list[Words], *, adds: bool) -> Floats:
    """An array whose last axes are tokens, with words there; the last of two axes holds the keys."""
    shape = tuple(len(words.groups) for words in axes)
    if array.shape[-len(axes) :] != shape:
        raise ShapeError(f"{name} is {array.shape[-len(axes) :]} for {shape} tokens: give the trace it was made of")
    merged = array.astype(np.float64)
    for place, words in enumerate(axes):
        axis = place - len(axes)
        sums = words.membership  # (N, W)
        if not adds and (place == 0 and len(axes) == 2):
            sums /= sums.sum(0)
        merged = np.moveaxis(np.moveaxis(merged, axis, -1) @ sums, -1, axis)
    return merged.astype(np.float32)
