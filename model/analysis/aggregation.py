"""Merges per-token results to words, and to spans that the caller names.

Over input tokens (of the source or the prefix), a word's value is the sum over its pieces. Over predicted tokens it is
the sum for additive values such as nats, and the mean for values that are distributions per prediction, such as
attention weights (Clark et al. 2019, section 4.1). Totals are preserved.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.analysis.words import Words, group_by_key, unspaced_words, words_of
from model.trace import AttentionMaps, Floats, ShapeError, TokenSequence, Trace

Span = str | tuple[int, int]
"""A phrase of the text, or a range of its characters."""
_MAPS = {
    "encoder_self": ("source", "source"), "decoder_self": ("target", "prefix"), "cross": ("target", "source"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ByWords:
    """A result over W words and spans instead of tokens."""

    source: Words
    target: Words
    """Words of the predicted tokens."""
    prefix: Words
    """Words of the decoder's input: begin of sentence, and the tokens before each prediction."""
    arrays: Mapping[str, Floats]
    """By field name of the result, or by kind of attention; the token axes are word axes."""

    def __getitem__(self, name: str) -> Floats:
        return self.arrays[name]


def by_words(
    measured: Any,
    trace: Trace,
    *,
    source_spans: Mapping[str, Span] | None = None,
    target_spans: Mapping[str, Span] | None = None,
) -> ByWords:
    """Merge a result of this trace from pieces to words.

    Text without spaces is split into words by jieba if it is installed and the text is Chinese, otherwise into
    characters.

    Args:
        measured: the trace itself (its attention and ``log_probs``), AttentionMaps, or a result of
            ``token_attribution``, ``source_contribution``, ``gradient_attention`` or ``head_effects``.
        source_spans: named spans to merge into one: phrases of the source, such as ``{"subject": "The old man"}``, of
            which the first occurrence counts, or ranges of its characters.
        target_spans: the same for the translation.

    Raises:
        ShapeError: when the result has no token axis, or a phrase is not in the text.
    """
    words = {
        "source": merge_spans(trace.source, trace.source_text, source_spans or {}),
        "target": merge_spans(trace.target, trace.text, target_spans or {}),
        "prefix": merge_spans(trace.prefix, trace.text, target_spans or {}),
    }
    arrays = {
        name: _merge_tokens(name, array, [words[side] for side in sides], adds=adds)
        for name, array, sides, adds in _arrays(measured)
    }
    return ByWords(**words, arrays=arrays)


def merge_spans(tokens: TokenSequence, text: str, spans: Mapping[str, Span]) -> Words:
    """The words of a sequence, with the tokens of each span merged into one.

    Raises:
        ShapeError: when a phrase is not in the text, or a span has no token.
    """
    words = unspaced_words(words_of(tokens, text), tokens, text)
    groups, labels = words.groups.tolist(), [words.labels[group] for group in words.groups]
    for place, (name, span) in enumerate(spans.items()):
        for index in positions_of(tokens, text, span):
            groups[index], labels[index] = -1 - place, name
    return group_by_key(
        groups, lambda start, _: labels[start], lambda start: groups[start] >= 0 and words.is_special[groups[start]]
    )


def positions_of(tokens: TokenSequence, text: str, span: Span) -> tuple[int, ...]:
    """The token positions of a phrase of whole words, or of a range of characters.

    Raises:
        ShapeError: when there is none.
    """
    start, stop = _range(text, span) if isinstance(span, str) else span
    positions = tuple(
        i for i, piece in enumerate(tokens.spans) if piece is not None and piece[0] < stop and start < piece[1]
    )
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
    """Whether a word continues beyond the phrase; never in Chinese, which has no word boundaries."""
    return token.isascii() and token.isalnum() and neighbour.isalnum()


def _arrays(measured: Any) -> list[tuple[str, Floats, tuple[str, ...], bool]]:
    """(name, array, meaning of its last axes, whether it is additive over predictions)."""
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


def _merge_tokens(name: str, array: Floats, axes: list[Words], *, adds: bool) -> Floats:
    """Merge the token axes at the end of an array to word axes; of two axes the last has the keys."""
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
