"""Deletes old training runs even if nobody starts a new one."""

import asyncio
import logging
import time

log = logging.getLogger(__name__)
SECONDS = 600.0
"""Seconds between two checks of the folder."""
JUMP_SECONDS = 60.0
"""A system clock that is set forward by more makes every run look old."""
DAY = 86_400.0


async def tidy_now_and_then(seconds: float = SECONDS) -> None:
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
