"""The door of a room in real browsers: who is kept out, who is sent away, and what their phones say."""

import pytest
from playwright.sync_api import expect

from tests.browser.classroom import message_in, open_room
from tests.browser.waiting import select_option

pytestmark = pytest.mark.nightly


def test_a_closed_door_and_a_phone_that_is_sent_away(open_page, phone, screenshot):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    code = open_room(teacher, "en")
    inside = phone(code, "en")
    expect(inside.locator(".picture canvas").first).to_be_visible()
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
