"""The lesson's scene on a handwritten word, with a class."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import close_vote, go_to_lesson, message_in, open_room
from tests.browser.handwriting import write_word
from tests.browser.waiting import PATIENCE

IN_SIGHT = "each => { const { bottom } = each.getBoundingClientRect(); return bottom <= innerHeight; }"


@pytest.mark.nightly
def test_a_class_goes_through_the_scene_on_a_word_of_its_own(open_page, phone, screenshot):
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
    expect(teacher.get_by_text(message_in("en", "room.answers_of", n=1, phones=1))).to_be_visible()
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
