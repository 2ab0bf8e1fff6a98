"""The page in which the model itself runs, in a real Chromium: time, bytes and memory.

    python -m benchmarks.in_page [--rounds 20]

The site is served from this machine, and the application runs beside it. Both translate the same new sentences of 12
words in turn, so that other load slows both equally. A phone is simulated by Chromium with its processor slowed four
times. Chromium slows only the page and not its worker, so three times the worker's time is added.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, Request

import model
from benchmarks.browser import chromium
from benchmarks.serving import PATIENCE, ROOT, application, serving
from benchmarks.views_app import NOTES, SENTENCES, one_round
from viz.cache import CHECKPOINT_VARIABLE
from viz.export.engine import Precision
from viz.export.gallery import own_entries
from viz.export.site import write_site

SLOWER = 4
LONG = (
    "The light is too light. The book that I bought yesterday is very interesting. The man who sold me the car "
    "was very nice. The keys that I lost yesterday were in the car."
)
"""About 40 tokens; its translation has about 40 too."""
SETTLED = "() => window.drawn.length && performance.now() - window.drawn.at(-1) > 600"
# Records when Enter or a button is pressed, how long the worker computed, and when views are drawn. It watches shadow
# roots too, because the application draws the views inside them and may replace them.
LISTEN = """
window.thought = 0;
window.drawn = [];
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
    this.addEventListener('message', ({ data }) => { if (data.kind === 'trace') window.thought += data.milliseconds; });
  }
};
const note = () => { window.entered = performance.now(); };
window.addEventListener('keydown', event => event.key === 'Enter' && note(), true);
window.addEventListener('click', note, true);
"""


def main() -> None:
    """Print one line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        out = Path(name)
        bars: dict[Precision, int] = {"f16": 20, "i8": 11}
        for precision, bar in bars.items():
            write_site([model.load()], own_entries(), out / precision, precision=precision)
            print(f"download, {precision}: {downloaded(out / precision) / 1e6:.1f} MB (bar {bar} MB)")
        environment = {CHECKPOINT_VARIABLE: str(ROOT / "pretrained" / "en-fr")}
        with serving(out / "f16") as site, application(**environment) as address:
            first_pictures(browser, site, max(3, rounds // 4))
            first_visits(browser, site, max(3, rounds // 4))
            against_the_app(browser, site, address, rounds)
            on_a_phone(browser, site, rounds)


def downloaded(folder: Path) -> int:
    """Bytes of a first visit, without the pages and pictures of shared links and the stored examples."""
    kept = (path for path in folder.rglob("*") if path.is_file() and path.parent.name not in ("s", "examples"))
    return sum(path.stat().st_size for path in kept if path.name != "social.png")


def first_pictures(browser: Browser, site: str, rounds: int) -> None:
    """Seconds from opening the address to the first frame in which a ribbon moves."""
    for rate, bar in ((1, 1.0), (SLOWER, 2.5)):
        times = []
        for _ in range(rounds):
            context = browser.new_context(viewport={"width": 1440 if rate == 1 else 390, "height": 844})
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
            page.goto(site, wait_until="commit")
            page.locator(".showing[data-moving]").wait_for()
            times.append(float(page.locator(".showing").get_attribute("data-moving") or "nan"))
            context.close()
        slowed = "" if rate == 1 else f", processor slowed {rate} times"
        print(
            f"first picture moving{slowed}: {statistics.median(times) / 1000:.2f} s, median of {rounds} (bar {bar} s)"
        )


def first_visits(browser: Browser, site: str, rounds: int) -> None:
    """Seconds from opening the address to the first translation with all its heads, without the download of the
    weights."""
    beyond = []
    for _ in range(rounds):
        context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-US")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        weights: list[Request] = []
        page.on("requestfinished", lambda request, known=weights: known.append(request))
        page.goto(site)
        page.locator(".showing[data-live]").wait_for()
        drawn = page.evaluate("() => Number(document.querySelector('.showing').dataset.live)")
        timing = [each.timing for each in weights if each.url.endswith(".safetensors")]
        beyond.append(drawn - sum(each["responseEnd"] - each["requestStart"] for each in timing))
        context.close()
    print(f"first visit to first translation, beyond the download: {statistics.median(beyond) / 1000:.2f} s, "
          f"median of {rounds} (bar 1.0 s)")  # fmt: skip


def against_the_app(browser: Browser, site: str, address: str, rounds: int) -> None:
    """Time new sentences and switching heads off, on the page and in the application in turn; then long sentences and
    memory."""
    page = opened(browser, site, LISTEN)
    app = opened(browser, address, NOTES + LISTEN)
    ours, theirs = [], []
    for sentence in SENTENCES[: rounds + 1]:
        ours.append(enter(page, sentence)[0])
        theirs.append(one_round(app, sentence)[0])
    report("Enter to all views drawn, 12 words", ours[1:], theirs[1:], "bar 0.30 s")
    changes = [(what_if(page), what_if(app)) for _ in range(rounds + 1)][1:]
    report("a head switched off or on", [one for one, _ in changes], [other for _, other in changes], "bar 0.25 s")
    long = model.translate(model.load(), LONG, n_candidates=1)
    still = opened(browser, site, LISTEN, is_still=True)  # its steps would be played for ten seconds, a drawing each
    times = []
    for place in range(5):
        times.append(enter(still, LONG)[0])
        enter(still, SENTENCES[place])
    still.context.close()
    spent = statistics.median(times) / 1000
    print(f"{len(long.source)} tokens in, {len(long.target)} out: page {spent:.2f} s, median of 5 (bar 1.5 s)")
    print(f"memory of the page's process: {memory(browser, page):.0f} MB (bar 250 MB)")
    page.context.close()
    app.context.close()


def on_a_phone(browser: Browser, site: str, rounds: int) -> None:
    """The same sentences on a processor slowed four times."""
    page = opened(browser, site, LISTEN, width=390, height=844)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    times = []
    for sentence in SENTENCES[: rounds + 1]:
        total, thought = enter(page, sentence)
        times.append(total + (SLOWER - 1) * thought)
    print(f"Enter to all views drawn, processor slowed {SLOWER} times: {statistics.median(times[1:]) / 1000:.2f} s, "
          f"median of {rounds} (bar 0.6 s)")  # fmt: skip
    page.context.close()


def report(what: str, ours: list[float], theirs: list[float], bar: str) -> None:
    """Both medians and their ratio."""
    one, other = statistics.median(ours) / 1000, statistics.median(theirs) / 1000
    print(f"{what}: page {one:.2f} s ({bar}), application {other:.2f} s over loopback, "
          f"{other / one:.1f} times as long; medians of {len(ours)}")  # fmt: skip


def opened(
    browser: Browser, address: str, script: str, *, width: int = 1440, height: int = 900, is_still: bool = False
) -> Page:
    """A page that has drawn its first sentence; a still one plays nothing by itself."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en-US",
        reduced_motion="reduce" if is_still else "no-preference",
    )  # fmt: skip
    context.add_init_script(script)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.locator(".regard[data-drawn-grid], .showing[data-live]").first.wait_for()
    return page


def enter(page: Page, sentence: str) -> tuple[float, float]:
    """Milliseconds from Enter to everything drawn, and how many of them the worker computed."""
    box = page.locator(".site-desk textarea")
    box.fill(sentence)
    return timed(page, lambda: box.press("Enter"))


def what_if(page: Page) -> float:
    """Milliseconds from the click that switches the open head off or on to everything drawn."""
    button = page.locator(".heads-power, .regard [data-act^=switch]").first
    return timed(page, button.click)[0]


def timed(page: Page, act: Callable[[], None]) -> tuple[float, float]:
    """Milliseconds from an action to the last view drawn after it, and the worker's share."""
    page.evaluate("() => { window.drawn.length = 0; window.thought = 0; }")
    act()
    page.wait_for_function(SETTLED)
    return tuple(page.evaluate("() => [window.drawn.at(-1) - window.entered, window.thought]"))


def memory(browser: Browser, page: Page) -> float:
    """Private memory of the largest renderer process in MB: page, worker, model and Chromium itself."""
    page.context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return max(private(each["id"]) for each in processes if each["type"] == "renderer")


def private(process: int) -> float:
    """Private memory of a process in MB."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1e3


if __name__ == "__main__":
    main()
