"""A class in browsers: one teacher and three phones, each in its language, go through a scene."""

import os
import signal

import pytest
from playwright.sync_api import expect

import model
from tests.browser.actions import (
    LANGUAGES,
    LOCALES,
    bounding_box,
    button_name,
    close_vote,
    expect_answers,
    expect_status,
    go_to_lesson,
    message_in,
    open_room,
)
from tests.serving import server as a_server
from viz import cache

pytestmark = pytest.mark.nightly


def percent(language: str, share: int) -> str:
    return f"{share} %" if language == "fr" else f"{share}%"  # a no-break space in French


@pytest.mark.nightly("zh")
@pytest.mark.parametrize(
    ("language", "spoken_by_phones", "votes", "shares"),
    [("en", LANGUAGES, (1, 1, 0), (33, 67, 0)), ("zh", ("fr",), (1,), (0, 100, 0))],
)
def test_a_class_goes_through_a_scene(open_page, phone, screenshot, language, spoken_by_phones, votes, shares):
    teacher = open_page(f"?language={language}&text=the+cat+is+sleeping+.", path="room", height=900, width=1440)
    code = open_room(teacher, language)
    phones = [phone(code, spoken, dark=spoken == "fr") for spoken in spoken_by_phones]
    for student in phones:
        expect(student.locator(".picture canvas").first).to_be_visible()
    go_to_lesson(teacher)
    expect_answers(teacher, 0, len(phones), language)
    for student, spoken, answer in zip(phones, spoken_by_phones, votes, strict=True):
        expect(student.get_by_role("heading", level=1)).to_have_text(message_in(spoken, "lesson.box_question"))
        expect(student.locator(".picture")).to_be_hidden()
        box = bounding_box(student.locator(".answers button").nth(answer))
        assert box["height"] >= 44 and box["width"] >= 44
        student.locator(".answers button").nth(answer).click()
        expect_status(student, "room.voted", spoken)
        assert "%" not in student.locator(".answers").inner_text()
    expect_answers(teacher, len(phones), len(phones), language)
    screenshot(teacher, f"room-scene-asked-{language}")
    close_vote(teacher, language)
    for student, spoken in zip(phones, spoken_by_phones, strict=True):
        expect(student.locator(".answers b")).to_have_text([percent(spoken, share) for share in shares])
        expect(student.locator(".answers [data-right]")).to_have_count(0)
        expect(student.locator(".answers [aria-pressed=true]")).to_have_count(1)
    screenshot(phones[-1], f"room-phone-revealed-{language}")
    late = phone(code, language)
    expect(late.locator(".answers b")).to_have_text([percent(language, share) for share in shares])
    teacher.get_by_role("button", name=message_in(language, "lesson.box_try")).click()
    for student, spoken in zip(phones, spoken_by_phones, strict=True):
        expect(student.locator(".answers")).to_be_hidden()
        expect(student.locator(".experiment h1")).to_contain_text(
            message_in(spoken, "lesson.box_done").partition("{")[0].strip()
        )
        expect(student.locator(".experiment .text")).to_have_count(2)
    screenshot(teacher, f"room-scene-changed-{language}")
    teacher.get_by_role("button", name=button_name(message_in(language, "lesson.explain_now"))).click()
    expect(teacher.get_by_test_id("stAlert").first).to_be_visible()
    for student, spoken, answer in zip(phones, spoken_by_phones, votes, strict=True):
        expect(student.locator(".answers [data-right]")).to_have_count(1)
        expect(student.locator(".question .remark")).to_contain_text(
            message_in(spoken, "lesson.box_reply").split("|")[answer]
        )
    screenshot(phones[-1], f"room-phone-explained-{language}")
    box = bounding_box(teacher.get_by_text(message_in(language, "lesson.box_answer")[:30]).first)
    assert box["y"] < 600, "the explanation begins on the screen"


def test_a_phone_shows_the_sentence_and_the_model_that_the_teacher_has_changed_in_the_next_scene_too(open_class):
    teacher, student, _ = open_class()
    go_to_lesson(teacher)
    about = student.locator(".about p").first
    expect(about).to_have_text("the cat is sleeping .")
    teacher.goto(teacher.url.replace("the+cat+is+sleeping+.", "a+cat+is+on+the+sofa"))
    expect(about).to_have_text("a cat is on the sofa")
    teacher.goto(f"{teacher.url}&model=en-fr")
    expect(student.locator(".about p").nth(1)).to_have_text(model.translate(model.load(), "a cat is on the sofa").text)
    expect(student.locator(".answers button").first).to_be_enabled()
    student.locator(".answers button").first.click()
    expect_answers(teacher, 1, 1)
    close_vote(teacher)
    expect(student.locator("#class")).to_have_attribute("data-act", "votes")
    teacher.goto(teacher.url.replace("a+cat+is+on+the+sofa", "the+dog+sees+a+cat"))
    expect(about).to_have_text("the dog sees a cat")
    expect(student.locator(".answers b").first).to_have_text("100%")
    teacher.locator(".st-key-lesson-next button").click()
    expect(student.get_by_role("heading", level=1)).to_have_text(message_in("en", "lesson.pieces_question"))
    expect(about).to_have_text("the dog sees a cat")


