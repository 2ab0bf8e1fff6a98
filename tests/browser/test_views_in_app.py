"""The explorer inside the application: its messages between browser and server."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import PATIENCE
from tests.browser.views_page import open_controls, tooltip, wait_for_frame
from tests.browser.waiting import bounding_box, wait_until_drawn, wait_until_idle

pytestmark = pytest.mark.nightly
OpenPage = Callable[..., Page]
LONG = " ".join(["the cat sees the dog"] * 60)


def test_pointing_sends_nothing_to_the_server(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page())
    frame_sizes: list[int] = []
    page.on("websocket", lambda socket: count_frames(socket, frame_sizes))
    page.reload()
    wait_until_drawn(page)
    expect(page.locator(".matters > button")).to_be_hidden()  # all heads have been measured
    wait_until_idle(page)
    before = len(frame_sizes)
    assert before
    box = bounding_box(page.locator(".map-base"))
    for step in range(12):
        page.mouse.move(box["x"] + box["width"] * step / 12, box["y"] + box["height"] * step / 12)
        wait_for_frame(page)
    page.locator(".grid-base").hover()
    wait_until_idle(page)
    assert len(frame_sizes) == before


def count_frames(socket: WebSocket, frame_sizes: list[int]) -> None:
    socket.on("framesent", lambda payload: frame_sizes.append(len(payload)))


def test_switches_act_at_once_and_reach_the_link_a_moment_later(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page())
    page.get_by_role("button", name="Lines", exact=True).click()
    expect(page.locator(".lines-base")).to_be_visible()
    open_controls(page)
    page.get_by_role("button", name="words", exact=True).click()
    page.wait_for_url("**view=lines**")
    page.wait_for_url("**unit=words**")


@pytest.mark.by_day
def test_a_link_restores_heads_pins_and_aids_in_a_fresh_browser(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page("?kind=encoder_self&layer=1&head=1&pins=q1&sinks=removed&scale=row"))
    expect(page.get_by_role("heading", name="Layer 1 · Head 1")).to_be_visible()
    expect(page.locator(".regard .chip")).to_have_count(1)
    expect(page.get_by_role("button", name="Set sinks aside")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("key", ["ArrowRight", "ArrowDown"])
def test_the_exact_weights_of_a_long_sentence_follow_the_chosen_head(open_page: OpenPage, key: str) -> None:
    page = wait_until_drawn(open_page(f"?kind=encoder_self&text={LONG}"))
    page.locator(".numbers > summary").click()
    for press in (None, key):
        if press:
            page.locator(".grid-base").focus()
            page.keyboard.press(press)
        page.locator(".links-details summary").click()
        expect(page.locator(".links .number").first).not_to_contain_text("≈", timeout=PATIENCE)
        page.locator(".links-details summary").click()
    page.locator(".map-base").hover(position={"x": 200, "y": 200})
    wait_for_frame(page)
    assert not tooltip(page)[1].startswith("≈")


def test_a_high_layer_is_clamped_for_a_smaller_model(open_page: OpenPage) -> None:
    page = wait_until_drawn(open_page("?kind=cross&layer=11&head=15"))
    expect(page.get_by_role("heading", name="Layer 1 · Head 1")).to_be_visible()
