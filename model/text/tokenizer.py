"""The tokenizer protocol: text to ids and back, with word boundaries and character spans."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import sentencepiece
from numpy.typing import NDArray

from model.errors import RegardError
from model.text import sentencepiece_proto
from model.trace import TokenSequence

WORD_MARK, SPACE_MARK = "▁", "Ġ"
"""The marks at the beginning of a word, in SentencePiece and in byte-level vocabularies (GPT-2)."""
_BREAKS = {"Ċ": "↵", "č": "␍", "ĉ": "⇥", SPACE_MARK: "␣"}
"""Line ends, tabs and further spaces in byte-level vocabularies; ĉ and č are also letters of Esperanto and Czech."""
_IN_WORDS = frozenset("'-")
"""Punctuation that belongs to the word around it."""
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_PLAIN_SPACES = dict.fromkeys(map(ord, "\u202f\u00a0\u2009"), " ")
_NORMAL = {**_PLAIN_SPACES, ord("\u200b"): None, ord("\u00ad"): None, ord("\u2019"): "'"}


class TokenizerError(RegardError, ValueError):
    """A vocabulary or tokenizer file cannot be used."""


class TemplateError(TokenizerError):
    """A chat template failed; ``reason`` is its own message."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the model's chat template failed ({reason})")
        self.reason = reason


def normalise(text: str) -> str:
    """Normalise spaces and apostrophes, and remove invisible characters and outer spaces. Case is unchanged."""
    return text.translate(_NORMAL).strip()


def is_byte(piece: str) -> bool:
    """Whether a piece is one byte of a character that the vocabulary lacks, written <0xE7>."""
    return bool(_BYTE.fullmatch(piece))


def normalise_with_places(text: str) -> tuple[str, tuple[int, ...]]:
    """``normalise``, with the offset in the text of each character of the result, and of its end."""
    if text.isascii() and text == text.strip():
        return text, tuple(range(len(text) + 1))
    remaining = [place for place, character in enumerate(text) if _NORMAL.get(ord(character), "") is not None]
    whole = text.translate(_NORMAL)
    plain = whole.strip()
    first = len(whole) - len(whole.lstrip()) if plain else 0
    places = remaining[first : first + len(plain)]
    return plain, (*places, places[-1] + 1 if places else 0)


@runtime_checkable
class Tokenizer(Protocol):
    """Text to ids and back, for one language of one model."""

    @property
    def size(self) -> int:
        """Entries in the vocabulary, V."""
        ...

    def encode(self, text: str) -> TokenSequence:
        """The text's tokens with their words and spans; no special token is added."""
        ...

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """The tokens of ids, with word indexes; spans, if known, refer to ``decode(ids)``."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """Text of given ids, special tokens left out."""
        ...

    def save(self, folder: Path, stem: str) -> str:
        """Write the tokenizer into a folder and return the file's name."""
        ...


