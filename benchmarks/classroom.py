"""A class on its phones: how soon the last one shows what the teacher does, whether a vote is lost, and what it costs.

    python -m benchmarks.classroom                     300 devices, rooms in the server's memory
    python -m benchmarks.classroom --redis             1,000 devices, rooms in Redis, two replicas
    python -m benchmarks.classroom --devices 20 --changes 4 --votes-in 1     a short run

A real server, a real Chromium as the teacher, and simulated devices on loopback: each joins, holds the stream of
events, fetches every new packet, and votes once. The teacher changes head, sentence and scene in turn. Times are from
the teacher's click to the moment at which a device holds what is shown and its packet. The peer is the same teacher
without a class: how long a click takes until the page has answered. All devices live in one further process.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks.devices import Seen, run
from benchmarks.serving import application, chromium, redis_server

PATIENCE = 120.0
"""Seconds for anything."""
SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"


@dataclass
class Class:
    """The process of simulated devices, and what it has told."""

    pipe: Connection
    changes: list[list[float]] = field(default_factory=list)

    def ask(self, what: str, *given: Any) -> Any:
        """Let the devices do something; their answer.

        Raises:
            RuntimeError: when they do not answer in time.
        """
        self.pipe.send((what, *given))
        if not self.pipe.poll(PATIENCE):
            raise RuntimeError(f"the devices did not answer within {PATIENCE:.0f} s: {what}")
        return self.pipe.recv()


@contextmanager
def devices(addresses: list[str], code: str, n: int) -> Iterator[Class]:
    """So many devices of a room, shared out to the servers; they have joined and hold what is shown."""
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=run, args=(there, addresses, code, n), daemon=True)
    process.start()
    try:
        group = Class(here)
        group.ask("ready")
        yield group
    finally:
        process.terminate()
        process.join()


class Teacher:
    """One browser page that changes what is shown, and may open a room."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(f"{address}/?text=The+cat+is+sleeping.&layer=1&head=3")
        page.locator("canvas.grid-over").wait_for()
        self._settle()

    def open_room(self) -> str:
        """Its code."""
        self.page.locator(".st-key-top_bar").get_by_role("link", name="Room").click()
        self.page.get_by_role("button", name="Open a room").click()
        title = self.page.locator(".st-key-room_code h1")
        title.wait_for()
        code = title.inner_text().replace(" ", "")
        self._visit("Explore")
        return code

    def change(self, number: int) -> tuple[float, float]:
        """Another sentence, head or scene; the clock at the click, and the seconds until this page has answered."""
        begun = (self._sentence, self._head, self._scene)[number % 3](number)
        self._settle()
        click = time.monotonic() - begun
        if number % 3 == 2:
            self._visit("Explore")
        return begun, click

    def ask(self, code: str) -> None:
        """Ask the class "what comes next?"."""
        self.page.locator(".st-key-top_bar").get_by_role("link", name=code).click()
        back = self.page.get_by_role("button", name="Back to the view")
        back.or_(self.page.get_by_role("button", name="Ask", exact=True)).first.wait_for()
        if back.count():  # the last scene's question is still open
            back.click()
        self.page.get_by_role("combobox", name="Ask the class").click()
        self.page.get_by_role("option", name="What comes next?").click()
        self._settle()
        self.page.get_by_role("button", name="Ask", exact=True).click()
        self.page.get_by_role("button", name="Reveal").wait_for()

    def _sentence(self, number: int) -> float:
        self.page.get_by_role("button", name="Another sentence").click()
        box = self.page.get_by_role("textbox").first
        box.fill(f"{number + 2} dogs are sleeping on the sofa.")
        begun = time.monotonic()
        box.press("Enter")
        return begun

    def _head(self, number: int) -> float:
        self.page.locator("canvas.grid-over").focus()
        begun = time.monotonic()
        self.page.keyboard.press("ArrowRight" if number % 2 else "ArrowLeft")
        return begun

    def _scene(self, number: int) -> float:
        self._visit("Lesson")
        later, earlier = (self.page.get_by_role("button", name=name).first for name in ("Next", "Back"))
        begun = time.monotonic()
        (later if later.is_enabled() else earlier).click()
        return begun

    def _visit(self, name: str) -> None:
        self.page.get_by_role("link", name=name, exact=True).first.click()
        self.page.wait_for_timeout(300)
        self._settle()

    def _settle(self) -> None:
        # The script begins a moment after the click; a page that is still at rest then has nothing to do.
        self.page.wait_for_timeout(150)
        self.page.locator(SETTLED).wait_for()


