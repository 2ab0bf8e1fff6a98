"""A stranger's likely clicks of the first minute, each of which shows something.

1. A word of the translation: the sentence is shaded, and a line says in words where the head looks.
2. A pulsing thumbnail: that head opens.
3. Switch this head off: the translation changes, and the lost word is struck out beside the new one.
4. Undo: the first translation returns.
5. Their own sentence, and a short pause: thumbnails pulse, and a line says how many heads change the translation.
6. One of these heads: a line says the translation without it, which switching it off shows.

The tour never covers its target, continues when its task is done, and can be left and resumed.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from model.teaching.sentences import collection
from tests.browser.actions import bounding_box, eventually, message_in, type_sentence, wait_until_drawn

pytestmark = pytest.mark.nightly

Open = Callable[..., Page]
TYPED = "I am reading a good book."
SCREENS = [("en", 1440, 900), ("zh", 1280, 720), ("fr", 390, 844)]


@pytest.mark.parametrize(("language", "width", "height"), SCREENS)
def test_every_click_of_the_first_minute_has_a_visible_effect(
    open_page: Open, screenshot, language, width, height
) -> None:
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
    type_sentence(page, TYPED, language)
    expect(target).not_to_have_text(tokens)
    typed_tokens = target.all_inner_texts()
    expect(page.locator(".matters [role=status]")).to_contain_text("32")
    expect(page.locator(".matters > button")).to_be_hidden()
    open_first_ring(page)
    without = message_in(language, "attention.matters_without").partition("{")[0].strip()
    expect(page.locator(".regard .without")).to_contain_text(without)
    foreseen = page.locator(".regard .without").inner_text().partition(without)[2]
    page.locator('[data-act="switch_off"]').click()
    expect(page.locator(".verdict del").first).to_be_visible()
    expect(target).not_to_have_text(typed_tokens)
    translation = "".join(target.all_inner_texts()[:-1])
    assert translation.replace(" ", "") == "".join(foreseen.split()), "the line has predicted it"
    screenshot(page, f"minute-typed-{language}-{width}")


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


@pytest.mark.by_day
def test_a_button_measures_which_heads_matter_for_a_sentence(open_page: Open) -> None:
    page = open_page("?text=the+cat+is+sleeping+.")
    page.add_init_script(RESTLESS)
    page.reload()
    page.get_by_role("button", name="Which of these matter here?").click()
    summary = page.locator(".matters")
    expect(summary).to_contain_text("when switched off alone")
    expect(page.get_by_role("button", name="Which of these matter here?")).to_be_hidden()


def test_heads_are_measured_automatically_while_the_reader_is_idle(open_page: Open) -> None:
    page = open_page("?text=the+dog+is+sleeping+.&kind=decoder_self")
    expect(page.locator(".matters")).to_contain_text("when switched off alone")
    type_sentence(page, "the cat is on the sofa .")
    page.evaluate(RESTLESS)
    expect(page.get_by_role("button", name="Which of these matter here?")).to_be_visible()


@pytest.mark.by_day
def test_numbers_are_folded_until_they_are_opened(open_page: Open) -> None:
    page = wait_until_drawn(open_page("?text=the+cat+is+sleeping+."))
    for word in ("entropy", "on sinks", "Strongest links"):
        expect(page.locator(".regard").get_by_text(word, exact=True).first).to_be_hidden()
    page.locator("summary", has_text="Numbers").click()
    expect(page.locator(".regard dt", has_text="entropy")).to_be_visible()


TEXT = "?text=the+cat+is+sleeping+on+the+sofa+.&kind=cross&layer=0&head=0"


def start_tour(page: Page, language: str) -> None:
    page.locator(".regard[data-drawn-grid]").wait_for()
    page.get_by_role("button", name=message_in(language, "sentence.tour"), exact=True).click()


def expect_stop(page: Page, language: str, stop: str) -> None:
    """Expect the card at this stop, without covering the ring's target."""
    expect(page.locator(".regard-tour .card strong")).to_have_text(message_in(language, f"first.tour_{stop}"))

    def it_points_without_covering() -> None:
        card, ring = (page.locator(f".regard-tour .{part}").bounding_box() for part in ("card", "ring"))
        assert card is not None and ring is not None
        size = page.viewport_size
        assert size is not None
        assert card["x"] >= 0 and card["x"] + card["width"] <= size["width"]
        assert card["y"] >= 0 and card["y"] + card["height"] <= size["height"] + 1
        assert 0 <= ring["y"] + 10 < size["height"]
        apart = card["y"] >= ring["y"] + min(ring["height"], 300) or card["y"] + card["height"] <= ring["y"]
        assert apart or card["x"] >= ring["x"] + ring["width"] or card["x"] + card["width"] <= ring["x"]

    eventually(page, it_points_without_covering)


