"""Chooses when Python collects garbage, ends sessions whose visitors have left, and returns free memory to the system.

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
import os

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
    for name, held in left.items():
        if name not in sessions:
            held.session.shutdown()


def collect() -> None:
    """Collect garbage, and return free memory to the system where its allocator keeps it."""
    gc.collect()
    library = ctypes.CDLL(None) if os.name == "posix" else None  # Windows has no C library by that name
    trim = getattr(library, "malloc_trim", None)  # glibc has it, musl and macOS do not
    if trim is not None:
        trim(0)
