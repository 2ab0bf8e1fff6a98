"""The application's pages and popovers, read from its source."""

import re
from pathlib import Path
from typing import Any

from viz.pages import PAGES

_VIZ = Path(__file__).parents[1] / "viz"


def pages_and_panels() -> list[Path]:
    """The source files of the pages, their panels and their frame."""
    folders = ("panels", "frame", *PAGES)
    return sorted(path for folder in folders for path in (_VIZ / folder).rglob("*.py"))


def _drawers() -> tuple[str, ...]:
    calls = re.compile(r'\bdrawer\(.*?key="([^"]+)"', re.DOTALL)
    return tuple(key for path in sorted(_VIZ.rglob("*.py")) for key in calls.findall(path.read_text("utf-8")))


DRAWERS = _drawers()
"""Keys of the popovers whose content is only computed while they are open."""


def go_to(app: Any, page: str) -> Any:
    """Run an AppTest on a page. A session's first run opens the page directly, without running the front page."""
    return (app if page == PAGES[0] else app.switch_page(f"{page}/{page}.py")).run()


def open_drawers(app: Any) -> Any:
    """Open every popover and the dialog of files in the next run, so that the widgets inside can be used."""
    for key in DRAWERS:
        app.session_state[key] = True
    memory = app.session_state.get("regard.memory", {})
    app.session_state["regard.memory"] = memory | {"explorer.files": "due"}
    return app
