"""A model that reads handwriting in the application: a word is written on the sentence's line, read and looked at."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.handwriting import write
from tests.browser.waiting import PATIENCE


def _letters(page: Page) -> Locator:
    return page.locator(".target-row .token:not([data-special])")


def _reads(page: Page, word: str) -> None:
    expect(_letters(page)).to_have_text(list(word), timeout=PATIENCE)


def test_a_word_written_with_a_finger_on_a_phone_is_read_and_its_link_restores_it(open_page) -> None:
    page: Page = open_page("?model=reader", width=390)
    _reads(page, "beauty")
    page.locator(".edit").click()
    page.get_by_role("button", name="Clear").click()
    write(page.locator(".pad-paper"), "hello")
    page.get_by_role("button", name="Read", exact=True).click()
    _reads(page, "hello")
    page.wait_for_url("**text=ink.**")
    other: Page = open_page("?" + page.url.partition("?")[2])
    _reads(other, "hello")
    expect(other.locator(".picture .strip")).to_have_count(64)


def test_pointing_at_a_letter_shades_its_strokes(open_page) -> None:
    page: Page = open_page("?model=reader")
    _reads(page, "beauty")
    places = []
    for letter in (0, 2, 5):
        _letters(page).nth(letter).hover()
        page.wait_for_function(
            """letter => { const all = [...document.querySelectorAll('*')].flatMap(
                each => each.shadowRoot ? [...each.shadowRoot.querySelectorAll('.target-row .token')] : []);
                return all[letter]?.hasAttribute('data-focus'); }""",
            arg=letter,
        )
        shades = page.locator(".picture .strip").evaluate_all(
            "all => all.map(each => Number(each.style.getPropertyValue('--weight')))"
        )
        places.append(shades.index(max(shades)))
    assert max(places) - min(places) >= 3, places


def test_pages_that_work_on_words_are_not_in_the_navigation(open_page) -> None:
    page: Page = open_page("?model=reader")
    _reads(page, "beauty")
    expect(page.get_by_role("link", name="Decode")).to_be_visible()
    expect(page.get_by_role("link", name="Lesson", exact=True)).to_have_count(0)
