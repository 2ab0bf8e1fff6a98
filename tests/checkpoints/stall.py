"""One visitor drops hostile files while another clicks: how long those clicks take on a real server.

``python -m tests.checkpoints.attack --stall`` prints a row for each file: the time of the clicks during it and before
it, how long the server's event loop was blocked, and the peak memory of the server and of its children.
"""

import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.serving import server
from model.runs.limits import RUNS_VARIABLE
from tests.checkpoints.blows import BLOWS, Blow, drop, without_tokens
from tests.checkpoints.watching import Clicks, Found, clicking, watched
from tests.session import connect_session

MOST_SECONDS, MOST_MB = 1.0, 1024.0
"""Limits: seconds by which a click may exceed the median of the clicks before, and MiB of server memory per file."""
PATIENCE = 40.0
"""The hostile visitor continues with the next file after this many seconds."""
QUIET = 15.0
"""Seconds of clicks before the first file, and again until there are ``LEAST_CLICKS``."""
LEAST_CLICKS = 20
HEADS = ("", "MB", "waited", "clicks", "median", "p95", "worst", "ratio", "loop", "server", "others")
"""Size, seconds of the hostile visitor; clicks and their seconds, the worst over the median before, seconds of the
server's loop; MiB of the server and of its children."""


def run(chosen: Sequence[str] = ()) -> bool:
    """Measure and print; returns whether all clicks and the memory stayed within their limits.

    Args:
        chosen: parts of file names; without any, all files are used.
    """
    blows = [blow for blow in BLOWS if not chosen or any(part in blow.name for part in chosen)]
    with tempfile.TemporaryDirectory(prefix="regard-stall-") as place, ExitStack() as stack:
        environment = {RUNS_VARIABLE: f"{place}/runs", "OMP_NUM_THREADS": "1"}
        address, process = stack.enter_context(server(environment=environment))
        clicks = stack.enter_context(clicking(address))
        with connect_session(address, patience=PATIENCE) as visitor:
            drop(visitor, {"model.pt": without_tokens()})  # load everything first, so that no file is charged for it
        time.sleep(5)
        before = _undisturbed(clicks)
        print("".join(f"{head:>{34 if not head else 8}}" for head in HEADS))
        _say(before, before)
        found = [_struck(blow, address, clicks, process, Path(place), before) for blow in blows]
    slow = [one.name for one in found if one.worst > before.usual + MOST_SECONDS]
    print(f"clicks that took {MOST_SECONDS:g} s longer than before: {', '.join(slow) or 'none'}")
    large = [one.name for one in found if one.server_mb > MOST_MB]
    print(f"took more than {MOST_MB:g} MiB of the server: {', '.join(large) or 'none'}")
    unnamed = [f"{one.name}: {message}" for one in found for message in one.exceptions]
    print(f"errors without a name: {'; '.join(unnamed)[:2000] or 'none'}")
    return not slow and not large and not unnamed


def _undisturbed(clicks: Clicks) -> Found:
    """Click while nobody drops anything, often enough for a median."""
    clicks.forget()
    before = Found("before", 0, 0.0)
    while len(before.clicks) < LEAST_CLICKS:
        time.sleep(QUIET)
        more = clicks.taken("before", 0)
        before.clicks += more.clicks
        before.beats += more.beats
    return before


def _struck(blow: Blow, address: str, clicks: Clicks, process: int, place: Path, before: Found) -> Found:
    """Use the file in another browser session."""
    files = blow.make(Path(tempfile.mkdtemp(dir=place)))
    clicks.forget()
    with watched(process) as memory:
        began = time.monotonic()
        with connect_session(address, patience=PATIENCE) as visitor:
            try:
                blow.do(visitor, files)
            except KeyError as error:  # the next widget is not on the page because the last step timed out
                print(f"{blow.name}: no {error} on the page")
            waited = time.monotonic() - began
        time.sleep(1.0)
    found = clicks.taken(blow.name, sum(map(len, files.values())), waited)
    found.server_mb, found.children_mb = memory
    found.exceptions += visitor.exceptions
    _say(found, before)
    return found


def _say(found: Found, before: Found) -> None:
    times = (found.usual, found.p95, found.worst, found.worst / before.usual, max(found.beats, default=0.0))
    numbers = (found.n_bytes / 1e6, found.waited, len(found.clicks), *times, found.server_mb, found.children_mb)
    print(f"{found.name[:33]:34}" + "".join(f"{number:8.2f}" for number in numbers), flush=True)
