"""The static site's messages for missing or damaged files, failures and odd input."""

import re
import shutil
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import model
from tests.browser.actions import PATIENCE
from tests.browser.static_site import (
    MAN_BITES_DOG,
    change_worker,
    enter_sentence,
    site_opener,
    source_row,
    status_line,
    translation_text,
    wait_for_model,
    wait_for_model_cached,
)
from tests.serving import serving

pytestmark = pytest.mark.nightly


def test_after_the_first_visit_no_network_is_needed(open_site) -> None:
    page = wait_for_model(open_site())
    wait_for_model_cached(page)
    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()
    wait_for_model(page)
    enter_sentence(page, MAN_BITES_DOG)
    expect(source_row(page)).to_contain_text("man")


def test_an_open_page_keeps_its_version_and_announces_a_new_one(
    browser: Browser, site_folder: Path, tmp_path: Path
) -> None:
    """The code of the levels is fetched on opening one, here after the site was replaced."""
    place = tmp_path / "site"
    shutil.copytree(site_folder, place)
    with serving(place) as address, site_opener(browser, address) as open_site:
        page = wait_for_model(open_site())
        wait_for_model_cached(page)
        page.evaluate("navigator.serviceWorker.ready")
        first = page.locator("script[src$='site/main.js']").get_attribute("src")
        replace_version(place)
        page.evaluate("navigator.serviceWorker.getRegistration().then(each => each.update())")
        expect(page.locator(".site-new")).to_contain_text("a new version of this page")
        page.get_by_role("tab", name="One head").click()
        expect(page.locator(".inside canvas").first).to_be_visible()
        page.get_by_role("button", name="Reload").click()
        page.wait_for_function("first => document.querySelector('script').src.endsWith(first) === false", arg=first)
        wait_for_model(page)
        expect(page.locator(".site-new")).to_have_count(0)


def replace_version(place: Path) -> None:
    """Replace a site by another version, whose code is in another folder."""
    (old,) = (path.parent for path in place.glob("code/*/site.json"))
    new = old.with_name("0123456789ab")
    old.rename(new)
    for name in ("index.html", "sw.js"):
        text = (place / name).read_text("utf-8")
        text = text.replace(old.name, new.name)
        (place / name).write_text(text.replace('VERSION = "regard-', 'VERSION = "regard-new-'), "utf-8")


@pytest.mark.by_day
def test_a_missing_part_of_the_page_is_an_error_message(browser: Browser, site_folder: Path, tmp_path: Path) -> None:
    """Without a cache the code of the earlier version is lost."""
    place = tmp_path / "site"
    shutil.copytree(site_folder, place)
    with serving(place) as address:
        page = browser.new_page(service_workers="block")
        page.goto(address)
        wait_for_model(page)
        replace_version(place)
        page.get_by_role("tab", name="One head").click()
        expect(page.locator(".site-new")).to_contain_text("a new version of this page")
        page.close()


def expect_stored_translation(page: Page) -> None:
    page.locator("summary", has_text="Sentences to try").click()
    page.get_by_role("button", name=MAN_BITES_DOG).click()
    expect(source_row(page)).to_contain_text("bites")
    expected = model.translate(model.load(), MAN_BITES_DOG).text.replace(" ", "")
    page.wait_for_function("() => !document.querySelector('[data-later]')")
    assert translation_text(page) == expected


def weights_file(site_folder: Path) -> Path:
    return next((site_folder / "models" / "en-fr").glob("*.safetensors"))


@pytest.mark.parametrize("is_cut", [False, True], ids=["altered", "cut"])
def test_damaged_weights_are_named_and_stored_translations_shown(open_site, site_folder: Path, is_cut: bool) -> None:
    weights = weights_file(site_folder)
    intact = weights.read_bytes()
    weights.write_bytes(intact[: len(intact) // 2] if is_cut else intact[:-2] + b"\x12\x34")
    try:
        page = open_site()
        expect(status_line(page)).to_contain_text("was damaged twice", timeout=PATIENCE)
        expect_stored_translation(page)
    finally:
        weights.write_bytes(intact)


def test_damaged_weights_in_the_browsers_cache_are_fetched_again(open_site, site_folder: Path) -> None:
    page = wait_for_model(open_site())
    wait_for_model_cached(page)
    spoil = """async name => {
      const cache = await caches.open("regard-models");
      const [{ url }] = (await cache.keys()).filter(({ url }) => url.endsWith(name));
      await cache.put(url, new Response(new Uint8Array(1000)));
    }"""
    page.evaluate(spoil, weights_file(site_folder).name)
    page.reload()
    wait_for_model(page)


def test_a_device_without_memory_gets_an_error_and_the_stored_translation(open_site) -> None:
    failing = "static make() { throw new RangeError('no room'); }\n  static made("
    page = open_site(prepare=partial(change_worker, part="static make(", replacement=failing))
    expect(status_line(page)).to_contain_text("too little free memory", timeout=PATIENCE)
    expect_stored_translation(page)


UNKNOWN = "unknown to it|does not know"
ODD = (
    ("   ", "Type a sentence first"), ("猫 ☃ Zürich", UNKNOWN), ("word " * 300, "300 tokens|301 tokens"),
    ("\u202eabc <b>x</b>", UNKNOWN), ("a" * 10_001, "10001 characters"), ("👍🏽" * 40, UNKNOWN),
)  # fmt: skip
"""Consecutive answers differ, so that an earlier one cannot be mistaken for the next."""


@pytest.mark.by_day
def test_odd_text_is_answered_in_words(open_site) -> None:
    page = wait_for_model(open_site("?model=tiny", width=390))
    for text, answer in ODD:
        enter_sentence(page, text)
        expect(status_line(page)).to_have_text(re.compile(answer))
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_progress_of_a_long_sentence_is_announced(open_site) -> None:
    each_step = partial(change_worker, part="REPORT_INTERVAL = 400", replacement="REPORT_INTERVAL = 0")
    page = wait_for_model(open_site(width=390, prepare=each_step))
    line = status_line(page)
    line.evaluate("""element => {
        window.announcements = [];
        new MutationObserver(() => announcements.push(element.textContent)).observe(element, { childList: true });
    }""")
    enter_sentence(page, "word " * 210)
    expect(line).to_contain_text("far longer", timeout=10 * PATIENCE)
    assert any("Translating: " in text for text in page.evaluate("announcements"))


def test_a_page_opened_from_disk_explains_how_to_serve_it(browser: Browser, site_folder: Path) -> None:
    page = browser.new_page(locale="fr-FR")
    page.goto((site_folder / "index.html").as_uri())
    expect(page.get_by_text("lancez-y python -m http.server")).to_be_visible()
    expect(page.get_by_text("run python -m http.server")).to_be_hidden()
    page.close()
