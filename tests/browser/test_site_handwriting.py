"""The site's handwriting model: a word is written on a pad, read and inspected."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

import model
from tests.browser.actions import LOCALES, PATIENCE, write_word
from tests.browser.static_site import MAN_BITES_DOG, expect_translation, site_opener, wait_for_model
from tests.serving import serving
from viz.export.gallery import Entry, handwritten_entries
from viz.export.site import write_site
from viz.i18n import LANGUAGES

pytestmark = pytest.mark.nightly
SHADES = """() => [...document.querySelectorAll(".stage-strip")].map(
    each => Number(getComputedStyle(each).getPropertyValue("--weight")))"""
WRITTEN = "() => !document.querySelector('[data-later]')"


@pytest.fixture(scope="module")
def open_site(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Page]]:
    folder = tmp_path_factory.mktemp("reader")
    bundles = [model.load("tiny"), model.load("reader")]
    write_site(bundles, [Entry("word_order", MAN_BITES_DOG), *handwritten_entries(bundles)[:2]], folder)
    with serving(folder) as address, site_opener(browser, f"{address}/") as opener:
        yield opener


@pytest.mark.by_day
def test_a_word_written_on_a_phone_is_read_and_each_letter_attends_to_its_strokes(open_site) -> None:
    page: Page = open_site(width=390)
    page.get_by_role("button", name="It reads your handwriting").click()
    expect_translation(page, "beauty")  # the first example
    page.get_by_role("button", name="Clear").click()
    write_word(page.locator(".pad-paper"), "hello")
    expect_translation(page, "hello")
    page.wait_for_function(WRITTEN)
    centres = []
    for letter in range(5):
        page.locator(f".stage-target [data-place='{letter}']").click()
        shades = page.evaluate(SHADES)
        centres.append(shades.index(max(shades)))
    assert centres == sorted(centres) and centres[-1] > centres[0] + 4, centres
    expect(page.locator(".stage-line")).to_contain_text("To write “o”, the decoder looks at strip")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


ROW = """() => [...document.querySelectorAll(".page-choosing :is(select, summary, .page-door)")].map(each => {
  const { top, bottom, left, right } = each.getBoundingClientRect();
  return { middle: Math.round((top + bottom) / 2), left, right };
})"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_model_the_sentences_and_the_door_share_a_row_of_the_narrowest_phone(open_site, language: str) -> None:
    page: Page = open_site(width=320, height=640, locale=LOCALES[language])
    expect(page.locator(".page-choosing .page-door")).to_be_visible()
    row = page.evaluate(ROW)
    assert len(row) == 3 and len({part["middle"] for part in row}) == 1, row
    assert all(left["right"] < right["left"] for left, right in pairwise(row)) and row[-1]["right"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_link_restores_the_written_word_and_back_leads_to_the_sentence(open_site) -> None:
    page: Page = open_site()
    wait_for_model(page)
    page.get_by_role("button", name="It reads your handwriting").click()
    expect_translation(page, "beauty")
    page.get_by_role("button", name="Clear").click()
    write_word(page.locator(".pad-paper"), "hotel")
    expect_translation(page, "hotel")
    page.wait_for_url(re.compile(r"model=reader.*text=ink\.|text=ink\..*model=reader"))
    query = page.url.partition("?")[2]
    reopened: Page = open_site(f"?{query}")
    expect_translation(reopened, "hotel")
    page.get_by_role("button", name="Back to translating").click()
    expect(page.locator(".stage-source .stage-token").first).to_have_text("The")
    page.get_by_role("button", name="It reads your handwriting").click()
    expect_translation(page, "hotel")  # each kind of model keeps its last input


def test_the_picture_is_along_the_axis_and_a_head_is_switched_off(open_site) -> None:
    page: Page = open_site("?model=reader")
    expect_translation(page, "beauty")
    page.wait_for_function(WRITTEN)
    page.locator(".heads-power").click()
    expect(page.locator('[data-name="undo"]')).to_be_visible(timeout=PATIENCE)
    page.get_by_role("tab", name="All heads").click()
    page.locator(".map-base").first.wait_for()
    page.get_by_role("tab", name="Break it").click()
    hidden = page.get_by_role("group", name="Hide strips").get_by_role("button")
    assert 8 <= hidden.count() <= 20, "strips without ink are not offered"


def test_undo_and_the_keyboard_reach_every_tool_of_the_pad(open_site) -> None:
    page: Page = open_site("?model=reader")
    expect_translation(page, "beauty")
    page.get_by_role("button", name="Clear").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pad-hint")).to_be_visible()
    page.get_by_role("button", name="Undo").first.press("Enter")
    expect(page.locator(".pad-hint")).to_be_hidden()
    expect_translation(page, "beauty")
