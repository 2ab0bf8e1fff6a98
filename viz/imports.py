"""Imports the application's modules in one thread at a time: first what the front page needs, then the rest.

PyTorch takes seconds to import, so pages, phones and uploads that come meanwhile wait here. Two threads that import
parts of one package at once can meet a module that is half made: each waits for the other, and Python ends such a
deadlock by handing out the module as it is.
"""

import importlib
import pkgutil
import threading
import time

from viz.pages import SCRIPTS

_FIRST = (
    "model.bundle", "viz.pages", "viz.state.clicks", "viz.export.views", "viz.panels.explorer",
    "viz.panels.stage.sentence", "viz.frame.first_steps", "viz.frame.frame", "viz.frame.fitting_pages",
    "viz.lesson.carried", "viz.room.publish", "viz.explore.curve", "viz.explore.long_text",
    "viz.explore.take_away", "viz.explore.tools",
)  # fmt: skip
"""What the front page needs."""
_SCRIPTS = frozenset(f"{__package__}.{name}.{name}" for name in SCRIPTS)
"""The pages themselves, which Streamlit runs and nothing imports."""
_WHOLE = ("viz.panels", "viz.export", *(f"{__package__}.{name}" for name in SCRIPTS))
_LIBRARIES = ("altair", "pandas", "sacrebleu")
"""Libraries that the modules import when they first use them."""
_MAX_WAIT, _DRAWING = 10.0, 1.0
"""Seconds that the other imports wait for the first page, and seconds in which a browser draws it."""
_importing = threading.Lock()
_front, _whole, _drawn = threading.Event(), threading.Event(), threading.Event()
_visited = threading.Event()


def is_first_ready() -> bool:
    """Whether the front page can be drawn without waiting for its imports."""
    return _front.is_set()


def import_first() -> None:
    """Import what the front page needs, in whichever thread comes first; the others wait for it."""
    if _front.is_set():
        return
    with _importing:
        if not _front.is_set():
            for name in _FIRST:
                importlib.import_module(name)
            _front.set()


def import_all() -> None:
    """Import what all pages and the routes need, in whichever thread comes first; the others wait for it."""
    import_first()
    if _whole.is_set():
        return
    with _importing:
        if _whole.is_set():
            return
        for package in map(importlib.import_module, _WHOLE):
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                if module.name not in _SCRIPTS:
                    importlib.import_module(module.name)
        for library in _LIBRARIES:
            importlib.import_module(library)
        _whole.set()


def page_begins() -> None:
    """To be called at the beginning of every page."""
    _visited.set()


def page_is_drawn() -> None:
    """To be called at the end of every page."""
    _drawn.set()


def let_first_page_pass() -> None:
    """Where a visitor already waits, return when the first page has been drawn."""
    if _visited.is_set() and _drawn.wait(_MAX_WAIT):
        time.sleep(_DRAWING)
