"""The time from Enter or a click to the drawn views, in the application and on the page in which the model itself runs.

    python -m benchmarks.views_app [app|page] [--rounds 20]

A real Chromium, a server on this machine, and a new sentence of 12 words in each round. In the application also: the
bytes of all messages of a sentence before compression, and one change in Decode, where a click replaces the first word
and decoding continues from it. Of the page also: a head switched off or on, the bytes of a first visit, the time to the
first picture and to the first translation, 40 tokens, and memory. A phone is simulated by Chromium with its processor
slowed four times. Chromium slows only the page and not its worker, so three times the worker's time is added.
"""

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from playwright.sync_api import Browser, Locator, Page, Request

import model
from benchmarks.browser import chromium, open_page
from benchmarks.timing import arguments, parse
from benchmarks.visitors import PLACES, SUBJECTS
from tests.serving import ROOT, application, kibibytes, serving
from viz.cache import CHECKPOINT_VARIABLE
from viz.export.engine import Precision
from viz.export.gallery import project_entries
from viz.export.site import write_site

PLACES_OF_SIX = [place for place in PLACES if place.count(" ") == 5]
SENTENCES = [f"{subject} was quietly reading {place}." for subject in SUBJECTS[:5] for place in PLACES_OF_SIX]
CHANGED = "The old man who lives next door has two very black dogs."
LONG = (
    "The light is too light. The book that I bought yesterday is very interesting. The man who sold me the car "
    "was very nice. The keys that I lost yesterday were in the car."
)
"""About 40 tokens; its translation has about 40 too."""
DEVICES = ((1440, 1, ""), (390, 4, ", processor slowed 4 times"))
"""Width in pixels, divisor of the processor's speed, and its text: a desktop's screen and a phone."""
# Records when Enter or a button is pressed, what messages hold, how long the worker computed, and when views are drawn.
# It watches shadow roots too, because the application draws the views inside them and may replace them.
LISTEN = """
window.computed = 0;
window.drawn = [];
window.messages = [];
const observer = new MutationObserver(() => window.drawn.push(performance.now()));
const drawn = ['data-drawn-grid', 'data-drawn-main', 'data-drawn'];
const options = { subtree: true, attributes: true, attributeFilter: drawn };
observer.observe(document, options);
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (mode) {
  const root = attach.call(this, mode);
  observer.observe(root, options);
  return root;
};
window.Worker = class extends window.Worker {
  constructor(...args) {
    super(...args);
    this.addEventListener('message',
      ({ data }) => { if (data.kind === 'trace') window.computed += data.milliseconds; });
  }
};
window.WebSocket = class extends window.WebSocket {
  constructor(...args) {
    super(...args);
    this.addEventListener('message', ({ data }) => window.messages.push(data.size ?? data.byteLength ?? data.length));
  }
};
const note = () => { window.entered = performance.now(); };
window.addEventListener('keydown', event => event.key === 'Enter' && note(), true);
window.addEventListener('click', note, true);
"""
WATCH = """row => new MutationObserver(() => requestAnimationFrame(() => window.drawn.push(performance.now())))
  .observe(row, { childList: true, subtree: true })"""
"""Records when one element is redrawn."""


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("part", nargs="?", choices=("app", "page"), help="one of the two; both by default")
    chosen = parse(parser)
    with chromium() as browser:
        if chosen.part != "page":
            in_the_app(browser, chosen.rounds)
        if chosen.part != "app":
            in_the_page(browser, chosen.rounds)


def in_the_app(browser: Browser, rounds: int) -> None:
    """New sentences in Explore, and another first word in Decode."""
    with application(**{CHECKPOINT_VARIABLE: str(ROOT / "pretrained" / "en-fr")}) as address:
        page = open_page(browser, address, script=LISTEN)
        page.locator(".regard[data-drawn-grid]").wait_for()
        times, sizes = [], []
        for sentence in SENTENCES[: rounds + 1]:
            page.locator(".stage .edit").click()
            times.append(enter(page, page.locator(".stage textarea"), sentence, rest=1200)[0])
            sizes.append(page.evaluate("window.messages.reduce((sum, size) => sum + size, 0)"))
        print(f"application, Enter to views drawn: median {statistics.median(times[1:]):.0f} ms (bar 300)")
        print(f"bytes of a new sentence of 12 words: {statistics.median(sizes[1:]) / 1000:.1f} KB (bar 60)")
        page.context.close()
        page = open_page(browser, f"{address}/decode?text={quote_plus(CHANGED)}", height=1400, script=LISTEN)
        page.locator(".next .bar").nth(9).wait_for()
        page.locator(".target-row").evaluate(WATCH)
        words = [another_word(page, 1 + n % 9) for n in range(rounds + 1)][1:]
        print(f"click to new translation shown: another word {statistics.median(words):.0f} ms")
        page.context.close()


def another_word(page: Page, place: int) -> float:
    """Milliseconds from the click on a candidate for the first word to the translation that begins with it."""
    page.evaluate("() => { window.drawn.length = 0; }")
    page.locator(".next .bar").nth(place).click()
    page.wait_for_function("() => window.drawn.at(-1) > window.entered")
    spent = page.evaluate("() => window.drawn.at(-1) - window.entered")
    page.get_by_role("button", name="Undo all").click()
    page.get_by_role("button", name="Undo all").wait_for(state="detached")
    page.wait_for_timeout(1000)
    return spent


