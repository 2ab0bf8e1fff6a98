"""From any picture of writing to what a model reads: ink light on black, cropped, of one height, at the left."""

import numpy as np
from numpy.typing import NDArray

from model.picture import runs
from model.picture_source import PictureSource

Grey = NDArray[np.uint8]
"""Pixels (H, W) from 0, black, to 255."""
FAINT = 40
"""Ink up to this value, of 255, is taken for paper."""
LEFT, LARGEST_FACTOR = 4, 3.0
"""Pixels that are left free at the left; how much a small picture is enlarged at most."""
ABOVE_AND_BELOW = 4
"""Pixels that are left free above and below the ink together."""
STEP = 17
"""Grey levels of a prepared picture lie so far apart: there are 16. Of one whose text form is its runs there are 4."""
_EVEN = 12
"""Grey levels by which even paper varies along the edge of a picture, as a standard deviation."""
_DARKER = 0.15
"""Part by which ink is darker than the mean around it, where paper is uneven (Bradley and Roth 2007)."""


def is_prepared(grey: Grey, source: PictureSource) -> bool:
    """Whether a picture has the size that a model reads, and black at its edges."""
    high, wide = grey.shape
    return high == source.height and 0 < wide <= source.width and _paper(grey) <= 16


def prepare(grey: Grey, source: PictureSource) -> Grey | None:
    """The picture as a model reads it, uint8 (height, a multiple of strip); None where it has no ink.

    One that is prepared already only gets its few grey levels and its width.
    """
    if not is_prepared(grey, source):
        ink = _ink(grey)
        if ink is None:
            return None
        grey = _place_ink(ink, source)
    return finish(grey, source)


def finish(canvas: Grey, source: PictureSource) -> Grey | None:
    """Ink on black (height, any width), with few grey levels and the width that the model reads; None without ink."""
    step = runs.STEP if source.height == runs.HEIGHT else STEP
    levels = (np.rint(canvas / step) * step).astype(np.uint8)
    inked = np.flatnonzero(levels.any(0))
    if not len(inked):
        return None
    wide = source.width if source.right is None else int(inked[-1]) + 1 + source.right
    wide = min(source.width, -(-wide // source.strip) * source.strip)
    out = np.zeros((source.height, wide), np.uint8)
    cropped = levels[:, :wide]
    out[:, : cropped.shape[1]] = cropped
    return out


def _paper(grey: Grey) -> float:
    """The median of the outermost pixels."""
    return float(np.median(_edge(grey)))


def _edge(grey: Grey) -> Grey:
    return np.concatenate((grey[0], grey[-1], grey[:, 0], grey[:, -1]))


def _ink(grey: Grey) -> Grey | None:
    """Ink from 0 to 255 on paper that is 0, cropped; None where there is none."""
    paper = _paper(grey)
    values = grey.astype(np.float32)
    if paper <= 127:
        values, paper = 255 - values, 255 - paper
    if _edge(grey).std() > _EVEN:
        around = _local_mean(values)
        ink = np.where(values < (1 - _DARKER) * around, around - values, 0)
    else:
        ink = np.maximum(0, paper - values)
    most = float(ink.max())
    if most <= FAINT:
        return None
    scaled = np.rint(ink * (255 / most)).astype(np.uint8)
    scaled[scaled <= FAINT] = 0
    ys, xs = np.nonzero(scaled)
    return scaled[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def _local_mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of a square around each pixel, an eighth of the picture's larger side wide."""
    half = max(1, max(values.shape) // 16)
    padded = np.pad(values.astype(np.float64), ((half + 1, half), (half + 1, half)), mode="edge")
    sums = padded.cumsum(0).cumsum(1)
    n = 2 * half + 1
    mean = (sums[n:, n:] - sums[:-n, n:] - sums[n:, :-n] + sums[:-n, :-n]) / n**2
    return mean.astype(np.float32)


def _place_ink(ink: Grey, source: PictureSource) -> Grey:
    """Ink scaled to its height, or narrower where it would be too wide, at the left of black."""
    high, wide = ink.shape
    factor = min((source.height - ABOVE_AND_BELOW) / high, (source.width - 3 * LEFT) / wide, LARGEST_FACTOR)
    new_high = max(2, min(source.height - ABOVE_AND_BELOW // 2, round(high * factor)))
    new_wide = max(2, min(source.width - LEFT, round(wide * factor)))
    out = np.zeros((source.height, source.width), np.uint8)
    top = (source.height - new_high) // 2
    out[top : top + new_high, LEFT : LEFT + new_wide] = resize(ink, new_high, new_wide)
    return out


def resize(grey: Grey, high: int, wide: int) -> Grey:
    """A picture in another size, bilinear; where it shrinks, over as many pixels as become one."""
    rows, columns = _weights(grey.shape[0], high), _weights(grey.shape[1], wide)
    return np.clip(np.rint(rows @ grey.astype(np.float32) @ columns.T), 0, 255).astype(np.uint8)


def _weights(n: int, wanted: int) -> NDArray[np.float32]:
    """How much each of n pixels counts in each of the wanted ones, (wanted, n): triangles."""
    factor = n / wanted
    reach = max(factor, 1.0)
    middle = (np.arange(wanted) + 0.5) * factor
    near = 1 - np.abs(np.arange(n) + 0.5 - middle[:, None]) / reach
    weights = np.maximum(near, 0)
    return (weights / weights.sum(1, keepdims=True)).astype(np.float32)
