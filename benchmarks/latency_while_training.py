"""How long a click takes in one browser session, without and with a training run under way in another.

    python -m benchmarks.latency_while_training [--rounds 20] [--model en-fr]

A click on another set of the Fine-tune form runs the page again: table, settings and the learning-rate chart. It is
timed in Chromium, from the click until the new number of pairs is on screen. The run is the lesson tu → vous with the
settings of the page, started in a second browser session of the same server.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from model.training.limits import RUNS_VARIABLE

ROOT = Path(__file__).parents[1]
PATIENCE = 120_000
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"]
SETS = (("Sailing words", "82 pairs to learn from"), ("tu → vous", "229 pairs to learn from"))
BAR = 1.5


@contextmanager
def server(runs: str) -> Iterator[str]:
    """The address of a running application whose runs stand in a folder of their own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true",
        "--server.fileWatcherType", "none", "--server.address", "127.0.0.1", "--server.port", str(port),
    ]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, RUNS_VARIABLE: runs}, start_new_session=True)
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


def opened(browser: Browser, address: str, query: str) -> Page:
    """The form in a browser session of its own."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/fine_tune?{query}")
    expect(page.get_by_text(SETS[1][1])).to_be_visible(timeout=PATIENCE)
    return page


def latencies(page: Page, rounds: int) -> list[float]:
    """Seconds from click to text, for so many clicks after two that warm up."""
    taken = []
    for number in range(rounds + 2):
        name, text = SETS[number % 2]
        shown = page.get_by_text(text)
        started = time.perf_counter()
        page.get_by_role("radio", name=name, exact=True).or_(page.get_by_role("button", name=name, exact=True)).click()
        shown.wait_for(state="visible", timeout=PATIENCE)
        taken.append(time.perf_counter() - started)
        page.wait_for_timeout(250)
    return taken[2:]


def _wait(address: str) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise TimeoutError(f"the server at {address} was not ready within {PATIENCE // 1000} s")


def main() -> None:
    """Print both medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--model", default="en-fr")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as runs, server(runs) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = opened(browser, address, f"model={chosen.model}")
        without = latencies(page, chosen.rounds)
        other = opened(browser, address, f"model={chosen.model}&tune.steps=2000")
        other.get_by_role("button", name="Train", exact=True).click()
        expect(other.get_by_text(re.compile(r"Training · step \d+ of"))).to_be_visible(timeout=PATIENCE)
        other.close()
        beside = latencies(page, chosen.rounds)
        browser.close()
    quiet, busy = statistics.median(without), statistics.median(beside)
    print(f"click to new table, median of {chosen.rounds}, {os.cpu_count()} cores")
    print(f"no run under way   {1000 * quiet:6.0f} ms")
    print(f"one run under way  {1000 * busy:6.0f} ms")
    print(f"ratio              {busy / quiet:6.2f} (bar {BAR})")


if __name__ == "__main__":
    main()
