"""The steps of one head as screens: where each number is shown, and how it follows from the others.

``vector`` screens follow one query, with keys down the side; ``matrix`` screens show all queries at once.
"""

from collections.abc import Callable

from model.interpret.inspection_steps import HeadInspection
from viz.components.inside.screen import Screen
from viz.inside import head, stream, turning
from viz.inside.view import View

_SCREENS: dict[str, Callable[[View], Screen]] = {
    "entrance": stream.entrance,
    "project": head.project,
    "split": head.split_heads,
    "turn": turning.turn,
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
STEPS = tuple(step for step in _SCREENS if step != "turn")
"""In the order of the computation; the logit lens comes last because it is not part of a head."""
TURNING = tuple(_SCREENS)
"""The same for a model with rotary positions."""


def steps_of(inspection: HeadInspection) -> tuple[str, ...]:
    """The steps of a head: rotary models have one more."""
    return STEPS if inspection.turn is None else TURNING


def screen_of(step: str, view: View) -> Screen:
    """The screen of one of ``STEPS``."""
    return _SCREENS[step](view)
