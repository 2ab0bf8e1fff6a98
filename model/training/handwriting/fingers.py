"""Words written by simulated fingers: strokes with speed, tremor, slant, uneven letters, joined or not."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.training.handwriting.hands import STROKE_FONTS, Letter, accented_letter, stroke_letters

Points = NDArray[np.float64]
"""(N, 2): x, and y pointing down; capitals are 21 units high."""
_LINE, _MIDDLE, _SPACE = 9.0, -5.0, 9.0
"""The baseline, the top of small letters (x-height), and the width of a space."""
_STEP = 0.7
"""Distance between the points of a stroke."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The style of one simulated finger."""

    font: str
    slant: float
    """Horizontal shift per unit of height."""
    gap: float
    """Space between letters."""
    cutting: float
    """Standard deviation, in points, of the smoothing that rounds corners: writing speed."""
    tremor: float
    """Amplitude of the smoothed noise on each point."""
    bend: float
    """Amplitude of each letter's slow deformation."""
    uneven: float
    """Relative variation of letter sizes."""
    small: float
    """Relative height of small letters."""
    tall: float
    """Relative height of ascenders."""
    below: float
    """Relative depth of descenders."""
    drift: float
    """Rise of the baseline per unit of length."""
    joins: float
    """Probability that a small letter is joined to the next."""
    loose_dots: float
    """Displacement of dots and accents."""
    unclosed: float
    """Probability that the end of a stroke is not drawn."""

    @classmethod
    def drawn(cls, rng: np.random.Generator, *, hard: float = 1.0) -> Writer:
        """A random writer.

        Args:
            hard: deviation from neat letters: 0 none, 1 as in real handwriting.
        """
        return cls(
            font=str(rng.choice(list(STROKE_FONTS), p=list(STROKE_FONTS.values()))),
            slant=rng.normal(0.08, 0.16 * hard), gap=rng.uniform(0.5, 7.0),
            cutting=rng.exponential(0.9 * hard), tremor=rng.exponential(0.25 * hard),
            bend=rng.uniform(0.1, 1.5) * hard, uneven=rng.uniform(0.02, 0.16) * hard,
            small=math.exp(rng.normal(0, 0.16 * hard)), tall=math.exp(rng.normal(0, 0.16 * hard)),
            below=math.exp(rng.normal(0, 0.2 * hard)), drift=rng.normal(0, 0.03 * hard),
            joins=float(rng.choice((0.0, 0.0, 0.4, 0.9))), loose_dots=rng.exponential(1.3 * hard),
            unclosed=rng.uniform(0, 0.12) * hard,
        )  # fmt: skip


def writable(text: str) -> bool:
    """Whether every character can be written with single strokes."""
    fonts = stroke_letters()
    return bool(fonts) and all(c == " " or accented_letter(fonts["futural"], c) is not None for c in text)


def write_strokes(text: str, rng: np.random.Generator, writer: Writer | None = None) -> list[Points]:
    """The strokes of a word or a short sentence, each (N, 2).

    Args:
        text: a text for which ``writable`` is true.
        writer: None: a random one.
    """
    writer = Writer.drawn(rng) if writer is None else writer
    letters = stroke_letters()[writer.font]
    x, lines, before = 0.0, [], ""
    for character in text:
        letter = None if character == " " else accented_letter(letters, character)
        if letter is None:
            x, before = x + _SPACE + rng.normal(0, 1.0), ""
            continue
        strokes = _letter(letter, rng, writer)
        size = math.exp(rng.normal(0, writer.uneven))
        shift = np.array((x, 0.6 * rng.normal(0, 1.0) * min(1.0, 8 * writer.uneven)))
        placed = [stroke * (size, size) + (0, _LINE * (1 - size)) + shift for stroke in strokes]
        if before.islower() and character.islower() and lines and rng.random() < writer.joins:
            joint = _joint(lines[-1], placed[0], rng)
            placed[0] = joint if joint is not None else placed[0]
            lines = lines[:-1] if joint is not None else lines
        lines += placed
        x += letter.width * size + writer.gap + rng.normal(0, 0.5)
        before = character
    lean = np.array(((1.0, writer.drift), (-writer.slant, 1.0)))
    return [_shaken(line @ lean, rng, writer) for line in lines]


