"""The stage and the views load in any order: a message sent before its receiver has loaded is not lost."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.waiting import wait_until_idle

pytestmark = pytest.mark.nightly

SENTENCE = "text=the+cat+is+sleeping+on+the+sofa+."
PINNED = f"{SENTENCE}&kind=cross&layer=0&head=0&pins=q2"
LIT = ".target-row .token[data-focus]"
VIEWS = {
    "attention": ("", PINNED, ".regard[data-drawn-grid]"),
    "inside": ("inside", SENTENCE, ".inside .line"),
    "decoding": ("decode", SENTENCE, ".player .board, .player canvas, .player button"),
}


@contextmanager
def delay_code(page: Page, component: str) -> Iterator[None]:
    """Delay the code of a component until the block ends."""
    waiting: list[Route] = []

    is_held = True

    def hold(route: Route) -> None:
        if is_held:
            waiting.append(route)
        else:
            route.continue_()

    page.route(f"**/joined/regard.{component}.*.js", hold)
    yield
    is_held = False
    for route in waiting:
        route.continue_()
    assert waiting, f"nothing asked for the code of {component}"


@pytest.mark.parametrize("component", VIEWS)
def test_a_stage_that_arrives_late_shows_what_the_view_lights(open_page, server, component):
    path, query, ready = VIEWS[component]
    page = open_page("?language=en", path="class")
    with delay_code(page, "sentence"):
        page.goto(f"{server}/{path}?{query}")
        page.locator(ready).first.wait_for()
        expect(page.locator(".target-row .token")).to_have_count(0)
    expect(page.locator(LIT)).to_have_count(1)
    weights = page.locator(".source-row .token").evaluate_all(
        "tokens => tokens.map((token) => Number(token.style.getPropertyValue('--weight')))"
    )
    assert max(weights) > 0


@pytest.mark.parametrize("component", VIEWS)
def test_a_click_on_a_token_waits_for_the_view(open_page, server, component):
    path, _, ready = VIEWS[component]
    page = open_page("?language=en", path="class")
    with delay_code(page, component):
        page.goto(f"{server}/{path}?{SENTENCE}")
        page.locator(".target-row .token").nth(1).click()
        expect(page.locator(ready)).to_have_count(0)
    page.locator(ready).first.wait_for()
    expect(page.locator(".target-row .token").nth(1)).to_have_attribute("data-focus", "")


def test_a_view_that_arrives_late_knows_what_is_pointed_at(open_page, server):
    page = open_page("?language=en", path="class")
    with delay_code(page, "attention"):
        page.goto(f"{server}/?{SENTENCE}&kind=cross")
        page.locator(".target-row .token").nth(1).hover()
        expect(page.locator(".regard[data-drawn-grid]")).to_have_count(0)
    page.locator(".regard[data-drawn-grid]").wait_for()
    expect(page.locator(".target-row .token").nth(1)).to_have_attribute("data-focus", "")


@pytest.mark.parametrize("component", VIEWS)
def test_a_view_whose_data_change_before_its_code_arrives_is_drawn(open_page, server, component):
    path, query, ready = VIEWS[component]
    page = open_page("?language=en", path="class")
    with delay_code(page, component):
        page.goto(f"{server}/{path}?{query}")
        page.get_by_role("button", name="Type another sentence").click()
        page.get_by_role("textbox").first.fill("the dog is sleeping .")
        page.keyboard.press("Enter")
        expect(page.locator(".source-row")).to_contain_text("dog")
        wait_until_idle(page)
    page.locator(ready).first.wait_for()
