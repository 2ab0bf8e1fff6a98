"""The static site that tests open, and helpers for its pages."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

import model
from tests.browser.actions import PATIENCE, eventually
from tests.serving import ROOT
from viz.export.gallery import Entry
from viz.export.site import write_site

MAN_BITES_DOG = "The man bites the dog."
TWO_FRAMES = "new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))"
GO_HOME = "I just want to go home."
APPLICATION = "http://127.0.0.1:1/app/"
SITE = "http://127.0.0.1:1/site"
"""The addresses by which site and application link to each other; nothing listens there."""
EFFECTS = """() => [...document.querySelectorAll(".heads-square[data-measured]")].map(
    each => Number(each.style.getPropertyValue("--effect")))"""
"""The measured effects of the heads, from 0 to 1."""
COMPARE_WITH_GOLDEN = """async ({
  cases, address, code = document.querySelector('script[src$="site/main.js"]').src
}) => {
  const worker = new Worker(new URL("worker.js", new URL(code, document.baseURI)), { type: "module" });
  const next = () => new Promise(resolve => {
    worker.onmessage = ({ data }) => ["loaded", "trace", "failed"].includes(data.kind) && resolve(data);
  });
  worker.postMessage({ kind: "load", address: new URL(address, document.baseURI).href });
  await next();
  const deviations = [];
  for (const { text, edits, prefix, maps, target } of cases) {
    worker.postMessage({ kind: "translate", id: 1, text, edits, prefix });
    const result = await next();
    let largest = String(result.target.ids) === String(target) ? 0 : 1;
    for (const [kind, packed] of Object.entries(maps)) {
      const golden = new Uint16Array(Uint8Array.from(atob(packed), character => character.charCodeAt(0)).buffer);
      if (golden.length !== result.maps[kind].length) largest = 1;
      golden.forEach((value, i) => {
        largest = Math.max(largest, Math.abs(value / 65535 - result.maps[kind][i]));
      });
    }
    deviations.push(largest);
  }
  return deviations;
}"""
"""Translates golden cases in the page's worker; returns each case's largest deviation from Python's weights."""


def write_test_site(out: Path) -> Path:
    """The site with two models and three sentences."""
    entries = [Entry("head_matters", GO_HOME), Entry("idiom", "I am hungry."), Entry("word_order", MAN_BITES_DOG)]
    write_site([model.load(), model.load(ROOT / "pretrained" / "tiny")], entries, out, application=APPLICATION)
    return out


RETURNING_VISITOR = "localStorage.setItem('regard-met', '1')"
"""Marks the visitor as a returning one, for whom the page plays no introduction."""


@contextmanager
def site_opener(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Yields a function that opens the site in a new browser context. At the end no page may have logged an error or
    requested another address."""
    contexts, failures = [], []

    def check_request(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            failures.append(request.url)

    def open_site(
        query: str = "", *, width: int = 1280, height: int = 800, locale: str = "en-US", is_new: bool = False,
        prepare: Callable[[Page], None] | None = None,
    ) -> Page:  # fmt: skip
        # Requests of a service worker would bypass the routes that a test prepares.
        workers = "block" if prepare else "allow"
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, service_workers=workers
        )
        contexts.append(context)
        if not is_new:
            context.add_init_script(RETURNING_VISITOR)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: failures.append(f"{error}\n{error.stack}"))
        page.on("request", check_request)
        if prepare:
            prepare(page)
        page.goto(address + query)
        return page

    yield open_site
    for context in contexts:
        context.close()
    assert not failures, failures


def translation_text(page: Page, tokens: str = ".stage-target .stage-token") -> str:
    """The translation without spaces."""
    texts = page.locator(f"{tokens}:not([data-special])").all_text_contents()
    return "".join(texts).replace(" ", "").replace("␣", "")


def expect_translation(page: Page, text: str) -> None:
    """Wait until the page shows this translation, computed in the page itself."""
    expected = text.replace(" ", "")
    page.wait_for_function(
        """expected => document.querySelector(".showing[data-live]") && [...document.querySelectorAll(
            ".stage-target .stage-token:not([data-special])")].map(token => token.textContent).join("")
            .replaceAll("␣", "") === expected""",
        arg=expected,
    )


def wait_for_model(page: Page) -> Page:
    """Wait until the page computes with its loaded model instead of stored results."""
    expect(page.locator(".showing[data-live]")).to_be_visible(timeout=PATIENCE)
    return page


def enter_sentence(page: Page, text: str) -> None:
    page.get_by_role("textbox").fill(text)
    page.get_by_role("textbox").press("Enter")


def source_row(page: Page) -> Locator:
    return page.locator(".stage-source")


def status_line(page: Page) -> Locator:
    return page.locator(".site-status")


def hold_requests(page: Page, pattern: str, routes: list[Route]) -> None:
    """Hold the page's requests that match a pattern, in a growing list."""
    page.route(pattern, lambda route: routes.append(route))


def hold_model_files(page: Page, routes: list[Route]) -> None:
    hold_requests(page, "**/models/tiny/*.safetensors", routes)


def change_worker(page: Page, part: str, replacement: str) -> None:
    """Replace a part of the code of the page's worker."""

    def answer(route: Route) -> None:
        code = route.fetch().text()
        assert part in code
        route.fulfill(body=code.replace(part, replacement), content_type="text/javascript")

    page.route("**/site/worker.js", answer)


def wait_for_model_cached(page: Page) -> None:
    """Wait until the model's two files are stored for the next visit."""
    page.wait_for_function("async () => (await (await caches.open('regard-models')).keys()).length === 2", polling=100)


def expect_score(page: Page, scores: Iterable[float]) -> None:
    """Expect one head's first scaled score to be one of these, and its dot product to count the folded terms."""

    def check_scaled_score() -> None:
        page.locator(".inside .block", has_text="÷ √32").locator("canvas").press("ArrowDown")
        score = float(page.locator(".inside .result").inner_text().replace("−", "-"))
        assert any(abs(score - expected) < 0.006 for expected in scores), (score, scores)

    eventually(page, check_scaled_score)
    page.locator(".inside .block", has_text="scores").first.locator("canvas").press("ArrowDown")
    expect(page.locator(".inside button.rest")).to_have_text(re.compile(r"^\+ \d+ more$"))
