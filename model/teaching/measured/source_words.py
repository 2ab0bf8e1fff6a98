"""Which source word each token of a translation depends on, and which tokens are words."""

from dataclasses import dataclass

import numpy as np

from model.bundle import Bundle
from model.inference.teacher_forcing import token_log_probs
from model.interventions import NONE, BlockedKey, Interventions
from model.trace import Trace


def aligned_source_tokens(bundle: Bundle, trace: Trace) -> tuple[int, ...]:
    """For each of T predicted tokens, the source token whose removal lowers its probability most."""
    hidden = [
        Interventions(blocked_keys=(BlockedKey("encoder_self", place), BlockedKey("cross", place)))
        for place in range(len(trace.source))
    ]
    without = token_log_probs(bundle, trace.source.ids, trace.prefix.ids, trace.target.ids, interventions=hidden)
    without = np.where([[is_word(piece)] for piece in trace.source.pieces], without, np.inf)  # (S, T)
    return tuple(int(place) for place in without.argmin(0))


@dataclass(frozen=True, slots=True)
class WithoutWords:
    """The probability of a translation's last word when a source word is hidden from the decoder."""

    words: tuple[range, ...]
    """The source tokens of each word."""
    names: tuple[str, ...]
    before: float
    """Probability of the last word, 0 to 1; the product of those of its tokens."""
    after: tuple[float, ...]
    """The same with each word hidden from the decoder; the encoder has read it."""

    @property
    def most(self) -> int:
        """The word whose removal lowers the probability most."""
        return int(np.argmin(self.after))

    @property
    def least_of_others(self) -> float:
        """The smallest probability that any other word leaves; the one before where there is no other."""
        return min((p for place, p in enumerate(self.after) if place != self.most), default=self.before)


def without_words(bundle: Bundle, *, trace: Trace) -> WithoutWords:
    """Hide each source word from the decoder in turn, with the translation as the forced target.

    Raises:
        RegardError: where the model does not allow hiding a token.
    """
    words, steps = source_words(trace), list(last_word(trace))
    hidden = [hide_from_decoder(word) for word in words]
    scored = token_log_probs(
        bundle, trace.source.ids, trace.prefix.ids, trace.target.ids, interventions=[NONE, *hidden]
    )[:, steps].sum(-1)  # (1 + words,)
    before, *after = np.exp(scored).tolist()
    names = tuple("".join(trace.source.pieces[word.start : word.stop]).replace("▁", "") for word in words)
    return WithoutWords(words, names, before, tuple(after))


def hide_from_decoder(tokens: range) -> Interventions:
    """Hide source tokens from the cross-attention."""
    return Interventions(blocked_keys=tuple(BlockedKey("cross", token) for token in tokens))


def source_words(trace: Trace) -> tuple[range, ...]:
    """The source tokens of each word; punctuation is a separate word. Without spaces in the text, each token is one."""
    source, starts = trace.source, []
    tokens = [i for i, is_special in enumerate(source.is_special) if not is_special]
    for place in tokens:
        is_inner = place - 1 in tokens and is_word(source.pieces[place - 1]) and is_word(source.pieces[place])
        if not (is_inner and not source.pieces[place].startswith("▁")):
            starts.append(place)
    if len(starts) < 2:
        starts = tokens
    ends = [*starts[1:], tokens[-1] + 1] if tokens else []
    return tuple(range(start, end) for start, end in zip(starts, ends, strict=True))


def is_word(piece: str) -> bool:
    """Whether a token is a word or part of one, not punctuation or a special token."""
    return any(letter.isalnum() for letter in piece) and not piece.startswith("<")


def last_word(trace: Trace) -> range:
    """The steps that write the translation's last word, without punctuation; the first step if there is no word.

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
