"""The site without a server, written once for all tests that open it, and what they do on it."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Browser, Locator, Page, Request, expect

import model
from benchmarks.serving import ROOT
from tests.browser.waiting import PATIENCE, eventually
from viz.export.gallery import Entry
from viz.export.site import write_site

BITES = "The man bites the dog."
TWO_FRAMES = "new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))"
MATTERS = "I just want to go home."
APPLICATION = "http://127.0.0.1:1/app/"
SITE = "http://127.0.0.1:1/site"
"""Where each is told that the other one is; nothing answers there."""
COMPARE = """async ({ cases, address, code = document.querySelector('script[src$="site/main.js"]').src }) => {
  const worker = new Worker(new URL("worker.js", new URL(code, document.baseURI)), { type: "module" });
  const next = () => new Promise(resolve => {
    worker.onmessage = ({ data }) => ["loaded", "trace", "failed"].includes(data.kind) && resolve(data);
  });
  worker.postMessage({ kind: "load", address: new URL(address, document.baseURI).href });
  await next();
  const furthest = [];
  for (const { text, edits, prefix, maps, target } of cases) {
    worker.postMessage({ kind: "translate", id: 1, text, edits, prefix });
    const found = await next();
    let most = String(found.target.ids) === String(target) ? 0 : 1;
    for (const [kind, packed] of Object.entries(maps)) {
      const theirs = new Uint16Array(Uint8Array.from(atob(packed), each => each.charCodeAt(0)).buffer);
      if (theirs.length !== found.maps[kind].length) most = 1;
      theirs.forEach((value, i) => { most = Math.max(most, Math.abs(value / 65535 - found.maps[kind][i])); });
    }
    furthest.push(most);
  }
  return furthest;
}"""
"""Translates golden cases in the page's worker: the largest deviation of each case's weights from Python's."""


def write(out: Path) -> Path:
    """The site with two models and three sentences."""
    entries = [Entry("head_matters", MATTERS), Entry("idiom", "I am hungry."), Entry("word_order", BITES)]
    write_site([model.load(), model.load(ROOT / "pretrained" / "tiny")], entries, out, application=APPLICATION)
    return out


MET = "localStorage.setItem('regard-met', '1')"
"""Who has been here before: the page then changes nothing by itself."""


@contextmanager
def visiting(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """A function that opens the site in a new browser session, which must not request other addresses and must not log
    an error."""
    contexts, complaints = [], []

    def hear(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            complaints.append(request.url)

    def opened(
        query: str = "", *, width: int = 1280, height: int = 800, locale: str = "en-US", is_new: bool = False,
        prepare: Callable[[Page], None] | None = None,
    ) -> Page:  # fmt: skip
        # What a service worker fetches would pass by the routes that a test prepares.
        workers = "block" if prepare else "allow"
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, service_workers=workers
        )
        contexts.append(context)
        if not is_new:
            context.add_init_script(MET)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(f"{error}\n{error.stack}"))
        page.on("request", hear)
        if prepare:
            prepare(page)
        page.goto(address + query)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints, complaints


def translation(page: Page) -> str:
    tokens = page.locator(".stage-target .stage-token:not([data-special])").all_text_contents()
    return "".join(tokens).replace(" ", "").replace("␣", "")


def reads(page: Page, text: str) -> None:
    """Wait until the page shows a translation of its own, and it is this one."""
    wanted = text.replace(" ", "")
    page.wait_for_function(
        """wanted => document.querySelector(".showing[data-live]") && [...document.querySelectorAll(
            ".stage-target .stage-token:not([data-special])")].map(each => each.textContent).join("")
            .replaceAll("␣", "")
            === wanted""",
        arg=wanted,
    )


def asked(page: Page) -> Page:
    """The page once the model has come."""
    expect(page.locator(".showing[data-live]")).to_be_visible(timeout=PATIENCE)
    return page


def enter(page: Page, text: str) -> None:
    page.get_by_role("textbox").fill(text)
    page.get_by_role("textbox").press("Enter")


def source(page: Page) -> Locator:
    return page.locator(".stage-source")


def linked(page: Page) -> dict[str, str]:
    """What the page's address holds."""
    return dict(parse_qsl(urlsplit(page.url).query))


def status(page: Page) -> Locator:
    return page.locator(".site-status")


def kept(page: Page) -> None:
    """Wait until the model's two files are stored for the next visit."""
    page.wait_for_function("async () => (await (await caches.open('regard-models')).keys()).length === 2", polling=100)


def says_a_score(page: Page, scores: Iterable[float]) -> None:
    """One head's first scaled score is one of these; its long sum of products says how many terms are folded."""

    def divided() -> None:
        page.locator(".inside .block", has_text="÷ √32").locator("canvas").press("ArrowDown")
        said = float(page.locator(".inside .result").inner_text().replace("−", "-"))
        assert any(abs(said - score) < 0.006 for score in scores), (said, scores)

    eventually(page, divided)
    page.locator(".inside .block", has_text="scores").first.locator("canvas").press("ArrowDown")
    expect(page.locator(".inside button.rest")).to_have_text(re.compile(r"^\+ \d+ more$"))
