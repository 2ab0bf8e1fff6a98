"""Questions to a class outside the lesson, the sentences it sends, and pausing and closing a room, in real browsers."""

import csv
import io
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import (
    LANGUAGES,
    answer_quiz,
    ask_question,
    close_vote,
    download,
    expect_answers,
    expect_status,
    message_in,
    open_room,
    show_answer,
)
from tests.whole_lesson import FITS, SMALL, SMALLEST

pytestmark = pytest.mark.nightly

LONG = "the cat is sleeping on the sofa and the dog is sleeping on the sofa ."


def fits(wall: Page) -> bool:
    """Whether a revealed question fits a projector's screen in type that the last row can read."""
    expect(wall.locator(".question.explained, .question.quiz.revealed")).to_be_visible()
    wall.wait_for_function(FITS)
    return not wall.evaluate(SMALL, SMALLEST)


def test_answers_to_free_questions_are_shown_beside_the_measurement(open_page, phone, screenshot):
    teacher = open_page(f"?text={quote_plus(LONG)}&kind=cross&layer=0&head=1", path="room")
    code = open_room(teacher, "en")
    wall = open_page(path=f"class/{code}/screen", width=1280, height=720)
    phones = [phone(code, language, dark=language == "fr") for language in LANGUAGES]
    drop_question = teacher.get_by_role("button", name=message_in("en", "room.drop"))

    def answer_on_phones(answers: str, taps: tuple[int, ...]) -> None:
        for student, language, place in zip(phones, LANGUAGES, taps, strict=True):
            student.locator(answers).nth(place).click()
            expect_status(student, "room.voted", language)
        expect_answers(teacher, 3, 3)
        close_vote(teacher)
        show_answer(teacher)

    ask_question(teacher, "room.ask_source")
    answer_on_phones(".answers.source button", (1, 1, 2))
    for student, language in zip(phones, LANGUAGES, strict=True):
        expect(student.locator(".beside tr[data-right]")).to_have_count(1)
        expect(student.locator(".beside small")).to_have_text(message_in(language, "room.you"))
        headings = [message_in(language, f"room.{name}") for name in ("votes", "measured")]
        expect(student.locator(".beside th[scope=col]")).to_have_text(headings)
    expect(teacher.get_by_text(message_in("en", "room.measured"))).to_be_visible()
    assert fits(wall)
    screenshot(phones[1], "room-phone-source")
    drop_question.click()

    ask_question(teacher, "room.ask_next")
    for student in phones:
        expect(student.locator(".about p")).to_have_text([LONG])
    expect(teacher.locator(".target-row .token").last).to_have_text("?")
    answer_on_phones(".answers.options button", (0, 1, 1))
    for student in phones:
        expect(student.locator(".about p")).to_have_count(2)
        expect(student.locator(".answers [data-right]")).to_have_count(1)
    expect(teacher.locator(".target-row .token").last).not_to_have_text("?")
    assert fits(wall)
    drop_question.click()

    ask_question(teacher, "room.ask_head")
    answer_on_phones(".answers.heads button", (0, 1, 0))
    for student, language in zip(phones, LANGUAGES, strict=True):
        expect(student.locator(".answers.heads [data-right]")).to_have_count(1)
        expect_status(student, "room.heads_shaded", language)
    expect(teacher.get_by_text(message_in("en", "room.heads_measured"))).to_be_visible()
    assert fits(wall)
    screenshot(teacher, "room-heads")


def test_the_quiz_is_answered_item_by_item_and_explained_with_the_shares(open_class, open_page, phone, screenshot):
    teacher, student, code = open_class()
    phones, wall = [student, phone(code)], open_page(path=f"class/{code}/screen", width=1280, height=720)
    ask_question(teacher, "room.ask_after")
    for student in phones:
        answer_quiz(student, 0)
    expect_answers(teacher, 2, 2)
    close_vote(teacher)
    for student in phones:
        expect(student.get_by_role("heading", level=1)).to_have_text("3 / 10")
        expect(student.locator(".solved")).to_have_count(10)
        expect(student.locator(".solved[data-right] .share b")).to_have_text(["100%"] * 3)
        expect(student.locator(".solved .remark")).to_have_count(10)
    assert fits(wall)
    expect(wall.locator(".solved .share b")).to_have_count(10)
    screenshot(wall, "room-second-screen-quiz")


