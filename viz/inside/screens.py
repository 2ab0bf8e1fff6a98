"""The steps of one head as screens: where each number is shown, and how it follows from the others.

``vector`` screens follow one query, with keys down the side; ``matrix`` screens show all queries at once.
"""

from __future__ import annotations

from collections.abc import Callable

from viz.components.inside.screen import Screen
from viz.inside import head, stream
from viz.inside.view import View

_SCREENS: dict[str, Callable[[View], Screen]] = {
    "entrance": stream.entrance,
    "project": head.project,
    "split": head.split,
    "scores": head.scores,
    "scale": head.scale,
    "mask": head.mask,
    "softmax": head.softmax,
    "mix": head.mix,
    "concat": head.concat,
    "output": stream.output,
    "residual": stream.residual,
    "feed": stream.feed,
}
STEPS = tuple(_SCREENS)
"""In the order of the computation; the logit lens comes last because it is not part of a head."""


def screen_of(step: str, view: View) -> Screen:
    """The screen of one of ``STEPS``."""
    return _SCREENS[step](view)
