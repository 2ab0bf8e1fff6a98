"""A stranger's likely clicks of the first minute, each of which shows something.

1. A word of the translation: the sentence is shaded, and a line says in words where the head looks.
2. A pulsing thumbnail: that head opens.
3. Switch this head off: the translation changes, and the lost word is struck out beside the new one.
4. Undo: the first translation returns.
5. Their own sentence, and a short pause: thumbnails pulse, and a line says how many heads change the translation.
6. One of these heads: a line says the translation without it, which switching it off shows.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from model.teaching.sentences import collection
from tests.browser.classroom import message_in
from tests.browser.waiting import eventually, wait_until_drawn

Open = Callable[..., Page]
OWN = "I am reading a good book."
SCREENS = [("en", 1440, 900), ("zh", 1280, 720), ("fr", 390, 844)]


@pytest.mark.nightly
@pytest.mark.parametrize(("language", "width", "height"), SCREENS)
def test_every_click_of_the_first_minute_pays(open_page: Open, screenshot, language, width, height) -> None:
    front = collection().front
    assert front is not None
    page = wait_until_drawn(open_page(f"?model=en-fr&language={language}", width=width, height=height))
    target = page.locator(".target-row .token")
    expect(target.first).to_be_visible()
    tokens = target.all_inner_texts()
    target.nth(3).click()
    expect(page.locator(".in-words")).to_contain_text(target.nth(3).inner_text())
    expect(page.locator(".source-row .token[data-strong]").first).to_be_visible()
    rings = page.locator(".rings > div")
    expect(rings).to_have_count(len(front.removals))
    screenshot(page, f"minute-{language}-{width}")
    name = page.locator(".main h3").first
    open_first_ring(page)
    opened_head = name.inner_text()
    page.locator('[data-act="switch_off"]').click()
    lost_words = set(front.translation.split()) - set(front.removals[0].translation.split())
    expect(page.locator(".verdict del").first).to_have_text(next(iter(lost_words)).rstrip("."))
    expect(page.locator(".verdict ins").first).to_be_visible()
    expect(name).to_have_text(opened_head)
    screenshot(page, f"minute-verdict-{language}-{width}")
    page.locator(".st-key-undo button").click()
    expect(target).to_have_text(tokens)
    expect(page.locator(".verdict")).to_be_empty()
    page.get_by_role("button", name=message_in(language, "sentence.another")).click()
    page.locator(".editor textarea").fill(OWN)
    page.keyboard.press("Enter")
    expect(target).not_to_have_text(tokens)
    own_tokens = target.all_inner_texts()
    expect(page.locator(".matters [role=status]")).to_contain_text("32")
    expect(page.locator(".matters > button")).to_be_hidden()
    open_first_ring(page)
    without = message_in(language, "attention.matters_without").partition("{")[0].strip()
    expect(page.locator(".regard .without")).to_contain_text(without)
    foreseen = page.locator(".regard .without").inner_text().partition(without)[2]
    page.locator('[data-act="switch_off"]').click()
    expect(page.locator(".verdict del").first).to_be_visible()
    expect(target).not_to_have_text(own_tokens)
    own_translation = "".join(target.all_inner_texts()[:-1])
    assert own_translation.replace(" ", "") == "".join(foreseen.split()), "it comes as it was said"
    screenshot(page, f"minute-own-{language}-{width}")


MIDDLE = """ring => { ring.scrollIntoView({ block: "center", behavior: "instant" });
    const box = ring.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }"""
"""A ring's place after scrolling to it, in one step: all rings are replaced when the last head has been measured."""
RESTLESS = "setInterval(() => window.dispatchEvent(new Event('keydown')), 200)"
"""A reader who is never idle, so that heads are not measured automatically."""


def open_first_ring(page: Page) -> None:
    """Click the first pulsing head until it is open; content that arrives above it may move it."""
    name = page.locator(".main h3").first
    before = name.inner_text()

    def another_head_opens() -> None:
        page.mouse.click(*page.locator(".rings > div").first.evaluate(MIDDLE))
        expect(name).not_to_have_text(before, timeout=2000)

    eventually(page, another_head_opens)


def test_a_sentence_says_which_heads_matter_for_a_typed_sentence(open_page: Open) -> None:
    page = open_page("?text=the+cat+is+sleeping+.")
    page.add_init_script(RESTLESS)
    page.reload()
    page.get_by_role("button", name="Which of these matter here?").click()
    summary = page.locator(".matters")
    expect(summary).to_contain_text("when switched off alone")
    expect(page.get_by_role("button", name="Which of these matter here?")).to_be_hidden()


@pytest.mark.nightly
def test_the_heads_that_matter_pulse_unasked_while_the_reader_rests(open_page: Open) -> None:
    page = open_page("?text=the+dog+is+sleeping+.&kind=decoder_self")
    expect(page.locator(".matters")).to_contain_text("when switched off alone")
    page.get_by_role("button", name="Type another sentence").click()
    page.locator(".editor textarea").fill("the cat is on the sofa .")
    page.keyboard.press("Enter")
    page.evaluate(RESTLESS)
    expect(page.get_by_role("button", name="Which of these matter here?")).to_be_visible()


def test_numbers_wait_behind_a_word(open_page: Open) -> None:
    page = wait_until_drawn(open_page("?text=the+cat+is+sleeping+."))
    for word in ("entropy", "on sinks", "Strongest links"):
        expect(page.locator(".regard").get_by_text(word, exact=True).first).to_be_hidden()
    page.locator("summary", has_text="Numbers").click()
    expect(page.locator(".regard dt", has_text="entropy")).to_be_visible()
