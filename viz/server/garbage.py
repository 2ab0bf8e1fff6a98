"""Chooses when Python collects garbage, ends sessions whose visitors have left, returns free memory to the system, and
deletes old training runs even if nobody starts a new one.

Streamlit collects after every script run (``runner.postScriptGC``). With PyTorch loaded that walks 400,000 objects and
holds the interpreter for 0.2 s, for every visitor. We switch that off in ``.streamlit/config.toml``, take what is
imported and loaded at the start out of every later collection, and collect what remains once in a while.

A visitor who leaves may come back within two minutes; Streamlit keeps the session that long, in a table that forgets it
only when the next visitor leaves. With the session stay its files, a hundred megabytes perhaps, on a server that nobody
uses. What is freed then, glibc still keeps in an arena for each thread that ever asked for memory, until
``malloc_trim`` returns it.
"""

import asyncio
import ctypes
import gc
import logging
import os
import time

from streamlit.runtime import Runtime
from streamlit.runtime.caching.ttl_cache import TTLCache

from viz.environment import COLLECT_VARIABLE

SECONDS = 20.0
"""Seconds between two collections."""


def freeze() -> None:
    """Collect once, and exclude everything that is alive from later collections."""
    gc.collect()
    gc.freeze()


async def collect_now_and_then() -> None:
    """Collect repeatedly, in a thread, so that the event loop can serve connections meanwhile."""
    seconds = float(os.environ.get(COLLECT_VARIABLE, SECONDS))
    while True:
        await asyncio.sleep(seconds)
        if Runtime.exists():
            end_left_sessions(getattr(Runtime.instance()._session_mgr, "_session_storage", None))
        await asyncio.to_thread(collect)


def end_left_sessions(storage: object) -> None:
    """Shut down the sessions whose visitors can no longer come back; called by the event loop, which owns them."""
    sessions = getattr(storage, "_cache", None)
    if not isinstance(sessions, TTLCache):
        return
    left = dict(sessions._data)
    sessions.expire()
    for name, entry in left.items():
        if name not in sessions:
            entry.session.shutdown()


def collect() -> None:
    """Collect garbage, and return free memory to the system where its allocator keeps it."""
    gc.collect()
    library = ctypes.CDLL(None) if os.name == "posix" else None  # Windows has no C library by that name
    trim = getattr(library, "malloc_trim", None)  # glibc has it, musl and macOS do not
    if trim is not None:
        trim(0)


log = logging.getLogger(__name__)
CHECK_SECONDS = 600.0
"""Seconds between two checks of the folder of runs."""
JUMP_SECONDS = 60.0
"""A system clock that is set forward by more makes every run look old."""
DAY = 86_400.0


async def tidy_now_and_then(seconds: float = CHECK_SECONDS) -> None:
    """Remove, again and again, the runs that are older than this installation keeps them.

    The age of a run is read from the system's clock. When that is set forward, no run is removed by its age until all
    of them have been kept for as long as promised.
    """
    wall, steady, trusted_from = time.time(), time.monotonic(), 0.0
    while True:
        await asyncio.sleep(seconds)
        now, on = time.time(), time.monotonic()
        jump = (now - wall) - (on - steady)
        wall, steady = now, on
        try:
            if jump > JUMP_SECONDS:
                log.warning("the clock was set forward by %.0f s: runs are kept for their whole time again", jump)
                trusted_from = steady + await asyncio.to_thread(_kept_seconds)
            # The clock may be set while runs are removed, so that their age is read from the time that was judged.
            await asyncio.to_thread(tidy, now=wall if steady >= trusted_from else 0.0)
        except OSError as error:
            log.warning("old runs could not be removed: %s", error)


def _kept_seconds() -> float:
    from model.runs.limits import Limits

    return Limits.from_environment().keep_days * DAY


def tidy(*, now: float | None = None) -> None:
    """Remove the runs that are too old or too many; ``now`` as in ``model.runs.retention.clean``."""
    # Imported now, because the training package is not needed by the first page.
    from model.runs.limits import Limits, runs_root
    from model.runs.retention import clean

    clean(runs_root(), Limits.from_environment(), now=now)
