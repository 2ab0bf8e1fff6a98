"""Deletes old training runs even if nobody starts a new one."""

from __future__ import annotations

import asyncio
import logging

log = logging.getLogger(__name__)
SECONDS = 600.0
"""Seconds between two checks of the folder."""


async def tidy_now_and_then(seconds: float = SECONDS) -> None:
    """Remove, again and again, the runs that are older than this installation keeps them."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await asyncio.to_thread(_tidy)
        except OSError as error:
            log.warning("old runs could not be removed: %s", error)


def _tidy() -> None:
    # Imported now, because the training package is not needed by the first page.
    from model.training.limits import Limits, runs_root
    from model.training.retention import clean

    clean(runs_root(), Limits.from_environment())
