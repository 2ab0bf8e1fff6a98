"""What the changes in force did to the translation: the same sentence without them, word by word."""

from __future__ import annotations

import dataclasses
import math

from model import NONE, Trace
from model.text.tokenizer import without_marks
from viz.components.sentence import Spoken
from viz.panels import errors
from viz.panels.reading import Reading, is_alone, read_under


def verdict(reading: Reading) -> dict[str, Spoken] | None:
    """The translation without the changes and with them; None where nothing is changed or nothing is translated."""
    selection = reading.selection
    if is_alone(reading.bundle) or not (selection.interventions or selection.prefix) or not reading.is_finite:
        return None
    try:
        plain = read_under(reading.bundle, dataclasses.replace(selection, interventions=NONE, prefix=()))
    except errors.USER_ERRORS:
        return None
    return None if plain is None else {"before": spoken(plain.trace), "after": spoken(reading.trace)}


def spoken(trace: Trace) -> Spoken:
    """A translation word by word; token by token where the language puts no spaces between words."""
    target, has_spaces = trace.target, " " in trace.text
    words: list[str] = []
    shares: list[float] = []
    before = None
    for piece, word, log_prob in zip(target.pieces, target.words, trace.log_probs, strict=True):
        if word < 0:
            continue
        if has_spaces and word == before:
            words[-1] += without_marks(piece)
            shares[-1] *= math.exp(float(log_prob))
        else:
            words.append(without_marks(piece))
            shares.append(math.exp(float(log_prob)))
        before = word
    kept = [(word, share) for word, share in zip(words, shares, strict=True) if word]
    joiner = " " if has_spaces else ""
    return Spoken(tuple(word for word, _ in kept), tuple(share for _, share in kept), joiner)
