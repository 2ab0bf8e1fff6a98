"""A tokenized text as model input: the encoder's tokens and the decoder's first tokens.

A decoder-only model has no encoder: it reads a text as the prompt at the beginning of its output.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from model.bundle import Bundle
from model.decoding.step import DecodingError
from model.interventions import KINDS, AttentionKind
from model.text.tokens import (
    MAX_TOKENS,
    EmptyTextError,
    Source,
    as_text,
    begun_tokens,
    continuation_ids,
    describe_target,
    n_positions,
    prefix_ids,
    source_tokens,
    target_tokens,
    written_source,
)
from model.trace import TokenSequence, Trace

NO_TOKENS = TokenSequence((), (), (), ())


@dataclass(frozen=True, slots=True)
class Reading:
    """The encoder's input and the decoder's first tokens."""

    text: str
    source: TokenSequence
    """S tokens; empty for a decoder-only model."""
    begin: int
    """The id that the decoder is fed first."""
    prefix: tuple[int, ...]
    """The ids that the decoder is forced to predict first."""
    n_read: int
    """Number of tokens of the text."""

    def max_new_tokens(self, bundle: Bundle, requested: int | None) -> int:
        """The limit of decoding in tokens, the prefix included; DecodingError if it leaves nothing to predict.

        Args:
            requested: the ``max_length`` of ``translate``, which does not count a prompt.
        """
        limit = 2 * self.n_read + 16 + len(self.prefix) if requested is None else requested
        if limit < 1:
            raise DecodingError(f"max_length ({limit}) must be at least 1")
        if requested is not None and not len(self.source):
            limit += self.n_read - 1
        known = n_positions(bundle)
        limit = limit if known is None else min(limit, known)
        if len(self.prefix) >= limit:
            raise DecodingError(
                f"the prefix has {len(self.prefix)} tokens and max_length is {limit}: raise max_length or shorten the "
                "prefix"
            )
        return limit


@dataclass(frozen=True, slots=True)
class GivenTranslation:
    """A text and its translation, or a prompt and its continuation, as tokens to score."""

    text: str
    source: TokenSequence
    """S tokens; empty for a decoder-only model."""
    prefix: TokenSequence
    """T tokens that the decoder is fed."""
    target: TokenSequence
    """T tokens to be predicted."""


def read_text(bundle: Bundle, text: Source, prefix: str | Sequence[int] = ()) -> Reading:
    """Tokenize a text and the beginning of its translation.

    Raises:
        TextError: when the text or the prefix cannot be read by this model.
        DecodingError: for an encoder-only model, which predicts no tokens.
    """
    check_predicts(bundle)
    begun = prefix_ids(bundle, prefix)
    if "cross" in kinds_of(bundle) or "encoder_self" in kinds_of(bundle):
        source = source_tokens(bundle, text)
        return Reading(written_source(bundle, text), source, bundle.config.bos_id, begun, len(source))
    ids = prompt_tokens(bundle, text).ids
    together = continuation_ids(bundle, text, prefix)
    begun = begun if together is None else together
    return Reading(as_text(text), NO_TOKENS, ids[0], (*ids[1:], *begun), len(ids))


def read_translation(bundle: Bundle, text: Source, target: Source) -> GivenTranslation:
    """Tokenize a text and its translation.

    Raises:
        TextError: when one of them cannot be read by this model.
        DecodingError: for an encoder-only model, which predicts no tokens.
    """
    reading, predicted = read_text(bundle, text), target_tokens(bundle, target)
    if len(reading.source):
        return GivenTranslation(reading.text, reading.source, decoder_input(bundle, predicted), predicted)
    together = continuation_ids(bundle, text, target)
    if together is not None:
        ends = bundle.config.end_ids
        predicted_ids = together if together[-1] in ends else (*together, *(i for i in predicted.ids[-1:] if i in ends))
    else:
        predicted_ids = predicted.ids
    ids = (reading.begin, *reading.prefix, *predicted_ids)
    prefix, whole = describe_target(bundle, ids[:-1]), describe_target(bundle, ids[1:])
    return GivenTranslation(reading.text, reading.source, prefix, whole)


def decoder_input(bundle: Bundle, target: TokenSequence) -> TokenSequence:
    """The decoder's input while it predicts T target tokens: begin of sentence and the first T-1."""
    return describe_target(bundle, (bundle.config.bos_id,)).before(target.part(0, -1))


def prompt_tokens(bundle: Bundle, text: Source, *, max_tokens: int = MAX_TOKENS) -> TokenSequence:
    """The tokens of a prompt for a decoder-only model, at most ``max_tokens``.

    Raises:
        EmptyTextError: when the text has no token.
        TextError: when the text cannot be read by this model.
    """
    tokens = begun_tokens(bundle, text, max_tokens=max_tokens)
    if not len(tokens):
        raise EmptyTextError("there is nothing to continue: write the beginning of a text")
    return tokens


def kinds_of(bundle: Bundle) -> tuple[AttentionKind, ...]:
    """The kinds of attention that a bundle's model has."""
    return getattr(bundle.model, "kinds", KINDS)


def check_predicts(bundle: Bundle) -> None:
    """Raise DecodingError for an encoder-only model; the message says what it can do instead."""
    if kinds_of(bundle) == ("encoder_self",):
        raise DecodingError(
            f"{bundle.name} is only an encoder and predicts no tokens, so it can neither translate nor score: use "
            "model.read for its attention, or choose a model with a decoder"
        )


def check_step(bundle: Bundle, trace: Trace, step: int, *ids: int | None) -> None:
    """Raise DecodingError for a step beyond the translation or an id outside the vocabulary; None is not checked."""
    if not 0 <= step < len(trace.target):
        raise DecodingError(f"there is no step {step}: choose 0 to {len(trace.target) - 1}")
    n_tokens = bundle.config.target_vocab_size
    for index in ids:
        if index is not None and not 0 <= index < n_tokens:
            raise DecodingError(f"there is no word {index}: choose 0 to {n_tokens - 1}")
