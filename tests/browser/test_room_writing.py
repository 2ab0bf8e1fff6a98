"""A class writes words by hand: the pad on phones, the teacher's page, and all screens."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.classroom import ask_question, message_in, open_room
from tests.browser.handwriting import write_word
from tests.browser.waiting import PATIENCE
from tests.whole_lesson import FITS, SMALL, SMALLEST

pytestmark = pytest.mark.nightly


def send_word(phone: Page, word: str) -> None:
    phone.get_by_role("button", name=message_in("en", "pad.pad_clear")).or_(
        phone.locator("[data-name=pad-clear]")
    ).click()
    write_word(phone.locator(".pad-paper"), word)
    phone.locator(".writing button.main").click()
    expect(phone.locator(".writing button.main")).to_be_disabled()


def read_letters(card: Locator) -> Locator:
    return card.locator(".read-letters button")


def expect_word(card: Locator, word: str) -> None:
    expect(read_letters(card)).to_have_text(list(word), timeout=PATIENCE)


def test_words_written_on_phones_are_read_on_the_teachers_screen_and_shown_to_all(open_page, phone, screenshot):
    teacher: Page = open_page(path="room", width=1280, height=720)
    code = open_room(teacher, "en")
    wall: Page = open_page(path=f"class/{code}/screen", width=1280, height=720)
    student, french_student = phone(code), phone(code, "fr", dark=True)
    ask_question(teacher, "room.ask_write")
    write_word(student.locator(".pad-paper"), "hello")
    student.locator(".writing button.main").click()
    expect(student.locator(".writing .remark")).to_have_text(message_in("en", "room.write_sent"))
    screenshot(student, "room-phone-writing")
    expect(teacher.get_by_text(message_in("en", "room.answers_of", n=1, phones=2))).to_be_visible()
    expect(teacher.locator(".written-card")).to_have_count(0)
    teacher.get_by_text(message_in("en", "room.write_list")).click()
    cards = teacher.locator(".written-card")
    expect_word(cards.first, "hello")

    # A phone's second word replaces its first; a late phone also gets the question.
    send_word(student, "line")
    expect_word(cards.first, "line")
    expect(cards).to_have_count(1)
    write_word(french_student.locator(".pad-paper"), "nine")
    french_student.locator(".writing button.main").click()
    expect_word(cards.nth(1), "nine")
    centres = []
    for place in (0, 3):
        read_letters(cards.first).nth(place).click()
        weights = "all => all.map(each => Number(each.style.getPropertyValue('--weight')))"
        looked = cards.first.locator(".read-strips i").evaluate_all(weights)
        centres.append(looked.index(max(looked)))
    assert centres[1] - centres[0] >= 3, centres
    screenshot(teacher, "room-written-words")

    teacher.get_by_role("button", name=message_in("en", "room.write_show")).click()
    for screen in (student, french_student, wall):
        expect(screen.locator(".read-card")).to_have_count(2)
        expect_word(screen.locator(".read-card").nth(1), "nine")
    expect(student.locator(".read-card[data-own]")).to_have_count(1)
    wall.wait_for_function(FITS)
    assert not wall.evaluate(SMALL, SMALLEST)
    screenshot(wall, "room-second-screen-written")
    screenshot(french_student, "room-phone-written")

    # A word that the teacher hides disappears from all screens.
    cards.nth(1).get_by_role("button", name=message_in("en", "pad.hide")).click()
    for screen in (student, french_student, wall):
        expect(screen.locator(".read-card")).to_have_count(1)
    expect(cards).to_have_count(1)
