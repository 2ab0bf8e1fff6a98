"""The pages of the application and their places in the navigation: a folder with a script of its name is a page."""

from pathlib import Path

_IN_ORDER = (
    "explore", "overview", "decode", "causal", "inside", "positions", "laboratory", "corpus", "fine_tune",
    "checkpoints", "lesson", "room",
)  # fmt: skip
_AROUND_ALL = "frame"
SCRIPTS = sorted(path.stem for path in Path(__file__).parent.glob("*/*.py") if path.stem == path.parent.name)

PAGES = (*_IN_ORDER, *(name for name in SCRIPTS if name not in (*_IN_ORDER, _AROUND_ALL)))
"""In the order of the navigation, the first one being the front page; those that it does not name stand at its end."""

MENUS = {
    "inside": ("overview", "inside"),
    "learn": ("lesson", "positions", "laboratory"),
    "research": ("causal", "corpus"),
    "models": ("fine_tune", "checkpoints"),
}
"""Menus at the end of the navigation, named by what a reader wants to do; all of it fits beside the pickers on a screen
of 1280 pixels."""

APART = ("room",)
"""Pages that are reached from the pickers, not from the navigation."""
