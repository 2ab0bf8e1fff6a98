"""Tokens as a reader sees them: clean text, words, special tokens, sinks and the direction of the script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.picture.runs import HEIGHT
from model.text.tokenizer import SPACE_MARK, WORD_MARK, is_punctuation, without_marks
from model.trace import TokenSequence

SinkKind = Literal["", "begin", "end", "punctuation"]
MAX_CHARACTERS = 160
"""Longer tokens are cut: nothing on screen can show them, and a hostile one could be megabytes."""

WORD_MARKS = WORD_MARK + SPACE_MARK
_BYTE_PIECE = re.compile(r"<0x[0-9A-Fa-f]{2}>")
_SPECIAL_PIECE = re.compile(r"</?[\w|-]{1,24}>|\[[A-Z]{2,8}\]")
_CJK = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO")


class AxisError(ValueError):
    """Tokens that do not fit a map's axis."""


@dataclass(frozen=True, slots=True)
class Axis:
    """N tokens along one side of an attention map."""

    texts: tuple[str, ...]
    """What to print for each token: no boundary marks, control characters made visible, length limited."""
    words: tuple[int, ...]
    """Index of the word that each token belongs to; -1 for a special token."""
    sinks: tuple[SinkKind, ...]
    """What kind of attention sink each token is, or ""."""
    picture: str = ""
    """The text form of the picture whose strips the tokens are."""
    strip: int = 0
    """Width of a strip in pixels; 0 without a picture."""

    def __post_init__(self) -> None:
        if not len(self.texts) == len(self.words) == len(self.sinks):
            raise AxisError("an axis needs one text, one word index and one sink kind for each token")

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def of(cls, tokens: TokenSequence, *, picture: str = "") -> Axis:
        """The axis of a tokenised text, or of the strips of a picture."""
        texts = tuple(readable(piece) for piece in tokens.pieces)
        strip = int(np.size(tokens.ids[0])) // HEIGHT if picture else 0
        return cls(texts, tokens.words, _sinks(tokens.pieces, tokens.words), picture, strip)

    @classmethod
    def from_pieces(cls, pieces: Sequence[str], *, special: Sequence[str] = ()) -> Axis:
        """The axis of bare pieces from any tokenizer, words read off their boundary marks.

        ``▁`` and ``Ġ`` begin a word, ``##`` continues one; without any such mark each piece is a word.
        Pieces like ``<s>`` or ``[CLS]``, and those named in ``special``, are special tokens.
        """
        words = _words(pieces, frozenset(special))
        return cls(tuple(readable(piece) for piece in pieces), words, _sinks(pieces, words))

    def begun(self) -> Axis:
        """The same axis, its first token counted as the beginning: the sink of a text that no special token begins."""
        return self if not self.sinks or self.sinks[0] else Axis(self.texts, self.words, ("begin", *self.sinks[1:]))

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """The writing direction of most letters."""
        kinds = [unicodedata.bidirectional(character) for character in self._letters]
        right = sum(kind in ("R", "AL") for kind in kinds)
        return "rtl" if right > len(kinds) / 2 else "ltr"

    @property
    def is_ideographic(self) -> bool:
        """Whether most letters are Chinese, Japanese or Korean."""
        names = [unicodedata.name(character, "") for character in self._letters]
        return sum(name.startswith(_CJK) for name in names) > len(names) / 2

    @property
    def _letters(self) -> list[str]:
        texts = (text for text, word in zip(self.texts, self.words, strict=True) if word >= 0)
        return [character for text in texts for character in text if character.isalpha()][:2000]


def readable(piece: str) -> str:
    """A piece made safe to print: one line, no invisible characters, none that reorder their neighbours."""
    bare = without_marks(piece.strip(WORD_MARKS)).removeprefix("##")
    shown = "".join(map(_visible, bare[:MAX_CHARACTERS]))
    if len(bare) > MAX_CHARACTERS:
        shown += f"… ({len(bare)})"
    return shown if shown.strip() else "␣"


def _visible(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    category = unicodedata.category(character)
    # A joiner holds emoji and Indic letters together; every other format character would only hide something.
    if character in "\u200c\u200d" or category not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return character
    return f"⟨{code:04X}⟩"


def _sinks(pieces: Sequence[str], words: Sequence[int]) -> tuple[SinkKind, ...]:
    kinds: list[SinkKind] = []
    is_start = True
    for piece, word in zip(pieces, words, strict=True):
        is_special = word < 0
        is_start = is_start and is_special and "/" not in piece
        if is_special:
            kinds.append("begin" if is_start else "end")
        else:
            kinds.append("punctuation" if is_punctuation(piece.strip(WORD_MARKS)) else "")
    return tuple(kinds)


def _words(pieces: Sequence[str], special: frozenset[str]) -> tuple[int, ...]:
    is_marked = any(piece[:1] in WORD_MARKS for piece in pieces if piece)
    is_continued = any(piece.startswith("##") for piece in pieces)
    words, word = [], -1
    for piece in pieces:
        if piece in special or (_SPECIAL_PIECE.fullmatch(piece) and not _BYTE_PIECE.fullmatch(piece)):
            words.append(-1)
            continue
        continues = (is_marked and piece[:1] not in WORD_MARKS) or (is_continued and piece.startswith("##"))
        if not continues or word < 0 or is_punctuation(piece):
            word += 1
        words.append(word)
    return tuple(words)
