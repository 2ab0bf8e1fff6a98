"""The time from Enter to the drawn views in the running application, and what it is spent on.

    python -m benchmarks.views_app [--checkpoint pretrained/en-fr]

It uses a warm server on this machine, a real Chromium and a new 12-word sentence in each round. Inference is measured
in this process on the same sentences. Drawing runs from the arrival of the largest message to the last frame of the
views. Bytes are those of all messages of the round before compression.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from pathlib import Path

from playwright.sync_api import Page

import model
from benchmarks.browser import chromium
from benchmarks.serving import PATIENCE, ROOT, application
from viz.cache import CHECKPOINT_VARIABLE

SUBJECTS = ("The old man", "My little sister", "Our new teacher", "The young doctor", "A tall woman")
PLACES = ("in the garden behind the house", "on a bench near the river", "at the table by the window",
          "under the tree in the park", "in front of the old school")  # fmt: skip
SENTENCES = [f"{subject} was quietly reading {place}." for subject, place in itertools.product(SUBJECTS, PLACES)]

# Records when messages arrive, how large they are, and when Enter is pressed.
NOTES = """
window.messages = [];
window.WebSocket = class extends window.WebSocket {
  constructor(...args) {
    super(...args);
    this.addEventListener('message', ({ data }) =>
      window.messages.push([performance.now(), data.size ?? data.byteLength ?? data.length]));
  }
};
window.addEventListener('keydown', event => { if (event.key === 'Enter') window.entered = performance.now(); }, true);
"""
WATCH = """root => {
  window.drawn = [];
  window.watching?.disconnect();
  window.watching = new MutationObserver(() => window.drawn.push(performance.now()));
  window.watching.observe(root, { attributes: true, attributeFilter: ['data-drawn-grid', 'data-drawn-main'] });
}"""


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, default=ROOT / "pretrained" / "en-fr")
    parser.add_argument("--rounds", type=int, default=20)
    chosen = parser.parse_args()
    sentences = SENTENCES[: chosen.rounds + 1]
    with application(**{CHECKPOINT_VARIABLE: str(chosen.checkpoint)}) as address, chromium() as browser:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-US")
        context.add_init_script(NOTES)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.locator(".regard[data-drawn-grid]").wait_for()
        times = [one_round(page, sentence) for sentence in sentences][1:]
    thinking = inference(chosen.checkpoint, sentences)
    total = statistics.median(total for total, *_ in times)
    drawing = statistics.median(total - arrival for total, arrival, _, _ in times)
    print(f"Enter to views drawn, {chosen.checkpoint.name}, 12 words: median {total:.0f} ms of {len(times)} (bar 300); "
          f"inference {thinking:.0f} ms, drawing {drawing:.0f} ms, "
          f"server and transport {total - drawing - thinking:.0f} ms")  # fmt: skip
    sent, largest = (statistics.median(each[place] for each in times) / 1000 for place in (2, 3))
    print(
        f"bytes of a new sentence of 12 words: {sent:.1f} KB (bar 60), of which {largest:.1f} KB in the largest message"
    )


def one_round(page: Page, sentence: str) -> tuple[float, float, float, float]:
    """Milliseconds from Enter to drawn, and to the arrival of the views' data; bytes in all, and of the largest."""
    page.locator(".stage .edit").click()
    box = page.locator(".stage textarea")
    box.fill(sentence)
    page.locator(".regard").evaluate(WATCH)
    page.evaluate("() => { window.messages.length = 0 }")
    box.press("Enter")
    page.wait_for_function("() => window.drawn.length && performance.now() - window.drawn.at(-1) > 1200")
    return tuple(page.evaluate("""() => {
      const [arrived, most] = window.messages.reduce((one, each) => (each[1] > one[1] ? each : one), [0, 0]);
      const sent = window.messages.reduce((sum, [, size]) => sum + size, 0);
      const last = window.drawn.filter(time => time < window.drawn[0] + 1000).at(-1);
      return [last - window.entered, arrived - window.entered, sent, most];
    }"""))  # fmt: skip


def inference(checkpoint: Path, sentences: list[str]) -> float:
    """Median milliseconds of a translation with its attention."""
    bundle = model.load(checkpoint)
    spent = []
    for sentence in sentences:
        started = time.perf_counter()
        model.translate(bundle, sentence)
        spent.append((time.perf_counter() - started) * 1000)
    return statistics.median(spent[1:])


if __name__ == "__main__":
    main()
