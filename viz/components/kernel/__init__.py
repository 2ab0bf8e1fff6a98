"""Attention as kernel regression: a query to drag, a width to slide, and a width that learns."""

from collections.abc import Mapping
from dataclasses import dataclass

from model.teaching.scoring import Fit, Sample
from viz.components.source import Source
from viz.i18n import current_language
from viz.theme import DARK, LIGHT

SOURCE = Source("kernel", "component.js")
_render = SOURCE.mount()


@dataclass(frozen=True, slots=True)
class Drawing:
    """The data; the browser computes distances, weights and averages for the query."""

    sample: Sample
    truth: tuple[tuple[float, float], ...]
    """Points of the true curve."""
    fit: Fit
    """The learned width at each step."""
    width: float
    """The kernel's initial width."""


def kernel(drawing: Drawing, *, words: Mapping[str, str], key: str) -> None:
    """Draw the regression. ``words``: strings of the area "laboratory" that begin with "kernel_"."""
    data = {
        "keys": drawing.sample.keys.tolist(),
        "values": drawing.sample.values.tolist(),
        "truth": [list(point) for point in drawing.truth],
        "widths": drawing.fit.widths.tolist(),
        "losses": drawing.fit.losses.tolist(),
        "width": drawing.width,
        "language": current_language(),
        "words": {name: text for name, text in words.items() if name.startswith("kernel_")},
        "palettes": {
            mode.mode: {"ink": mode.ink, "soft": mode.ink_soft, "line": mode.line, "accent": mode.accent,
                        "warm": mode.warm, "panel": mode.panel}
            for mode in (LIGHT, DARK)
        },
    }  # fmt: skip
    _render(data=data, key=key)
