"""A class writes words with its fingers: the pad on phones, what the teacher sees, and what all screens show."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.classroom import ask_question, message_in, open_room
from tests.browser.handwriting import write_word
from tests.browser.waiting import PATIENCE
from tests.whole_lesson import FITS, SMALL, SMALLEST

pytestmark = pytest.mark.nightly


def _send(phone: Page, word: str) -> None:
    phone.get_by_role("button", name=message_in("en", "pad.pad_clear")).or_(
        phone.locator("[data-name=pad-clear]")
    ).click()
    write_word(phone.locator(".pad-paper"), word)
    phone.locator(".writing button.main").click()
    expect(phone.locator(".writing button.main")).to_be_disabled()


def _letters(card: Locator) -> Locator:
    return card.locator(".read-letters button")


def _reads(card: Locator, word: str) -> None:
    expect(_letters(card)).to_have_text(list(word), timeout=PATIENCE)


def test_words_written_on_phones_are_read_on_the_teachers_screen_and_shown_to_all(open_page, phone, screenshot):
    teacher: Page = open_page(path="room", width=1280, height=720)
    code = open_room(teacher, "en")
    wall: Page = open_page(path=f"class/{code}/screen", width=1280, height=720)
    mine, other = phone(code), phone(code, "fr", dark=True)
    ask_question(teacher, "room.ask_write")
    write_word(mine.locator(".pad-paper"), "hello")
    mine.locator(".writing button.main").click()
    expect(mine.locator(".writing .remark")).to_have_text(message_in("en", "room.write_sent"))
    screenshot(mine, "room-phone-writing")
    expect(teacher.get_by_text(message_in("en", "room.answers_of", n=1, phones=2))).to_be_visible()
    expect(teacher.locator(".written-card")).to_have_count(0)
    teacher.get_by_text(message_in("en", "room.write_list")).click()
    cards = teacher.locator(".written-card")
    _reads(cards.first, "hello")

    # A second word of a phone replaces its first; a late phone gets the question too.
    _send(mine, "line")
    _reads(cards.first, "line")
    expect(cards).to_have_count(1)
    write_word(other.locator(".pad-paper"), "nine")
    other.locator(".writing button.main").click()
    _reads(cards.nth(1), "nine")
    places = []
    for place in (0, 3):
        _letters(cards.first).nth(place).click()
        weights = "all => all.map(each => Number(each.style.getPropertyValue('--weight')))"
        looked = cards.first.locator(".read-strips i").evaluate_all(weights)
        places.append(looked.index(max(looked)))
    assert places[1] - places[0] >= 3, places
    screenshot(teacher, "room-written-words")

    teacher.get_by_role("button", name=message_in("en", "room.write_show")).click()
    for screen in (mine, other, wall):
        expect(screen.locator(".read-card")).to_have_count(2)
        _reads(screen.locator(".read-card").nth(1), "nine")
    expect(mine.locator(".read-card[data-own]")).to_have_count(1)
    wall.wait_for_function(FITS)
    assert not wall.evaluate(SMALL, SMALLEST)
    screenshot(wall, "room-second-screen-written")
    screenshot(other, "room-phone-written")

    # What the teacher hides leaves all screens.
    cards.nth(1).get_by_role("button", name=message_in("en", "pad.hide")).click()
    for screen in (mine, other, wall):
        expect(screen.locator(".read-card")).to_have_count(1)
    expect(cards).to_have_count(1)
