"""The site without a server: the model runs in the page and says what Python says."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Browser, Page, Request, expect

import model
from viz.export.gallery import Entry
from viz.export.site import write_site

PATIENCE = 90_000
BITES = "The man bites the dog."


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static host that keeps no log."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    write_site([model.load()], [Entry("idiom", "I am hungry."), Entry("word_order", BITES)], out)
    return out


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Opens the site in a fresh browser session, which may ask nothing of other addresses and log no error."""
    contexts, complaints = [], []

    def hear(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            complaints.append(request.url)

    def opened(query: str = "", *, width: int = 1280, locale: str = "en-US") -> Page:
        context = browser.new_context(viewport={"width": width, "height": 800}, locale=locale)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", hear)
        page.goto(address + query)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def translation(page: Page) -> str:
    tokens = page.locator(".sentences .sentence").nth(1).locator(".token:not(.special)").all_inner_texts()
    return "".join(tokens).replace(" ", "")


def test_it_opens_on_a_sentence_and_takes_another(visit) -> None:
    page = visit()
    expect(page.locator(".site-steps")).to_be_visible(timeout=PATIENCE)
    assert translation(page) == model.translate(model.load(), "I am hungry.").text.replace(" ", "")
    page.get_by_role("textbox").fill(BITES)
    page.get_by_role("textbox").press("Enter")
    page.wait_for_url(f"**text={quote_plus(BITES)}*")
    expect(page.locator(".tokens").first).to_contain_text("man")
    assert translation(page) == model.translate(model.load(), BITES).text.replace(" ", "")
    page.go_back()
    expect(page.get_by_role("textbox")).to_have_value("I am hungry.")
    expect(page.locator(".tokens").first).to_contain_text("hungry")


def test_a_link_restores_changes_and_they_can_be_undone(visit) -> None:
    bundle = model.load()
    page = visit(f"?text={quote_plus(BITES)}&positions=zero&off=cross.3.6&lang=fr")
    changed = model.Interventions(
        heads_off=(model.HeadOff("cross", 3, 6),), source_positions=model.PositionEdit("zero")
    )
    lines = page.locator(".site-compared p")
    expect(lines.nth(0)).to_contain_text(model.translate(bundle, BITES).text)
    expect(lines.nth(1)).to_contain_text(model.translate(bundle, BITES, interventions=changed).text)
    page.get_by_role("button", name="Annuler tous les changements").click()
    expect(page.locator(".site-compared")).to_be_hidden()
    assert "off=" not in page.url and "positions=" not in page.url


def test_a_head_is_switched_off_from_its_card(visit) -> None:
    page = visit(f"?text={quote_plus(BITES)}&heads=2.1")
    page.get_by_role("button", name="Switch this head off").click()
    expect(page.get_by_role("button", name="cross 2·1 off")).to_be_visible(timeout=PATIENCE)
    assert "off=cross.2.1" in page.url


def test_the_second_visit_needs_no_network(visit, folder: Path) -> None:
    page = visit()
    expect(page.locator(".site-steps")).to_be_visible(timeout=PATIENCE)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    expect(page.locator(".site-steps")).to_be_visible(timeout=PATIENCE)
    page.context.set_offline(True)
    page.reload()
    expect(page.locator(".site-steps")).to_be_visible(timeout=PATIENCE)


def test_weights_that_arrive_damaged_are_named(visit, folder: Path) -> None:
    weights = next((folder / "models").rglob("*.bin"))
    whole = weights.read_bytes()
    weights.write_bytes(whole[:1000] + b"\0\1" + whole[1002:])
    try:
        page = visit()
        expect(page.get_by_role("status")).to_contain_text("could not be loaded", timeout=PATIENCE)
    finally:
        weights.write_bytes(whole)


def test_odd_text_is_answered_in_words(visit) -> None:
    page = visit(width=390)
    expect(page.locator(".site-steps")).to_be_visible(timeout=PATIENCE)
    box, status = page.get_by_role("textbox"), page.get_by_role("status")

    def is_answered(words: str, *, timeout: float = PATIENCE) -> None:
        expect(status).to_contain_text(words, timeout=timeout)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    for text, words in (
        ("   ", "Type a sentence first."),
        ("猫 ☃ Zürich", "does not know"),
        ("\u202eabc <b>x</b>", "does not know"),
        ("👍🏽" * 40, "does not know"),
    ):
        box.fill(text)
        box.press("Enter")
        is_answered(words)
    box.fill("word " * 210)  # more tokens than the site's MOST_PIECES; its answer has up to 436
    box.press("Enter")
    is_answered("Translating a long sentence")
    is_answered("far longer", timeout=10 * PATIENCE)


def test_words_of_the_page_change_with_the_language(visit) -> None:
    page = visit(locale="zh-CN")
    expect(page.get_by_role("button", name="翻译")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("button", name="Traduire")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "fr"
