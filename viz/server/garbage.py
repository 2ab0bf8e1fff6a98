"""Periodic work: collects garbage, ends abandoned sessions, returns free memory to the system, deletes old runs.

Streamlit collects after every script run (``runner.postScriptGC``). With PyTorch loaded that walks 400,000 objects and
holds the interpreter for 0.2 s, for every visitor. So it is switched off in ``.streamlit/config.toml``; the objects of
the start are excluded from collections, and the rest is collected every ``SECONDS``.

Streamlit keeps the session of a visitor who has left for two minutes, in a table that removes it only when the next
visitor leaves. Until then its files, perhaps a hundred megabytes, stay in memory. glibc keeps freed memory in an arena
per thread until ``malloc_trim`` returns it.
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
    """Collect every ``SECONDS``, in a thread, so that the event loop can serve connections meanwhile."""
    seconds = float(os.environ.get(COLLECT_VARIABLE, SECONDS))
    while True:
        await asyncio.sleep(seconds)
        if Runtime.exists():
            end_abandoned_sessions(getattr(Runtime.instance()._session_mgr, "_session_storage", None))
        await asyncio.to_thread(collect)


def end_abandoned_sessions(storage: object) -> None:
    """Shut down the sessions whose visitors can no longer come back; called by the event loop, which owns them."""
    sessions = getattr(storage, "_cache", None)
    if not isinstance(sessions, TTLCache):
        return
    stored = dict(sessions._data)
    sessions.expire()
    for name, entry in stored.items():
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
    """Remove every ``seconds`` the runs that are older than this installation keeps them.

    The age of a run is measured by the system's clock. When that is set forward, no run is removed by its age until all
    of them have been kept for the whole time that was promised.
    """
    wall, monotonic, trusted_from = time.time(), time.monotonic(), 0.0
    while True:
        await asyncio.sleep(seconds)
        elapsed_wall, elapsed = time.time() - wall, time.monotonic() - monotonic
        wall, monotonic = wall + elapsed_wall, monotonic + elapsed
        try:
            if (jump := elapsed_wall - elapsed) > JUMP_SECONDS:
                log.warning("the clock was set forward by %.0f s: runs are kept for their whole time again", jump)
                trusted_from = monotonic + await asyncio.to_thread(_kept_seconds)
            # The clock may be set during the removal: ages are measured against the time that was checked.
            await asyncio.to_thread(tidy, now=wall if monotonic >= trusted_from else 0.0)
        except OSError as error:
            log.warning("old runs could not be removed: %s", error)


def _kept_seconds() -> float:
    from model.runs.limits import Limits

    return Limits.from_environment().keep_days * DAY


def tidy(*, now: float | None = None) -> None:
    """Remove the runs that are too old or too many; ``now`` as in ``model.runs.retention.clean``."""
    # Imported here, because the first page does not need the training package.
    from model.runs.limits import Limits, runs_root
    from model.runs.retention import clean

    clean(runs_root(), Limits.from_environment(), now=now)