def in_the_page(browser: Browser, rounds: int) -> None:
    """Write the site, and measure it."""
    with tempfile.TemporaryDirectory() as name:
        bars: dict[Precision, int] = {"f16": 20, "i8": 11}
        for precision, bar in bars.items():
            write_site([model.load()], project_entries(), Path(name) / precision, precision=precision)
            print(f"download, {precision}: {count_bytes(Path(name) / precision) / 1e6:.1f} MB (bar {bar} MB)")
        with serving(Path(name) / "f16") as site:
            first_visits(browser, site, max(3, rounds // 4))
            new_sentences(browser, site, rounds)


def count_bytes(folder: Path) -> int:
    """Bytes of a first visit, without the pages and pictures of shared links and the stored examples."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.parent.name not in ("s", "examples"))
    return sum(path.stat().st_size for path in files if path.name != "social.png")


def first_visits(browser: Browser, site: str, rounds: int) -> None:
    """From opening the address to the first frame in which a ribbon moves, and to the first translation with all its
    heads, without the download of the weights."""
    for (width, slower, slowed), bar in zip(DEVICES, (1.0, 2.5), strict=True):
        moving, beyond = [], []
        for _ in range(rounds):
            page = open_page(browser, width=width, slower=slower)
            requests: list[Request] = []
            page.on("requestfinished", lambda request, finished=requests: finished.append(request))
            page.goto(site, wait_until="commit")
            showing = page.locator(".showing[data-moving][data-live]")
            showing.wait_for()
            timings = [request.timing for request in requests if request.url.endswith(".safetensors")]
            weights = sum(timing["responseEnd"] - timing["requestStart"] for timing in timings)
            moving.append(float(showing.get_attribute("data-moving") or "nan"))
            beyond.append(float(showing.get_attribute("data-live") or "nan") - weights)
            page.context.close()
        print(f"first picture moving{slowed}: {statistics.median(moving) / 1000:.2f} s (bar {bar} s)")
        if slower == 1:
            print(f"first translation, beyond the download: {statistics.median(beyond) / 1000:.2f} s (bar 1.0 s)")


def new_sentences(browser: Browser, site: str, rounds: int) -> None:
    """New sentences, also on a phone; switching heads off; long sentences; memory."""
    for (width, slower, slowed), bar in zip(DEVICES, (0.3, 0.6), strict=True):
        page = visit(browser, site, width=width, slower=slower)
        box = page.locator(".site-desk textarea")
        times = [enter(page, box, sentence) for sentence in SENTENCES[: rounds + 1]][1:]
        median = statistics.median(total + (slower - 1) * computed for total, computed in times) / 1000
        print(f"page, Enter to all views drawn{slowed}: {median:.2f} s (bar {bar} s)")
        if slower == 1:
            button = page.locator(".heads-power").first
            changes = [time_action(page, button.click)[0] for _ in range(rounds + 1)][1:]
            print(f"page, a head switched off or on: {statistics.median(changes) / 1000:.2f} s (bar 0.25 s)")
            print(f"memory of the page's process: {memory(browser, page):.0f} MB (bar 250 MB)")
        page.context.close()
    page = visit(browser, site)
    times, box = [], page.locator(".site-desk textarea")
    for sentence in SENTENCES[:5]:
        times.append(enter(page, box, LONG)[0])
        enter(page, box, sentence)
    print(f"page, 40 tokens in and out: {statistics.median(times) / 1000:.2f} s (bar 1.5 s)")
    page.context.close()


def visit(browser: Browser, site: str, **how: Any) -> Page:
    """The page with its first translation, without the motion that otherwise plays for ten seconds."""
    page = open_page(browser, site, script=LISTEN, reduced_motion="reduce", **how)
    page.locator(".showing[data-live]").wait_for()
    page.locator(".showing").evaluate(WATCH)
    return page


def enter(page: Page, box: Locator, sentence: str, rest: int = 600) -> tuple[float, float]:
    """``time_action`` for a sentence and Enter."""
    box.fill(sentence)
    return time_action(page, lambda: box.press("Enter"), rest)


def time_action(page: Page, act: Callable[[], None], rest: int = 600) -> tuple[float, float]:
    """Milliseconds from an action to the last view that is drawn within a second of the first, once ``rest``
    milliseconds have passed without any; and how many of them the worker computed."""
    page.evaluate("() => { window.drawn.length = window.messages.length = window.computed = 0; }")
    act()
    page.wait_for_function("rest => window.drawn.length && performance.now() - window.drawn.at(-1) > rest", arg=rest)
    last = "window.drawn.filter(time => time < window.drawn[0] + 1000).at(-1) - window.entered"
    return page.evaluate(last), page.evaluate("window.computed")


def memory(browser: Browser, page: Page) -> float:
    """Private memory of the largest renderer process in MB: page, worker, model and Chromium itself."""
    page.context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = (process["id"] for process in processes if process["type"] == "renderer")
    return max(kibibytes(process, "smaps_rollup", r"Private_\w+") for process in renderers) / 1e3


if __name__ == "__main__":
    main()