class SentencePieceTokenizer:
    """A SentencePiece model (Kudo & Richardson 2018)."""

    def __init__(self, model_bytes: bytes) -> None:
        self._bytes = model_bytes
        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_proto=model_bytes)
        except (RuntimeError, TypeError) as error:
            raise TokenizerError("this is not a SentencePiece model: give the .model or .spm file") from error
        self._size = self._processor.get_piece_size()
        if not self._size:
            raise TokenizerError("this is not a SentencePiece model: give the .model or .spm file")
        self._names: dict[int, str] = {}
        """Cache of pieces by id, since the library is much slower."""
        self._latest: tuple[list[int], str, list[sentencepiece_proto.PlacedPiece]] = ([], "", [])
        """Cache of the last decoded ids: a translation and its prefix have the same."""

    @classmethod
    def load(cls, path: Path | str) -> SentencePieceTokenizer:
        """Read a .model file.

        Raises:
            TokenizerError: when the file is missing or is not a SentencePiece model.
        """
        try:
            return cls(Path(path).read_bytes())
        except OSError as error:
            raise TokenizerError(f"cannot read the tokenizer {path}: {error.strerror}") from error

    @property
    def size(self) -> int:
        """Entries in the vocabulary."""
        return self._size

    def pieces(self) -> Iterator[tuple[str, float]]:
        """Every piece with its log-probability, in the order of their ids."""
        return ((self._processor.id_to_piece(i), self._processor.get_score(i)) for i in range(self.size))

    @property
    def content(self) -> bytes:
        """The model file."""
        return self._bytes

    @property
    def unknown_id(self) -> int:
        """Id of the unknown piece."""
        return self._processor.unk_id()

    @property
    def special_ids(self) -> dict[str, int]:
        """pad, bos and eos as the model defines them; -1 if it does not."""
        return {"pad": self._processor.pad_id(), "bos": self._processor.bos_id(), "eos": self._processor.eos_id()}

    def encode(self, text: str) -> TokenSequence:
        """The text's pieces; spans are in characters of ``text``."""
        _, placed = sentencepiece_proto.read(self._processor.encode(text, return_type="serialized_proto"))
        pieces = [each.piece for each in placed]
        return TokenSequence(
            tuple(each.id for each in placed),
            tuple(pieces),
            self._words(pieces, [False] * len(pieces)),
            _character_spans(text, [(each.begin, each.end) for each in placed]),
        )

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """The pieces of ids; spans are in characters of ``decode(ids)``."""
        control = [int(i) >= self.size or self._processor.is_control(int(i)) for i in ids]
        pieces = self.named(ids)
        real = [int(i) for i, is_control in zip(ids, control, strict=True) if not is_control]
        text, placed = self._read_back(real)
        spans = iter(_character_spans(text, [(each.begin, each.end) for each in placed]))
        return TokenSequence(
            tuple(int(i) for i in ids),
            tuple(pieces),
            self._words(pieces, control),
            tuple(None if is_control else next(spans, None) for is_control in control),
        )

    def _read_back(self, ids: list[int]) -> tuple[str, list[sentencepiece_proto.PlacedPiece]]:
        known, text, placed = self._latest
        if ids and known == ids:
            return text, placed
        text, placed = sentencepiece_proto.read(self._processor.decode(ids, return_type="serialized_proto"))
        self._latest = ids, text, placed
        return text, placed

    def named(self, ids: Sequence[int]) -> list[str]:
        """The piece of each id; "#12" for an id beyond the vocabulary."""
        known = self._names
        return [known[i] if i in known else self._name(int(i)) for i in ids]

    def _name(self, index: int) -> str:
        name = f"#{index}" if index >= self._size else self._processor.id_to_piece(index)
        return self._names.setdefault(index, name) if index < self._size else name

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; ids beyond the vocabulary are skipped."""
        return self._processor.decode([int(i) for i in ids if int(i) < self.size])

    def ways_to_cut(self, text: str, *, most: int) -> list[list[int]]:
        """The most probable segmentations of the text (Kudo 2018), best first."""
        return self._processor.nbest_encode(text, return_type=int, nbest_size=most)

    def word_starts(self) -> NDArray[np.bool_]:
        """Whether each piece begins a word, (V,)."""
        return np.array([piece.startswith(WORD_MARK) for piece, _ in self.pieces()])

    def fixed_pieces(self) -> NDArray[np.bool_]:
        """Whether each piece is a byte, unknown or control piece, which cannot be segmented otherwise, (V,)."""
        tests = (self._processor.is_byte, self._processor.is_unknown, self._processor.is_control)
        return np.array([any(test(i) for test in tests) for i in range(self.size)])

    def encode_ids(self, texts: list[str]) -> list[list[int]]:
        """Only the ids, for many texts at once."""
        return self._processor.encode(texts, return_type=int)

    def to_bytes(self) -> bytes:
        """The .model file."""
        return self._bytes

    def save(self, folder: Path, stem: str) -> str:
        """Write ``stem.model`` and return its name."""
        name = f"{stem}.model"
        (folder / name).write_bytes(self._bytes)
        return name

    @staticmethod
    def _words(pieces: Sequence[str], is_special: Sequence[bool]) -> tuple[int, ...]:
        words, word, after_mark = [], -1, True
        for piece, special in zip(pieces, is_special, strict=True):
            if special:
                words.append(-1)
                continue
            is_mark = _is_mark(piece)
            if piece.startswith(WORD_MARK) or is_mark or after_mark:
                word += 1
            after_mark = is_mark
            words.append(word)
        return tuple(words)


@lru_cache(maxsize=1 << 14)
def _is_mark(piece: str) -> bool:
    """Whether a piece is punctuation that is not part of a word."""
    mark = piece.removeprefix(WORD_MARK)
    return is_punctuation(mark) and not set(mark) & _IN_WORDS


def without_marks(piece: str) -> str:
    """A piece for display: no word mark; line ends of a byte-level vocabulary are ↵, its further spaces ␣."""
    bare = piece.replace(WORD_MARK, "").removeprefix(SPACE_MARK)
    is_break = ("Ċ" in bare or SPACE_MARK in bare) and not any(each.isalpha() and each not in _BREAKS for each in bare)
    return "".join(_BREAKS.get(each, each) for each in bare) if is_break else bare


@lru_cache(maxsize=1 << 14)
def is_punctuation(text: str) -> bool:
    """Whether a text is only punctuation (Unicode's categories P)."""
    return bool(text) and all(unicodedata.category(character)[0] == "P" for character in text)


def _character_spans(text: str, byte_spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Convert SentencePiece's spans, in UTF-8 bytes with leading spaces, to characters without leading spaces."""
    character_at: Mapping[int, int] | range = range(len(text) + 1)
    if not text.isascii():
        sizes = (len(character.encode("utf-8", "surrogatepass")) for character in text)
        character_at = {place: index for index, place in enumerate(accumulate(sizes, initial=0))}
    spans = []
    for begin, end in byte_spans:
        start, stop = character_at[begin], character_at[end]
        while start < stop and text[start].isspace():
            start += 1
        spans.append((start, stop))
    return tuple(spans)
