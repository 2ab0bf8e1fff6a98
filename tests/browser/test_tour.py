"""The tour never covers its target, continues when its task is done, and can be left and resumed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import message_in
from tests.browser.waiting import bounding_box, eventually, wait_until_drawn

pytestmark = pytest.mark.nightly
Open = Callable[..., Page]
TEXT = "?text=the+cat+is+sleeping+on+the+sofa+.&kind=cross&layer=0&head=0"
SCREENS = [("en", 1440, 900), ("zh", 1280, 720), ("fr", 390, 844)]


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
