"""How long a click takes in one browser session, with and without a training run in another.

    python -m benchmarks.latency_while_training [--rounds 20] [--model en-fr]

A click on another set in the Fine-tune form reruns the page: table, settings and the learning-rate chart. It is timed
in Chromium, from the click until the new number of pairs is on screen. The run is the lesson tu → vous with the page's
settings, started in a second browser session of the same server. Clicks with and without it alternate: a signal stops
its process before every second click, so that both are timed under the same conditions.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from benchmarks.browser import chromium
from benchmarks.serving import application
from model.runs.limits import RUNS_VARIABLE

PATIENCE = 120_000
SETS = (("Sailing words", "82 pairs to learn from"), ("tu → vous", "229 pairs to learn from"))
UNDER_WAY = re.compile(r"Training · step \d+ of")
SETTLED = 750
"""Milliseconds between stopping or continuing the run's process and the click."""
BAR = 1.5


def main() -> None:
    """Print both medians and the median of the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--model", default="en-fr")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as runs, application(**{RUNS_VARIABLE: runs}) as address, chromium() as browser:
        page = opened(browser, address, f"model={chosen.model}")
        started(browser, address, chosen.model).close()
        pairs = compared(page, worker(Path(runs)), chosen.rounds)
    alone, beside = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(with_run / without for without, with_run in pairs)
    print(f"click to new table, {chosen.model}, {chosen.rounds} pairs of clicks, {os.cpu_count()} cores")
    print(f"no run under way   {1000 * alone:6.0f} ms")
    print(f"one run under way  {1000 * beside:6.0f} ms")
    print(f"ratio              {ratio:6.2f} (bar {BAR})")


def opened(browser: Browser, address: str, query: str) -> Page:
    """The form in its own browser session."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/fine_tune?{query}")
    expect(page.get_by_text(SETS[1][1])).to_be_visible(timeout=PATIENCE)
    return page


def started(browser: Browser, address: str, model: str) -> Page:
    """A page on which the longest run has been started and is training."""
    page = opened(browser, address, f"model={model}&tune.steps=2000")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text(UNDER_WAY)).to_be_visible(timeout=PATIENCE)
    return page


def worker(runs: Path) -> int:
    """The id of the process that trains in a folder of runs."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        words = path.read_bytes().split(b"\0")
        if b"model.training.jobs.worker" in words and any(word.startswith(bytes(runs)) for word in words):
            return int(path.parent.name)
    raise RuntimeError(f"no process trains in {runs}")


def compared(page: Page, process: int, rounds: int) -> list[tuple[float, float]]:
    """Seconds from click to text while the process is stopped and while it runs; the first round warms up."""
    pairs = []
    for number in range(2 * rounds + 2):
        is_held = (number // 2 + number) % 2 == 0  # stopped, running, running, stopped: times each set in both
        os.kill(process, signal.SIGSTOP if is_held else signal.SIGCONT)
        pairs.append((is_held, latency(page, *SETS[number % 2])))
    os.kill(process, signal.SIGCONT)
    halves = zip(pairs[2::2], pairs[3::2], strict=True)
    return [(a, b) if is_held else (b, a) for (is_held, a), (_, b) in halves]


def latency(page: Page, name: str, text: str) -> float:
    """Seconds from a click on a set of pairs until the number of its pairs is on screen."""
    page.wait_for_timeout(SETTLED)
    shown = page.get_by_text(text)
    started = time.perf_counter()
    page.get_by_role("radio", name=name, exact=True).or_(page.get_by_role("button", name=name, exact=True)).click()
    shown.wait_for(state="visible", timeout=PATIENCE)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
