"""How long the first visitor of a cold server waits for the first views, and the second beside a bare Streamlit page.

    python -m benchmarks.cold_start [--rounds 5] [--against COMMIT]

Each round starts the server and a Chromium with an empty cache. The first visitor opens the address as soon as the
server answers, or 5 s after the command; the time runs from opening the address until the head grid and the map are
drawn. The second visitor opens it in another empty browser when the first has seen the views. A server with a page of
one line is measured in the same way. The medians are printed. Run it on an idle machine.
"""

import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.browser import chromium, open_page
from benchmarks.timing import arguments
from tests.serving import ROOT, checkout, server

LATER = 5.0
"""Seconds between the command and the late first visitor."""
VIEWS, LINE = ".regard[data-drawn-grid][data-drawn-main]", "text=A bare page."
BARE = 'import streamlit as st\n\nst.write("A bare page.")\n'


def main() -> None:
    parser = arguments(__doc__, rounds=5)
    parser.add_argument("--against", help="an older commit")
    chosen = parser.parse_args()
    report("now", ROOT, chosen.rounds)
    if chosen.against:
        with checkout(chosen.against) as folder:
            report(f"at {chosen.against}", folder, chosen.rounds)


def report(name: str, root: Path, rounds: int) -> None:
    """Measure one checkout."""
    seconds = []
    with tempfile.TemporaryDirectory() as place:
        bare = Path(place)
        (bare / "bare.py").write_text(BARE, "utf-8")
        for _ in range(rounds):
            at_once, second = visits("app.py", root, VIEWS, wait=0.0)
            later, _ = visits("app.py", root, VIEWS, wait=LATER)
            seconds.append((at_once, later, second, visits("bare.py", bare, LINE, wait=0.0)[1]))
    at_once, later, second, line = map(statistics.median, zip(*seconds, strict=True))
    print(f"{name}: first views of a cold server, at once {at_once:.1f} s (bar 5), {LATER:g} s after {later:.1f} s "
          f"(bar 2.5); second visitor {second:.2f} s, a bare page {line:.2f} s, above it {second - line:.2f} s "
          f"(bar 1.0); medians of {rounds}", flush=True)  # fmt: skip


def visits(script: str, root: Path, drawn: str, *, wait: float) -> tuple[float, float]:
    """Seconds of the first and of the second visitor of a new server."""
    began = time.perf_counter()
    with server(script, root=root, environment={"PYTHONPATH": str(root)}) as (address, _):
        time.sleep(max(0.0, wait - (time.perf_counter() - began)))
        return visit(address, drawn), visit(address, drawn)


def visit(address: str, drawn: str) -> float:
    """Seconds until a browser with an empty cache shows something."""
    with chromium() as browser:
        page = open_page(browser)
        began = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.locator(drawn).first.wait_for()
        return time.perf_counter() - began


if __name__ == "__main__":
    main()