def test_a_phone_looks_around_and_follows_again(open_class):
    _, student, _ = open_class("?text=the+cat+is+sleeping+.&kind=cross&layer=0&head=0")
    follow = student.get_by_role("button", name=message_in("en", "room.follow"))
    expect(follow).to_be_hidden()
    student.locator(".toolbar").get_by_role("button", name="Encoder").click()
    expect(follow).to_be_visible()
    expect(student.locator(".regard")).to_have_attribute("data-kind", "encoder_self")
    follow.click()
    expect(student.locator(".regard")).to_have_attribute("data-kind", "cross")
    expect(follow).to_be_hidden()


def test_a_phone_that_slept_catches_up(open_class):
    teacher, student, _ = open_class()
    address = student.url
    student.goto("about:blank")  # closes the event stream, like a sleeping phone
    go_to_lesson(teacher)
    expect_answers(teacher, 0, 1)
    student.goto(address)
    expect(student.get_by_role("heading", level=1)).to_have_text(message_in("en", "lesson.box_question"))
    student.locator(".answers button").first.click()
    expect_answers(teacher, 1, 1)
    student.reload()
    expect(student.locator(".answers [aria-pressed=true]")).to_have_count(1)


def test_a_second_screen_shows_question_count_and_results_and_no_key(open_class, open_page, screenshot):
    teacher, student, code = open_class()
    wall = open_page(path=f"class/{code}/screen", width=1280, height=720)
    expect(wall.locator(".code")).to_have_text(code)
    expect(wall.locator(".counted")).to_have_text(message_in("en", "room.here", n=1))
    expect(wall.locator("aside img")).to_have_count(0)
    expect(teacher.get_by_test_id("stImage")).to_have_count(0)
    expect(wall.locator(".local")).to_have_text(message_in("en", "room.local"))
    go_to_lesson(teacher)
    student.locator(".answers button").nth(2).click()
    expect(wall.locator(".counted")).to_have_text(message_in("en", "room.answers_of", n=1, phones=1))
    assert all(button.is_disabled() for button in wall.locator(".answers button").all())
    close_vote(teacher)
    expect(wall.locator(".answers b")).to_have_text(["0%", "0%", "100%"])
    expect(wall.locator(".answers [data-right]")).to_have_count(0)
    wall.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    assert "room.key" not in wall.content()
    screenshot(wall, "room-second-screen")


def test_the_copied_link_opens_the_sentence_in_another_browser_and_not_the_room(open_page):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    code = open_room(teacher, "en")
    requests: list[str] = []
    teacher.on("request", lambda request: requests.append(f"{request.url} {request.headers.get('referer', '')}"))
    teacher.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = teacher.locator(".stage button.link")
    link.click()
    expect(link).to_have_text(message_in("en", "sentence.copied"))
    copied = teacher.evaluate("navigator.clipboard.readText()")
    assert "room." not in copied and "text=the" in copied
    teacher_url = teacher.url
    teacher.reload()
    expect(teacher.locator(".st-key-room_code h1")).to_contain_text(code[:3])
    assert "room.key" not in teacher.url
    assert requests and not [address for address in requests if "room.key" in address]
    for address in (copied, teacher_url):
        recipient = open_page(address.partition("?")[1] + address.partition("?")[2], path="room")
        expect(recipient.locator(".source-row")).to_contain_text("cat")
        expect(recipient.get_by_role("button", name=message_in("en", "room.open"))).to_be_visible()
        expect(recipient.get_by_text(code)).to_have_count(0)
        assert "room." not in recipient.url.partition("?")[2]


