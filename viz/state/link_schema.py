"""The schema of a link, which the application and the page without a server share.

The fields of ``Selection`` and their rules are the schema. The page is sent them as JSON values, and reads and writes
its own links by them (viz/components/site/links/link.js), so that a link of the one opens in the other.
"""

import dataclasses
from typing import Any, get_args

from model.intervention_text import LETTERS
from model.interventions import PositionMode
from viz.state.rules import forms
from viz.state.selection import Selection
from viz.state.view_state import ViewState

LEVELS = {"head": "inside", "model": "overview"}
"""Levels of the page without a server, as in its links, and the pages of the application that show the same."""
STEPS = {"inside": "inside.query", "overview": "overview.step", "decode": "decode.step"}
"""The parameter by which a page of the application names the token that is looked at; elsewhere it is pinned."""
_APART = ("kind", "layer", "head", "heads", "pins", "weighting", "compare")


def schema() -> dict[str, Any]:
    """The schema as JSON values."""
    return {
        "fields": forms(Selection),
        "look": [field.name for field in dataclasses.fields(ViewState) if field.name not in _APART],
        "letters": LETTERS,
        "moves": list(get_args(PositionMode)),
        "levels": LEVELS,
        "steps": STEPS,
    }


def page_params(params: dict[str, str], page: str) -> dict[str, str]:
    """Parameters of a link to the page without a server, from those of the application.

    Args:
        params: choices as ``viz.state.session.params`` gives them.
        page: the application's page, as in its address.
    """
    level = next((level for level, name in LEVELS.items() if name == page), "")
    shared = {name: text for name, text in params.items() if "." not in name}
    step = params.get(STEPS.get(page, ""), "")
    if step.isdecimal():
        shared["pins"] = f"q{step}"
    return shared | ({"level": level} if level else {})