def _letter(letter: Letter, rng: np.random.Generator, writer: Writer) -> list[Points]:
    """One letter as this writer draws it, at x = 0."""
    turn = rng.normal(0, 0.05 * min(1.5, writer.bend))
    amplitudes = rng.normal(0, 0.6 * writer.bend, (2, 2))  # for each axis, of a wave along x and of one along y
    phases = rng.uniform(0, 2 * math.pi, (2, 2))
    out = []
    for stroke in letter.strokes:
        points = _dense(np.array(stroke, np.float64) - (letter.left, 0))
        is_mark = len(letter.strokes) > 1 and len(points) < 12 and points[:, 1].max() < _MIDDLE
        points[:, 1] = _heights(points[:, 1], writer)
        x, y = points[:, 0] / 14 * math.pi, points[:, 1] / 24 * math.pi
        for axis in (0, 1):
            points[:, axis] += amplitudes[axis, 0] * np.sin(x + phases[axis, 0])
            points[:, axis] += amplitudes[axis, 1] * np.sin(y + phases[axis, 1])
        if is_mark:
            points += rng.normal(0, writer.loose_dots, 2)
        elif rng.random() < writer.unclosed and len(points) > 8:
            points = points[: -int(rng.integers(1, max(2, len(points) // 6)))]
        cos, sin = math.cos(turn), math.sin(turn)
        middle = np.array((letter.width / 2, 2.0))
        out.append((points - middle) @ np.array(((cos, sin), (-sin, cos))) + middle)
    return out


def _heights(y: NDArray[np.float64], writer: Writer) -> NDArray[np.float64]:
    """Stretch heights separately for ascenders, small letters and descenders."""
    top = _LINE + (_MIDDLE - _LINE) * writer.small
    above, under = np.minimum(y - _MIDDLE, 0), np.maximum(y - _LINE, 0)
    within = np.clip(y, _MIDDLE, _LINE)
    return _LINE + (within - _LINE) / (_MIDDLE - _LINE) * (top - _LINE) + above * writer.tall + under * writer.below


def _dense(points: Points) -> Points:
    """Resample a line to a point every ``_STEP``."""
    if len(points) < 2:
        return points.copy()
    lengths = np.concatenate(((0.0,), np.hypot(*np.diff(points, axis=0).T).cumsum()))
    places = np.linspace(0, lengths[-1], max(2, int(lengths[-1] / _STEP) + 1))
    return np.stack([np.interp(places, lengths, points[:, axis]) for axis in (0, 1)], 1)


def _joint(last: Points, first: Points, rng: np.random.Generator) -> Points | None:
    """Join a letter's last stroke and the next letter's first by a curve; None if they are far apart."""
    start, end = last[-1], first[0]
    if np.hypot(*(end - start)) > 16 or len(last) < 4:
        return None
    dip = rng.uniform(0, 2.5)
    share = np.linspace(0, 1, 10)[1:-1, None]
    curve = start + (end - start) * share + np.array((0.0, dip)) * np.sin(math.pi * share)
    return np.concatenate((last, curve, first))


def _shaken(points: Points, rng: np.random.Generator, writer: Writer) -> Points:
    """Round corners (speed) and displace points (tremor)."""
    if writer.cutting > 0.1 and len(points) > 6:
        points = _smooth(points, writer.cutting)
    if writer.tremor and len(points) > 3:
        points = points + _smooth(rng.normal(0, writer.tremor * 2, points.shape), 1.2)
    return points


def _smooth(values: Points, deviation: float) -> Points:
    """Smooth along the line with a Gaussian; its ends stay fixed."""
    reach = max(1, min(len(values) // 3, math.ceil(2.5 * deviation)))
    weights: NDArray[np.float64] = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    weights /= weights.sum()
    padded = np.concatenate((2 * values[0] - values[reach:0:-1], values, 2 * values[-1] - values[-2 : -reach - 2 : -1]))
    return np.stack([np.convolve(padded[:, axis], weights, "valid") for axis in (0, 1)], 1)
