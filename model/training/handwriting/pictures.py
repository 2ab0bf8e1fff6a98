"""Renders words as pictures in many handwritings, as model input."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.picture import strokes
from model.picture.preparing import Grey, finish, resize
from model.picture_source import PictureSource
from model.training.handwriting import fingers
from model.training.handwriting.hands import EVERYDAY, HELD_OUT, PRINTED, Font, installed_fonts

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ALPHABET = LETTERS + LETTERS.upper() + "0123456789 .,!?'-&àâçéèêëîïôùûüÿœæÀÇÉÈÊÎÔäößÄÖÜñ"
"""The characters that the model writes."""
_HAND_SHARE, _FINGER_SHARE = 0.8, 0.5
"""Share of handwritten-looking fonts among pictures by fonts; share of simulated fingers among all pictures."""


def by_finger(text: str, rng: np.random.Generator, source: PictureSource, *, hard: float = 1.0) -> Grey | None:
    """A text written by a simulated finger, uint8 (height, width); None if it cannot write one of the letters.

    Args:
        hard: as in ``Writer.drawn``.
    """
    if not fingers.writable(text):
        return None
    lines = fingers.write_strokes(text, rng, fingers.Writer.drawn(rng, hard=hard))
    pen = min(6.0, max(1.6, rng.normal(3.0, 0.9)))
    return finish(strokes.draw_strokes([list(map(tuple, line)) for line in lines], source, pen), source)


def by_font(
    text: str, rng: np.random.Generator, source: PictureSource, font: Font, *, bent: bool = True
) -> Grey | None:
    """A text in a font, uint8 (height, width); None if the font lacks one of the letters.

    Args:
        bent: apply distortions: bend, slant, stroke width, and letters off the baseline.
    """
    from PIL import Image, ImageDraw

    if not set(text) - {" "} <= characters(font) or (only_capitals(font) and text != text.upper()):
        return None
    face = _face(font, int(rng.choice((36, 44))))
    x0, y0, x1, y1 = face.getbbox(text)
    picture = Image.new("L", (int((x1 - x0) * 1.6) + 80, int(y1 - y0) + 64))
    thicker = int(rng.choice((0, 0, 0, 1)))
    bold = thicker if bent else 0
    if not bent or rng.random() < 0.5:
        ImageDraw.Draw(picture).text((32 - x0, 32 - y0), text, 255, font=face, stroke_width=bold)
    else:
        _letter_by_letter(picture, text, (32, 32 - y0), face, bold, rng)
    grey = np.asarray(picture)
    if bent:
        line = 32 - y0 + face.getmetrics()[0]
        grey = _bend(grey, rng, (line - (face.getbbox("x")[3] - face.getbbox("x")[1]), line))
    ys, xs = np.nonzero(grey > 40)
    if not len(ys):
        return None
    cropped = grey[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    return _place_ink(cropped, rng, source) if bent else _place_ink(cropped, None, source)


def _letter_by_letter(
    picture: Any, text: str, place: tuple[float, float], face: Any, bold: int, rng: np.random.Generator
) -> None:
    """Draw a text letter by letter, with a random offset, size, width and rotation for each letter.

    Args:
        picture: a greyscale ``PIL.Image.Image`` to draw on.
        place: (left, top) of the text.
        face: a ``PIL.ImageFont.FreeTypeFont``.
    """
    from PIL import Image, ImageDraw

    x, gap, uneven = place[0], rng.uniform(-1, 5), rng.uniform(0, 0.12)
    for character in text:
        cell = Image.new("L", (picture.height + 32, picture.height))
        ImageDraw.Draw(cell).text((16, place[1]), character, 255, font=face, stroke_width=bold)
        wide, high = np.exp(rng.normal(0, uneven, 2))
        turn, lean = rng.normal(0, uneven / 2, 2)
        middle, line = 16 + face.getlength(character) / 2, place[1] + face.getmetrics()[0]
        rows = np.array(((1 / wide, lean + turn), (-turn, 1 / high)))
        shift = np.array((middle, line)) - rows @ (middle, line + rng.normal(0, 1.6))
        flat = (rows[0, 0], rows[0, 1], shift[0], rows[1, 0], rows[1, 1], shift[1])
        letter = cell.transform(cell.size, Image.Transform.AFFINE, flat, Image.Resampling.BILINEAR)
        at = round(x) - 16
        box = (at, 0, at + letter.width, letter.height)
        picture.paste(255, box, letter)
        x += face.getlength(character) * wide + gap + rng.normal(0, 0.8)


def _bend(grey: Grey, rng: np.random.Generator, small: tuple[float, float]) -> Grey:
    """Slant, rotate and rescale a picture, and bend it by two slow waves and by faster ones.

    Args:
        small: the top of small letters and the baseline, in pixels from the top.
    """
    high, wide = grey.shape
    ys, xs = np.mgrid[0:high, 0:wide].astype(np.float32)
    y, x = ys - high / 2, xs - wide / 2
    strength, hard = rng.random(), rng.choice((0.3, 1.0, 1.0))
    shear, turn = hard * rng.normal(0.1, 0.28), hard * rng.normal(0, 0.015)
    at_x, at_y = xs + shear * y, ys - turn * x
    tall, middle, below = np.exp(np.clip(hard * rng.normal(0, 0.18, 3), -0.35, 0.35))
    top, line = small
    within = np.clip(at_y, line - (line - top) * middle, line)
    at_y = line + (within - line) / middle + np.minimum(at_y - within, 0) / tall + np.maximum(at_y - line, 0) / below
    length, phase = rng.uniform(60, 200), rng.uniform(0, 2 * np.pi)  # letters get wider and narrower along the word
    at_x = at_x + 0.3 * rng.random() * length / (2 * np.pi) * np.sin(xs * (2 * np.pi / length) + phase)
    for length, amplitude in ((90, 2.6), (34, 1.6), (17, 0.8)):
        for _ in range(2):
            angle, phase, size = rng.uniform(0, np.pi), rng.uniform(0, 2 * np.pi), strength * rng.normal(0, amplitude)
            wave = np.sin((np.cos(angle) * xs + np.sin(angle) * ys) * (2 * np.pi / length) + phase)
            share = rng.random()
            at_x, at_y = at_x + size * share * wave, at_y + size * (1 - share) * wave
    return _read_at(grey, at_y, at_x)


def _read_at(grey: Grey, ys: NDArray[np.float32], xs: NDArray[np.float32]) -> Grey:
    """Sample the pixels at (ys, xs) with bilinear interpolation; black beyond the edges."""
    padded = np.pad(grey, 1).astype(np.float32)
    ys, xs = np.clip(ys + 1, 0, grey.shape[0] + 0.999), np.clip(xs + 1, 0, grey.shape[1] + 0.999)
    top, left = ys.astype(np.intp), xs.astype(np.intp)
    down, right = ys - top, xs - left
    upper = padded[top, left] * (1 - right) + padded[top, left + 1] * right
    lower = padded[top + 1, left] * (1 - right) + padded[top + 1, left + 1] * right
    return (upper * (1 - down) + lower * down).astype(np.uint8)


def _place_ink(ink: Grey, rng: np.random.Generator | None, source: PictureSource) -> Grey | None:
    """Crop the ink and scale it to the model's size; with ``rng`` also vary size, width, thickness and darkness."""
    high, wide = ink.shape
    room, free = source.height - 4, source.width - 12
    factor = min((room if rng is None else rng.uniform(0.75, 1.03) * room) / high, free / wide, 3.0)
    stretch = 1.0 if rng is None else min(rng.uniform(0.5, 1.25), free / (wide * factor))
    new_wide, new_high = max(2, round(wide * factor * stretch)), max(2, min(source.height - 2, round(high * factor)))
    out = np.zeros((source.height, source.width), np.float32)
    top, left = (source.height - new_high) // 2, 4
    if rng is not None:
        top, left = min(max(0, top + int(rng.integers(-2, 3))), source.height - new_high), int(rng.integers(1, 8))
    out[top : top + new_high, left : left + new_wide] = resize(ink, new_high, new_wide)
    if rng is not None:
        out = _vary_ink(out, rng)
    return finish(np.clip(out, 0, 255).astype(np.uint8), source)


