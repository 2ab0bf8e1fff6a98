"""The site without a server: the model runs in the page and computes what Python computes."""

from __future__ import annotations

import functools
import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

import model
from benchmarks.serving import ROOT
from tests.js import engine_golden
from viz.export.gallery import Entry
from viz.export.site import write_site

PATIENCE = 90_000
BITES = "The man bites the dog."
GOLDEN = json.loads(engine_golden.FILE.read_text("utf-8"))
COMPARE = """async ({ cases, address }) => {
  const worker = new Worker("code/site/worker.js", { type: "module" });
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


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static web server without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    entries = [Entry("idiom", "I am hungry."), Entry("word_order", BITES)]
    write_site([model.load(), model.load(ROOT / "pretrained" / "tiny")], entries, out)
    return out


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Opens the site in a new browser session, which must not request other addresses and must not log an error."""
    contexts, complaints = [], []

    def hear(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            complaints.append(request.url)

    def opened(
        query: str = "", *, width: int = 1280, locale: str = "en-US", prepare: Callable[[Page], None] | None = None
    ) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 800}, locale=locale)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", hear)
        if prepare:
            prepare(page)
        page.goto(address + query)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def translation(page: Page) -> str:
    tokens = page.locator(".sentences .sentence").nth(1).locator(".token:not(.special)").all_inner_texts()
    return "".join(tokens).replace(" ", "")


def asked(page: Page) -> None:
    expect(page.locator(".site-steps")).to_be_visible(timeout=PATIENCE)


def compared(page: Page, line: int) -> Locator:
    return page.locator(".site-compared p").nth(line)


def test_it_opens_on_a_sentence_and_takes_another(visit) -> None:
    page = visit()
    asked(page)
    assert translation(page) == model.translate(model.load(), "I am hungry.").text.replace(" ", "")
    page.get_by_role("textbox").fill(BITES)
    page.get_by_role("textbox").press("Enter")
    page.wait_for_url(f"**text={quote_plus(BITES)}*")
    expect(page.locator(".tokens").first).to_contain_text("man")
    assert translation(page) == model.translate(model.load(), BITES).text.replace(" ", "")
    page.go_back()
    expect(page.get_by_role("textbox")).to_have_value("I am hungry.")
    expect(page.locator(".tokens").first).to_contain_text("hungry")
    page.get_by_text("Sentences to try").click()
    page.get_by_role("button", name=BITES).click()
    expect(page.locator(".tokens").first).to_contain_text("man")


def test_a_link_restores_every_change_and_each_can_be_undone(visit) -> None:
    bundle = model.load()
    page = visit(f"?text={quote_plus(BITES)}&positions=zero&off=cross.3.6&force=cross.2.1.3.2~4&lang=fr")
    changed = model.Interventions(
        heads_off=(model.HeadOff("cross", 3, 6),), source_positions=model.PositionEdit("zero"),
        forced_rows=(model.ForcedRow("cross", 2, 1, 3, (0, 0, 1, 0, 1)),),
    )  # fmt: skip
    expect(compared(page, 0)).to_contain_text(model.translate(bundle, BITES).text)
    expect(compared(page, 1)).to_contain_text(model.translate(bundle, BITES, interventions=changed).text)
    page.get_by_role("button", name="croisée 2·1, ligne 4 choisie").click()
    expect(page.get_by_role("button", name="ligne 4 choisie")).to_be_hidden()
    assert "force=" not in page.url
    page.get_by_role("button", name="Tout annuler").click()
    expect(page.locator(".site-compared")).to_be_hidden()
    assert "off=" not in page.url and "positions=" not in page.url
    page.get_by_role("button", name="Annuler", exact=True).click()
    expect(page.locator(".site-compared")).to_be_visible()
    assert "off=cross.3.6" in page.url and "positions=zero" in page.url and "force=" not in page.url


def test_a_head_is_switched_off_from_its_card(visit) -> None:
    page = visit(f"?text={quote_plus(BITES)}&heads=2.1")
    page.get_by_role("button", name="Switch this head off").click()
    expect(page.get_by_role("button", name="cross 2·1 off")).to_be_visible(timeout=PATIENCE)
    assert "off=cross.2.1" in page.url


