"""The server's lifespan: arguments, loading PyTorch, pages and the first model in a thread, and periodic work."""

import argparse
import asyncio
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import FrameType

import streamlit as st

from viz import imports
from viz.environment import CHECKPOINT_VARIABLE, COMPUTATION_MB, COMPUTATION_VARIABLE, SURVEY_VARIABLE
from viz.rooms.hub import hub
from viz.server import garbage, patches

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None

log = logging.getLogger(__name__)
CONNECTIONS = 65_536
"""Files and connections that the server may have open, where the system allows as many."""


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """The lifespan of the server."""
    take_arguments(sys.argv[1:])
    os.environ.setdefault(COMPUTATION_VARIABLE, COMPUTATION_MB)
    _allow_many_connections()
    patches.keep_messages_of_full_runs()
    sys.stdout.write("".join(f"\n  Regard: {address}" for address in patches.own_addresses()) + "\n\n")
    sys.stdout.flush()
    threading.Thread(target=warm, daemon=True, name="warming").start()  # the server can answer meanwhile
    _end_connections_before_the_server()
    chores = [asyncio.create_task(chore) for chore in (garbage.collect_now_and_then(), garbage.tidy_now_and_then())]
    try:
        yield
    finally:
        for chore in chores:
            chore.cancel()
            with suppress(asyncio.CancelledError):
                await chore


def _allow_many_connections() -> None:
    """Raise the limit of open files: a single client can exhaust the usual 1,024."""
    if resource is None:
        return
    now, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft_limit = CONNECTIONS if hard_limit == resource.RLIM_INFINITY else min(CONNECTIONS, hard_limit)
    if now != resource.RLIM_INFINITY and now < soft_limit:
        with suppress(ValueError, OSError):  # macOS says "unlimited" and allows less
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft_limit, hard_limit))


def _end_connections_before_the_server() -> None:
    """On a signal to end, close the event streams first, because the server waits for open connections."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if not callable(before):
            continue

        def end(received: int, frame: FrameType | None, before=before) -> None:
            hub().close()
            before(received, frame)

        signal.signal(number, end)


def take_arguments(words: Sequence[str]) -> None:
    """Read the command line, and store its options in the environment."""
    parser = argparse.ArgumentParser(prog="streamlit run app.py --")
    parser.add_argument("--checkpoint", type=Path, help="a checkpoint to open beside the shipped ones")
    parser.add_argument("--survey", type=Path, help="a folder with a survey, for the Corpus page")
    options = parser.parse_known_args(words)[0]
    for path, variable in ((options.checkpoint, CHECKPOINT_VARIABLE), (options.survey, SURVEY_VARIABLE)):
        if path is not None:
            os.environ[variable] = str(path)


def warm() -> None:
    """Import and load before the first visitor. A page that needs the result raises a logged error again."""
    started = time.perf_counter()
    try:
        imports.import_first()
        from model.files.linux_rules import hide_memory

        hide_memory()  # from the processes that read strangers' files, which run as the same user
        _remove_leftovers()
        _translate_once()
        imports.let_first_page_pass()
        imports.import_all()
    except Exception:
        log.warning("The server could not be warmed; the first visitor will wait longer.", exc_info=True)
    garbage.freeze()
    log.info("Warm after %.1f s.", time.perf_counter() - started)


def _remove_leftovers() -> None:
    """Remove files that a killed server has left and runs that are too old, before the first new ones."""
    from model.files.workspace import workspace

    for remove, problem in (
        (workspace, "The folder for uploaded files cannot be used"), (garbage.tidy, "Old runs could not be removed"),
    ):  # fmt: skip
        try:
            remove()
        except OSError as error:
            log.warning("%s: %s", problem, error)


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