def _vary_ink(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Randomly thicken, blur or fade the ink."""
    kind, around = rng.random(), np.pad(picture, 1)
    shifted = [around[1 + dy : around.shape[0] - 1 + dy, 1 + dx : around.shape[1] - 1 + dx]
               for dy in (-1, 0, 1) for dx in (-1, 0, 1)]  # fmt: skip
    if kind < 0.15:
        picture = np.max(shifted, 0)
    elif kind < 0.4:
        picture = np.mean(shifted, 0)
    return picture * rng.uniform(0.6, 1.4)


@lru_cache(maxsize=1024)
def _face(font: Font, size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(font.path, size)


@lru_cache(maxsize=1024)
def characters(font: Font) -> frozenset[str]:
    """The characters of the alphabet that a font has."""
    face = _face(font, 36)
    lacking = bytes(face.getmask("\uffff"))
    return frozenset(c for c in ALPHABET if c != " " and any(face.getmask(c)) and bytes(face.getmask(c)) != lacking)


@lru_cache(maxsize=1024)
def only_capitals(font: Font) -> bool:
    """Whether a font draws small letters as capitals."""
    face, same = _face(font, 44), 0
    for character in "aegrnt":
        pair = [np.asarray(face.getmask(c)).reshape(face.getmask(c).size[::-1]) for c in (character, character.upper())]
        if 0 in (pair[0].size, pair[1].size):
            continue
        small, large = (resize(each.astype(np.uint8), 24, 24) > 100 for each in pair)
        same += (small & large).sum() > 0.8 * max(1, (small | large).sum())
    return same >= 4


def known_fonts() -> tuple[list[Font], list[Font]]:
    """The training fonts: (handwritten-looking, plain)."""
    fonts = [font for font in installed_fonts() if font.family not in HELD_OUT | EVERYDAY]
    return [f for f in fonts if f.family not in PRINTED], [f for f in fonts if f.family in PRINTED]


def draw_known(text: str, rng: np.random.Generator, source: PictureSource, *, hard: float = 1.0) -> Grey | None:
    """A text in a random training handwriting, uint8 (height, width); None if that lacks one of the letters."""
    if rng.random() < _FINGER_SHARE and fingers.writable(text):
        return by_finger(text, rng, source, hard=hard)
    written, printed = known_fonts()
    fonts = written if written and (rng.random() < _HAND_SHARE or not printed) else printed
    families = sorted({font.family for font in fonts})
    family = families[int(rng.integers(len(families)))]
    chosen = [font for font in fonts if font.family == family]
    return by_font(text, rng, source, chosen[int(rng.integers(len(chosen)))])


def random_text(words: list[str], rng: random.Random) -> str:
    """A random text to write: a word, a few words, digits or letters, also in lower case or capitals."""
    kind = rng.random()
    if kind < 0.07:
        text = "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 6)))
    elif kind < 0.14:
        text = "".join(rng.choice(ALPHABET[:52]) for _ in range(rng.randint(1, 7)))
    else:
        text = rng.choice(words)
    kind = rng.random()
    return text.lower() if kind < 0.3 else text.upper() if kind < 0.38 else text.capitalize() if kind < 0.5 else text
