"""Phones whose requests arrive but whose replies are lost show only what the room has stored."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.classroom import ask_question, close_vote, go_to_lesson, message_in, open_room

pytestmark = pytest.mark.nightly

TEXT = "?text=the+cat+is+sleeping+."


def lose_first_reply(page: Page, pattern: str) -> list[str]:
    """Lose the first reply to requests that match a pattern; returns the growing list of all requests' bodies."""
    bodies: list[str] = []

    def lose(route: Route) -> None:
        bodies.append(route.request.post_data or "")
        if len(bodies) > 1:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    page.route(pattern, lose)
    return bodies


def test_the_vote_that_counts_is_shown_when_its_reply_was_lost_and_another_was_tapped(open_page, phone):
    teacher = open_page(TEXT, path="room")
    student = phone(open_room(teacher, "en"))
    expect(student.locator(".picture canvas").first).to_be_visible()
    go_to_lesson(teacher)
    answers = student.locator(".answers button")
    expect(answers).to_have_count(3)
    votes = lose_first_reply(student, "**/vote")
    # The phone does not retry.
    student.evaluate("""() => { window.later = window.setTimeout; window.setTimeout = (act, wait, ...rest) =>
                  window.later(act, wait === 1500 ? 1e8 : wait, ...rest); }""")
    answers.nth(0).click()
    expect(student.get_by_role("status").filter(has_text=message_in("en", "room.offline"))).to_be_visible()
    expect(student.locator(".answers [aria-pressed=true]")).to_have_count(0)
    expect(teacher.get_by_text(message_in("en", "room.answers_of", n=1, phones=1))).to_be_visible()
    answers.nth(1).click()
    expect(answers.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(student.locator(".answers [aria-pressed=true]")).to_have_count(1)
    assert len(votes) > 1
    close_vote(teacher)
    expect(student.locator(".answers b")).to_have_text(["100%", "0%", "0%"])
    student.reload()
    expect(student.locator(".answers button").nth(0)).to_have_attribute("aria-pressed", "true")


def test_a_vote_whose_reply_was_lost_is_sent_again_until_the_room_answers(open_page, phone):
    teacher = open_page(TEXT, path="room")
    student = phone(open_room(teacher, "en"))
    ask_question(teacher, "room.ask_after")
    expect(student.locator(".question .count")).to_have_text("1 / 10")
    votes = lose_first_reply(student, "**/vote")
    student.locator(".answers button").nth(2).click()
    expect(student.locator(".question .count")).to_have_text("2 / 10")
    assert len(votes) > 1 and len(set(votes)) == 1
    student.locator(".answers button").nth(1).click()
    expect(student.locator(".question .count")).to_have_text("3 / 10")


def test_a_phone_whose_first_reply_was_lost_joins_and_is_counted_once(open_page, phone):
    teacher = open_page(TEXT, path="room")
    code = open_room(teacher, "en")
    student = phone("")
    requests = lose_first_reply(student, "**/join")
    student.get_by_role("textbox").fill(code)
    student.get_by_role("button", name=message_in("en", "room.enter")).click()
    expect(student.locator(".picture canvas").first).to_be_visible()
    assert len(requests) == 2
    expect(teacher.get_by_text(message_in("en", "room.here", n=1), exact=True)).to_be_visible()


def test_a_sentence_whose_reply_was_lost_is_reported_as_sent_and_another_is_not(open_page, phone):
    teacher = open_page(TEXT, path="room")
    student = phone(open_room(teacher, "en"))
    expect(student.locator(".picture canvas").first).to_be_visible()
    box, send = student.get_by_role("textbox"), student.get_by_role("button", name=message_in("en", "room.send"))
    lose_first_reply(student, "**/sentence")
    box.fill("The first one.")
    send.click()
    status = student.locator(".own form p")
    expect(status).to_have_text(message_in("en", "room.offline"))
    expect(box).to_have_value("The first one.")
    box.fill("Another one.")
    send.click()
    expect(status).to_contain_text("The first one.")
    expect(status).to_contain_text(message_in("en", "room.sentence_twice"))
    expect(box).to_have_value("Another one.")
    expect(teacher.get_by_text(message_in("en", "room.sentences", n=1))).to_be_visible()


def test_events_and_packets_and_the_model_that_did_not_come_are_asked_for_again(open_page, phone):
    teacher = open_page(TEXT, path="room")
    code = open_room(teacher, "en")
    student = phone("")
    events = lose_first_request(student, "**/events")
    student.get_by_role("textbox").fill(code)
    student.get_by_role("button", name=message_in("en", "room.enter")).click()
    expect(student.locator(".picture canvas").first).to_be_visible()
    assert len(events) == 2
    setup = lose_first_request(student, "**/engine/setup/*")
    student.get_by_role("textbox").fill("The man bites the dog.")
    explore = student.get_by_role("button", name=message_in("en", "room.explore"))
    explore.click()
    expect(student.get_by_text(message_in("en", "room.explore_failed"))).to_be_visible()
    explore.click()
    expect(student.locator(".mine .stage-target")).to_contain_text("homme")
    assert len(setup) == 2


def test_the_second_screen_counts_again_after_a_lost_reply(open_page, phone):
    teacher = open_page(TEXT, path="room")
    code = open_room(teacher, "en")
    wall = phone("")
    counts = lose_first_reply(wall, "**/count")
    wall.goto(wall.url.rstrip("/") + f"/{code}/screen")
    expect(wall.locator(".counted")).to_have_text(message_in("en", "room.here", n=0))
    assert len(counts) > 1


def lose_first_request(page: Page, pattern: str) -> list[str]:
    """Lose the first request itself: for replies that never end or that the browser may cache."""
    bodies: list[str] = []

    def lose(route: Route) -> None:
        bodies.append(route.request.url)
        route.abort() if len(bodies) == 1 else route.continue_()

    page.route(pattern, lose)
    return bodies