def test_the_answers_before_and_after_the_lesson_are_shown_to_the_class_and_saved(open_class, open_page, screenshot):
    teacher, student, code = open_class()
    wall = open_page(path=f"class/{code}/screen", width=1280, height=720)
    ask_question(teacher, "room.ask_before")
    answer_quiz(student, 0)
    expect(student.locator(".remark")).to_have_text(message_in("en", "room.quiz_before_done"))
    expect_answers(teacher, 1, 1)  # including the last
    teacher.get_by_role("button", name=message_in("en", "room.close_quiz")).click()
    expect(student.locator(".welcome")).to_be_visible()
    ask_question(teacher, "room.ask_after")
    answer_quiz(student, 1)
    expect_answers(teacher, 1, 1)
    close_vote(teacher)
    for screen in (student, wall):
        expect(screen.locator(".learning .line")).to_have_count(10)
        expect(screen.locator(".learning .track i")).to_have_count(20)
    expect(teacher.locator(".regard-learning tr")).to_have_count(10)
    assert fits(wall)
    screenshot(wall, "room-learning")
    table = download(teacher, teacher.locator(".st-key-room_learning button"), lambda text: text.count(b"\n") > 10)
    rows = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert len(rows) == 10 and {row["n_both"] for row in rows} == {"1"}
    assert sum(float(row["right_before"]) for row in rows) != sum(float(row["right_after"]) for row in rows)


def test_the_question_keeps_its_sentence_when_the_teacher_shows_another(open_class):
    teacher, student, _ = open_class("?text=the+cat+is+sleeping+.&kind=cross")
    ask_question(teacher, "room.ask_head")
    expect(student.locator(".answers.heads button").first).to_be_visible()
    teacher.goto(teacher.url.replace("the+cat", "the+dog").replace("the%20cat", "the%20dog"))
    expect(teacher.locator(".source-row")).to_contain_text("dog")
    expect(student.locator(".about p").first).to_have_text("the cat is sleeping .")


def test_a_sentence_of_the_class_is_text_everywhere(open_class, open_page, phone):
    teacher, student, code = open_class()
    sentence = "<b onclick=alert(1)>the dog</b> **is** \u202esleeping\u202c ."
    wall = open_page(path=f"class/{code}/screen", width=1280, height=720)
    phones = [student, phone(code)]
    for student in phones:
        student.get_by_role("textbox").fill(sentence)
        student.get_by_role("button", name=message_in("en", "room.send")).click()
        expect_status(student, "room.sent")
    displayed = "<b onclick=alert(1)>the dog</b> **is** sleeping ."
    teacher.get_by_text(message_in("en", "room.sentences", n=1)).click()
    expect(teacher.get_by_text(f"{displayed}  ×2")).to_be_visible()
    assert "dog" not in wall.locator("#class").inner_text()
    teacher.locator("[class*=st-key-room_take_] button").click()
    expect(teacher.locator(".source-row")).to_contain_text("dog")
    for student in phones:
        expect(student.locator(".picture canvas").first).to_be_visible()
    for student in (*phones, wall):
        assert student.locator("#class [onclick]").count() == 0
    expect(teacher.get_by_text(message_in("en", "room.sentences", n=0))).to_be_visible()


def test_phones_are_paused_and_sent_away_when_the_room_is_closed(open_class, phone):
    teacher, student, code = open_class(language="zh")
    wall = phone(f"{code}/screen")
    pause = teacher.get_by_text(message_in("en", "room.pause"), exact=True)
    pause.click()
    expect(student.locator(".paused")).to_have_text(message_in("zh", "room.paused"))
    expect(student.locator(".own")).to_be_hidden()
    expect(wall.locator(".code")).to_be_visible()
    pause.click()
    expect(student.locator(".picture canvas").first).to_be_visible()

    ask_question(teacher, "room.ask_source")
    votes: list[Route] = []
    student.route("**/vote", lambda route: votes.append(route))
    with student.expect_request("**/vote"):
        student.locator(".answers.source button").nth(1).click()
    pause.click()
    expect(student.locator(".paused")).to_be_visible()
    with student.expect_response("**/vote"):
        votes[0].continue_()
    expect(student.locator(".status")).to_have_text(message_in("zh", "room.error_closed"))
    expect(student.locator(".asked > *")).to_have_text([message_in("zh", "room.paused")])
    pause.click()
    expect(student.locator(".answers.source button").first).to_be_visible()

    teacher.locator(".st-key-room_close button").click()
    teacher.locator(".st-key-room_close_sure button").click()
    expect(student.get_by_role("alert")).to_have_text(message_in("zh", "room.error_gone"))
    expect(wall.locator("#class")).to_have_text(message_in("en", "room.screen_gone"))
    expect(teacher.get_by_role("button", name=message_in("en", "room.open"))).to_be_visible()
