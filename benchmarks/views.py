"""The views against BertViz 1.4.1, on the same tensors, machine and Chromium.

    pip install --target peer/py --no-deps bertviz==1.4.1 && pip install --target peer/py ipython
    npm pack d3@5.7.0 jquery@2.2.4 requirejs@2.3.6       # what BertViz loads from a CDN
    mkdir peer/web                                        # d3.min.js, jquery.min.js, require.min.js (require.js)
    python -m benchmarks.views --peer peer

Without ``--peer`` only the explorer is measured. The two are drawn in turn, so that other load slows both equally.
Times run from the arrival of the data to the end of the first frame that shows everything.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.browser import chromium
from benchmarks.views_browser import (
    draw_bertviz,
    draw_ours,
    heap,
    opened,
    random_attention,
    serving,
    write_bertviz,
    write_ours,
)
from viz.components.attention import SOURCE

# Chromium sends pointer moves to the page right before a frame; the explorer redraws in that frame and marks it.
LISTEN = """() => {
  window.times = [];
  let started = 0;
  window.addEventListener('pointermove', () => { started = performance.now(); }, { capture: true });
  new MutationObserver(() => {
    if (started) window.times.push(performance.now() - started);
    started = 0;
  }).observe(window.regard, { attributes: true, attributeFilter: ['data-drawn-point'] });
}"""

STALLS = """async keys => {
  const spans = [0];
  const observer = new PerformanceObserver(list => spans.push(...list.getEntries().map(entry => entry.duration)));
  observer.observe({ type: 'longtask' });
  for (const key of keys) {
    window.regard.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    for (let i = 0; i < 30; i++) await new Promise(requestAnimationFrame);
  }
  return Math.max(...spans);
}"""

KEYS = ("ArrowRight", "ArrowDown", "+", "+", "0", "s", "s", "w", "w", "l", "ArrowLeft", "t", "m")


def main() -> None:
    """Print one line for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", type=Path, help="folder with py/ (bertviz, ipython) and web/ (its libraries)")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only-stall", action="store_true", help="measure the 512 tokens alone")
    chosen = parser.parse_args()
    with chromium() as browser:
        if not chosen.only_stall:
            model_view(browser, chosen.peer, chosen.rounds)
            large(browser, chosen.rounds)
            hover(browser, chosen.rounds)
        very_long(browser)


def model_view(browser: Browser, peer: Path | None, rounds: int) -> None:
    """6 layers × 8 heads × 128 × 128: bytes, and time until everything is drawn."""
    weights = random_attention(6, 8, 128)
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as address:
        ours = write_ours(Path(name), weights)
        code = len(SOURCE.javascript.encode()) + len(SOURCE.stylesheet.encode())
        print(f"6 × 8 × 128 × 128   explorer: {ours / 1e6:.2f} MB of data, and once {code / 1e6:.2f} MB of code")
        if peer is None:
            with opened(browser, f"{address}/ours.html") as page:
                times = [draw_ours(page) for _ in range(rounds + 1)][1:]
            print(f"                    drawn in {statistics.median(times):.0f} ms, median of {rounds}")
            return
        theirs = write_bertviz(Path(name), weights, peer)
        print(
            f"                    BertViz: {theirs / 1e6:.1f} MB, {theirs / (ours + code):.1f} times as much (bar 30)"
        )
        times = []
        with opened(browser, f"{address}/ours.html") as page:
            draw_ours(page)
            for _ in range(rounds):
                mine = draw_ours(page)
                with opened(browser, f"{address}/bertviz.html") as other:
                    times.append((mine, draw_bertviz(other)))
        mine, other = (statistics.median(each) for each in zip(*times, strict=True))
        ratio = statistics.median(other / mine for mine, other in times)
        print(f"                    drawn in {mine:.0f} ms against {other:.0f} ms: {ratio:.1f} times as fast (bar 20), "
              f"medians of {rounds}")  # fmt: skip


def large(browser: Browser, rounds: int) -> None:
    """12 × 12 × 256 × 256, which BertViz could not open: it needs 432 MB of HTML."""
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as address:
        size = write_ours(Path(name), random_attention(12, 12, 256))
        with opened(browser, f"{address}/ours.html") as page:
            times = [draw_ours(page) for _ in range(rounds + 1)][1:]
            print(f"12 × 12 × 256 × 256 explorer: {size / 1e6:.1f} MB, drawn in {statistics.median(times):.0f} ms warm "
                  f"(bar 1000), median of {rounds}; heap {heap(page):.0f} MB (bar 150)")  # fmt: skip


def hover(browser: Browser, rounds: int) -> None:
    """Lines of 8 heads over 128 tokens: the time from the pointer's event to the redrawn frame."""
    state = {"view": "lines", "heads": [[0, head] for head in range(8)]}
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as address:
        write_ours(Path(name), random_attention(6, 8, 128), state)
        with opened(browser, f"{address}/ours.html") as page:
            draw_ours(page)
            page.evaluate(LISTEN)
            times = _hover_times(page, max(40, rounds * 2))
            print(f"hover, 128 tokens × 8 heads: {statistics.median(times):.1f} ms median of {len(times)} (bar 8), "
                  f"95th percentile {sorted(times)[int(len(times) * 0.95)]:.1f} ms")  # fmt: skip


def _hover_times(page: Page, count: int) -> list[float]:
    """Move a real pointer up and down the column of tokens under the first heading."""
    box = page.evaluate("() => window.regard.querySelector('.lines-window').getBoundingClientRect().toJSON()")
    heading = page.evaluate("() => window.regard.querySelector('.line-headings span').getBoundingClientRect().toJSON()")
    for step in range(count * 8):
        page.mouse.move(heading["right"] - 8, box["y"] + 40 + step * 29 % (box["height"] - 80))
        page.evaluate("() => new Promise(requestAnimationFrame)")
        times = page.evaluate("() => window.times")
        if len(times) >= count:
            return times
    raise RuntimeError("no token was found in the lines view")


def very_long(browser: Browser) -> None:
    """512 tokens: the longest time for which the page does not respond, and the key that causes it."""
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as address:
        size = write_ours(Path(name), random_attention(6, 8, 512))
        with opened(browser, f"{address}/ours.html") as page:
            drawn = draw_ours(page)
            stalls = [(page.evaluate(STALLS, [key]), place, key) for place, key in enumerate(KEYS * 3)]
            worst = {key: statistics.median(stall for stall, _, each in stalls if each == key) for key in KEYS}
            most, place, key = max(stalls)
            print(f"512 tokens, 6 × 8:  {size / 1e6:.1f} MB, drawn in {drawn:.0f} ms; longest stall over "
                  f"{len(stalls)} keys {most:.0f} ms (bar 100) at key {place}, {key!r}, "
                  f"heap {heap(page):.0f} MB")  # fmt: skip
            print("                    medians by key: " + ", ".join(f"{key} {ms:.0f}" for key, ms in worst.items()))


if __name__ == "__main__":
    main()
