"""Strokes of a pen as a picture: the pen has one thickness, however large the writing was."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.picture.preparing import ABOVE_AND_BELOW, LARGEST_FACTOR, LEFT, Grey
from model.picture_source import PictureSource

Stroke = Sequence[tuple[float, float]]
"""Points in the order in which they were drawn; y grows downwards."""
MOST_POINTS = 20_000
"""Points of one picture; a hand needs a few hundred."""
_TOGETHER = 24
"""Lines that are drawn at once."""
PEN = 3.0
"""Thickness of a drawn line, pixels of the prepared picture."""


def draw_strokes(strokes: Sequence[Stroke], source: PictureSource, pen: float = PEN) -> Grey:
    """White strokes on black, uint8 (height, width), at the left and as high as the picture allows.

    Args:
        pen: thickness of the lines, pixels.
    """
    points = np.array([point for stroke in strokes for point in stroke], np.float64).reshape(-1, 2)[:MOST_POINTS]
    canvas = np.zeros((source.height, source.width), np.float32)
    if not len(points):
        return canvas.astype(np.uint8)
    (x0, y0), (wide, high) = points.min(0), np.ptp(points, axis=0)
    room_x, room_y = source.width - 3 * LEFT - pen, source.height - ABOVE_AND_BELOW - pen
    factor = min(room_y / max(high, 1e-6), room_x / max(wide, 1e-6), LARGEST_FACTOR)
    left, top = LEFT + pen / 2 - x0 * factor, source.height / 2 - (y0 + high / 2) * factor
    seen = 0
    for stroke in strokes:
        placed = np.array(stroke, np.float64).reshape(-1, 2)[: max(0, MOST_POINTS - seen)] * factor + (left, top)
        seen += len(placed)
        for first in range(0, max(1, len(placed) - 1), _TOGETHER):
            _line(canvas, placed[first : first + _TOGETHER + 1], pen / 2)
    return np.rint(255 * canvas).astype(np.uint8)


def _line(canvas: NDArray[np.float32], points: NDArray[np.float64], radius: float) -> None:
    """Draw lines between points (N, 2), with round ends: full up to their edge, which is one pixel wide."""
    if not len(points):
        return
    high, wide = canvas.shape
    x0, y0 = np.maximum(0, np.floor(points.min(0) - radius - 1)).astype(int)
    x1, y1 = np.minimum((wide, high), np.ceil(points.max(0) + radius + 1)).astype(int)
    if x1 <= x0 or y1 <= y0:
        return
    starts, ends = (points[:-1], points[1:]) if len(points) > 1 else (points, points)
    along, across = (ends - starts).T[:, :, None, None]
    xs, ys = np.arange(x0, x1) + 0.5, (np.arange(y0, y1) + 0.5)[:, None]  # the middles of pixels
    dx, dy = xs - starts[:, 0, None, None], ys - starts[:, 1, None, None]  # (N - 1, 1, W), (N - 1, H, 1)
    share = np.clip((dx * along + dy * across) / np.maximum(along**2 + across**2, 1e-12), 0, 1)
    distance = np.sqrt(((dx - share * along) ** 2 + (dy - share * across) ** 2).min(0))
    part = canvas[y0:y1, x0:x1]
    np.maximum(part, np.clip(radius + 0.5 - distance, 0, 1).astype(np.float32), out=part)