def test_another_candidate_is_gone_on_from(visit) -> None:
    bundle = model.load()
    page = visit(f"?text={quote_plus(BITES)}")
    trace = model.translate(bundle, BITES)
    assert trace.candidates is not None
    asked(page)
    page.get_by_role("button", name="Next step").press("Enter")
    second = int(trace.candidates.ids[1, 1])
    wanted = model.translate(bundle, BITES, prefix=(trace.target.ids[0], second))
    page.locator(".site-bars button").nth(1).click()
    expect(compared(page, 0)).to_contain_text(trace.text)
    expect(compared(page, 1)).to_contain_text(wanted.text)
    assert f"said={trace.target.ids[0]}%2C{second}" in page.url
    page.reload()
    expect(compared(page, 1)).to_contain_text(wanted.text)


def test_a_row_looks_where_it_is_told(visit) -> None:
    bundle = model.load()
    page = visit(f"?text={quote_plus(BITES)}&heads=3.6")
    asked(page)
    page.get_by_text("Choose where a row looks").click()
    page.get_by_label("Row", exact=True).select_option("1")
    page.locator(".site-keys").get_by_role("button", name="dog").click()
    expect(page.get_by_role("button", name="cross 3·6, row 2 chosen")).to_be_visible()
    place = [piece.strip("▁") for piece in model.translate(bundle, BITES).source.pieces].index("dog")
    row = model.ForcedRow("cross", 3, 6, 1, tuple(float(key == place) for key in range(place + 1)))
    wanted = model.translate(bundle, BITES, interventions=model.Interventions(forced_rows=(row,)))
    expect(compared(page, 1)).to_contain_text(wanted.text)
    assert f"force=cross.3.6.1.{place}" in page.url


def test_another_model_is_chosen_and_kept_in_the_link(visit) -> None:
    page = visit(f"?text={quote_plus(BITES)}&off=cross.3.6")
    asked(page)
    page.get_by_role("combobox", name="Model").select_option("tiny")
    tiny = model.load(ROOT / "pretrained" / "tiny")
    expect(page.locator(".site-written")).to_contain_text("mordre")
    expect(page.locator(".site-compared")).to_be_hidden()
    assert translation(page) == model.translate(tiny, BITES).text.replace(" ", "")
    assert "model=tiny" in page.url and "off=" not in page.url
    page.reload()
    asked(page)
    assert translation(page) == model.translate(tiny, BITES).text.replace(" ", "")
    page.go_back()
    expect(page.get_by_role("button", name="cross 3·6 off")).to_be_visible()


def test_after_the_first_visit_no_network_is_needed(visit) -> None:
    page = visit()
    asked(page)
    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()
    asked(page)
    page.get_by_role("textbox").fill(BITES)
    page.get_by_role("textbox").press("Enter")
    expect(page.locator(".tokens").first).to_contain_text("man")


def test_weights_and_attention_in_the_browser_are_those_of_python(visit) -> None:
    page = visit()
    cases = [case for case in GOLDEN["cases"] if case["text"] == engine_golden.SHORT]
    furthest = page.evaluate(COMPARE, {"cases": cases, "address": "models/en-fr"})
    assert len(furthest) == len(cases)
    assert max(furthest) < 1e-4


def spoiled(folder: Path) -> tuple[Path, bytes]:
    weights = next((folder / "models" / "en-fr").glob("*.safetensors"))
    return weights, weights.read_bytes()


