"""Handwriting in the application: a word is written on the sentence's line, read and inspected."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.handwriting import write_word
from tests.browser.waiting import PATIENCE, select_option


def read_letters(page: Page) -> Locator:
    return page.locator(".target-row .token:not([data-special])")


def expect_word(page: Page, word: str) -> None:
    expect(read_letters(page)).to_have_text(list(word), timeout=PATIENCE)


def test_a_word_written_with_a_finger_on_a_phone_is_read_and_its_link_restores_it(open_page) -> None:
    page: Page = open_page("?model=reader", width=390)
    expect_word(page, "beauty")
    page.locator(".edit").click()
    page.get_by_role("button", name="Clear").click()
    write_word(page.locator(".pad-paper"), "hello")
    page.get_by_role("button", name="Read", exact=True).click()
    expect_word(page, "hello")
    page.wait_for_url("**text=ink.**")
    reopened: Page = open_page("?" + page.url.partition("?")[2])
    expect_word(reopened, "hello")
    expect(reopened.locator(".stage-strip")).to_have_count(96)


def test_pointing_at_a_letter_shades_its_strokes(open_page) -> None:
    page: Page = open_page("?model=reader")
    expect_word(page, "beauty")
    centres = []
    for letter in (0, 2, 5):
        read_letters(page).nth(letter).hover()
        page.wait_for_function(
            """letter => { const all = [...document.querySelectorAll('*')].flatMap(
                each => each.shadowRoot ? [...each.shadowRoot.querySelectorAll('.target-row .token')] : []);
                return all[letter]?.hasAttribute('data-focus'); }""",
            arg=letter,
        )
        shades = page.locator(".stage-strip").evaluate_all(
            "all => all.map(each => Number(each.style.getPropertyValue('--weight')))"
        )
        centres.append(shades.index(max(shades)))
    assert max(centres) - min(centres) >= 3, centres


def test_pages_that_work_on_words_are_not_in_the_navigation(open_page) -> None:
    page: Page = open_page("?model=reader")
    expect_word(page, "beauty")
    expect(page.get_by_role("link", name="Decode")).to_be_visible()
    expect(page.get_by_role("link", name="Lesson", exact=True)).to_have_count(0)


@pytest.mark.nightly
def test_causal_compares_the_word_with_itself_without_a_letter_and_with_another_one(open_page) -> None:
    page: Page = open_page("causal?model=reader&view=lines")
    cells = page.locator(".grids .grid[data-picture] .cell")
    expect(page.get_by_text("The first difference is")).to_be_visible()
    expect(page.locator(".written")).to_contain_text("e")
    expect(page.locator(".grids .grid[data-picture] canvas").first).to_be_visible()
    strongest = cells.evaluate_all(
        "all => all.map(each => Number(each.style.getPropertyValue('--share'))).indexOf("
        "Math.max(...all.map(each => Number(each.style.getPropertyValue('--share')))))"
    )
    assert "strip" in str(cells.nth(strongest).get_attribute("aria-label"))
    cells.nth(strongest).click()
    page.wait_for_url("**interventions=**")
    expect(read_letters(page).first).to_be_visible()
    select_option(page, "Take activations from the word above without", "another word: write it below")
    write_word(page.locator(".writing .pad-paper"), "hello")
    page.locator(".writing").get_by_role("button", name="Read", exact=True).click()
    expect(page.get_by_text("The other word is read “hello”")).to_be_visible(timeout=PATIENCE)


@pytest.mark.nightly
def test_the_rows_of_lines_are_the_picture_and_its_letters(open_page) -> None:
    page: Page = open_page("?model=reader&view=lines")
    expect_word(page, "beauty")
    expect(page.locator(".line-headings")).to_have_text(re.compile("Letters"))
    expect(page.locator(".regard").get_by_role("button", name="horizontal")).to_have_attribute("aria-pressed", "true")


@pytest.mark.nightly
def test_the_bars_of_decode_stand_on_the_strips(open_page) -> None:
    page: Page = open_page("decode?model=reader")
    expect_word(page, "beauty")
    bars = page.locator(".strip[data-kind=cross] .column")
    expect(bars).to_have_count(96)
    expect(bars.first.locator("canvas")).to_be_visible()
    assert (bars.first.get_attribute("aria-label") or "").startswith("strip 0:")
    numbers = bars.locator(".number").all_text_contents()
    assert any(numbers) and not any(first and second for first, second in pairwise(numbers)), numbers
    card = page.locator(".strip[data-kind=cross] .columns")
    assert card.evaluate("row => row.scrollWidth <= row.clientWidth + 1")
