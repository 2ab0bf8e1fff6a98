"""The Explore page: views, choices in the link, and the messages between browser and server."""

from collections.abc import Callable
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Page, WebSocket, expect

import model
from tests.browser.actions import bounding_box, eventually, wait_until_drawn, wait_until_idle
from tests.browser.conftest import PATIENCE
from tests.browser.views_page import open_controls, tooltip, wait_for_frame
from viz.plain_text import chip_text

pytestmark = pytest.mark.nightly

SENTENCE = "the dog is on the sofa ."
QUERY = f"?text={quote_plus(SENTENCE)}&layer=0&head=0"


@pytest.fixture(scope="module")
def trace(checkpoint):
    return model.translate(model.load(checkpoint), SENTENCE)


def wait_for_stage(page: Page) -> None:
    expect(page.locator(".target-row .token").first).to_be_visible()
    expect(page.get_by_role("toolbar")).to_be_visible()


@pytest.mark.by_day
def test_a_heads_exact_weight_is_read_under_the_pointer(open_page, trace):
    page = open_page(QUERY.replace("&layer=0&head=0", "&layer=1&head=1"))
    wait_for_stage(page)
    page.locator("summary", has_text="Numbers").click()
    page.locator("summary", has_text="Strongest links").click()
    strongest = page.locator("table.links td.number").first
    expect(strongest).to_be_visible()
    assert float(strongest.inner_text()) == pytest.approx(float(trace.attention.cross[1, 1].max()), rel=1e-3)


@pytest.mark.by_day
def test_a_chosen_kind_is_stored_in_the_link_and_restored(open_page):
    page = open_page(QUERY)
    wait_for_stage(page)
    page.get_by_role("toolbar").get_by_text("Encoder", exact=True).click()
    page.wait_for_url("**kind=encoder_self**")
    reopened = open_page("?" + page.url.partition("?")[2])
    wait_for_stage(reopened)
    expect(reopened.get_by_text("encoder self-attention").first).to_be_visible()


@pytest.mark.by_day
def test_a_head_switched_off_gives_another_translation_and_undo_brings_it_back(open_page, checkpoint, trace):
    page = open_page(QUERY)
    wait_for_stage(page)
    page.get_by_role("button", name="Switch this head off").click()
    changed = model.translate(
        model.load(checkpoint), SENTENCE, max_length=2 * len(SENTENCE.split()) + 16,
        interventions=model.Interventions((model.HeadOff("cross", 0, 0),)),
    )  # fmt: skip
    assert changed.target_tokens != trace.target_tokens
    expect(page.locator(".target-row .token")).to_have_text(list(map(chip_text, changed.target_tokens)))
    page.wait_for_url("**interventions=off**")
    page.get_by_role("button", name="cross 0·0 off").click()
    expect(page.locator(".target-row .token")).to_have_text(list(map(chip_text, trace.target_tokens)))


@pytest.mark.by_day
def test_pointing_at_a_token_shades_its_keys(open_page, trace):
    page = open_page(QUERY)
    wait_for_stage(page)
    page.locator(".target-row .token").nth(1).hover()
    row = trace.attention.cross[0, 0, 1]
    strongest = page.locator(".source-row .token").nth(int(row.argmax()))
    expect(strongest).to_have_attribute("data-strong", "")
    page.mouse.move(5, 800)
    expect(strongest).not_to_have_attribute("data-strong", "")


def test_a_second_sentence_is_compared(open_page):
    page = open_page(QUERY)
    wait_for_stage(page)
    page.locator(".st-key-tools_menu").get_by_role("button", name="Tools").click()
    page.get_by_role("textbox", name="Second sentence").fill("the cat is on the sofa .")
    page.get_by_role("textbox", name="Second sentence").press("Enter")
    expect(page.get_by_role("toolbar").get_by_text("difference")).to_be_visible()
    page.wait_for_url("**other_text=**")


def test_presenter_mode_enlarges_the_sentence(open_page):
    plain, large = open_page(QUERY), open_page(QUERY + "&presenter=1")
    wait_for_stage(plain)
    wait_for_stage(large)
    tokens = [page.locator(".source-row .token").first for page in (plain, large)]

    def one_is_larger() -> None:
        small, big = (token.evaluate("token => token.getBoundingClientRect().height") for token in tokens)
        assert big > 1.5 * small

    eventually(large, one_is_larger)


def test_a_high_layer_in_the_link_is_clamped_to_the_model(open_page):
    page = open_page(QUERY.replace("&layer=0&head=0", "&layer=11&head=15"))
    wait_for_stage(page)
    expect(page.get_by_role("heading", name="Layer 1 · Head 1")).to_be_visible()
    page.wait_for_url("**layer=1**")
    assert "layer=11" not in page.url


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
