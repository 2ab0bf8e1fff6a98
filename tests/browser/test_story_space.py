"""The article's first picture, the model in 3D: the drawn weights and the reader's actions."""

from urllib.parse import quote_plus

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

import model
from model.trace import KINDS
from tests.browser.actions import bounding_box, url_params
from tests.browser.static_site import GO_HOME
from tests.browser.test_story import TYPED, scroll_to_paragraph, wait_for_numbers_of

RECORD_OPACITIES = """
window.drawn = [];
const put = CanvasRenderingContext2D.prototype.putImageData;
CanvasRenderingContext2D.prototype.putImageData = function (image, ...at) {
  if (image.height > 1) window.drawn.push([image.height, image.width, [...image.data].filter((_, i) => i % 4 === 3)]);
  return put.call(this, image, ...at);
};
"""
"""Records the opacity of each drawn attention map, which is the square root of the weight."""
PICTURE = "() => document.querySelector('.space-canvas').toDataURL()"
AT_REST = """() => new Promise(resolve => {
  let before = "";
  const look = () => {
    const now = document.querySelector(".space-canvas").toDataURL();
    if (now === before) return resolve(true);
    before = now;
    setTimeout(look, 250);
  };
  look();
})"""


def wait_for_still_picture(page: Page) -> str:
    """Wait until the picture stops moving, and return it."""
    page.evaluate(AT_REST)
    return page.evaluate(PICTURE)


def test_each_plane_has_the_weights_that_the_library_computes(open_site) -> None:
    page = wait_for_numbers_of(
        open_site(f"story.html?text={quote_plus(TYPED)}", prepare=lambda page: page.add_init_script(RECORD_OPACITIES)),
        TYPED,
    )
    attention = model.translate(model.load(), TYPED).attention
    assert attention.cross is not None
    n_layers = len(attention.cross)
    kinds = (*KINDS[:1] * n_layers, *KINDS[1:] * n_layers)
    layers = [*range(n_layers), *(layer for layer in range(n_layers) for _ in range(2))]
    images = page.evaluate("n => window.drawn.slice(-n)", len(kinds))
    for (height, width, opacity), kind, layer in zip(images, kinds, layers, strict=True):
        weights = (np.array(opacity).reshape(height, width) / 255) ** 2
        maps = attention.of(kind)
        assert maps is not None
        expected = np.block([[*maps[layer, :4]], [*maps[layer, 4:]]])  # two rows of four heads
        assert weights.shape == expected.shape
        assert np.abs(weights - expected).max() < 0.01, (kind, layer)
    assert {*kinds} == {*KINDS}


@pytest.mark.nightly("390")
@pytest.mark.parametrize("width", [1280, 390])
def test_it_is_turned_and_any_head_is_opened_with_the_keyboard_alone(open_site, width: int) -> None:
    page = wait_for_numbers_of(open_site("story.html", width=width), GO_HOME)
    canvas = page.locator(".space-canvas")
    assert GO_HOME in (canvas.get_attribute("aria-label") or "")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    canvas.focus()
    pictures = {wait_for_still_picture(page)}
    for key in ("ArrowRight", "ArrowUp", "ArrowDown", "ArrowLeft"):
        scrolled = page.evaluate("scrollY")
        page.keyboard.press(key)
        pictures.add(wait_for_still_picture(page))
        assert page.evaluate("scrollY") == scrolled
    assert len(pictures) >= 3
    page.keyboard.press("Shift+ArrowUp")
    first = page.locator(".space-said a")
    expect(first).to_be_visible()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**level=heads*")
    expect(page.locator(".map-base").first).to_be_visible()
    params = url_params(page)
    assert (params["kind"], params["layer"], params["head"]) == ("encoder_self", "1", "1")


def test_a_press_on_a_square_opens_that_head_and_a_drag_turns_the_model(open_site) -> None:
    page = wait_for_numbers_of(open_site("story.html"), GO_HOME)
    before = wait_for_still_picture(page)
    box = bounding_box(page.locator(".space-canvas"))
    place = (box["x"] + 0.68 * box["width"], box["y"] + 0.35 * box["height"])  # the decoder's top layer
    page.mouse.move(*place)
    page.mouse.down()
    page.mouse.move(place[0] - 40, place[1], steps=4)
    page.mouse.up()
    page.mouse.move(1, 1)
    assert wait_for_still_picture(page) != before
    assert page.url.endswith("story.html")  # a drag is no click
    page.mouse.move(*place)
    link = page.locator(".space-said a")
    expect(link).to_be_visible()
    address = link.get_attribute("href") or ""
    page.mouse.click(*place)
    page.wait_for_url("**level=head*")
    assert address.removeprefix("./") in page.url
    expect(page.locator(".inside-holder")).to_be_visible()


@pytest.mark.nightly("390")
@pytest.mark.parametrize("width", [1280, 390])
def test_the_model_in_space_is_replaced_by_the_sentence_and_returns(open_site, width: int) -> None:
    page = wait_for_numbers_of(open_site("story.html", width=width), GO_HOME)
    space, stage = page.locator(".space"), page.locator(".showing")
    expect(space).to_be_visible()
    expect(stage).to_be_hidden()
    scroll_to_paragraph(page, "arrive_3")
    expect(stage).to_be_visible()
    expect(space).to_be_hidden()
    scroll_to_paragraph(page, "arrive_2")
    expect(space).to_be_visible()
    expect(stage).to_be_hidden()
    scroll_to_paragraph(page, "pieces_1")
    expect(space).to_be_hidden()
    expect(stage).to_be_hidden()
    scroll_to_paragraph(page, "arrive_2")
    expect(space).to_be_visible()


def test_without_motion_it_is_a_still_picture(browser: Browser, site_address: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(f"{site_address}story.html")
    page.locator(".space[data-drawn]").wait_for()
    wait_for_numbers_of(page, GO_HOME)  # the model's weights have replaced the stored 8-bit ones
    pictures = {wait_for_still_picture(page)}
    for _ in range(4):
        page.wait_for_timeout(200)
        pictures.add(page.evaluate(PICTURE))
    assert len(pictures) == 1
    expect(page.locator(".space button")).to_have_count(0)
    page.close()
