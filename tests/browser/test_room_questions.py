"""Questions to a class outside the lesson, the sentences it sends, and pausing and closing a room, in real browsers."""

from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.classroom import LANGUAGES, ask_question, close_vote, message_in, open_room, show_answer
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
        for student, own_language, place in zip(phones, LANGUAGES, taps, strict=True):
            student.locator(answers).nth(place).click()
            expect(
                student.get_by_role("status").filter(has_text=message_in(own_language, "room.voted"))
            ).to_be_visible()
        expect(teacher.get_by_text(message_in("en", "room.answers_of", n=3, phones=3))).to_be_visible()

    ask_question(teacher, "room.ask_source")
    answer_on_phones(".answers.source button", (1, 1, 2))
    close_vote(teacher)
    show_answer(teacher)
    for student, own_language in zip(phones, LANGUAGES, strict=True):
        expect(student.locator(".beside tr[data-right]")).to_have_count(1)
        expect(student.locator(".beside small")).to_have_text(message_in(own_language, "room.you"))
        expect(student.locator(".beside th[scope=col]")).to_have_text(
            [message_in(own_language, f"room.{name}") for name in ("votes", "measured")]
        )
    expect(teacher.get_by_text(message_in("en", "room.measured"))).to_be_visible()
    assert fits(wall)
    screenshot(phones[1], "room-phone-source")
    drop_question.click()

    ask_question(teacher, "room.ask_next")
    for student in phones:
        expect(student.locator(".about p")).to_have_text([LONG])
    expect(teacher.locator(".target-row .token").last).to_have_text("?")
    answer_on_phones(".answers.options button", (0, 1, 1))
    close_vote(teacher)
    show_answer(teacher)
    for student in phones:
        expect(student.locator(".about p")).to_have_count(2)
        expect(student.locator(".answers [data-right]")).to_have_count(1)
    expect(teacher.locator(".target-row .token").last).not_to_have_text("?")
    assert fits(wall)
    drop_question.click()

    ask_question(teacher, "room.ask_head")
    answer_on_phones(".answers.heads button", (0, 1, 0))
    close_vote(teacher)
    show_answer(teacher)
    for student, own_language in zip(phones, LANGUAGES, strict=True):
        expect(student.locator(".answers.heads [data-right]")).to_have_count(1)
        expect(
            student.get_by_role("status").filter(has_text=message_in(own_language, "room.heads_shaded"))
        ).to_be_visible()
    expect(teacher.get_by_text(message_in("en", "room.heads_measured"))).to_be_visible()
    assert fits(wall)
    screenshot(teacher, "room-heads")


def test_the_quiz_is_answered_item_by_item_and_explained_with_the_shares(open_page, phone, screenshot):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    code = open_room(teacher, "en")
    phones, wall = [phone(code) for _ in range(2)], open_page(path=f"class/{code}/screen", width=1280, height=720)
    ask_question(teacher, "room.ask_after")
    for student in phones:
        for number in range(1, 11):
            expect(student.locator(".question .count")).to_have_text(f"{number} / 10")
            student.locator(".answers button").first.click()
        expect(student.get_by_role("heading", level=1)).to_have_text(message_in("en", "room.quiz_done"))
    expect(teacher.get_by_text(message_in("en", "room.answers_of", n=2, phones=2))).to_be_visible()
    close_vote(teacher)
    for student in phones:
        expect(student.get_by_role("heading", level=1)).to_have_text("3 / 10")
        expect(student.locator(".solved")).to_have_count(10)
        expect(student.locator(".solved[data-right] .share b")).to_have_text(["100%"] * 3)
        expect(student.locator(".solved .remark")).to_have_count(10)
    assert fits(wall)
    expect(wall.locator(".solved .share b")).to_have_count(10)
    screenshot(wall, "room-second-screen-quiz")


def test_the_class_sees_itself_before_and_after_the_lesson(open_page, phone, screenshot):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    code = open_room(teacher, "en")
    student, wall = phone(code), open_page(path=f"class/{code}/screen", width=1280, height=720)
    for quiz, place in (("room.ask_before", 0), ("room.ask_after", 1)):
        ask_question(teacher, quiz)
        for number in range(1, 11):
            expect(student.locator(".question .count")).to_have_text(f"{number} / 10")
            student.locator(".answers button").nth(place).click()
        expect(student.get_by_role("heading", level=1)).to_have_text(message_in("en", "room.quiz_done"))
        if quiz == "room.ask_before":
            expect(student.locator(".remark")).to_have_text(message_in("en", "room.quiz_before_done"))
            teacher.get_by_role("button", name=message_in("en", "room.close_quiz")).click()
            expect(student.locator(".welcome")).to_be_visible()
    close_vote(teacher)
    for screen in (student, wall):
        expect(screen.locator(".learning .line")).to_have_count(10)
        expect(screen.locator(".learning .track i")).to_have_count(20)
    expect(teacher.locator(".regard-learning tr")).to_have_count(10)
    assert fits(wall)
    screenshot(wall, "room-learning")


def test_the_question_keeps_its_sentence_when_the_teacher_shows_another(open_page, phone):
    teacher = open_page("?text=the+cat+is+sleeping+.&kind=cross", path="room")
    student = phone(open_room(teacher, "en"))
    expect(student.locator(".picture canvas").first).to_be_visible()
    ask_question(teacher, "room.ask_head")
    expect(student.locator(".answers.heads button").first).to_be_visible()
    teacher.goto(teacher.url.replace("the+cat", "the+dog").replace("the%20cat", "the%20dog"))
    expect(teacher.locator(".source-row")).to_contain_text("dog")
    expect(student.locator(".about p").first).to_have_text("the cat is sleeping .")


def test_a_sentence_of_the_class_is_text_everywhere(open_page, phone):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    code, sentence = open_room(teacher, "en"), "<b onclick=alert(1)>the dog</b> **is** \u202esleeping\u202c ."
    wall = open_page(path=f"class/{code}/screen", width=1280, height=720)
    phones = [phone(code) for _ in range(2)]
    for student in phones:
        student.get_by_role("textbox").fill(sentence)
        student.get_by_role("button", name=message_in("en", "room.send")).click()
        expect(student.get_by_role("status").filter(has_text=message_in("en", "room.sent"))).to_be_visible()
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


def test_phones_are_paused_and_sent_away_when_the_room_is_closed(open_page, phone):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    code = open_room(teacher, "en")
    student, wall = phone(code, "zh"), phone(f"{code}/screen")
    expect(student.locator(".picture canvas").first).to_be_visible()
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
