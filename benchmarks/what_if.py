"""One "what if" on a 12-word sentence in the running application: the time from the click to the new translation.

    python -m benchmarks.what_if [--checkpoint pretrained/en-fr]

It uses a warm server on this machine and a real Chromium. A click replaces the first word by another candidate and
decoding continues from it; then this is undone and another candidate is chosen.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from urllib.parse import quote_plus

from playwright.sync_api import Locator, Page

from benchmarks.browser import chromium
from benchmarks.serving import PATIENCE, ROOT, application
from viz.cache import CHECKPOINT_VARIABLE

SENTENCE = "The old man who lives next door has two very black dogs."
CLICKED = "window.addEventListener('click', () => { window.clicked = performance.now(); }, true);"
WATCH = """row => {
  window.shown = 0;
  new MutationObserver(() => requestAnimationFrame(() => { window.shown = performance.now(); }))
    .observe(row, { childList: true });
}"""


def main() -> None:
    """Print the median."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, default=ROOT / "pretrained" / "en-fr")
    parser.add_argument("--rounds", type=int, default=8)
    chosen = parser.parse_args()
    with application(**{CHECKPOINT_VARIABLE: str(chosen.checkpoint)}) as address, chromium() as browser:
        context = browser.new_context(viewport={"width": 1440, "height": 1400}, locale="en-US")
        context.add_init_script(CLICKED)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}/decode?text={quote_plus(SENTENCE)}")
        page.locator(".next .bar").nth(9).wait_for()
        page.locator(".target-row").evaluate(WATCH)
        words = [another_word(page, 1 + n % 9) for n in range(chosen.rounds + 1)][1:]
    print(f"{chosen.checkpoint.name}, 12 words, click to new translation shown: "
          f"another word {statistics.median(words):.0f} ms, median of {len(words)}")  # fmt: skip


def another_word(page: Page, place: int) -> float:
    """Milliseconds from the click on a candidate for the first word to the translation that begins with it."""
    bar = page.locator(".next .bar").nth(place)
    spent = timed(page, bar)
    page.get_by_role("button", name="Undo all").click()
    page.get_by_role("button", name="Undo all").wait_for(state="detached")
    page.wait_for_timeout(1000)
    return spent


def timed(page: Page, target: Locator) -> float:
    """Click, and wait until the translation has been drawn again."""
    page.evaluate("() => { window.shown = 0; }")
    target.click()
    page.wait_for_function("() => window.shown > window.clicked")
    return page.evaluate("() => window.shown - window.clicked")


if __name__ == "__main__":
    main()
