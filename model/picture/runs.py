"""A prepared picture as a short text, which stands in links where a sentence stands: runs of equal pixels.

After ``ink.`` each character is a grey level, of four, and how many pixels in a row have it, 1 to 16. Pixels go column
after column, each from top to bottom; the empty rest is left out. A word takes a few hundred characters, none of which
is escaped in an address. ``viz/components/shared/pad/picture.js`` does the same.
"""

import re

import numpy as np
from numpy.typing import NDArray

HEIGHT = 32
"""Pixels of a picture that is written so."""
STEP = 85
"""Grey levels lie so far apart: there are 4."""
MOST_CHARACTERS = 6000
"""After ``ink.``; a picture of noise that takes more is written in black and white, and cut."""
_MOST_PIXELS = HEIGHT * 384
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_LONGEST = 16
_FORM = re.compile(f"ink\\.[A-Za-z0-9_-]{{0,{MOST_CHARACTERS}}}")
_MARGIN = 8
"""Empty columns that are kept at the right."""


def is_runs(text: str) -> bool:
    """Whether a text looks like such a picture."""
    return text.startswith("ink.")


def write_runs(grey: NDArray[np.uint8]) -> str:
    """The text of a picture (32, W)."""
    text = _runs(np.rint(grey.T.ravel() / STEP).astype(int))
    if len(text) > MOST_CHARACTERS:
        text = _runs(np.where(grey.T.ravel() > 127, 3, 0))[:MOST_CHARACTERS]
    return f"ink.{text}"


def _runs(levels: NDArray[np.int_]) -> str:
    inked = np.flatnonzero(levels)
    levels = levels[: inked[-1] + 1] if len(inked) else levels[:0]
    ends = np.flatnonzero(np.diff(levels, append=-1)) + 1
    written, start = [], 0
    for end in ends.tolist():
        for at in range(start, end, _LONGEST):
            written.append(_LETTERS[levels[start] * _LONGEST + min(_LONGEST, end - at) - 1])
        start = end
    return "".join(written)


def read(text: str) -> NDArray[np.uint8]:
    """The picture of a text, uint8 (32, W), as wide as its ink and a margin.

    Raises:
        ValueError: when it is none.
    """
    if not _FORM.fullmatch(text):
        raise ValueError("it has other characters, or too many")
    codes = np.array([_LETTERS.index(letter) for letter in text[4:]], int)
    pixels = np.repeat(codes // _LONGEST * STEP, codes % _LONGEST + 1)
    if len(pixels) > _MOST_PIXELS:
        raise ValueError("it has too many pixels")
    wide = min(-(-len(pixels) // HEIGHT) + _MARGIN, _MOST_PIXELS // HEIGHT)
    whole = np.zeros(wide * HEIGHT, np.uint8)
    whole[: len(pixels)] = pixels
    return whole.reshape(wide, HEIGHT).T