def main() -> None:
    """Measure, and print one line a figure."""
    chosen = _arguments()
    n, replicas = chosen.devices or (1000 if chosen.redis else 300), 2 if chosen.redis else 1
    with ExitStack() as running:
        settings = {"REGARD_ROOM_SIZE": str(n + 10)}
        if chosen.redis:
            folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
            settings["REGARD_REDIS_URL"] = running.enter_context(redis_server(folder))
        servers = [running.enter_context(application(**settings)) for _ in range(replicas)]
        browser = running.enter_context(chromium())
        teacher = Teacher(browser.new_page(viewport={"width": 1920, "height": 1080}, locale="en-US"), servers[0])
        alone = [_change(teacher, i, chosen.seconds)[1] for i in range(chosen.changes)]
        code = teacher.open_room()
        with devices(servers, code, n) as group:
            arrivals, clicks = [], []
            for number in range(chosen.changes, 2 * chosen.changes):
                begun, click = _change(teacher, number, chosen.seconds)
                found: Seen = group.ask("arrived", begun)
                arrivals += [max(found.times)] if found.times else []
                clicks.append(click)
                if found.n < n:
                    print(f"change {number}: {n - found.n} of {n} devices have not got it")
            _print_latency(n, arrivals, alone, clicks)
            teacher.ask(code)
            sent = group.ask("vote", chosen.votes_in)
            _print_votes(sent, servers[0], code)
        print(f"server memory at its highest: {_memory():.2f} GB in the largest process")


def _change(teacher: Teacher, number: int, seconds: float) -> tuple[float, float]:
    begun, click = teacher.change(number)
    time.sleep(max(0.0, seconds - (time.monotonic() - begun)))
    return begun, click


def _print_latency(n: int, arrivals: list[float], alone: list[float], clicks: list[float]) -> None:
    p95 = statistics.quantiles(arrivals, n=20)[-1] if len(arrivals) > 1 else arrivals[0]
    print(f"{n} devices, {len(arrivals)} changes: from click to the last device "
          f"median {statistics.median(arrivals):.2f} s, p95 {p95:.2f} s")  # fmt: skip
    ours, peer = statistics.median(clicks), statistics.median(alone)
    print(f"teacher's own click {1000 * ours:.0f} ms with the class, {1000 * peer:.0f} ms without, "
          f"ratio {ours / peer:.2f}")  # fmt: skip


def _print_votes(sent: dict[str, int], server: str, code: str) -> None:
    with urllib.request.urlopen(f"{server}/class/{code}/count", timeout=PATIENCE) as answer:
        counted = json.load(answer)["answers"]
    print(f"votes: {sent['taken']} of {sent['tried']} taken, {counted} counted, {sent['taken'] - counted} lost")


def _memory() -> float:
    """The largest resident memory of this process's children so far, in GB, devices and browser left out."""
    found = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            line = (status.parent / "cmdline").read_bytes()
            if b"streamlit" in line and b"app.py" in line:
                high = next(part for part in status.read_text("utf-8").splitlines() if part.startswith("VmHWM"))
                found = max(found, int(high.split()[1]))
        except (OSError, StopIteration):
            continue
    return found / 1e6


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--redis", action="store_true", help="rooms in Redis, two replicas")
    parser.add_argument("--devices", type=int, default=0, help="300, or 1,000 with --redis")
    parser.add_argument("--changes", type=int, default=21)
    parser.add_argument("--seconds", type=float, default=3.0, help="between two changes")
    parser.add_argument("--votes-in", type=float, default=5.0, help="seconds in which all devices vote")
    return parser.parse_args()


if __name__ == "__main__":
    main()
