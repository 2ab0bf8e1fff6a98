"""The explorer with one token, 512 tokens, hostile text, invalid numbers, and on a phone."""

from typing import get_args

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.actions import bounding_box, eventually
from tests.browser.views_page import (
    Draw,
    draw,
    open_controls,
    random_weights,
    sequence_view,
    strongest_links,
    tooltip,
    translation_view,
    wait_for_frame,
)
from viz.components.attention import AttentionView
from viz.state.view_state import HeadViewName

__all__ = ["draw"]

HOSTILE = (
    "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "x" * 5000, "\u202egnp.exe\u202c",
    "{{7*7}}", "😀👩‍👩‍👧", "\x00\n\t", "a&amp;b",
)  # fmt: skip


@pytest.mark.parametrize("view", get_args(HeadViewName))
def test_hostile_tokens_stay_text(draw: Draw, view: str) -> None:
    n = len(HOSTILE)
    hostile_view = AttentionView.from_arrays(
        encoder_self=random_weights(1, 1, n, n), source_tokens=HOSTILE, caption="".join(HOSTILE)
    )
    page = draw(hostile_view, state={"view": view, "pins": ["q0", "q1", "q2", "q3"]})
    assert page.locator(".regard img, .regard script").count() == 0
    assert "<img src=x onerror=alert(1)>" in page.locator(".token").first.inner_text()
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("view", get_args(HeadViewName))
def test_a_single_token_is_a_view(draw: Draw, view: str) -> None:
    page = draw(sequence_view(1), state={"view": view})
    assert strongest_links(page) == [("w0", "w0", 1.0)]


@pytest.mark.parametrize("view", get_args(HeadViewName))
def test_three_source_and_sixty_target_tokens(draw: Draw, view: str) -> None:
    long_view = AttentionView.from_arrays(
        cross=random_weights(2, 3, 60, 3), source_tokens=["a", "b", "</s>"],
        target_tokens=[f"▁t{i}" for i in range(60)],
    )  # fmt: skip
    page = draw(long_view, state={"view": view})
    assert len(strongest_links(page)) == 12
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def test_labels_of_two_hundred_tokens_do_not_overlap(draw: Draw) -> None:
    page = draw(sequence_view(200))
    gaps = page.eval_on_selector(
        ".map-base",
        """canvas => {
          const width = Math.round(canvas.width * 0.05);
          const { data } = canvas.getContext('2d').getImageData(0, 0, width, canvas.height);
          let runs = 0, longest = 0, run = 0;
          for (let y = 0; y < canvas.height; y++) {
            const line = data.subarray(y * width * 4, (y + 1) * width * 4);
            const isInked = line.some((byte, i) => i % 4 === 3 && byte > 40);
            if (isInked) longest = Math.max(longest, ++run);
            else [runs, run] = [runs + (run > 0), 0];
          }
          return [runs, longest, canvas.width / canvas.clientWidth];
        }""",
    )
    runs, longest, ratio = gaps
    assert runs >= 15  # many labels, each a run of inked pixel rows …
    assert longest <= 16 * ratio  # … and none as tall as two lines of text


def test_quantised_weights_are_marked_as_approximate(draw: Draw) -> None:
    quantised_view = sequence_view(20)
    page = draw(quantised_view, exact=False)
    weights = quantised_view.attention.encoder_self
    assert weights is not None
    for query, key, weight in strongest_links(page):
        assert weight == pytest.approx(float(weights[0, 0, int(query[1:]), int(key[1:])]), abs=0.004)
    page.locator(".map-base").hover(position={"x": 200, "y": 200})
    wait_for_frame(page)
    assert tooltip(page)[1].startswith("≈ ")


def test_nan_weights_are_explained_and_other_heads_still_shown(draw: Draw) -> None:
    weights = random_weights(2, 2, 5, 5)
    weights[0, 0] = np.nan
    page = draw(AttentionView.from_arrays(encoder_self=weights, source_tokens=list("abcde")))
    message = page.get_by_role("alert")
    expect(message).to_contain_text("Layer 0 · Head 0 are not numbers")
    expect(page.locator(".map-base")).to_be_hidden()
    page.locator(".grid-base").focus()
    page.keyboard.press("ArrowRight")
    expect(message).to_be_hidden()
    expect(page.locator(".map-base")).to_be_visible()


@pytest.mark.parametrize(("width", "view"), [(390, "map"), (390, "lines"), (390, "text"), (720, "map")])
def test_nothing_is_wider_than_a_narrow_screen(draw: Draw, width: int, view: str) -> None:
    page = draw(translation_view(), width=width, height=844, state={"view": view})
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    open_controls(page)
    page.get_by_role("button", name="Scale").click()

    def the_menu_is_whole() -> None:
        box = bounding_box(page.locator(".popover .panel:visible"))
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width

    eventually(page, the_menu_is_whole)
