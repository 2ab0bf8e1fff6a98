"""Lines, text, comparison, keyboard and exported pictures of the explorer."""

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import SVG, bounding_box, export_picture, svg_texts
from tests.browser.views_page import (
    Draw,
    draw,
    listed_weights,
    open_controls,
    random_weights,
    strongest_links,
    translation_view,
    wait_for_frame,
    weights_of,
)
from viz.components.attention import AttentionView

__all__ = ["draw"]


def count_inked_pixels(page: Page, canvas: str) -> int:
    """The number of nonempty pixels of a canvas."""
    return page.eval_on_selector(
        canvas,
        """canvas => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          let count = 0;
          for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
          return count;
        }""",
    )


def token_shades(page: Page, line: int) -> list[str]:
    """Background colours of the tokens of one sentence in the text view."""
    tokens = page.locator(".prose .sentence").nth(line).locator(".token")
    return tokens.evaluate_all("nodes => nodes.map(node => node.style.backgroundColor)")


def test_a_pinned_token_fades_the_lines_of_all_others(draw: Draw) -> None:
    page = draw(translation_view(), state={"view": "lines", "heads": [[1, 1]]})
    assert "faded" not in (page.locator(".lines-base").get_attribute("class") or "")
    page.locator(".strip .token", has_text="chat").click()
    expect(page.locator(".lines-base")).to_have_class(re.compile("faded"))


def test_lines_of_few_tokens_are_all_seen_without_scrolling(draw: Draw) -> None:
    page = draw(translation_view(), state={"view": "lines"})
    beyond = "found => [found.scrollWidth - found.clientWidth, found.scrollHeight - found.clientHeight]"
    assert max(page.eval_on_selector(".lines-scroller", beyond)) <= 0


def test_the_lines_of_a_head_that_looks_at_one_token_all_end_there(draw: Draw) -> None:
    weights = np.zeros((1, 2, 4, 4), dtype=np.float32)
    weights[0, 0, :, 0], weights[0, 1, :, 3] = 1, 1
    page = draw(AttentionView.from_arrays(encoder_self=weights, source_tokens=list("abcd")), state={"view": "lines"})

    def middle_of_right_end() -> float:
        """Mean height of the ink just left of the right tokens, relative to the tokens' extent."""
        return page.eval_on_selector(
            ".lines-base",
            """canvas => {
              const { width, height } = canvas;
              const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
              let right = 0;
              for (let i = 3; i < data.length; i += 4) if (data[i]) right = Math.max(right, ((i - 3) / 4) % width);
              let sum = 0, count = 0;
              for (let y = 0; y < height; y++) for (let x = right - 6; x <= right; x++) {
                if (data[(y * width + x) * 4 + 3]) { sum += y; count++; }
              }
              return sum / count / height;
            }""",
        )

    assert middle_of_right_end() < 0.35
    page.locator(".grid-base").focus()
    page.keyboard.press("ArrowRight")
    wait_for_frame(page)
    assert middle_of_right_end() > 0.6


def test_several_heads_are_drawn_in_distinguishable_colours(draw: Draw) -> None:
    page = draw(translation_view(), state={"view": "lines", "heads": [[0, 0], [1, 1], [2, 2]]})
    colours = page.locator(".chip").evaluate_all("nodes => nodes.map(node => node.style.borderColor)")
    assert colours == ["rgb(0, 114, 178)", "rgb(213, 94, 0)", "rgb(0, 158, 115)"]


def test_the_numbers_of_one_head_among_several_are_labelled_with_that_head(draw: Draw) -> None:
    page = draw(translation_view(), state={"kind": "cross", "heads": [[1, 1], [0, 2]]})
    expect(page.get_by_role("heading", name="Mean of 2 heads")).to_be_visible()
    expect(page.locator(".earned-label")).to_contain_text("Layer 1 · Head 1")
    expect(page.locator(".head-cards dt", has_text="strongest")).to_have_count(0)


def test_chinese_lies_horizontal_and_arabic_runs_from_the_right(draw: Draw) -> None:
    weights = np.full((1, 1, 3, 3), 1 / 3, dtype=np.float32)
    page = draw(AttentionView.from_arrays(encoder_self=weights, source_tokens=list("今天好")), state={"view": "lines"})
    expect(page.get_by_role("button", name="horizontal")).to_have_attribute("aria-pressed", "true")
    arabic = AttentionView.from_arrays(encoder_self=weights, source_tokens=["▁القطة", "▁تنام", "▁هنا"])
    page = draw(arabic, state={"view": "lines"})
    expect(page.locator(".tokens")).to_have_attribute("dir", "rtl")
    lefts = [box["x"] for token in page.locator(".strip .token").all() if (box := token.bounding_box())]
    assert lefts == sorted(lefts, reverse=True)


@pytest.mark.parametrize("kind", ["encoder_self", "cross"])
def test_pointing_at_a_word_of_the_text_shades_the_words_that_it_attends_to(draw: Draw, kind: Any) -> None:
    view = translation_view()
    page = draw(view, state={"view": "text", "kind": kind, "sinks": "shown"})
    line = 0 if kind == "encoder_self" else 1
    tokens = page.locator(".prose .sentence").nth(line).locator(".token")
    at = 2
    tokens.nth(at if kind == "encoder_self" else at + 1).hover()  # the second line begins with <s>
    wait_for_frame(page)
    row = weights_of(view, kind)[0, 0][at]
    strength = [255 - int(re.findall(r"\d+", shade)[0]) if shade else 0 for shade in token_shades(page, 0)]
    assert list(np.argsort(strength)[::-1][:2]) == list(np.argsort(row)[::-1][:2])


