"""Which value of a choice wins: the browser's, the server's or the history entry's. Parts may load in any order."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import type_sentence, wait_until_drawn, wait_until_idle

pytestmark = pytest.mark.nightly

OpenPage = Callable[..., Page]
QUERY = "?text=the+cat+is+sleeping+.&kind=cross&layer=0&head=0"


def choose_head(page: Page, key: str = "ArrowRight") -> None:
    page.locator(".grid-base").focus()
    page.keyboard.press(key)


def test_presenter_mode_stays_on_when_another_head_is_chosen(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page(QUERY))
    page.get_by_role("button", name="Lines", exact=True).click()
    page.wait_for_url("**view=lines**")
    page.get_by_test_id("stTopNav").wait_for()
    page.locator(".st-key-icon_settings button").first.click()
    page.get_by_text("Presenter mode").click()
    page.wait_for_url("**presenter=1**")
    wait_until_idle(page)  # the new layout of larger type takes the focus
    page.locator(".regard .lines-base").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**head=1**")
    wait_until_idle(page)
    assert "presenter=1" in page.url and "view=lines" in page.url


def test_pins_of_the_old_sentence_do_not_return_after_a_new_one(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page(QUERY))
    page.locator(".source-row .token").nth(1).click()
    page.wait_for_url("**pins=k1**")
    type_sentence(page, "the dog is sleeping .")
    page.wait_for_url(lambda address: "dog" in address and "pins=" not in address)
    expect(page.locator(".source-row")).to_contain_text("dog")
    expect(page.locator(".regard .chip")).to_have_count(0)
    choose_head(page)
    page.wait_for_url("**head=1**")
    wait_until_idle(page)
    assert "pins=" not in page.url
    expect(page.locator(".regard .chip")).to_have_count(0)


def test_a_head_chosen_on_the_page_replaces_the_one_in_the_browser(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page(QUERY + "&other_text=the+dog+is+sleeping+."))
    choose_head(page)
    page.wait_for_url("**head=1**")
    mover = page.locator(".st-key-movers").get_by_role("button", name="·").first
    label = mover.inner_text()
    mover.click()
    layer, head = label.split("·")[0].split()[-1], label.split("·")[1].split(":")[0].strip()
    expect(page.locator(".regard .main h3").first).to_have_text(f"Layer {layer} · Head {head}")


@pytest.mark.by_day
def test_back_returns_to_the_sentence_before_and_forward_to_the_one_after(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page(QUERY))
    choose_head(page)
    page.wait_for_url("**head=1**")
    type_sentence(page, "the dog is sleeping .")
    page.wait_for_url("**dog**")
    expect(page.locator(".source-row")).to_contain_text("dog")
    page.get_by_role("button", name="Lines", exact=True).click()
    page.wait_for_url("**view=lines**")
    page.go_back()
    expect(page.locator(".source-row")).to_contain_text("cat")
    expect(page.get_by_role("heading", name="Layer 0 · Head 1")).to_be_visible()
    expect(page.locator(".map-base")).to_be_visible()
    wait_until_idle(page)
    assert "cat" in page.url
    page.go_forward()
    expect(page.locator(".source-row")).to_contain_text("dog")
    expect(page.locator(".lines-base")).to_be_visible()


def test_back_returns_to_the_model_before(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page("?model=en-fr&text=I+am+home."))
    for name in ("en-de", "en-zh"):
        page.locator(".st-key-model_picker button").first.click()
        page.get_by_role("radio", name=name).check(force=True)
        page.wait_for_url(f"**model={name}**")
        wait_until_idle(page)
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    page.go_back()
    page.wait_for_url("**model=en-de**")
    expect(page.locator(".st-key-model_picker button").first).to_contain_text("German")
    page.go_back()
    page.wait_for_url("**model=en-fr**")
    expect(page.locator(".st-key-model_picker button").first).to_contain_text("French")
    wait_until_idle(page)
    type_sentence(page, "The dog sleeps.")  # the closed menu does not send the previous model
    page.wait_for_url("**dog**")
    wait_until_idle(page)
    expect(page.locator(".st-key-model_picker button").first).to_contain_text("French")


@pytest.mark.by_day
def test_back_returns_to_the_page_before(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page(QUERY))
    page.get_by_role("link", name="Decode").click()
    page.locator(".player").wait_for()
    page.wait_for_url("**/decode?**text=**")
    page.go_back()
    wait_until_drawn(page)
    expect(page.locator(".source-row")).to_contain_text("cat")
    page.go_forward()
    page.locator(".player").wait_for()


MOMENTS = (0, 50, 100, 200, 400)
"""Milliseconds after the address of the opening page has changed."""
OPENS = """([link, pressed, wait]) => new Promise(done => {
  const press = () => setTimeout(() => done(pressed ? pressed.click() : history.back()), wait);
  const look = () => location.pathname.endsWith("/decode") ? press() : setTimeout(look);
  link.click();
  look();
})"""
"""Opens Decode and meanwhile presses a button, or Back if there is none."""


def test_back_while_another_page_opens_returns_and_later_choices_stay(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page(QUERY))
    link = page.get_by_role("link", name="Decode")
    for i, wait in enumerate(MOMENTS):
        page.evaluate(OPENS, [link.element_handle(), None, wait])
        page.wait_for_url(lambda address: "/decode" not in address)
        wait_until_idle(page)
        wait_until_drawn(page)
        expect(page.locator(".player")).to_have_count(0)
        assert "/decode" not in page.url and "cat" in page.url
        head = (i + 1) % 2
        choose_head(page, "ArrowRight" if head else "ArrowLeft")
        page.wait_for_url(f"**head={head}**")
        link.click()
        page.locator(".player").wait_for()
        wait_until_idle(page)
        assert "/decode?" in page.url and f"head={head}" in page.url
        page.go_back()
        wait_until_drawn(page)
        wait_until_idle(page)


@pytest.mark.parametrize("wait", MOMENTS)
def test_undo_while_another_page_is_being_opened_is_done_on_that_page(open_page: OpenPage, wait: int) -> None:
    page = wait_until_drawn(open_page(QUERY + "&interventions=off:x.0.0"))
    wait_until_idle(page)
    undo, link = page.locator(".way-undo"), page.get_by_role("link", name="Decode")
    page.evaluate(OPENS, [link.element_handle(), undo.element_handle(), wait])
    page.wait_for_url(lambda address: "/decode?" in address and "interventions" not in address)
    page.locator(".player").wait_for()
    wait_until_idle(page)
    assert "/decode?" in page.url and "interventions" not in page.url and "cat" in page.url


def test_presenting_leaves_navigation_and_sentence_in_sight_and_ends_by_escape(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page(QUERY + "&presenter=1"))
    expect(page.get_by_role("button", name="End presenting").first).to_be_visible()
    page.wait_for_function(
        """() => ["[data-testid=stTopNav] a", ".st-key-top_bar button"].every((selector) => {
          const box = document.querySelector(selector).getBoundingClientRect();
          const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          return top && !top.shadowRoot;
        })"""
    )
    expect(page.locator(".source-row .token").first).to_be_visible()
    page.locator("body").press("Escape")
    page.wait_for_url(lambda address: "presenter" not in address)
    expect(page.locator(".regard.presenting")).to_have_count(0)


@pytest.mark.by_day
def test_two_readers_at_once_keep_their_own_choices(open_page: OpenPage) -> None:
    first_reader, second_reader = wait_until_drawn(open_page(QUERY)), wait_until_drawn(open_page(QUERY))
    first_reader.locator(".source-row .token").nth(1).click()
    choose_head(second_reader)
    first_reader.wait_for_url("**pins=k1**")
    second_reader.wait_for_url("**head=1**")
    assert "pins=" not in second_reader.url and "head=1" not in first_reader.url
    expect(second_reader.locator(".regard .chip")).to_have_count(0)


def test_the_page_is_read_aloud_in_the_language_of_the_interface(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page(QUERY + "&language=fr"))
    expect(page.locator("html")).to_have_attribute("lang", "fr")


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
def test_a_stage_that_arrives_late_shows_the_highlights_of_the_view(open_page, server, component):
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


def test_a_view_that_arrives_late_shows_the_token_under_the_pointer(open_page, server):
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
        type_sentence(page, "the dog is sleeping .")
        expect(page.locator(".source-row")).to_contain_text("dog")
        wait_until_idle(page)
    page.locator(ready).first.wait_for()
