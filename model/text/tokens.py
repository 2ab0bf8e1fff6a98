"""Converts text to the ids that a bundle's model reads, and ids to tokens, with or without a vocabulary.

Ids are accepted everywhere instead of text, as numbers or as "#5 #12". A checkpoint without a vocabulary accepts only
ids, also as "5 12".
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from model.errors import EmptyTextError, TextError
from model.picture import Picture, is_picture
from model.sound import Sound, is_sound
from model.text.tokenizer import SentencePieceTokenizer, Tokenizer, normalise_with_places
from model.trace import TokenSequence

if TYPE_CHECKING:
    from model.bundle import Bundle
    from model.picture_source import PictureSource


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """Messages rendered with a chat template, up to the beginning of the answer."""

    text: str
    tokens: TokenSequence
    """T tokens, equal to those of ``apply_chat_template``; spans are in characters of ``text``."""
    message_span: tuple[int, int] | None
    """(start, stop) of the last message's tokens; None if the template does not contain the message literally."""

    @property
    def own(self) -> tuple[int, int] | None:
        """``message_span`` under its name in earlier versions."""
        warnings.warn("ChatPrompt.own is now called message_span", DeprecationWarning, stacklevel=2)
        return self.message_span


Source = str | Sequence[int] | ChatPrompt | Picture | Sound
"""A text, ids, a rendered chat message, a picture or a sound; text forms of pictures and sounds are texts."""
_ID = re.compile(r"#\d+")
_HALF = re.compile("[\ud800-\udfff]")
MAX_TOKENS = 1024
"""Maximum tokens of a text whose attention is computed: a longer one would fill the memory of a small machine."""


class LongTextError(TextError):
    """More tokens than the model, or the memory, can take."""


class PrefixError(TextError):
    """The model's vocabulary cannot encode the beginning of the translation."""


def source_tokens(bundle: Bundle, text: Source, *, max_tokens: int = MAX_TOKENS) -> TokenSequence:
    """The encoder's S input tokens, with the special tokens that the model was trained with.

    Special tokens are added to ids only if they are missing. A text is tokenized verbatim, unless
    ``bundle.normalisation`` is set; spans always refer to the original text.

    Args:
        max_tokens: maximum number of tokens, if the model has positions for them.

    Raises:
        EmptyTextError: when the text has no token.
        LongTextError: when it has too many.
        TextError: when an id is beyond the vocabulary, or the text has an unpaired surrogate.
    """
    config = bundle.config
    if bundle.grid is not None:
        return bundle.grid.tokens(text)[0]
    if bundle.picture is not None:
        return _strips(picture_of(bundle, text, bundle.picture), bundle.picture)
    special = (config.bos_id, config.eos_id, config.source_pad_id)
    if isinstance(text, ChatPrompt):
        tokens = text.tokens
    else:
        tokens = _encode(bundle, bundle.source_tokenizer, as_text(text), config.source_vocab_size, special)
    if not len(tokens) or (isinstance(text, str) and not text.strip()):
        raise EmptyTextError("there is nothing to translate: write a sentence")
    before = (config.bos_id,) if config.source_has_bos and tokens.ids[0] != config.bos_id else ()
    after = (config.eos_id,) if config.source_has_eos and tokens.ids[-1] != config.eos_id else ()
    _check_length(bundle, len(before) + len(tokens) + len(after), max_tokens)
    return _join(_special(bundle.source_tokenizer, before), tokens, _special(bundle.source_tokenizer, after))


def target_tokens(bundle: Bundle, text: Source) -> TokenSequence:
    """The T tokens that the decoder should predict for a translation, end of sentence included.

    If the model begins with a language code, it is added, also to ids that lack it.

    Raises:
        LongTextError: when the text has too many tokens.
        TextError: when an id is beyond the vocabulary, or the text has an unpaired surrogate.
    """
    config = bundle.config
    tokens = _encode(bundle, bundle.target_tokenizer, as_text(text), config.target_vocab_size, _target_special(bundle))
    begin, ends = config.target_prefix, tuple(index for index in config.end_ids if index < config.target_vocab_size)
    before = () if tokens.ids[: len(begin)] == begin else begin
    after = () if len(tokens) and tokens.ids[-1] in ends else ends[:1]
    _check_length(bundle, len(before) + len(tokens) + 1)
    return _join(_special(bundle.target_tokenizer, before), tokens, _special(bundle.target_tokenizer, after))


