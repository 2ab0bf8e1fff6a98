"""A class in browsers: the closed door, the second screen, a phone that joins, and words written by hand."""

from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import (
    PATIENCE,
    ask_question,
    expect_answers,
    message_in,
    open_room,
    select_option,
    write_word,
)
from tests.whole_lesson import FITS, SMALL, SMALLEST, WALLS

pytestmark = pytest.mark.nightly


def test_a_closed_door_and_a_phone_that_is_sent_away(open_class, phone, screenshot):
    teacher, inside, code = open_class()
    expect(teacher.get_by_text(message_in("en", "room.here", n=1))).to_be_visible()
    teacher.get_by_role("button", name=message_in("en", "room.phones"), exact=True).click()
    teacher.get_by_text(message_in("en", "room.door"), exact=True).click()
    expect(teacher.get_by_text(message_in("en", "room.shut"))).to_be_visible()
    screenshot(teacher, "room-door-closed")
    outside = phone(code, "fr")
    expect(outside.get_by_text(message_in("fr", "room.error_door"))).to_be_visible()
    inside.reload()
    expect(inside.locator(".picture canvas").first).to_be_visible()
    select_option(teacher, message_in("en", "room.remove_phones"), "Phone 1")
    screenshot(teacher, "room-phone-chosen")
    teacher.keyboard.press("Escape")
    teacher.get_by_role("button", name=message_in("en", "room.remove")).click()
    expect(inside.get_by_text(message_in("en", "room.error_gone"))).to_be_visible()
    expect(teacher.get_by_text(message_in("en", "room.here", n=0))).to_be_visible()
    screenshot(inside, "room-phone-removed")


LONG = "the cat is sleeping on the sofa and the dog is sleeping on the sofa ."
N_HEADS = 16
"""The number of heads that a second screen shows at most."""


def test_the_second_screen_shows_one_map_in_large_type_and_nothing_to_press(open_page, screenshot):
    width, height = min(WALLS)
    teacher = open_page(f"?text={quote_plus(LONG)}&kind=cross&layer=0&head=1&pins=q2", path="room")
    code = open_room(teacher, "en")
    wall = open_page(path=f"class/{code}/screen", width=width, height=height, dark=height == 720)
    expect(wall.locator("body")).to_have_attribute("data-act", "lobby")
    assert wall.evaluate(SMALL, SMALLEST) == []
    teacher.goto(teacher.url.replace("/room?", "/?"))
    expect(wall.locator(".look .map")).to_have_count(1)
    expect(wall.locator(".look .about p").first).to_have_text(LONG)
    expect(wall.locator(".look .map .head")).to_have_count(N_HEADS)
    expect(wall.locator(".look .name.marked")).to_have_count(1)
    expect(wall.locator(".look .note")).to_have_text(message_in("en", "room.cut", n=N_HEADS))
    expect(wall.locator("#class button, #class input")).to_have_count(0)
    wall.wait_for_function(FITS)
    assert wall.evaluate(SMALL, SMALLEST) == []
    screenshot(wall, f"room-second-screen-look-{height}")


def test_a_phone_shows_that_it_has_joined_until_the_teacher_continues(open_page, phone, screenshot):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    code = open_room(teacher, "en")
    teacher.goto(teacher.url.replace("/room?", "/?"))
    student = phone(code)
    expect(student.locator(".picture canvas").first).to_be_visible()
    expect(student.locator(".welcome h1")).to_have_text(message_in("en", "room.in"))
    screenshot(student, "room-phone-joined")
    teacher.locator(".toolbar").get_by_role("button", name="Encoder").click()  # reruns only the explorer's fragment
    expect(student.locator(".regard")).to_have_attribute("data-kind", "encoder_self")
    teacher.goto(teacher.url.replace("/?", "/lesson?"))
    expect(student.locator(".question h1")).to_have_text(message_in("en", "lesson.box_question"))
    expect(student.locator(".welcome")).to_be_hidden()
    student.reload()
    expect(student.locator(".question h1")).to_have_text(message_in("en", "lesson.box_question"))
    expect(student.locator(".welcome")).to_be_hidden()


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
    expect_answers(teacher, 1, 2)
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
