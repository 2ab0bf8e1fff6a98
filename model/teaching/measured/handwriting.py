"""What a model reads in a word that was written by hand, where it looks, and what it guesses where a letter is painted
out."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from model.analysis.progress import going_on
from model.bundle import Bundle
from model.inference.translation import translate
from model.picture import Picture
from model.trace import Floats, Trace


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
        """What is read."""
        return "".join(self.letters)

    @property
    def looks_at_ink(self) -> Floats:
        """(T, n_inked)."""
        return self.looks[:, : self.n_inked]

    @property
    def places(self) -> tuple[range, ...]:
        """The strips of each letter: the border between two letters is half-way between the places where the head looks
        on average while it writes them."""
        weights = self.looks_at_ink + 1e-9
        centres = np.maximum.accumulate((weights * np.arange(self.n_inked)).sum(-1) / weights.sum(-1))  # (T,)
        borders = [0, *(round((one + other + 1) / 2) for one, other in itertools.pairwise(centres)), self.n_inked]
        return tuple(range(one, max(one + 1, other)) for one, other in itertools.pairwise(borders))


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