def begun_tokens(bundle: Bundle, text: Source, *, max_tokens: int = MAX_TOKENS) -> TokenSequence:
    """The tokens of a text for a decoder-only model to continue, with the tokenizer's begin tokens.

    An end token that the tokenizer adds to every text is removed, so that the text can be continued; ids are used
    unchanged.

    Args:
        max_tokens: as in ``source_tokens``.

    Raises:
        LongTextError: when the text has too many tokens.
        TextError: when an id is beyond the vocabulary, or the text has an unpaired surrogate.
    """
    config = bundle.config
    if isinstance(text, ChatPrompt):
        _check_length(bundle, len(text.tokens) + 1, max_tokens)
        return text.tokens
    written = as_text(text)
    tokens = _encode(bundle, bundle.source_tokenizer, written, config.target_vocab_size, _target_special(bundle))
    _check_length(bundle, len(tokens) + 1, max_tokens)
    if len(tokens) and config.source_has_bos and tokens.ids[0] != config.bos_id:
        tokens = _join(_special(bundle.source_tokenizer, (config.bos_id,)), tokens)
    if tokens.ids[:2] == (config.bos_id,) * 2 and _writes_bos(bundle, written):
        tokens = _part(tokens, slice(1, None))
    if not len(tokens) or tokens.ids[-1] not in config.end_ids or is_ids(written):
        return tokens
    return _part(tokens, slice(-1))


def _writes_bos(bundle: Bundle, text: str) -> bool:
    """Whether a text begins with the literal begin token, as rendered chat templates do: it is not added twice."""
    tokenizer = bundle.target_tokenizer
    return tokenizer is not None and not is_ids(text) and tokenizer.encode(text).ids[:1] == (bundle.config.bos_id,)


def continuation_ids(bundle: Bundle, text: Source, continuation: Source) -> tuple[int, ...] | None:
    """The ids of the continuation of a decoder-only model's prompt, tokenized together with the prompt.

    Tokenized separately, a SentencePiece vocabulary would put a space before the continuation.

    Returns:
        None if one of them is ids, if texts are normalised, or if a token spans the end of the prompt.
    """
    prompt = text.text if isinstance(text, ChatPrompt) else text
    if not isinstance(prompt, str) or not isinstance(continuation, str) or not continuation:
        return None
    if bundle.normalisation is not None or is_ids(prompt) or is_ids(continuation):
        return None
    tokenizer = bundle.target_tokenizer
    if tokenizer is None:
        return None

    def ids(written: str) -> tuple[int, ...]:
        return (tokenizer.encode(written) if isinstance(text, ChatPrompt) else begun_tokens(bundle, written)).ids

    before, together = ids(prompt), ids(prompt + continuation)
    return together[len(before) :] if together[: len(before)] == before and len(together) > len(before) else None


def picture_of(bundle: Bundle, text: Source, source: PictureSource) -> Picture:
    """The prepared picture for a model that reads pictures, from a picture or its text form.

    Raises:
        EmptyTextError: when the picture has no ink.
        TextError: when it is no picture.
    """
    if not isinstance(text, Picture):
        if not isinstance(text, str) or not is_picture(text):
            if isinstance(text, str) and not text.strip():
                raise EmptyTextError("there is nothing to read: write a word, or give a picture of one")
            raise TextError(
                f"{bundle.name} reads pictures, and {as_text(text)[:40]!r} is a text: give model.Picture.open(path), "
                "or open a model that reads text"
            )
        text = Picture.of_text(text)
    return text.prepared(source)


def _strips(picture: Picture, source: PictureSource) -> TokenSequence:
    """The strips of a prepared picture as tokens, with their pixels as ids and their numbers as pieces."""
    ids = picture.strips(source)
    n = len(ids)
    return TokenSequence(cast("tuple[int, ...]", ids), tuple(map(str, range(n))), tuple(range(n)), (None,) * n)


def written_source(bundle: Bundle, text: Source) -> str:
    """The source text of a trace: for a picture the text form of the prepared picture, else the original text.

    Raises:
        TextError: as ``source_tokens``.
    """
    if bundle.grid is not None:
        return bundle.grid.tokens(text)[1]
    return as_text(text) if bundle.picture is None else picture_of(bundle, text, bundle.picture).text


def as_text(text: Source) -> str:
    """A source as text: rendered messages, text forms of pictures and sounds, ids as "#5 #12".

    Raises:
        TextError: for anything else.
    """
    if isinstance(text, ChatPrompt | Picture | Sound):
        return text.text
    return text if isinstance(text, str) else " ".join(f"#{index}" for index in _whole_numbers(text))


