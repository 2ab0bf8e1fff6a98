"""A class on its phones: how soon the last phone shows a change, whether votes are lost, and the load on the server.

    python -m benchmarks.classroom                     300 devices, rooms in the server's memory
    python -m benchmarks.classroom --redis             1,000 devices, rooms in Redis, two replicas
    python -m benchmarks.classroom --devices 20 --changes 4 --votes-in 1     a short run

It runs a real server, a real Chromium as the teacher, and simulated devices on loopback. Each device joins, keeps the
event stream open, receives packets and pictures through it, and votes once. The teacher changes the sentence, the
head and the scene and makes the first scene's experiment in turn. Times run from the teacher's click until a device
has the final state and its packet. The peer is the same teacher without a class: the mean time from such a click
until the page has answered. All devices run in one separate process with a lower priority than the server and the
browser.
"""

import argparse
import json
import multiprocessing
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

from benchmarks.browser import chromium, open_page
from benchmarks.devices import run
from tests.browser.actions import ask_question, open_room
from tests.serving import kibibytes, redis_server, server

PATIENCE = 120.0
"""Timeout of every wait, in seconds."""
SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"
KINDS = ("sentence", "head", "scene", "experiment")
"""The kinds of change, made in turn; the last sends the picture of an experiment."""
ARRIVALS = "arrivals"
Times = dict[str, list[float]]
"""Seconds from click to answer by kind of change, and, of a class, from click to the last device."""
Act = Callable[[], None]
Command = Callable[..., Any]
"""Sends the devices a command and a number, and returns their answer."""


@contextmanager
def devices(addresses: list[str], code: str, n: int) -> Iterator[Command]:
    """Devices of one room, spread over the servers; each has joined and received the teacher's state."""
    spawn = multiprocessing.get_context("spawn")
    pipe, end = spawn.Pipe()
    process = spawn.Process(target=run, args=(end, addresses, code, n), daemon=True)
    process.start()

    def command(name: str, number: float = 0.0) -> Any:
        pipe.send((name, number))
        if not pipe.poll(PATIENCE):
            raise RuntimeError(f"the devices did not answer within {PATIENCE:.0f} s: {name}")
        return pipe.recv()

    try:
        command("ready")
        yield command
    finally:
        process.terminate()
        process.join()


