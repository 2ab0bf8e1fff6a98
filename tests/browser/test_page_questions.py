"""The top of a page: its question, the sentence if the page uses it, and the open head of Explore."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import eventually, select_option, wait_until_drawn, wait_until_idle
from viz.i18n import speaking, tr

SENTENCE = "text=I+see+you."
WORDS = ".source-row .token"


@pytest.mark.nightly
def test_the_sentence_is_shown_only_for_questions_about_it(open_page) -> None:
    page = open_page(f"?model=en-fr&{SENTENCE}", path="laboratory")
    expect(page.locator(WORDS).first).to_be_visible()
    with speaking("en"):
        without_sentence, toy, with_sentence = (
            tr(name) for name in ("frame.questions_machinery", "laboratory.part_toy", "frame.questions_sentence")
        )
    wait_until_idle(page)
    page.get_by_role("radio", name=without_sentence).click()
    page.wait_for_url("**laboratory.part=kernel**")
    expect(page.locator(WORDS).first).to_be_hidden()
    expect(page.get_by_role("button", name="Glossary")).to_be_visible()
    wait_until_idle(page)
    select_option(page, "Question", toy)
    page.wait_for_url("**laboratory.part=toy**")
    wait_until_idle(page)
    page.get_by_role("radio", name=with_sentence).click()
    expect(page.locator(WORDS).first).to_be_visible()
    expect(page.get_by_role("radio", name=with_sentence)).to_be_checked()


def test_every_question_about_positions_can_be_asked_from_the_keyboard(open_page) -> None:
    page = open_page(f"?{SENTENCE}", path="positions")
    expect(page.locator(WORDS).first).to_be_visible()
    wait_until_idle(page)
    box = page.get_by_role("combobox", name="Question")
    box.focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url(re.compile(r"positions\.part=(sentence|beyond)"))


def test_the_line_below_a_model_chooses_it(open_page) -> None:
    page = open_page(f"?{SENTENCE}")
    expect(page.locator(WORDS).first).to_be_visible()
    wait_until_idle(page)
    page.locator(".st-key-model_picker button").click()
    page.get_by_text("English → German").click(force=True)  # the surrounding entry receives the click
    page.wait_for_url("**model=en-de*")


def test_inside_opens_on_the_head_that_explore_opens(open_page) -> None:
    def head_of(page: Page) -> tuple[str, ...]:
        page.wait_for_url(re.compile(r"layer=\d.*head=\d|head=\d.*layer=\d"))
        return tuple(re.search(rf"[?&]{name}=(\d+)", page.url)[1] for name in ("layer", "head"))  # type: ignore[index]

    assert head_of(open_page(f"?{SENTENCE}")) == head_of(open_page(f"?{SENTENCE}", path="inside"))


def test_on_a_phone_the_open_head_is_below_the_sentence_and_all_heads_below_it(open_page) -> None:
    page = wait_until_drawn(open_page(f"?{SENTENCE}", width=390, height=844))

    def head_is_above_heads() -> None:
        heads, open_head = page.locator(".regard .heads"), page.locator(".regard .desk > .card:not(.heads)")
        head_box, heads_box = open_head.bounding_box(), heads.bounding_box()
        assert head_box is not None and heads_box is not None
        assert head_box["y"] < 600 and head_box["y"] + head_box["height"] <= heads_box["y"]

    eventually(page, head_is_above_heads)


@pytest.mark.nightly
def test_fine_tuning_asks_what_to_learn_before_how(open_page) -> None:
    page = open_page("?model=tiny", path="fine_tune", width=1280, height=720)
    button = page.get_by_role("button", name="Train", exact=True)
    expect(button).to_be_in_viewport()
    rate = page.get_by_role("spinbutton", name=re.compile("Learning rate"))
    expect(rate).to_be_hidden()
    page.get_by_text("How it is trained").click()
    expect(rate).to_be_visible()