def is_ids(text: str) -> bool:
    """Whether a text consists of ids, such as "#5 #12"."""
    words = text.split()
    return bool(words) and all(_ID.fullmatch(word) for word in words)


def prefix_ids(bundle: Bundle, prefix: str | Sequence[int]) -> tuple[int, ...]:
    """Ids of the beginning of a translation, from text or ids, after the language code if the model has one.

    Raises:
        PrefixError: when the vocabulary lacks a part of it.
    """
    size = bundle.config.target_vocab_size
    if not isinstance(prefix, str):
        ids = _whole_numbers(prefix)
    else:
        tokens = _encode(bundle, bundle.target_tokenizer, prefix, size, _target_special(bundle))
        _refuse_unknown(bundle.target_tokenizer, tokens, prefix)
        ids = tokens.ids
    for index in ids:
        if not 0 <= index < size:
            raise PrefixError(f"the prefix has the id {index}: choose 0 to {size - 1}")
    begin = bundle.config.target_prefix
    return ids if ids[: len(begin)] == begin else (*begin, *ids)


def describe(tokenizer: Tokenizer | None, ids: Sequence[int], special_ids: Iterable[int]) -> TokenSequence:
    """The tokens of ids, such as "#12" without a vocabulary; special tokens belong to no word."""
    special = set(special_ids)
    if tokenizer is None:
        ids = tuple(int(i) for i in ids)
        real = iter(range(len(ids)))
        words = tuple(-1 if i in special else next(real) for i in ids)
        return TokenSequence(ids, tuple(f"#{i}" for i in ids), words, (None,) * len(ids))
    tokens = tokenizer.describe(ids)
    words = tuple(-1 if i in special else w for i, w in zip(tokens.ids, tokens.words, strict=True))
    spans = tuple(None if i in special else s for i, s in zip(tokens.ids, tokens.spans, strict=True))
    return TokenSequence(tokens.ids, tokens.pieces, words, spans)


def describe_target(bundle: Bundle, ids: Sequence[int]) -> TokenSequence:
    """Tokens of target ids."""
    return describe(bundle.target_tokenizer, ids, _target_special(bundle))


def _target_special(bundle: Bundle) -> tuple[int, ...]:
    config = bundle.config
    return config.bos_id, *config.end_ids, config.target_pad_id, *config.target_prefix


def text_of(bundle: Bundle, ids: Sequence[int]) -> str:
    """Text of predicted ids, special tokens left out."""
    special = _target_special(bundle)
    real = [int(i) for i in ids if int(i) not in special]
    if bundle.target_tokenizer is None:
        return " ".join(f"#{i}" for i in real)
    return bundle.target_tokenizer.decode(real)


def pieces_of(bundle: Bundle, ids: Iterable[int]) -> dict[int, str]:
    """The piece of each id."""
    distinct, tokenizer = sorted({int(i) for i in ids}), bundle.target_tokenizer
    if isinstance(tokenizer, SentencePieceTokenizer):  # ``describe`` would also compute words and spans
        return dict(zip(distinct, tokenizer.named(distinct), strict=True))
    return dict(zip(distinct, describe_target(bundle, distinct).pieces, strict=True))


def _encode(
    bundle: Bundle, tokenizer: Tokenizer | None, text: str, vocab_size: int, special: tuple[int, ...]
) -> TokenSequence:
    if is_picture(text):
        raise TextError(
            f"this is a picture, and {bundle.name} reads text: open a model that reads pictures, such as reader"
        )
    if is_sound(text):
        raise TextError(
            f"this is a sound, and {bundle.name} reads text: open a model that reads sound, as Whisper does"
        )
    if tokenizer is None or is_ids(text):
        return _written_ids(tokenizer, text, vocab_size, special)
    _refuse_halves(text)
    if bundle.normalisation is None:
        return _replace_unembedded(tokenizer, tokenizer.encode(text), vocab_size)
    plain, places = normalise_with_places(text)
    tokens = tokenizer.encode(plain)
    spans = tuple(None if span is None else _in_text(span, places) for span in tokens.spans)
    return _replace_unembedded(tokenizer, TokenSequence(tokens.ids, tokens.pieces, tokens.words, spans), vocab_size)