class Teacher:
    """One browser page that makes the changes and may open a room."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.is_in_second_scene, self.has_voted = page, False, False
        page.goto(f"{address}/?text=The+cat+is+sleeping.&layer=1&head=3")
        page.locator("canvas.grid-over").wait_for()
        self._settle()

    def open_room(self) -> str:
        """The code of the room."""
        self._go("Room")
        code = open_room(self.page, "en")
        self._visit("Explore")
        return code

    def prepare(self, kind: str) -> None:
        """Open the page on which this kind of change is made."""
        self._visit("Lesson" if kind in ("scene", "experiment") else "Explore")
        if kind == "experiment":
            self._prepare_experiment()
        if kind == "sentence":
            self.page.get_by_role("button", name="Another sentence").click()
            self.page.get_by_role("textbox").first.wait_for()

    def change(self, kind: str, number: int) -> tuple[float, float]:
        """Choose another sentence, head or scene; return the time of the click and the seconds until this page has
        answered."""
        before, act = self.page.url, getattr(self, f"_{kind}")(number)
        begun = time.monotonic()
        act()
        # The address changes once Python has the choice; the page is drawn for it when the script has stopped.
        self.page.wait_for_function("before => location.href !== before", arg=before, polling=20)
        self.page.locator(SETTLED).wait_for()
        return begun, time.monotonic() - begun

    def ask(self, code: str) -> None:
        """Ask the class "what comes next?"."""
        self._go(code)
        close = self.page.get_by_role("button", name="Close the question")
        close.or_(self.page.get_by_role("button", name="Ask", exact=True)).first.wait_for()
        if close.count():  # the last scene's question is still open
            close.click()
        ask_question(self.page, "room.ask_next")
        self.page.get_by_role("button", name="Close the vote").wait_for()

    def _go(self, name: str) -> None:
        self.page.locator(".st-key-top_bar").get_by_role("link", name=name).click()

    def _sentence(self, number: int) -> Act:
        box = self.page.get_by_role("textbox").first
        box.fill(f"{number + 2} dogs are sleeping on the sofa.")
        return lambda: box.press("Enter")

    def _head(self, number: int) -> Act:
        self.page.locator("canvas.grid-base").focus()
        return lambda: self.page.keyboard.press("ArrowRight" if number // len(KINDS) % 2 else "ArrowLeft")

    def _scene(self, _: int) -> Act:
        # Go to the second scene and back to the first, so that the same scenes are timed with and without the class.
        self.is_in_second_scene = not self.is_in_second_scene
        return self.page.locator(f".st-key-lesson-{'next' if self.is_in_second_scene else 'previous'} button").click

    def _experiment(self, _: int) -> Act:
        return self.page.locator(".st-key-lesson-change button").click

    def _prepare_experiment(self) -> None:
        """Go to the first scene, where the class has voted and nothing is changed."""
        if self.is_in_second_scene:
            self._scene(0)()
            self.page.locator(".st-key-lesson-previous button:disabled").wait_for()
        if not self.has_voted:
            self.page.locator(".st-key-lesson-guess-box label").nth(1).click()
            self.page.locator(".st-key-lesson-vote button:enabled").first.click()
            self.has_voted = True
        undo = self.page.locator(".st-key-lesson-undo button")
        undo.or_(self.page.locator(".st-key-lesson-change button")).first.wait_for()
        if undo.count():
            undo.click()
            self.page.locator(".st-key-lesson-change button").wait_for()
        self._settle()

    def _visit(self, name: str) -> None:
        if urlsplit(self.page.url).path != {"Explore": "/", "Lesson": "/lesson"}[name]:
            link = self.page.get_by_test_id("stTopNavLink")
            if name == "Lesson":
                self.page.get_by_test_id("stTopNavSection").filter(has_text="Learn").click()
                link = self.page.get_by_test_id("stTopNavDropdownLink")
            link.filter(has_text=name).first.click()
            self.page.wait_for_timeout(300)
        self._settle()

    def _settle(self) -> None:
        # The script starts a moment after the click; if the page is still idle then, it has nothing to do.
        self.page.wait_for_timeout(150)
        self.page.locator(SETTLED).wait_for()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--redis", action="store_true", help="rooms in Redis, two replicas")
    parser.add_argument("--devices", type=int, default=0, help="300, or 1,000 with --redis")
    parser.add_argument("--changes", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=3.0, help="between two changes")
    parser.add_argument("--votes-in", type=float, default=5.0, help="seconds in which all devices vote")
    chosen = parser.parse_args()
    n, replicas = chosen.devices or (1000 if chosen.redis else 300), 2 if chosen.redis else 1
    with ExitStack() as running:
        settings = {"REGARD_ROOM_SIZE": str(n + 10), "REGARD_JOINS": str(n + 10)}  # all devices have one address
        if chosen.redis:
            folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
            settings["REGARD_REDIS_URL"] = running.enter_context(redis_server(folder))
        started = [running.enter_context(server(environment=settings)) for _ in range(replicas)]
        servers = [address for address, _ in started]
        page = open_page(running.enter_context(chromium()), width=1920, height=1080)
        teacher = Teacher(page, servers[0])
        _changes(teacher, 2 * len(KINDS), chosen, first=1_000)  # the first visit of a scene is not counted
        without_class = _changes(teacher, chosen.changes, chosen)
        code = teacher.open_room()
        with devices(servers, code, n) as command:
            with_class = _changes(teacher, chosen.changes, chosen, first=chosen.changes, command=command, n=n)
            _print_latency(n, with_class, without_class)
            teacher.ask(code)
            accepted = command("vote", chosen.votes_in)
            with urllib.request.urlopen(f"{servers[0]}/class/{code}/count", timeout=PATIENCE) as answer:
                counted = json.load(answer)["answers"]
            print(f"votes: {accepted} of {n} taken, {counted} counted, {accepted - counted} lost")
        peak = max(kibibytes(process, "status", "VmHWM") for _, process in started) / 1e6
        print(f"server memory at its highest: {peak:.2f} GB in the largest process")


def _changes(
    teacher: Teacher, count: int, chosen: argparse.Namespace, *, first: int = 0, command: Command | None = None,
    n: int = 0,
) -> Times:  # fmt: skip
    """Make the changes, each kind in turn. With a class, record when its last device had received the new state."""
    times: Times = {kind: [] for kind in (*KINDS, ARRIVALS)}
    for number in range(count):
        kind, begun = KINDS[number % len(KINDS)], time.monotonic()
        teacher.prepare(kind)
        if command is not None:
            command("watch")
        clicked, answered = teacher.change(kind, first + number)
        times[kind].append(answered)
        if command is not None:
            seconds: list[float] = command("arrived", clicked)
            times[ARRIVALS] += [max(seconds)] if seconds else []
            if len(seconds) < n:
                print(f"change {number}, {kind}: {n - len(seconds)} of {n} devices have not got it")
        time.sleep(max(0.0, chosen.seconds - (time.monotonic() - begun)))
    return times


def _print_latency(n: int, with_class: Times, without_class: Times) -> None:
    arrivals = with_class[ARRIVALS]
    p95 = statistics.quantiles(arrivals, n=20)[-1] if len(arrivals) > 1 else arrivals[0]
    print(f"{n} devices, {len(arrivals)} changes: from click to the last device "
          f"median {statistics.median(arrivals):.2f} s, p95 {p95:.2f} s")  # fmt: skip
    both = (with_class, without_class)
    ours, peer = (1000 * statistics.fmean(t for kind in KINDS for t in times[kind]) for times in both)
    print(f"teacher's own click {ours:.0f} ms with the class, {peer:.0f} ms without, ratio {ours / peer:.2f}")
    for kind in filter(with_class.get, KINDS):
        ours, peer = (1000 * statistics.median(times[kind]) for times in both)
        print(f"    {kind}: {ours:.0f} ms, {peer:.0f} ms without")


if __name__ == "__main__":
    main()
