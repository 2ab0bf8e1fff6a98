"""Loads PyTorch, the pages' modules and the shipped model at startup, so that the first visitor need not wait."""

import logging
import threading
import time

from viz import imports
from viz.server import garbage

log = logging.getLogger(__name__)


def start() -> None:
    """Warm in a separate thread, so that the server can answer meanwhile."""
    threading.Thread(target=warm, daemon=True, name="warming").start()


def warm() -> None:
    """Import and load. An error is logged; it occurs again, with its message, on the page that needs the result."""
    started = time.perf_counter()
    try:
        imports.import_first()
        _hide_memory()
        _remove_leftovers()
        _translate_once()
        imports.let_first_page_pass()
        imports.import_all()
    except Exception:
        log.warning("The server could not be warmed; the first visitor will wait longer.", exc_info=True)
    garbage.freeze()
    log.info("Warm after %.1f s.", time.perf_counter() - started)


def _hide_memory() -> None:
    """From the processes that read strangers' files, which run as the same user."""
    from model.files.linux_rules import hide_memory

    hide_memory()


def _remove_leftovers() -> None:
    """Remove files that a killed server has left and runs that are too old, now and not when somebody brings the next
    one."""
    from model.files.workspace import workspace

    try:
        workspace()
    except OSError as error:
        log.warning("The folder for uploaded files cannot be used: %s", error)
    try:
        garbage.tidy()
    except OSError as error:
        log.warning("Old runs could not be removed: %s", error)


def _translate_once() -> None:
    """Load the first model and translate its first sentence, because the first call of each PyTorch operator takes
    longer, and the first visitor sees that sentence."""
    from viz import cache, processors
    from viz.panels.opening import opening
    from viz.panels.reading import read_under
    from viz.state.selection import Selection

    processors.one_thread_per_page()
    names = cache.model_names()
    if names:
        bundle = cache.bundle(names[0])
        read_under(bundle, Selection(text=opening(bundle, Selection().text, is_chosen=False)))
