"""Many visitors of one server: how long each waits for a link, and how much memory the server uses.

    python -m benchmarks.visitors                                  40 visitors, a link each 10 s, 4 minutes
    python -m benchmarks.visitors --visitors 100
    python -m benchmarks.visitors --training                       while a fine-tuning runs
    python -m benchmarks.visitors --minutes 60 --every 30 --speed 4   as many visits as in an hour, in a quarter of it
    python -m benchmarks.visitors --against postScriptGC           the same with Streamlit's collection after every run
    python -m benchmarks.visitors --against 8ad5ab5                the same on an older commit

Every visit is a separate browser session over a real websocket, with a sentence that nobody has opened before. The time
runs from connecting to the end of the page's run. A visitor stays connected until the next link, and opens that late
when the last one took longer than the pause. Memory is that of the server and the processes it has started; shared
pages are counted once. At the end the first links are opened again, and the server must give the same answers. The exit
code is 1 when a visit failed, an answer differs, or the memory exceeded its limit.

It prints its progress after every minute of visits, and its measurements even when it is stopped (Ctrl-C or SIGTERM).
Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import itertools
import random
import re
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.browser import chromium
from benchmarks.latency_while_training import UNDER_WAY, started
from benchmarks.processes import memory, processor
from benchmarks.serving import ROOT, checkout, server
from model.runs.limits import RUNS_VARIABLE

GARBAGE = "postScriptGC"
PATIENCE = 300.0
"""Time limit of one visit in seconds."""
N_PROBES = 5
_LOAD = re.compile(rb'"isQuiet": ?(true|false)')
"""What a page says of the server's load is no part of its answer, nor are a packet's length and padding."""
LENGTH = 4
"""Bytes of a packet that hold the length of its header."""
ANSWERED = {
    True: "the first links are answered as at the start", False: "the first links are answered DIFFERENTLY",
    None: "stopped before its end",
}  # fmt: skip
BARS = {(40, False): " (bar 0.6)", (100, False): " (bar 1.0)", (40, True): " (bar 0.9)"}
"""Limit of the 95th percentile, by the number of visitors and whether a fine-tuning runs."""
SUBJECTS = (
    "The old man",
    "My little sister",
    "Our new teacher",
    "The young doctor",
    "A tall woman",
    "The black cat",
    "His best friend",
    "The small dog",
    "Her brother",
    "The lazy student",
    "A quiet child",
    "The tired driver",
)
VERBS = ("was reading", "is waiting", "has been working", "wants to sleep", "will stay", "was singing", "is talking",
         "had been sitting", "likes to walk", "was running", "is standing", "never stops")  # fmt: skip
PLACES = ("in the garden behind the house", "on a bench near the river", "at the table by the window", "in the rain",
          "under the tree in the park", "in front of the old school", "near the church", "in a small village",
          "on the other side of the street", "in the kitchen", "at the station", "in the mountains")  # fmt: skip
TIMES = ("today", "this morning", "every evening", "on Sunday", "all day long", "since yesterday", "at night",
         "in winter", "after lunch", "before the lesson", "once again", "for two hours")  # fmt: skip


@dataclass(slots=True)
class Run:
    """What was measured."""

    seconds: list[float] = field(default_factory=list)
    """Duration of each visit, in the order in which they ended."""
    failures: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    """Server memory in MiB: before the visits, after their first minute, at the end, and the highest seen."""
    processor: float = 0.0
    """Seconds of processor time that the servers have used."""
    is_same: bool | None = None
    """Whether the first links got the same answers at the end; None when they were not opened again."""


def main() -> int:
    """Measure this version, then the one it is compared with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=40)
    parser.add_argument("--every", type=float, default=10.0, help="seconds from one link of a visitor to the next")
    parser.add_argument(
        "--minutes", type=float, default=4.0, help="minutes of visits; --speed does not change how many visits that is"
    )
    parser.add_argument("--speed", type=float, default=1.0, help="divide the pauses by this")
    parser.add_argument("--most-mb", type=float, default=2048, help="memory that the server may hold, MiB")
    parser.add_argument("--replicas", type=int, default=1, help="servers that share the visitors")
    parser.add_argument("--training", action="store_true", help="with a fine-tuning under way")
    parser.add_argument("--against", help=f"an older commit, or {GARBAGE}")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    results = [measured(chosen, "now", ROOT, {})]
    if chosen.against == GARBAGE:
        results.append(measured(chosen, f"with {GARBAGE}", ROOT, {"STREAMLIT_RUNNER_POST_SCRIPT_GC": "true"}))
    elif chosen.against:
        with checkout(chosen.against) as folder:
            results.append(measured(chosen, f"at {chosen.against}", folder, {"PYTHONPATH": str(folder)}))
    return any(run.failures or not run.is_same or run.memory[3] > chosen.most_mb for run in results[:1])


