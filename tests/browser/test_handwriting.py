"""Handwriting in the application and in the lesson: a word is written, read and inspected."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import (
    PATIENCE,
    close_vote,
    expect_answers,
    go_to_lesson,
    open_room,
    select_option,
    write_word,
)


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


IN_SIGHT = "each => { const { bottom } = each.getBoundingClientRect(); return bottom <= innerHeight; }"


@pytest.mark.nightly
def test_a_class_goes_through_the_scene_with_a_handwritten_word(open_page, phone, screenshot):
    teacher: Page = open_page("?model=en-fr&lesson.scene=reader", path="room", width=1280, height=720)
    code = open_room(teacher, "en")
    student = phone(code, "fr")
    wall: Page = open_page(path=f"class/{code}/screen", width=1280, height=720)
    go_to_lesson(teacher)
    expect(student.locator(".about p").nth(1)).to_have_text("beauty")
    expect(student.locator(".about canvas")).to_be_visible()
    screenshot(teacher, "lesson-reader-asked")
    write_word(teacher.locator(".pad-paper"), "hello")
    teacher.locator(".writing .read").click()
    for screen in (student, wall):
        expect(screen.locator(".about p").nth(1)).to_have_text("hello", timeout=PATIENCE)
    student.locator(".answers button").nth(1).click()
    expect_answers(teacher, 1, 1)
    close_vote(teacher)
    letters = teacher.locator(".read-letters button")
    expect(letters).to_have_text(list("hello"))
    expect(letters.nth(1)).to_have_attribute("aria-pressed", "true")
    screenshot(teacher, "lesson-reader-votes")
    teacher.locator(".st-key-lesson-change button").click()
    expect(teacher.locator(".read-word")).to_have_count(2)
    for screen in (student, wall):
        expect(screen.locator(".read-card")).to_have_count(2)
        expect(screen.locator(".read-card").first.locator("button")).to_have_text(list("hello"))
    explain = teacher.locator(".st-key-lesson-explain button")
    assert explain.evaluate(IN_SIGHT)
    screenshot(teacher, "lesson-reader-experiment")
    screenshot(wall, "lesson-reader-wall")
    screenshot(student, "lesson-reader-phone")
    explain.click()
    expect(student.locator(".question .remark")).to_contain_text("« e »")
    screenshot(teacher, "lesson-reader-explained")


@pytest.mark.nightly("True")
@pytest.mark.parametrize("dark", [False, True])
def test_the_scene_fits_a_phones_width(open_page, screenshot, dark):
    page: Page = open_page(
        "?model=en-fr&lesson.scene=reader&lesson.votes=reader2", path="lesson", width=390, height=844, dark=dark
    )
    expect(page.locator(".read-letters button")).to_have_text(list("beauty"), timeout=PATIENCE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    screenshot(page, f"lesson-reader-390-{'dark' if dark else 'light'}")
