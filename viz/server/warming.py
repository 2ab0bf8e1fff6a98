"""Loads PyTorch, the pages' modules and the shipped model at startup, so that the first visitor need not wait."""

from __future__ import annotations

import asyncio
import importlib
import logging
import pkgutil
import threading
import time

from viz.server import garbage

log = logging.getLogger(__name__)
_threads: list[threading.Thread] = []


def start() -> threading.Thread:
    """Warm in a separate thread, so that the server can answer meanwhile."""
    thread = threading.Thread(target=warm, daemon=True, name="warming")
    thread.start()
    _threads.append(thread)
    return thread


async def finished() -> None:
    """Return once the server is warm. Two threads that import the same packages at once can lock each other out."""
    for thread in _threads:
        await asyncio.to_thread(thread.join)


def warm() -> None:
    """Import and load. An error is logged; it occurs again, with its message, on the page that needs the result."""
    started = time.perf_counter()
    try:
        _import_panels()
        _remove_leftovers()
        _translate_once()
    except Exception:
        log.warning("The server could not be warmed; the first visitor will wait longer.", exc_info=True)
    garbage.freeze()
    log.info("Warm after %.1f s.", time.perf_counter() - started)


def _import_panels() -> None:
    import viz.panels

    # The frame and the first page come first: a visitor may be waiting for them.
    for name in ("viz.panels.frame", "viz.panels.sentence", "viz.panels.explorer"):
        importlib.import_module(name)
    for found in pkgutil.walk_packages(viz.panels.__path__, "viz.panels."):
        importlib.import_module(found.name)


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
