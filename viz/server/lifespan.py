"""The server's lifespan: arguments, loading in a thread at startup, and periodic work while it runs."""

import argparse
import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import FrameType

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None

import streamlit as st

from viz.environment import CHECKPOINT_VARIABLE, COMPUTATION_MB, COMPUTATION_VARIABLE, SURVEY_VARIABLE
from viz.rooms.hub import hub
from viz.server import garbage, outside, warming, whole_runs

CONNECTIONS = 65_536
"""Files and connections that the server may have open, where the system allows as many."""


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """The lifespan of the server."""
    take_arguments(sys.argv[1:])
    os.environ.setdefault(COMPUTATION_VARIABLE, COMPUTATION_MB)
    _allow_many_connections()
    whole_runs.keep()
    sys.stdout.write("".join(f"\n  Regard: {address}" for address in outside.own_addresses()) + "\n\n")
    sys.stdout.flush()
    warming.start()
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