def test_a_phone_computes_its_sentence_without_requests_and_fetches_the_model_once(open_class, screenshot):
    teacher, student, _ = open_class()
    fetched: list[str] = []
    student.context.on("requestfinished", lambda request: fetched.append(request.url))
    student.get_by_role("textbox").fill("The man bites the dog.")
    student.get_by_role("button", name=message_in("en", "room.explore")).click()
    desk = student.locator(".mine")
    expect(desk.locator(".stage-target")).to_contain_text("homme")
    requested: list[str] = []
    student.on("request", lambda request: requested.append(request.url))
    desk.get_by_role("textbox").fill("I live in a small white house.")
    desk.get_by_role("textbox").press("Enter")
    expect(desk.locator(".stage-target")).to_contain_text("maison")
    desk.get_by_role("button", name=message_in("en", "attention.do_switch_off")).click()
    expect(desk.locator(".site-chip")).to_be_visible()
    desk.get_by_text(message_in("en", "site.change")).click()
    desk.get_by_role("button", name=message_in("en", "site.positions_reverse"), exact=True).click()
    expect(desk.locator(".stage-target del").first).to_be_visible()
    expect(desk.get_by_role("button", name=message_in("en", "site.undo"), exact=True)).to_be_visible()
    desk.locator(".stage-bars .bar").nth(1).click()
    expect(desk.get_by_role("button", name="begins with")).to_be_visible()
    screenshot(student, "room-phone-desk")
    assert not [address for address in requested if "/events" not in address]
    expect(teacher.get_by_text("I live in a small white house.")).to_have_count(0)
    student.reload()
    student.get_by_role("textbox").fill("The man bites the dog.")
    student.get_by_role("button", name=message_in("en", "room.explore")).click()
    expect(desk.locator(".stage-target")).to_contain_text("homme")
    assert len([address for address in fetched if address.endswith(".safetensors")]) == 1


def test_a_phone_whose_network_is_cut_reports_it_and_catches_up(open_class):
    teacher, student, _ = open_class()
    go_to_lesson(teacher)
    expect(student.get_by_role("heading", level=1)).to_have_text(message_in("en", "lesson.box_question"))
    student.context.set_offline(True)
    student.locator(".answers button").first.click()
    expect_status(student, "room.offline")
    assert student.locator(".answers [aria-pressed=true]").count() == 0
    teacher.get_by_role("button", name=message_in("en", "room.by_hands")).click()
    expect(teacher.get_by_role("button", name=message_in("en", "room.by_hands"))).to_be_hidden()
    student.context.set_offline(False)
    expect(student.locator(".question .remark")).to_have_text(message_in("en", "room.raise_hands"))
    expect(student.locator(".answers button:enabled")).to_have_count(0)
    expect(student.get_by_role("status").filter(has_text=message_in("en", "room.offline"))).to_have_count(0)


def test_everybody_sees_a_notice_when_the_server_is_killed_in_mid_vote(browser, checkpoint):
    settings = {cache.CHECKPOINT_VARIABLE: str(checkpoint), "OMP_NUM_THREADS": "1"}
    contexts = [
        browser.new_context(viewport={"width": 390, "height": 844}, locale=locale) for locale in LOCALES.values()
    ]
    with a_server(environment=settings) as (address, process):
        teacher = browser.new_page(viewport={"width": 1280, "height": 720}, locale="en-US")
        teacher.set_default_timeout(90_000)
        teacher.goto(f"{address}/room?text=the+cat+is+sleeping+.")
        code = open_room(teacher, "en")
        phones = [context.new_page() for context in contexts]
        for student in phones:
            student.set_default_timeout(90_000)
            student.goto(f"{address}/class/{code}")
            expect(student.locator(".place .picture canvas").first).to_be_visible()
        go_to_lesson(teacher)
        phones[0].locator(".answers button").first.click()
        expect_answers(teacher, 1, 3)
        os.killpg(process, signal.SIGKILL)
        for student, language in zip(phones, LANGUAGES, strict=True):
            expect_status(student, "room.offline", language)
        with a_server(environment=settings, port=int(address.rpartition(":")[2])):
            for student, language in zip(phones, LANGUAGES, strict=True):
                expect(student.get_by_role("alert")).to_have_text(
                    message_in(language, "room.error_gone"), timeout=90_000
                )
                expect(student.get_by_role("textbox", name=message_in(language, "room.code"))).to_be_visible()
            expect(teacher.get_by_test_id("stToast")).to_contain_text(f"{code} no longer exists", timeout=90_000)
            teacher.get_by_role("link", name=message_in("en", "room.title"), exact=True).click()
            new = open_room(teacher, "en")
            phones[0].get_by_role("textbox").fill(new.lower())
            phones[0].get_by_role("button", name=message_in("en", "room.enter")).click()
            expect(phones[0].locator(".place .picture canvas").first).to_be_visible(timeout=90_000)
        teacher.close()
    for context in contexts:
        context.close()