def test_several_pinned_tokens_are_read_as_mean_or_sum(draw: Draw) -> None:
    page = draw(translation_view(), state={"view": "lines", "pins": ["q0", "q1"]})
    group = page.get_by_role("group", name="Pinned tokens")
    expect(group).to_be_visible()
    mean = count_inked_pixels(page, ".lines-over")
    group.get_by_role("button", name="sum").click()
    wait_for_frame(page)
    assert count_inked_pixels(page, ".lines-over") > 0
    assert mean > 0


def test_the_difference_of_two_sentences_is_second_minus_first_where_tokens_correspond(draw: Draw) -> None:
    first = translation_view()
    second = translation_view(cross=np.roll(weights_of(first, "cross"), 1, axis=-1))
    page = draw(first, other=second, state={"compare": "difference"})
    expected = weights_of(second, "cross")[0, 0] - weights_of(first, "cross")[0, 0]
    listed = strongest_links(page)
    assert abs(listed[0][2]) == pytest.approx(np.abs(expected).max(), abs=1e-6)
    for place, weight in listed_weights(page).items():
        assert weight == pytest.approx(expected[place], abs=1e-6)


def test_a_minimal_pair_is_aligned_and_shown_side_by_side(draw: Draw) -> None:
    second = translation_view(
        source_tokens=("▁The", "▁dog", "▁sleep", "s", ".", "</s>"), encoder_self=random_weights(2, 3, 6, 6, seed=9)
    )
    page = draw(translation_view(), other=second, state={"kind": "encoder_self"})
    expect(page.locator(".pane")).to_have_count(2)
    page.get_by_role("button", name="difference").click()
    expect(page.locator(".pane")).to_have_count(1)
    tokens = {token for link in strongest_links(page) for token in link[:2]}
    assert "cat → dog" in tokens
    assert tokens <= {"The", "cat → dog", "sleep", "s", ".", "end"}


def test_a_pin_is_shown_at_its_counterpart_in_the_second_sentence(draw: Draw) -> None:
    second = translation_view(
        source_tokens=("▁The", "▁old", "▁cat", "▁sleep", "s", "."), encoder_self=random_weights(2, 3, 6, 6, seed=9)
    )
    page = draw(translation_view(), other=second, state={"kind": "encoder_self", "view": "text"})
    page.locator(".pane").first.locator(".token", has_text="cat").click()
    page.mouse.move(0, 0)
    expect(page.locator(".pane").last.locator(".token.chosen")).to_have_text("cat")
    page.locator(".pane").last.locator(".token", has_text="sleep").click()
    expect(page.locator(".chip", has_text="sleep")).to_be_visible()


def test_escape_undoes_one_thing_at_a_time(draw: Draw) -> None:
    page = draw(translation_view(), state={"heads": [[0, 0], [1, 1]], "pins": ["q1"]})
    open_controls(page)
    page.get_by_role("button", name="Scale").click()
    panel = page.locator(".popover .panel:visible")
    expect(panel).to_have_count(1)
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(page.locator(".chip")).to_have_count(3)
    page.keyboard.press("Escape")
    expect(page.locator(".chip")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".chip")).to_have_count(0)


def test_the_keys_are_listed(draw: Draw) -> None:
    page = draw(translation_view())
    page.get_by_role("button", name="Shortcuts").click()
    dialog = page.get_by_role("dialog", name="Shortcuts")
    expect(dialog).to_be_visible()
    assert dialog.get_by_role("row").count() >= 12


def test_tab_reaches_the_tokens_and_enter_pins_them(draw: Draw) -> None:
    page = draw(translation_view())
    page.locator(".token").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".chip")).to_contain_text("cat")
    expect(page.locator(".token", has_text="cat")).to_be_focused()


@pytest.mark.parametrize("view", ["map", "lines", "text"])
def test_an_svg_holds_its_tokens_as_text_and_a_caption(draw: Draw, view: str) -> None:
    page = draw(translation_view(), state={"view": view, "pins": ["q1"], "heads": [[1, 2]]})
    svg = export_picture(page, "SVG", transparent=False)
    texts = svg_texts(svg)
    assert {"cat", "chat"} <= set(texts)
    assert "The cat sleeps. → Le chat dort. · tiny" in texts
    assert any(text.startswith("cross-attention · Layer 1 · Head 2") for text in texts)
    assert ElementTree.fromstring(svg)[0].get("fill") == "#ffffff"


def test_a_transparent_svg_has_no_paper(draw: Draw) -> None:
    root = ElementTree.fromstring(export_picture(draw(translation_view()), "SVG", transparent=True))
    assert not any(node.get("width") == root.get("width") for node in root.iter(f"{SVG}rect"))


def test_presenting_fills_the_screen_in_large_type_and_folds_the_controls(draw: Draw) -> None:
    page = draw(translation_view())
    open_controls(page)
    page.get_by_role("button", name="Large type").click()
    expect(page.get_by_role("button", name="Sinks:")).to_be_hidden()
    size = page.locator(".main h3").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= 24
    box = bounding_box(page.locator(".regard"))
    assert (box["width"], box["height"]) == (1440, 900)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Sinks:")).to_be_visible()


@pytest.mark.parametrize(("language", "heading"), [("fr", "Couche 0 · Tête 0"), ("zh", "第 0 层第 0 头")])
def test_other_languages(draw: Draw, language: str, heading: str) -> None:
    page = draw(translation_view(), language=language)
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    assert "undefined" not in page.locator(".regard").inner_text()


def test_layers_and_heads_can_be_counted_from_one(draw: Draw) -> None:
    page = draw(translation_view(), options={"firstIndex": 1}, state={"heads": [[0, 0]]})
    expect(page.get_by_role("heading", name="Layer 1 · Head 1")).to_be_visible()
