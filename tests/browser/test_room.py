"""A class in real browsers: one teacher and three phones 390 pixels wide go through a scene, each in its language."""

from __future__ import annotations

import os
import signal

import pytest
from playwright.sync_api import expect

from benchmarks.serving import server as a_server
from tests.browser.classroom import LANGUAGES, LOCALES, go_to_the_lesson, open_room, say
from viz import cache


def percent(language: str, share: int) -> str:
    return f"{share}\u202f%" if language == "fr" else f"{share}%"


@pytest.mark.parametrize(
    ("language", "spoken_by_phones", "votes", "shares"),
    [("en", LANGUAGES, (1, 1, 0), (33, 67, 0)), ("zh", ("fr",), (1,), (0, 100, 0)), ("fr", ("zh",), (0,), (100, 0, 0))],
)
def test_a_class_goes_through_a_scene(open_page, phone, screenshot, language, spoken_by_phones, votes, shares):
    teacher = open_page(f"?language={language}&text=the+cat+is+sleeping+.", path="room", height=720, width=1280)
    code = open_room(teacher, language)
    phones = [phone(code, each, dark=each == "fr") for each in spoken_by_phones]
    for each in phones:
        expect(each.locator(".picture canvas").first).to_be_visible()
    go_to_the_lesson(teacher)
    expect(teacher.get_by_text(say(language, "room.answers_of", n=0, phones=len(phones)))).to_be_visible()
    for each, spoken, answer in zip(phones, spoken_by_phones, votes, strict=True):
        expect(each.get_by_role("heading", level=1)).to_have_text(say(spoken, "lesson.box_question"))
        expect(each.locator(".picture")).to_be_hidden()
        box = each.locator(".answers button").nth(answer).bounding_box()
        assert box is not None and box["height"] >= 44 and box["width"] >= 44
        each.locator(".answers button").nth(answer).click()
        expect(each.get_by_role("status").filter(has_text=say(spoken, "room.voted"))).to_be_visible()
        assert "%" not in each.locator(".answers").inner_text()
    expect(teacher.get_by_text(say(language, "room.answers_of", n=len(phones), phones=len(phones)))).to_be_visible()
    screenshot(teacher, f"room-scene-asked-{language}")
    teacher.get_by_role("button", name=say(language, "room.reveal"), exact=True).click()
    for each, spoken in zip(phones, spoken_by_phones, strict=True):
        expect(each.locator(".answers b")).to_have_text([percent(spoken, share) for share in shares])
        expect(each.locator(".answers [data-right]")).to_have_count(1)
        expect(each.locator(".answers [aria-pressed=true]")).to_have_count(1)
    screenshot(phones[-1], f"room-phone-revealed-{language}")
    late = phone(code, language)
    expect(late.locator(".answers b")).to_have_text([percent(language, share) for share in shares])
    teacher.get_by_role("button", name=say(language, "lesson.box_try")).click()
    for each, spoken in zip(phones, spoken_by_phones, strict=True):
        expect(each.locator(".answers")).to_be_hidden()
        title = say(spoken, "room.scene", n=1, total=12, title=say(spoken, "lesson.box_title"))
        expect(each.locator(".where .kicker")).to_have_text(title)
        expect(each.locator(".picture canvas").first).to_be_visible()
    screenshot(teacher, f"room-scene-changed-{language}")
    teacher.get_by_role("button", name=say(language, "lesson.explain_now"), exact=True).click()
    expect(teacher.get_by_test_id("stAlert").first).to_be_visible()


def test_a_phone_looks_around_and_follows_again(open_page, phone):
    teacher = open_page("?text=the+cat+is+sleeping+.&kind=cross&layer=0&head=0", path="room")
    mine = phone(open_room(teacher, "en"))
    follow = mine.get_by_role("button", name=say("en", "room.follow"))
    expect(mine.locator(".picture canvas").first).to_be_visible()
    expect(follow).to_be_hidden()
    mine.locator(".toolbar").get_by_role("button", name="Encoder").click()
    expect(follow).to_be_visible()
    expect(mine.locator(".regard")).to_have_attribute("data-kind", "encoder_self")
    follow.click()
    expect(mine.locator(".regard")).to_have_attribute("data-kind", "cross")
    expect(follow).to_be_hidden()


def test_a_phone_that_slept_catches_up(open_page, phone):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    mine = phone(open_room(teacher, "en"))
    expect(mine.locator(".picture canvas").first).to_be_visible()
    address = mine.url
    mine.goto("about:blank")  # close the event stream, as happens while a phone sleeps
    go_to_the_lesson(teacher)
    expect(teacher.get_by_text(say("en", "room.answers_of", n=0, phones=1))).to_be_visible()
    mine.goto(address)
    expect(mine.get_by_role("heading", level=1)).to_have_text(say("en", "lesson.box_question"))
    mine.locator(".answers button").first.click()
    expect(teacher.get_by_text(say("en", "room.answers_of", n=1, phones=1))).to_be_visible()
    mine.reload()
    expect(mine.locator(".answers [aria-pressed=true]")).to_have_count(1)


def test_a_second_screen_shows_question_count_and_results_and_no_key(open_page, phone, server, screenshot):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    code = open_room(teacher, "en")
    mine, wall = phone(code), open_page(path=f"class/{code}/screen", width=1280, height=720)
    expect(wall.locator(".code")).to_have_text(code)
    expect(wall.locator(".picture canvas").first).to_be_visible()
    go_to_the_lesson(teacher)
    mine.locator(".answers button").nth(2).click()
    expect(wall.locator(".counted")).to_have_text(say("en", "room.answers_of", n=1, phones=1))
    assert all(button.is_disabled() for button in wall.locator(".answers button").all())
    teacher.get_by_role("button", name="Reveal", exact=True).click()
    expect(wall.locator(".answers b")).to_have_text(["0%", "0%", "100%"])
    wall.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    assert "room.key" not in wall.content()
    screenshot(wall, "room-second-screen")