def _replace_unembedded(tokenizer: Tokenizer, tokens: TokenSequence, size: int) -> TokenSequence:
    """Replace tokens without an embedding by the unknown token.

    Raises:
        TextError: naming the token, if the tokenizer has no unknown token.
    """
    beyond = [place for place, index in enumerate(tokens.ids) if index >= size]
    if not beyond:
        return tokens
    unknown = getattr(tokenizer, "unknown_id", None)
    if unknown is None or not 0 <= unknown < size:
        piece, index = tokens.pieces[beyond[0]], tokens.ids[beyond[0]]
        raise TextError(
            f"the tokenizer writes “{piece[:40]}” as {index}, and the model has embeddings for 0 to {size - 1} alone: "
            "write it in other words, or give the tokenizer that the model was trained with"
        )
    piece = tokenizer.describe([unknown]).pieces[0]
    ids, pieces = list(tokens.ids), list(tokens.pieces)
    for place in beyond:
        ids[place], pieces[place] = unknown, piece
    return TokenSequence(tuple(ids), tuple(pieces), tokens.words, tokens.spans)


def _whole_numbers(ids: Any) -> tuple[int, ...]:
    items: tuple[Any, ...] = tuple(ids) if isinstance(ids, Iterable) and not isinstance(ids, bytes) else (None,)
    if all(hasattr(item, "__index__") for item in items):
        return tuple(int(item) for item in items)
    raise TextError(
        f"{ids!r:.60} is neither a text nor token ids: give a string or whole numbers, and several texts as a list"
    )


def _in_text(span: tuple[int, int], places: Sequence[int]) -> tuple[int, int]:
    """Convert a span of the normalised text to one of the original text."""
    start, stop = span
    return (places[start], places[stop - 1] + 1) if stop > start else (places[start], places[start])


def _written_ids(tokenizer: Tokenizer | None, text: str, vocab_size: int, special: tuple[int, ...]) -> TokenSequence:
    spans, ids = [], []
    for match in re.finditer(r"\S+", text):
        written = match.group().removeprefix("#")
        is_number = written.isascii() and written.isdigit() and len(written) < 10
        if not is_number and tokenizer is None:
            raise TextError(
                f"this checkpoint has no tokens, and “{match.group()[:40]}” is not an id: "
                f"write ids from 0 to {vocab_size - 1}, such as “#5 #12”, or add its list of tokens"
            )
        if not is_number or int(written) >= vocab_size:
            raise TextError(f"there is no id “{match.group()[:40]}”: write ids from 0 to {vocab_size - 1}")
        ids.append(int(written))
        spans.append(match.span())
    tokens = describe(tokenizer, ids, special)
    return TokenSequence(tokens.ids, tokens.pieces, tokens.words, tuple(spans))


def _refuse_halves(text: str) -> None:
    half = _HALF.search(text)
    if half:
        code = f"U+{ord(half.group()):04X}"
        raise TextError(f"the text contains half a character ({code} alone): copy it again, or delete it")


def _special(tokenizer: Tokenizer | None, ids: tuple[int, ...]) -> TokenSequence:
    return describe(tokenizer, ids, ids) if ids else TokenSequence((), (), (), ())


def _join(*parts: TokenSequence) -> TokenSequence:
    return TokenSequence(
        sum((part.ids for part in parts), ()),
        sum((part.pieces for part in parts), ()),
        sum((part.words for part in parts), ()),
        sum((part.spans for part in parts), ()),
    )


def _part(tokens: TokenSequence, places: slice) -> TokenSequence:
    return TokenSequence(tokens.ids[places], tokens.pieces[places], tokens.words[places], tokens.spans[places])


def _refuse_unknown(tokenizer: Tokenizer | None, tokens: TokenSequence, prefix: str) -> None:
    unknown = getattr(tokenizer, "unknown_id", None)
    for index, span in zip(tokens.ids, tokens.spans, strict=True):
        if index == unknown:
            part = prefix[slice(*span)] if span else prefix
            raise PrefixError(f"the vocabulary has no tokens for “{part}”: choose another word for the beginning")


def n_positions(bundle: Bundle) -> int | None:
    """Number of positions of the model's table; None if positions are computed."""
    if bundle.config.positions == "learned":
        return bundle.config.max_positions - bundle.config.position_offset
    return getattr(bundle.model, "n_positions", None)


def _check_length(bundle: Bundle, length: int, max_tokens: int = MAX_TOKENS) -> None:
    known = n_positions(bundle)
    limit = max_tokens if known is None else min(max_tokens, known)
    if length > limit:
        raise LongTextError(f"the text has {length:,} tokens and the limit is {limit:,}: shorten it or split it")
