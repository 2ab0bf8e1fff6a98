"""What the last row sees on the second screen, and what a phone shows that has just joined."""

from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from tests.browser.classroom import message_in, open_room
from tests.whole_lesson import FITS, SMALL, SMALLEST, WALLS

pytestmark = pytest.mark.nightly

LONG = "the cat is sleeping on the sofa and the dog is sleeping on the sofa ."
MOST = 16


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
    expect(wall.locator(".look .map .head")).to_have_count(MOST)
    expect(wall.locator(".look .name.marked")).to_have_count(1)
    expect(wall.locator(".look .note")).to_have_text(message_in("en", "room.cut", n=MOST))
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
