"""Which source word each token of a translation depends on, and which tokens are words."""

from __future__ import annotations

import numpy as np

from model.bundle import Bundle
from model.inference.teacher_forcing import token_log_probs
from model.interventions import BlockedKey, Interventions
from model.trace import Trace


def own_words(bundle: Bundle, trace: Trace) -> tuple[int, ...]:
    """For each of T predicted tokens the source token without which its probability falls most."""
    hidden = [
        Interventions(blocked_keys=(BlockedKey("encoder_self", place), BlockedKey("cross", place)))
        for place in range(len(trace.source))
    ]
    without = token_log_probs(bundle, trace.source.ids, trace.prefix.ids, trace.target.ids, interventions=hidden)
    without = np.where([[is_word(piece)] for piece in trace.source.pieces], without, np.inf)  # (S, T)
    return tuple(int(place) for place in without.argmin(0))


def is_word(piece: str) -> bool:
    """Whether a token is a word or a part of one, not a mark or a special token."""
    return any(letter.isalnum() for letter in piece) and not piece.startswith("<")


def last_word(trace: Trace) -> range:
    """The steps that write the last word of the translation, punctuation left out; the first step where it has none.

    In a language that puts no spaces between words, the step of its last token that is a word.
    """
    target = trace.target
    steps = [step for step, piece in enumerate(target.pieces) if is_word(piece) and not target.is_special[step]]
    if not steps:
        return range(1)
    last = first = steps[-1]
    has_spaces = len({target.words[step] for step in steps}) > 1
    while has_spaces and first and target.words[first - 1] == target.words[last]:
        first -= 1
    return range(first, last + 1)