@pytest.mark.nightly("fr", "zh")
@pytest.mark.parametrize(("language", "width", "height"), SCREENS)
def test_following_the_tour_leads_to_its_end(
    open_page: Open, screenshot, language: str, width: int, height: int
) -> None:
    page = open_page(f"{TEXT}&language={language}", width=width, height=height)
    start_tour(page, language)
    expect_stop(page, language, "word")
    screenshot(page, f"tour-word-{language}-{width}")
    page.locator(".target-row .token").nth(1).click()
    expect_stop(page, language, "head")
    grid = page.locator(".grid-base")
    size = bounding_box(grid)
    grid.click(position={"x": 0.75 * size["width"], "y": 0.3 * size["height"]})  # the second head of the first layer
    expect_stop(page, language, "off")
    screenshot(page, f"tour-off-{language}-{width}")
    page.locator('[data-act="switch_off"]').click()
    expect_stop(page, language, "step")
    page.locator('[data-act="open_head"]').click()
    page.wait_for_url("**/inside**")
    expect_stop(page, language, "own")
    edit = page.get_by_role("button", name=message_in(language, "sentence.another"))
    expect(edit).to_have_count(1)  # the previous page is gone
    edit.click()
    page.locator(".editor textarea").fill("the dog is sleeping .")
    page.keyboard.press("Enter")
    expect(page.locator(".regard-tour .card strong")).to_have_text(message_in(language, "first.tour_done"))
    page.get_by_role("button", name=message_in(language, "first.tour_finish")).click()
    expect(page.locator(".regard-tour")).to_have_count(0)


def test_escape_leaves_the_tour_and_the_button_resumes_it(open_page: Open) -> None:
    page = open_page(TEXT)
    start_tour(page, "en")
    expect_stop(page, "en", "word")
    page.get_by_role("button", name="Next", exact=True).click()
    expect_stop(page, "en", "head")
    page.keyboard.press("Escape")
    expect(page.locator(".regard-tour")).to_have_count(0)
    start_tour(page, "en")
    expect_stop(page, "en", "head")
    page.get_by_role("button", name="Back", exact=True).click()
    expect_stop(page, "en", "word")
    page.reload()
    expect_stop(page, "en", "word")


def test_a_page_that_still_arrives_does_not_take_the_target_away_but_the_reader_may(open_page: Open) -> None:
    page = open_page(TEXT, width=390, height=844)
    start_tour(page, "en")
    expect_stop(page, "en", "word")
    main = page.get_by_test_id("stMain")
    main.evaluate("main => { main.scrollTop += 600 }")
    expect_stop(page, "en", "word")
    brought = main.evaluate("main => main.scrollTop")
    main.dispatch_event("wheel")
    main.evaluate("main => { main.scrollTop += 600 }")
    main.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert main.evaluate("main => main.scrollTop") > brought + 100


@pytest.mark.parametrize(("width", "height", "dark"), [(1280, 720, False), (390, 844, True)])
def test_the_tour_goes_from_stop_to_stop_by_the_enter_key(
    open_page: Open, screenshot, width: int, height: int, dark: bool
) -> None:
    page = wait_until_drawn(open_page(TEXT, width=width, height=height, dark=dark))
    tour = page.get_by_role("button", name="Tour", exact=True)
    tour.focus()
    page.keyboard.press("Enter")
    for stop in ("word", "head", "off", "step", "own"):
        expect_stop(page, "en", stop)
        expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator(".regard-tour .card strong")).to_have_text(message_in("en", "first.tour_done"))
    screenshot(page, f"tour-keys-{width}")
    page.keyboard.press("Enter")
    expect(page.locator(".regard-tour")).to_have_count(0)
    expect(tour).to_be_focused()
