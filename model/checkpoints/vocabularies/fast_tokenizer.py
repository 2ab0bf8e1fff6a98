"""Adapter for a tokenizer.json of the ``tokenizers`` library, with words found by its word marks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import tokenizers
from tokenizers.decoders import ByteLevel

from model.text.tokenizer import SPACE_MARK, WORD_MARK, TokenizerError
from model.trace import TokenSequence

_LINE_END = "Ċ"
"""In byte-level vocabularies (GPT-2)."""
_PRINTED = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_OTHERS = sorted(set(range(0x100)) - set(_PRINTED))
_BYTES = {chr(byte): byte for byte in _PRINTED} | {chr(0x100 + place): byte for place, byte in enumerate(_OTHERS)}
"""The byte that each character of a byte-level vocabulary stands for (GPT-2's ``bytes_to_unicode``)."""
_MARKS = {byte: mark for mark, byte in _BYTES.items() if byte in b"\t\n\r "}


class FastTokenizer:
    """A tokenizer.json of the ``tokenizers`` library."""

    def __init__(self, loaded: tokenizers.Tokenizer) -> None:
        self._loaded = loaded
        loaded.no_padding()
        loaded.no_truncation()

    @classmethod
    def load(cls, path: Path) -> FastTokenizer:
        """Read a tokenizer.json.

        Raises:
            TokenizerError: when the library cannot read it.
        """
        try:
            return cls(tokenizers.Tokenizer.from_file(str(path)))
        except Exception as error:  # the library raises plain Exception
            raise TokenizerError(f"{path.name} is not a tokenizer.json ({str(error)[:120]})") from error

    @property
    def size(self) -> int:
        """Entries in the vocabulary."""
        return self._loaded.get_vocab_size()

    @property
    def content(self) -> bytes:
        """The tokenizer.json."""
        return self._loaded.to_str().encode()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every token, by id."""
        return tuple(self._loaded.id_to_token(index) or f"#{index}" for index in range(self.size))

    def encode(self, text: str) -> TokenSequence:
        """The text's tokens; no special token is added."""
        encoding = self._loaded.encode(text, add_special_tokens=False)
        pieces = as_text(encoding.tokens, self._loaded)
        return marked_tokens(encoding.ids, pieces, [False] * len(encoding.ids), list(encoding.offsets))

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """The tokens of ids."""
        special = {index for index, token in self._loaded.get_added_tokens_decoder().items() if token.special}
        pieces = [self._loaded.id_to_token(int(index)) or f"#{index}" for index in ids]
        return marked_tokens(ids, as_text(pieces, self._loaded), [int(index) in special for index in ids], None)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids, without special tokens."""
        return self._loaded.decode([int(index) for index in ids], skip_special_tokens=True)

    def save(self, folder: Path, stem: str) -> str:
        """Write ``stem.json`` and return its name."""
        name = f"{stem}.json"
        (folder / name).write_text(self._loaded.to_str(), "utf-8")
        return name


def as_text(pieces: Sequence[str], tokenizer: tokenizers.Tokenizer | None) -> list[str]:
    """Decode pieces of a byte-level vocabulary: "cafÃ©" becomes "café", a byte that is no whole character <0xC3>.

    Spaces, tabs and line ends keep the vocabulary's marks; pieces of other vocabularies stay unchanged.
    """
    is_byte_level = tokenizer is not None and isinstance(tokenizer.decoder, ByteLevel)
    return [_from_bytes(piece) if is_byte_level else piece for piece in pieces]


def _from_bytes(piece: str) -> str:
    if not all(character in _BYTES for character in piece):
        return piece  # an added token is written as text
    text = bytes(_BYTES[character] for character in piece).decode("utf-8", "surrogateescape")
    return "".join(_named_byte(character) or _MARKS.get(ord(character), character) for character in text)


def _named_byte(character: str) -> str:
    """<0xC3> for a surrogate (a byte of an incomplete character) or a control character."""
    code = ord(character) - 0xDC00 * ("\udc80" <= character <= "\udcff")
    return f"<0x{code:02X}>" if code != ord(character) or (code < 0x20 and code not in _MARKS) else ""


def marked_tokens(
    ids: Sequence[int], pieces: Sequence[str], special: Sequence[bool], spans: Sequence[tuple[int, int] | None] | None
) -> TokenSequence:
    """A TokenSequence from a library's ids, pieces, special flags and, if known, spans."""
    places = [
        None if is_special else span for is_special, span in zip(special, spans or [None] * len(ids), strict=True)
    ]
    return TokenSequence(tuple(map(int, ids)), tuple(pieces), _words(pieces, special), tuple(places))


def _words(pieces: Sequence[str], special: Sequence[bool]) -> tuple[int, ...]:
    """Word indexes from word marks: ▁ and Ġ begin a word, ## continues it, and after @@ it continues.

    Line ends are separate words.
    """
    has_marks = any(piece.startswith((WORD_MARK, SPACE_MARK)) for piece in pieces)
    words, word, is_open, was_break = [], -1, False, False
    for piece, is_special in zip(pieces, special, strict=True):
        if is_special:
            words.append(-1)
            is_open = was_break = False
            continue
        begins = piece.startswith((WORD_MARK, SPACE_MARK)) if has_marks else not piece.startswith("##")
        is_break = not piece.strip(_LINE_END)
        if word < 0 or (begins and (has_marks or not is_open)) or is_break or was_break:
            word += 1
        is_open, was_break = piece.endswith("@@"), is_break
        words.append(word)
    return tuple(words)
