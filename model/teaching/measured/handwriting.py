"""Handwritten words that come with the project, and how its model reads them: where it looks, and what it guesses."""

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from model.analysis.metrics import going_on
from model.bundle import Bundle
from model.checkpoints.loading import PRETRAINED
from model.inference.scoring import score
from model.inference.translation import translate
from model.interventions import BlockedKey, Interventions
from model.picture import Picture
from model.picture_source import PictureSource
from model.trace import Floats, Trace

READER = "reader"
"""The model that comes with the project and reads handwriting."""
_CLEAR = 0.5
"""The weight from which on a head looks at one place."""


@dataclass(frozen=True, slots=True)
class WrittenWord:
    """A word in somebody's hand."""

    word: str
    hand: str
    picture: str
    """The text form of its prepared picture."""


def written_words(bundle: Bundle) -> tuple[WrittenWord, ...]:
    """Words to try with a model that reads pictures, the opening one first; none for a model that reads texts."""
    return () if bundle.picture is None else _read_examples(bundle.picture)


@lru_cache(maxsize=4)
def _read_examples(source: PictureSource) -> tuple[WrittenWord, ...]:
    path = PRETRAINED / READER / "examples.tsv"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    words = (line.split("\t") for line in lines)
    return tuple(WrittenWord(word, hand, Picture.of_text(text).prepared(source).text) for word, hand, text in words)


@dataclass(frozen=True, slots=True, eq=False)
class ReadWord:
    """A picture of a word as a model reads it."""

    picture: str
    """Its text form."""
    letters: tuple[str, ...]
    """T tokens that are read, without the end."""
    chances: tuple[float, ...]
    """(T,) the probability of each, 0 to 1."""
    head: tuple[int, int]
    """Layer and head of the cross-attention that goes along the picture most clearly."""
    looks: Floats
    """(T, S) the weights of that head."""
    n_inked: int
    """Strips up to the last one with ink; the others are empty paper."""

    @property
    def text(self) -> str:
        """The word that was read."""
        return "".join(self.letters)

    @property
    def looks_at_ink(self) -> Floats:
        """(T, n_inked)."""
        return self.looks[:, : self.n_inked]

    @property
    def goes_along(self) -> bool:
        """Whether the head looks at one place for the second letter, to the right of where it looked for the first."""
        if len(self.letters) < 2:
            return False
        first, second = self.looks_at_ink[:2]
        return bool(second.max() >= _CLEAR and second.argmax() > first.argmax())

    @property
    def places(self) -> tuple[range, ...]:
        """The strips of each letter: the border between two letters is half-way between the places where the head looks
        on average while it writes them."""
        weights = self.looks_at_ink + 1e-9
        centres = np.maximum.accumulate((weights * np.arange(self.n_inked)).sum(-1) / weights.sum(-1))  # (T,)
        borders = [0, *(round((start + other + 1) / 2) for start, other in itertools.pairwise(centres)), self.n_inked]
        return tuple(range(start, max(start + 1, other)) for start, other in itertools.pairwise(borders))


def read_word(bundle: Bundle, *, text: str) -> ReadWord:
    """Read the text form of a picture.

    Raises:
        PictureError: when it is none.
        RegardError: when the model reads no pictures.
    """
    assert bundle.picture is not None
    trace = translate(bundle, text)
    grey = Picture.of_text(trace.source_text).prepared(bundle.picture).pixels
    n_inked = int(np.flatnonzero(grey.any(0))[-1]) // bundle.picture.strip + 1
    return _of_trace(trace, min(n_inked, len(trace.source)))


def _of_trace(trace: Trace, n_inked: int) -> ReadWord:
    assert trace.attention.cross is not None
    n = len(trace.target) - int(trace.target.is_special[-1])
    cross = trace.attention.cross[:, :, :n]  # (L, H, T, S)
    clarity = going_on(cross) if n else np.zeros(cross.shape[:2])  # (L, H)
    layer, head = (int(i) for i in np.unravel_index(int(clarity.argmax()), clarity.shape))
    chances = tuple(math.exp(float(p)) for p in trace.log_probs[:n])
    return ReadWord(trace.source_text, trace.target.pieces[:n], chances, (layer, head), cross[layer, head], n_inked)


@dataclass(frozen=True, slots=True, eq=False)
class PaintedOut:
    """A word one of whose letters is painted over with paper."""

    place: int
    letter: str
    strips: range
    """That were painted over."""
    before: ReadWord
    after: ReadWord
    """The word that is read then."""
    chance: float
    """Probability of the letter after the same letters as before, now that it cannot be seen."""
    instead: str
    """The most probable token there."""
    by_language: float
    """Probability of the letter for a decoder that sees nothing of the picture, only the letters before."""
    expected: str
    """What that decoder finds most probable."""
    chance_expected: float

    @property
    def is_gap(self) -> bool:
        """Whether the model writes a space, or ends, where the letter was."""
        return not self.instead.strip("▁ ") or self.instead.startswith("</")

    @property
    def is_read(self) -> bool:
        """Whether the model still writes the letter."""
        return self.instead == self.letter


def painted_out(bundle: Bundle, *, text: str, place: int) -> PaintedOut:
    """Paint a letter over with paper and read the word again.

    Args:
        text: the text form of a picture in which at least two letters are read.
        place: which letter, from 0.

    Raises:
        EmptyTextError: when nothing is left of the word.
    """
    assert bundle.picture is not None
    word = read_word(bundle, text=text)
    strips, width = word.places[place], bundle.picture.strip
    grey = Picture.of_text(word.picture).prepared(bundle.picture).pixels.copy()
    grey[:, strips.start * width : strips.stop * width] = 0
    covered = Picture(grey).text
    seen, blind = (
        score(bundle, covered, word.text),
        score(bundle, word.picture, word.text, interventions=_blind(bundle)),
    )
    (instead, _), (expected, chance_expected) = (_favourite(each, place) for each in (seen, blind))
    return PaintedOut(
        place, word.letters[place], strips, word, read_word(bundle, text=covered), _chance(seen, place), instead,
        _chance(blind, place), expected, chance_expected,
    )  # fmt: skip


def most_expected(bundle: Bundle, *, text: str) -> int:
    """The letter, neither the first nor the last, that the letters before it make most probable without any look at the
    picture; 0 where there is none between."""
    word = read_word(bundle, text=text)
    if len(word.letters) < 3:
        return 0
    blind = score(bundle, word.picture, word.text, interventions=_blind(bundle))
    return 1 + int(np.argmax(blind.log_probs[1 : len(word.letters) - 1]))


def _blind(bundle: Bundle) -> Interventions:
    """Hide all strips from the cross-attention."""
    assert bundle.picture is not None
    n_strips = bundle.picture.width // bundle.picture.strip
    return Interventions(blocked_keys=tuple(BlockedKey("cross", strip) for strip in range(n_strips)))


def _chance(trace: Trace, place: int) -> float:
    return math.exp(float(trace.log_probs[place]))


def _favourite(trace: Trace, place: int) -> tuple[str, float]:
    assert trace.candidates is not None
    return trace.candidates.pieces[place][0], math.exp(float(trace.candidates.log_probs[place, 0]))
