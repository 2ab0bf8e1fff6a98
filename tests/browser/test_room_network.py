"""Phones whose requests or replies are lost, and a page whose full runs interrupt its fragments."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.actions import (
    PATIENCE,
    ask_question,
    close_vote,
    expect_answers,
    expect_status,
    go_to_lesson,
    message_in,
    open_room,
)

pytestmark = pytest.mark.nightly

TEXT = "?text=the+cat+is+sleeping+."


def lose_first_reply(page: Page, pattern: str, *, is_received: bool = True) -> list[str]:
    """Lose the first reply to requests that match a pattern; returns the growing list of all requests' bodies.

    Args:
        is_received: whether the server receives that request; not for replies that never end or may be cached.
    """
    bodies: list[str] = []

    def lose(route: Route) -> None:
        bodies.append(route.request.post_data or "")
        if len(bodies) > 1:
            return route.continue_()
        if is_received:
            route.fetch()
        return route.abort()

    page.route(pattern, lose)
    return bodies


def enter_room(phone: Page, code: str) -> None:
    phone.get_by_role("textbox").fill(code)
    phone.get_by_role("button", name=message_in("en", "room.enter")).click()
    expect(phone.locator(".picture canvas").first).to_be_visible()


def test_the_vote_that_counts_is_shown_when_its_reply_was_lost_and_another_was_tapped(open_class):
    teacher, student, _ = open_class()
    go_to_lesson(teacher)
    answers = student.locator(".answers button")
    expect(answers).to_have_count(3)
    votes = lose_first_reply(student, "**/vote")
    # The phone does not retry.
    student.evaluate("""() => { window.later = window.setTimeout; window.setTimeout = (act, wait, ...rest) =>
                  window.later(act, wait === 1500 ? 1e8 : wait, ...rest); }""")
    answers.nth(0).click()
    expect_status(student, "room.offline")
    expect(student.locator(".answers [aria-pressed=true]")).to_have_count(0)
    expect_answers(teacher, 1, 1)
    answers.nth(1).click()
    expect(answers.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(student.locator(".answers [aria-pressed=true]")).to_have_count(1)
    assert len(votes) > 1
    close_vote(teacher)
    expect(student.locator(".answers b")).to_have_text(["100%", "0%", "0%"])
    student.reload()
    expect(student.locator(".answers button").nth(0)).to_have_attribute("aria-pressed", "true")


def test_a_vote_whose_reply_was_lost_is_sent_again_until_the_room_answers(open_class):
    teacher, student, _ = open_class()
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
    enter_room(student, code)
    assert len(requests) == 2
    expect(teacher.get_by_text(message_in("en", "room.here", n=1), exact=True)).to_be_visible()


def test_a_sentence_whose_reply_was_lost_is_reported_as_sent_and_another_is_not(open_class):
    teacher, student, _ = open_class()
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


def test_events_and_the_model_are_requested_again_after_a_lost_request(open_page, phone):
    code = open_room(open_page(TEXT, path="room"), "en")
    student = phone("")
    events = lose_first_reply(student, "**/events", is_received=False)
    enter_room(student, code)
    assert len(events) == 2
    setup = lose_first_reply(student, "**/engine/setup/*", is_received=False)
    student.get_by_role("textbox").fill("The man bites the dog.")
    explore = student.get_by_role("button", name=message_in("en", "room.explore"))
    explore.click()
    expect(student.get_by_text(message_in("en", "room.explore_failed"))).to_be_visible()
    explore.click()
    expect(student.locator(".mine .stage-target")).to_contain_text("homme")
    assert len(setup) == 2


def test_the_second_screen_counts_again_after_a_lost_reply(open_page, phone):
    code = open_room(open_page(TEXT, path="room"), "en")
    wall = phone("")
    counts = lose_first_reply(wall, "**/count")
    wall.goto(wall.url.rstrip("/") + f"/{code}/screen")
    expect(wall.locator(".counted")).to_have_text(message_in("en", "room.here", n=0))
    assert len(counts) > 1


ROUNDS = 20
LAST = ("room_own_file", "room_csv", "room_close")
"""The upload and the last elements of the fragment that reruns each second."""


class WholeRuns:
    """Requests full runs and, during each, a fragment run, as a busy server receives them."""

    def __init__(self, page: Page) -> None:
        self.is_on, self.n_requested = False, 0
        self._fragment_request = BackMsg()
        page.route_web_socket("**/_stcore/stream", self._relay)

    def _relay(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def to_server(message: str | bytes) -> None:
            request = BackMsg.FromString(message) if isinstance(message, bytes) else BackMsg()
            is_first = self.is_on and not self.n_requested and bool(request.rerun_script.fragment_id)
            if is_first:
                self._fragment_request = request
                self._request_full_run(server)
            server.send(message)

        def to_browser(message: str | bytes) -> None:
            reply = ForwardMsg.FromString(message) if isinstance(message, bytes) else ForwardMsg()
            browser.send(message)
            if self.is_on and self.n_requested and reply.WhichOneof("type") == "new_session":
                if reply.metadata.run.fragment_ids:
                    self._request_full_run(server)
                else:
                    server.send(self._fragment_request.SerializeToString())

        browser.on_message(to_server)
        server.on_message(to_browser)

    def _request_full_run(self, server: WebSocketRoute) -> None:
        request = BackMsg()
        request.CopyFrom(self._fragment_request)
        request.rerun_script.fragment_id, request.rerun_script.is_auto_rerun = "", False
        self.n_requested += 1
        server.send(request.SerializeToString())


def test_a_popover_stays_open_and_its_upload_arrives_while_the_page_runs(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    file, held_routes = tmp_path / "questions.json", list[Route]()
    file.write_text(json.dumps({"questions": [{"question": "Which is a head?", "options": ["a map", "a word"]}]}))
    page = open_page("?text=the+cat+is+sleeping+.", path="room")
    runs = WholeRuns(page)
    page.reload()
    open_room(page, "en")
    # Playwright needs a Python function here, which a list's own method is not.
    page.route("**/_stcore/upload_file/**", lambda route: held_routes.append(route))
    page.locator(".st-key-room_own button").click()
    page.get_by_role("textbox", name=message_in("en", "room.own_words")).fill("Half a question")
    upload = page.locator(".st-key-room_own_file input[type=file]")
    upload.set_input_files(file)
    page.evaluate(
        """(keys) => { window.gone = 0; new MutationObserver(() => {
        window.gone += keys.some((key) => !document.querySelector(`.st-key-${key}`));
    }).observe(document.body, {childList: true, subtree: true}); }""",
        LAST,
    )
    runs.is_on = True
    for _ in range(PATIENCE // 100):
        if runs.n_requested >= ROUNDS and held_routes:
            break
        page.wait_for_timeout(100)
    runs.is_on = False
    assert runs.n_requested >= ROUNDS
    assert page.evaluate("window.gone") == 0
    expect(page.get_by_role("textbox", name=message_in("en", "room.own_words"))).to_have_value("Half a question")
    held_routes[0].continue_()
    expect(page.get_by_text("Which is a head?", exact=True)).to_be_visible()
    assert page.evaluate("window.gone") == 0
