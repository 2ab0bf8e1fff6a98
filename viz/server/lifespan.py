"""From start to end of the server: arguments, warming in a thread, and chores now and then while it runs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import streamlit as st

from viz.server import garbage, tidying, warming
from viz.server.arguments import take_arguments
from viz.server.pages_folder import ignore_pages_folder


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """What surrounds the server's life."""
    take_arguments(sys.argv[1:])
    ignore_pages_folder()
    warming.start()
    chores = [asyncio.create_task(chore) for chore in (garbage.collect_now_and_then(), tidying.tidy_now_and_then())]
    try:
        yield
    finally:
        for chore in chores:
            chore.cancel()
            with suppress(asyncio.CancelledError):
                await chore