def measured(chosen: argparse.Namespace, name: str, root: Path, environment: dict[str, str]) -> Run:
    """Start the servers, make all visits, and print two lines of results."""
    with contextlib.ExitStack() as stack:
        environment |= {
            RUNS_VARIABLE: stack.enter_context(
                tempfile.TemporaryDirectory(prefix="regard-runs-", ignore_cleanup_errors=True)
            )
        }
        servers = [stack.enter_context(server(root=root, environment=environment)) for _ in range(chosen.replicas)]
        addresses, processes = zip(*servers, strict=True)
        if chosen.training:
            stack.enter_context(training(addresses[0]))
        run = Run()
        with contextlib.suppress(KeyboardInterrupt):
            in_a_thread(visits(run, addresses, processes, chosen))
    if not run.seconds:
        return run
    ordered = sorted(run.seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    ends = min(len(run.seconds), round(chosen.visitors * 60 / chosen.every))
    begun, settled, ended, most = run.memory
    beside = " while a fine-tuning runs" if chosen.training else ""
    beside += f", {chosen.replicas} replicas" if chosen.replicas > 1 else ""
    bar = BARS.get((chosen.visitors, chosen.training), "")
    say(f"{name}: {chosen.visitors} visitors, a link each {chosen.every:g} s{beside}, {len(run.seconds)} visits: "
        f"median {statistics.median(ordered):.2f} s, p95 {p95:.2f} s{bar}, slowest {ordered[-1]:.2f} s; "
        f"median of the first minute {statistics.median(run.seconds[:ends]):.2f} s, "
        f"of the last {statistics.median(run.seconds[-ends:]):.2f} s; {len(run.failures)} failed; "
        f"{run.processor / len(run.seconds):.3f} s of processor time a visit")  # fmt: skip
    say(f"{name}: memory {begun:.0f} MiB before, {settled:.0f} MiB after the first minute, {ended:.0f} MiB at the end "
        f"({100 * (ended / settled - 1):+.1f} %, bar +10 after an hour's visits), {most:.0f} MiB at most; "
        f"{ANSWERED[run.is_same]}")  # fmt: skip
    for failure in dict.fromkeys(run.failures):
        say(f"  {failure}")
    return run


def in_a_thread(work: Coroutine[object, object, None]) -> None:
    """Run it in a separate event loop: with --training, this thread's loop is used by the browser that started the
    run."""
    with ThreadPoolExecutor(1) as thread:
        loop = asyncio.new_event_loop()
        task = asyncio.run_coroutine_threadsafe(work, loop)
        thread.submit(loop.run_forever)
        try:
            task.result()
        finally:
            task.cancel()
            loop.call_soon_threadsafe(loop.stop)


async def visits(run: Run, addresses: Sequence[str], processes: Sequence[int], chosen: argparse.Namespace) -> None:
    """Run all visitors, each on one of the servers."""
    links = sentences()
    probes = [next(links) for _ in range(N_PROBES)]
    before = [await answer(address, text) for address in addresses for text in probes]
    pause = chosen.every / chosen.speed
    each = max(1, round(chosen.minutes * 60 / chosen.every))
    total, first_minute = each * chosen.visitors, round(chosen.visitors * 60 / chosen.every)
    run.memory, began = [memory(processes)] * 4, processor(processes)
    watching = asyncio.create_task(watch(run, processes, min(first_minute, total), total))
    places = random.Random(0)
    await asyncio.gather(*(
        visitor(address, links, run, n_visits=each, pause=pause, start=places.uniform(0, pause))
        for address, _ in zip(itertools.cycle(addresses), range(chosen.visitors), strict=False)
    ))  # fmt: skip
    watching.cancel()
    run.memory[2], run.processor = memory(processes), processor(processes) - began
    run.is_same = before == [await answer(address, text) for address in addresses for text in probes]


async def visitor(address: str, links: Iterator[str], run: Run, *, n_visits: int, pause: float, start: float) -> None:
    """One visitor: open a link, pause, open the next link."""
    await asyncio.sleep(start)
    open_page: ClientConnection | None = None
    for _ in range(n_visits):
        began = time.monotonic()
        try:
            came, _ = await opened(address, next(links))
        except (OSError, RuntimeError) as error:
            run.failures.append(f"{type(error).__name__}: {error}")
            came = None
        run.seconds.append(time.monotonic() - began)
        if open_page is not None:
            await open_page.close()
        open_page = came
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
    if open_page is not None:
        await open_page.close()


async def opened(address: str, text: str) -> tuple[ClientConnection, str]:
    """Open a link in a new session; return the session and a digest of the page it received.

    Raises:
        RuntimeError: when the page holds an exception.
    """
    socket = await connect(
        f"{address.replace('http', 'ws', 1)}/_stcore/stream", subprotocols=[Subprotocol("streamlit")], max_size=None,
        open_timeout=PATIENCE, compression=None,
    )  # fmt: skip
    try:
        asked = BackMsg(rerun_script=ClientState(query_string=urlencode({"text": text, "layer": "1", "head": "0"})))
        await socket.send(asked.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            return socket, await _page(socket)
    except BaseException:
        await socket.close()
        raise


async def _page(socket: ClientConnection) -> str:
    views = hashlib.sha256()
    while True:
        message = ForwardMsg.FromString(await socket.recv(decode=False))
        if message.WhichOneof("type") == "script_finished":
            return views.hexdigest()
        element = message.delta.new_element
        if message.delta.WhichOneof("type") != "new_element" or element.WhichOneof("type") is None:
            continue
        if element.WhichOneof("type") == "exception":
            raise RuntimeError(element.exception.message)
        if element.WhichOneof("type") == "bidi_component":
            proto = element.bidi_component
            sent = proto.bytes[LENGTH:] or proto.json.encode() or proto.mixed.json.encode()
            views.update(_LOAD.sub(b"", sent).replace(b" ", b""))


async def answer(address: str, text: str) -> str:
    """A digest of the page that a new session receives for a link."""
    socket, digest = await opened(address, text)
    await socket.close()
    return digest


async def watch(run: Run, processes: Sequence[int], first_minute: int, total: int) -> None:
    """Record the memory after the first minute's visits and the highest, and print the progress after each minute."""
    said = 0
    while True:
        now = memory(processes)
        minutes = len(run.seconds) // first_minute
        if not minutes:
            run.memory[1] = now
        elif minutes > said:
            run.memory[1] = now if not said else run.memory[1]
            said = minutes
            say(f"  {len(run.seconds)} of {total} visits, {now:.0f} MiB, {len(run.failures)} failed")
        run.memory[2] = now
        run.memory[3] = max(run.memory[3], now)
        await asyncio.sleep(0.5)


def sentences() -> Iterator[str]:
    """20,736 distinct sentences, in a shuffled order that is always the same."""
    found = [" ".join(parts) + "." for parts in itertools.product(SUBJECTS, VERBS, PLACES, TIMES)]
    random.Random(0).shuffle(found)
    return itertools.cycle(found)


@contextlib.contextmanager
def training(address: str) -> Iterator[None]:
    """Start a fine-tuning as a visitor, and end it when the visits are over."""
    with chromium() as browser:
        page = started(browser, address, "en-fr")
        yield
        if not page.get_by_text(UNDER_WAY).is_visible():
            say("The fine-tuning ended before the visits: measure fewer minutes.")


def say(text: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
