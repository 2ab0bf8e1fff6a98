"""Loads PyTorch, the pages' modules and the shipped model at startup, so that the first visitor need not wait."""

from __future__ import annotations

import importlib
import logging
import pkgutil
import threading
import time

from viz.server import garbage

log = logging.getLogger(__name__)
_WHOLE = ("viz.panels", "viz.export")
_importing = threading.Lock()
_imported = threading.Event()


def start() -> None:
    """Warm in a separate thread, so that the server can answer meanwhile."""
    threading.Thread(target=warm, daemon=True, name="warming").start()


def is_imported() -> bool:
    """Whether a page can be drawn without waiting for its imports."""
    return _imported.is_set()


def import_all() -> None:
    """Import what the pages and the routes need, in whichever thread comes first; the others wait for it.

    Two threads that import parts of one package at once can meet a module that is half made: each waits for the other,
    and Python ends such a deadlock by handing out the module as it is.
    """
    if is_imported():
        return
    with _importing:
        if is_imported():
            return
        importlib.import_module("model")
        for package in map(importlib.import_module, _WHOLE):
            for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                importlib.import_module(found.name)
        _imported.set()


def warm() -> None:
    """Import and load. An error is logged; it occurs again, with its message, on the page that needs the result."""
    started = time.perf_counter()
    try:
        import_all()
        _remove_leftovers()
        _translate_once()
    except Exception:
        log.warning("The server could not be warmed; the first visitor will wait longer.", exc_info=True)
    garbage.freeze()
    log.info("Warm after %.1f s.", time.perf_counter() - started)


def _remove_leftovers() -> None:
    """Remove the files that a killed server has left, now and not when somebody uploads the next one."""
    from model.files.workspace import workspace

    try:
        workspace()
    except OSError as error:
        log.warning("The folder for uploaded files cannot be used: %s", error)


def _translate_once() -> None:
    """Load the first model and run it once, because the first call of each PyTorch operator takes longer."""
    from viz import cache, processors
    from viz.selection import Selection

    processors.share()
    names = cache.model_names()
    if names:
        cache.translate(cache.bundle(names[0]), Selection().text)