@pytest.mark.parametrize("is_cut", [False, True], ids=["altered", "cut"])
def test_weights_that_arrive_damaged_are_named_and_pictures_shown(visit, folder: Path, is_cut: bool) -> None:
    weights, whole = spoiled(folder)
    weights.write_bytes(whole[: len(whole) // 2] if is_cut else whole[:-2] + b"\x12\x34")
    try:
        page = visit()
        expect(page.get_by_role("status")).to_contain_text("was damaged twice", timeout=PATIENCE)
        expect(page.get_by_role("img", name=BITES)).to_be_visible()
    finally:
        weights.write_bytes(whole)


def test_weights_that_were_kept_damaged_are_fetched_again(visit, folder: Path) -> None:
    page = visit()
    asked(page)
    name = spoiled(folder)[0].name
    spoil = """async name => {
      const cache = await caches.open("regard-models");
      const [{ url }] = (await cache.keys()).filter(({ url }) => url.endsWith(name));
      await cache.put(url, new Response(new Uint8Array(1000)));
    }"""
    page.evaluate(spoil, name)
    page.reload()
    asked(page)


def test_a_device_without_memory_is_told_so_and_shown_pictures(visit, browser: Browser) -> None:
    def starve(page: Page) -> None:
        page.route("**/engine/kernel.js", lambda route: route.fulfill(
            body="export class Kernel { static make() { throw new RangeError('no room'); } }",
            content_type="text/javascript",
        ))  # fmt: skip

    page = visit(prepare=starve)
    expect(page.get_by_role("status")).to_contain_text("too little free memory", timeout=PATIENCE)
    expect(page.get_by_role("img", name=BITES)).to_be_visible()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("   ", "Type a sentence first"),
        ("猫 ☃ Zürich", "does not know"),
        ("\u202eabc <b>x</b>", "does not know"),
        ("👍🏽" * 40, "does not know"),
        ("word " * 300, "300 tokens|301 tokens"),
        ("a" * 10_001, "10001 characters"),
    ],
    ids=["empty", "unknown letters", "turned round", "emoji", "300 words", "10,001 characters"],
)
def test_odd_text_is_answered_in_words(visit, text: str, said: str) -> None:
    page = visit("?model=tiny", width=390)
    asked(page)
    page.get_by_role("textbox").fill(text)
    page.get_by_role("textbox").press("Enter")
    expect(page.get_by_role("status").first).to_have_text(re.compile(said))
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def test_a_long_sentence_is_counted_aloud(visit) -> None:
    def tell_every_step(page) -> None:
        def answer(route) -> None:
            code = route.fetch().text()
            assert "TELL_EVERY = 400" in code
            route.fulfill(body=code.replace("TELL_EVERY = 400", "TELL_EVERY = 0"), content_type="text/javascript")

        page.route("**/site/worker.js", answer)

    page = visit(width=390, prepare=tell_every_step)
    asked(page)
    status = page.get_by_role("status").first
    status.evaluate(
        """element => {
            window.said = [];
            new MutationObserver(() => window.said.push(element.textContent)).observe(element, { childList: true });
        }"""
    )
    page.get_by_role("textbox").fill("word " * 210)
    page.get_by_role("textbox").press("Enter")
    expect(status).to_contain_text("far longer", timeout=10 * PATIENCE)
    assert any("Translating a long sentence" in said for said in page.evaluate("window.said"))


def test_what_is_drawn_follows_when_the_device_turns_dark_and_when_it_is_printed(visit) -> None:
    page = visit("?model=tiny")
    asked(page)
    drawn = page.evaluate("document.querySelector('.map-base').toDataURL()")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("before => document.querySelector('.map-base').toDataURL() !== before", arg=drawn)
    dark = page.evaluate("document.querySelector('.map-base').toDataURL()")
    page.evaluate(
        "addEventListener('beforeprint', () => { window.printed = document.querySelector('.map-base').toDataURL(); })"
    )
    page.pdf()
    assert page.evaluate("printed") == drawn
    assert page.evaluate("document.querySelector('.map-base').toDataURL()") == dark


def test_a_page_opened_from_disk_says_how_to_open_it(browser: Browser, folder: Path) -> None:
    context = browser.new_context(locale="fr-FR")
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    expect(page.get_by_text("lancez-y python -m http.server")).to_be_visible()
    expect(page.get_by_text("run python -m http.server")).to_be_hidden()
    context.close()


def test_words_of_the_page_change_with_the_language(visit) -> None:
    page = visit(locale="zh-CN")
    expect(page.get_by_role("button", name="翻译")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("button", name="Traduire")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "fr"
    expect(page.locator("footer")).to_contain_text("licences : models/en-fr/README.md")