def test_a_phone_runs_its_own_sentence_without_a_word_to_the_server(open_page, phone, screenshot):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    mine = phone(open_room(teacher, "en"))
    expect(mine.locator(".place .picture canvas").first).to_be_visible()
    mine.get_by_role("textbox").fill("The man bites the dog.")
    mine.get_by_role("button", name=say("en", "room.explore")).click()
    desk = mine.locator(".mine")
    expect(desk.locator(".site-written")).to_contain_text("homme")
    asked: list[str] = []
    mine.on("request", lambda request: asked.append(request.url))
    desk.get_by_role("textbox").fill("I live in a small white house.")
    desk.get_by_role("textbox").press("Enter")
    expect(desk.locator(".site-written")).to_contain_text("maison")
    desk.get_by_role("button", name=say("en", "attention.do_switch_off")).click()
    expect(desk.locator(".site-compared")).to_be_visible()
    desk.get_by_text(say("en", "site.change")).click()
    desk.get_by_label(say("en", "site.positions")).select_option("reverse")
    expect(desk.get_by_role("button", name=say("en", "site.undo"), exact=True)).to_be_visible()
    desk.locator(".site-bars button").nth(1).click()
    expect(desk.get_by_role("button", name="begins with")).to_be_visible()
    screenshot(mine, "room-phone-desk")
    assert not [address for address in asked if "/events" not in address]
    expect(teacher.get_by_text("I live in a small white house.")).to_have_count(0)


def test_a_phone_fetches_the_model_once(open_page, phone):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    mine = phone(open_room(teacher, "en"))
    weights: list[str] = []
    mine.context.on("requestfinished", lambda request: weights.append(request.url))
    for _ in range(2):
        mine.get_by_role("textbox").fill("The man bites the dog.")
        mine.get_by_role("button", name=say("en", "room.explore")).click()
        expect(mine.locator(".mine .site-written")).to_contain_text("homme")
        mine.reload()
    assert len([address for address in weights if address.endswith(".safetensors")]) == 1


def test_a_phone_whose_network_is_cut_says_so_and_catches_up(open_page, phone):
    teacher = open_page("?text=the+cat+is+sleeping+.", path="room")
    mine = phone(open_room(teacher, "en"))
    expect(mine.locator(".place .picture canvas").first).to_be_visible()
    go_to_the_lesson(teacher)
    expect(mine.get_by_role("heading", level=1)).to_have_text(say("en", "lesson.box_question"))
    mine.context.set_offline(True)
    mine.locator(".answers button").first.click()
    expect(mine.get_by_role("status").filter(has_text=say("en", "room.offline"))).to_be_visible()
    assert mine.locator(".answers [aria-pressed=true]").count() == 0
    teacher.get_by_role("button", name=say("en", "room.by_hands")).click()
    expect(teacher.get_by_role("button", name=say("en", "room.by_hands"))).to_be_hidden()
    mine.context.set_offline(False)
    expect(mine.locator(".answers")).to_be_hidden()
    title = say("en", "room.scene", n=1, total=12, title=say("en", "lesson.box_title"))
    expect(mine.locator(".where .kicker")).to_have_text(title)
    expect(mine.get_by_role("status").filter(has_text=say("en", "room.offline"))).to_have_count(0)


def test_a_server_that_is_killed_in_mid_vote_leaves_nobody_without_a_word(browser, checkpoint):
    settings = {cache.CHECKPOINT_VARIABLE: str(checkpoint), "OMP_NUM_THREADS": "1"}
    contexts = [browser.new_context(viewport={"width": 390, "height": 844}, locale=each) for each in LOCALES.values()]
    with a_server(environment=settings) as (address, process):
        teacher = browser.new_page(viewport={"width": 1280, "height": 720}, locale="en-US")
        teacher.set_default_timeout(90_000)
        teacher.goto(f"{address}/room?text=the+cat+is+sleeping+.")
        code = open_room(teacher, "en")
        phones = [context.new_page() for context in contexts]
        for each in phones:
            each.set_default_timeout(90_000)
            each.goto(f"{address}/class/{code}")
            expect(each.locator(".place .picture canvas").first).to_be_visible()
        go_to_the_lesson(teacher)
        phones[0].locator(".answers button").first.click()
        expect(teacher.get_by_text(say("en", "room.answers_of", n=1, phones=3))).to_be_visible()
        os.killpg(process, signal.SIGKILL)
        for each, language in zip(phones, LANGUAGES, strict=True):
            expect(each.get_by_role("status").filter(has_text=say(language, "room.offline"))).to_be_visible()
        with a_server(environment=settings, port=int(address.rpartition(":")[2])):
            for each, language in zip(phones, LANGUAGES, strict=True):
                expect(each.get_by_role("alert")).to_have_text(say(language, "room.error_gone"), timeout=90_000)
                expect(each.get_by_role("textbox", name=say(language, "room.code"))).to_be_visible()
            expect(teacher.get_by_test_id("stToast")).to_contain_text(f"{code} no longer exists", timeout=90_000)
            teacher.get_by_role("link", name=say("en", "room.title"), exact=True).click()
            new = open_room(teacher, "en")
            phones[0].get_by_role("textbox").fill(new.lower())
            phones[0].get_by_role("button", name=say("en", "room.enter")).click()
            expect(phones[0].locator(".place .picture canvas").first).to_be_visible(timeout=90_000)
        teacher.close()
    for context in contexts:
        context.close()
