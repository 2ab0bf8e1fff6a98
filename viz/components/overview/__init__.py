"""The whole model on one screen: boxes laid out in Python, drawn as SVG in the browser, each one a way to its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict

from viz.components.overview.plan import WIDTH, Plan
from viz.components.source import Source
from viz.i18n import current_language
from viz.theme import DARK, LIGHT, Palette

SOURCE = Source("overview", "component.js")
_render = SOURCE.mount()


def overview(plan: Plan, *, words: Mapping[str, str], first_index: int, key: str, on_open: Callable[[], None]) -> None:
    """Draw the plan. A click on a box arrives as ``open``: the box's name, or "name#head" for one of its heads.

    Args:
        first_index: 0 or 1, what the first head is called.
    """
    data = {
        "plan": asdict(plan),
        "width": WIDTH,
        "words": dict(words),
        "language": current_language(),
        "first": first_index,
        "colours": {"light": _colours(LIGHT), "dark": _colours(DARK)},
    }
    _render(data=data, key=key, on_open_change=on_open)


def _colours(palette: Palette) -> dict[str, str]:
    return dict(palette.kinds) | {"accent": palette.accent, "good": palette.good}
