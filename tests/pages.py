"""The application's pages and their popovers, read from the application."""

import re
from pathlib import Path
from typing import Any

from viz.pages import PAGES

_VIZ = Path(__file__).parents[1] / "viz"


def pages_and_panels() -> list[Path]:
    """The scripts of the pages and everything from which they are built."""
    folders = ("panels", "frame", *PAGES)
    return sorted(path for folder in folders for path in (_VIZ / folder).rglob("*.py"))


def _drawers() -> tuple[str, ...]:
    calls = re.compile(r'\bdrawer\(.*?key="([^"]+)"', re.DOTALL)
    return tuple(key for path in sorted(_VIZ.rglob("*.py")) for key in calls.findall(path.read_text("utf-8")))


DRAWERS = _drawers()
"""Keys of the popovers that draw their content only while they are open."""


def go_to(app: Any, page: str) -> Any:
    """An AppTest after a run on a page. A session's first run opens the page by its own address, as a link does, so
    that the front page need not be drawn before it."""
    return (app if page == PAGES[0] else app.switch_page(f"{page}/{page}.py")).run()


def open_drawers(app: Any) -> Any:
    """An AppTest with every popover and the dialog of files open in its next run, so that the widgets inside can be
    used."""
    for key in DRAWERS:
        app.session_state[key] = True
    memory = app.session_state.get("regard.memory", {})
    app.session_state["regard.memory"] = memory | {"explorer.files": "due"}
    return app
