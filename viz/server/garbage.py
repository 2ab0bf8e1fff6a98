"""Chooses when Python collects garbage.

Streamlit collects after every script run (``runner.postScriptGC``). With PyTorch loaded that walks 400,000 objects and
holds the interpreter for 0.2 s, for every visitor. We switch that off in ``.streamlit/config.toml``, take what is
imported and loaded at the start out of every later collection, and collect what remains once in a while.
"""

from __future__ import annotations

import asyncio
import gc
import os

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
        await asyncio.to_thread(gc.collect)
