"""Phones whose requests arrive and whose replies are lost: nothing is shown that the room does not hold."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.classroom import ask_question, close_vote, go_to_lesson, message_in, open_room

pytestmark = pytest.mark.nightly

TEXT = "?text=the+cat+is+sleeping+."


def lose_first(page: Page, pattern: str) -> list[str]:
    """From now on the first reply to requests of a pattern is lost after the server has made it; returns what was sent
    in them all."""
    sent: list[str] = []

    def lost(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) > 1:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    page.route(pattern, lost)
    return sent


def test_the_vote_that_counts_is_shown_when_its_reply_was_lost_and_another_was_tapped(open_page, phone):
    teacher = open_page(TEXT, path="room")
    mine = phone(open_room(teacher, "en"))
    expect(mine.locator(".picture canvas").first).to_be_visible()
    go_to_lesson(teacher)
    answers = mine.locator(".answers button")
    expect(answers).to_have_count(3)
    sent = lose_first(mine, "**/vote")
    # The phone does not try again by itself.
    mine.evaluate("""() => { window.later = window.setTimeout; window.setTimeout = (act, wait, ...rest) =>
                  window.later(act, wait === 1500 ? 1e8 : wait, ...rest); }""")
    answers.nth(0).click()
    expect(mine.get_by_role("status").filter(has_text=message_in("en", "room.offline"))).to_be_visible()
    expect(mine.locator(".answers [aria-pressed=true]")).to_have_count(0)
    expect(teacher.get_by_text(message_in("en", "room.answers_of", n=1, phones=1))).to_be_visible()
    answers.nth(1).click()
    expect(answers.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(mine.locator(".answers [aria-pressed=true]")).to_have_count(1)
    assert len(sent) > 1
    close_vote(teacher)
    expect(mine.locator(".answers b")).to_have_text(["100%", "0%", "0%"])
    mine.reload()
    expect(mine.locator(".answers button").nth(0)).to_have_attribute("aria-pressed", "true")


def test_a_vote_whose_reply_was_lost_is_sent_again_until_the_room_answers(open_page, phone):
    teacher = open_page(TEXT, path="room")
    mine = phone(open_room(teacher, "en"))
    ask_question(teacher, "room.ask_after")
    expect(mine.locator(".question .count")).to_have_text("1 / 10")
    sent = lose_first(mine, "**/vote")
    mine.locator(".answers button").nth(2).click()
    expect(mine.locator(".question .count")).to_have_text("2 / 10")
    assert len(sent) > 1 and len(set(sent)) == 1
    mine.locator(".answers button").nth(1).click()
    expect(mine.locator(".question .count")).to_have_text("3 / 10")


def test_a_phone_whose_first_reply_was_lost_joins_and_is_counted_once(open_page, phone):
    teacher = open_page(TEXT, path="room")
    code = open_room(teacher, "en")
    mine = phone("")
    sent = lose_first(mine, "**/join")
    mine.get_by_role("textbox").fill(code)
    mine.get_by_role("button", name=message_in("en", "room.enter")).click()
    expect(mine.locator(".picture canvas").first).to_be_visible()
    assert len(sent) == 2
    expect(teacher.get_by_text(message_in("en", "room.here", n=1), exact=True)).to_be_visible()


def test_a_sentence_whose_reply_was_lost_is_said_to_be_sent_and_another_is_not(open_page, phone):
    teacher = open_page(TEXT, path="room")
    mine = phone(open_room(teacher, "en"))
    expect(mine.locator(".picture canvas").first).to_be_visible()
    box, send = mine.get_by_role("textbox"), mine.get_by_role("button", name=message_in("en", "room.send"))
    lose_first(mine, "**/sentence")
    box.fill("The first one.")
    send.click()
    said = mine.locator(".own form p")
    expect(said).to_have_text(message_in("en", "room.offline"))
    expect(box).to_have_value("The first one.")
    box.fill("Another one.")
    send.click()
    expect(said).to_contain_text("The first one.")
    expect(said).to_contain_text(message_in("en", "room.sentence_twice"))
    expect(box).to_have_value("Another one.")
    expect(teacher.get_by_text(message_in("en", "room.sentences", n=1))).to_be_visible()


def test_events_and_packets_and_the_model_that_did_not_come_are_asked_for_again(open_page, phone):
    teacher = open_page(TEXT, path="room")
    code = open_room(teacher, "en")
    mine = phone("")
    events = lose_first_at_once(mine, "**/events")
    mine.get_by_role("textbox").fill(code)
    mine.get_by_role("button", name=message_in("en", "room.enter")).click()
    expect(mine.locator(".picture canvas").first).to_be_visible()
    assert len(events) == 2
    setup = lose_first_at_once(mine, "**/engine/setup/*")
    mine.get_by_role("textbox").fill("The man bites the dog.")
    explore = mine.get_by_role("button", name=message_in("en", "room.explore"))
    explore.click()
    expect(mine.get_by_text(message_in("en", "room.explore_failed"))).to_be_visible()
    explore.click()
    expect(mine.locator(".mine .stage-target")).to_contain_text("homme")
    assert len(setup) == 2


def test_the_second_screen_counts_again_after_a_lost_reply(open_page, phone):
    teacher = open_page(TEXT, path="room")
    code = open_room(teacher, "en")
    wall = phone("")
    counts = lose_first(wall, "**/count")
    wall.goto(wall.url.rstrip("/") + f"/{code}/screen")
    expect(wall.locator(".counted")).to_have_text(message_in("en", "room.here", n=0))
    assert len(counts) > 1


def lose_first_at_once(page: Page, pattern: str) -> list[str]:
    """Like ``lose_first`` for a reply that does not end, or that the browser may keep: the request itself is lost."""
    sent: list[str] = []

    def lost(route: Route) -> None:
        sent.append(route.request.url)
        route.abort() if len(sent) == 1 else route.continue_()

    page.route(pattern, lost)
    return sent
