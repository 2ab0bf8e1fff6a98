"""Map, grid and reading aids of the explorer, compared with the weights that they show."""

import itertools
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import bounding_box
from tests.browser.views_page import (
    PREFIX,
    SOURCE,
    TARGET,
    Colour,
    Draw,
    draw,
    listed_weights,
    open_controls,
    pixel_colour,
    sequence_view,
    strongest_links,
    tooltip,
    translation_view,
    wait_for_frame,
    weights_of,
)
from viz.components.attention import AttentionView
from viz.plain_text import chip_text

__all__ = ["draw"]


def cells(page: Page, panel: Colour = (255, 255, 255)) -> dict[tuple[int, int], tuple[str, Colour]]:
    """The weight in the tooltip and the colour left of the number of every cell, by query and key.

    Cells are found by hovering along one row, down one column, then at each crossing.
    """
    box = bounding_box(page.locator(".map-base"))

    def tooltip_at(x: float, y: float) -> list[str]:
        page.mouse.move(box["x"] + x, box["y"] + y)
        wait_for_frame(page)
        return tooltip(page)

    middle_x, middle_y = box["width"] * 0.3, box["height"] * 0.6
    columns = token_positions({x: tooltip_at(x, middle_y) for x in range(4, int(box["width"]), 12)}, 1)
    rows = token_positions({y: tooltip_at(middle_x, y) for y in range(4, int(box["height"]), 8)}, 0)
    targets, sources = (list(map(chip_text, tokens)) for tokens in (TARGET, SOURCE))
    cells_by_place = {}
    for (query, y), (key, x) in itertools.product(rows.items(), columns.items()):
        page.mouse.move(box["x"] + x, box["y"] + y)
        page.locator(".tooltip").wait_for()
        weight = tooltip(page)[1]
        page.mouse.move(0, 0)
        page.locator(".tooltip").wait_for(state="hidden")
        place = targets.index(query), sources.index(key)
        cells_by_place[place] = weight, pixel_colour(page, ".map-base", x - 22, y, panel)
    return cells_by_place


def token_positions(tooltips: dict[int, list[str]], side: int) -> dict[str, float]:
    """Each token's mean position on one side, from the tooltips along a line."""
    positions_by_token: dict[str, list[int]] = {}
    for position, lines in tooltips.items():
        if lines and " → " in lines[0]:
            positions_by_token.setdefault(lines[0].split(" → ")[side], []).append(position)
    return {token: (positions[0] + positions[-1]) / 2 for token, positions in positions_by_token.items()}


@pytest.mark.nightly
def test_the_tooltip_of_every_cell_has_its_exact_float32_weight(draw: Draw) -> None:
    view = translation_view()
    page = draw(view, state={"heads": [[2, 1]]})
    weights = weights_of(view, "cross")[2, 1]
    cells_by_place = cells(page)
    assert len(cells_by_place) == weights.size
    assert all(np.float32(weight) == weights[place] for place, (weight, _) in cells_by_place.items())


@pytest.mark.nightly
@pytest.mark.parametrize("dark", [False, True])
def test_the_ink_of_a_cell_is_its_weight_on_the_way_from_panel_to_hue(draw: Draw, dark: bool) -> None:
    view = translation_view()
    page = draw(view, state={"heads": [[2, 1]], "scale": "common", "sinks": "shown"}, dark=dark)
    panel, hue = ((26, 28, 36), (183, 148, 255)) if dark else ((255, 255, 255), (124, 58, 237))
    weights = weights_of(view, "cross")[2, 1]
    for place, (_, colour) in cells(page, panel).items():
        expected = np.array(panel) + (np.array(hue) - np.array(panel)) * weights[place]
        assert np.abs(np.array(colour) - expected).max() <= 3, place


def test_the_rows_of_a_decoder_are_named_by_its_predictions_or_by_its_inputs(draw: Draw) -> None:
    view = translation_view()
    page = draw(view, state={"kind": "decoder_self"})
    open_controls(page)
    weights = weights_of(view, "decoder_self")[0, 0]
    for button, rows in (("token fed in", PREFIX), ("token predicted", TARGET)):
        page.get_by_role("button", name=button).click()
        assert all(np.float32(weight) == weights[at] for at, weight in listed_weights(page, rows, PREFIX).items())


def test_words_sum_keys_and_average_queries(draw: Draw) -> None:
    view = translation_view()
    page = draw(view, state={"kind": "encoder_self", "unit": "words"})
    weights = weights_of(view, "encoder_self")[0, 0].astype(float)
    words = ["The", "cat", "sleeps", ".", "end"]
    groups = [[0], [1], [2, 3], [4], [5]]
    expected = {
        (query, key): weights[np.ix_(rows, columns)].sum(1).mean()
        for query, rows in zip(words, groups, strict=True)
        for key, columns in zip(words, groups, strict=True)
    }
    listed = strongest_links(page)
    assert [weight for *_, weight in listed] == sorted((weight for *_, weight in listed), reverse=True)
    for query, key, weight in listed:
        assert weight == pytest.approx(expected[query, key], abs=1e-6)
    expect(page.locator(".read-as")).to_contain_text("summed over keys and averaged over queries")


def test_removed_sinks_leave_rows_that_sum_to_one_and_their_weight_is_reported(draw: Draw) -> None:
    view = translation_view()
    page = draw(view, state={"heads": [[1, 2]]})
    aside = page.get_by_role("button", name="Set sinks aside")
    expect(aside).to_be_hidden()
    open_controls(page)
    expect(aside).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".read-as")).to_be_hidden()
    aside.click()
    weights = weights_of(view, "cross")[1, 2].astype(float)
    without_sinks = weights[:, :4]
    share = (1 - without_sinks.sum(1)).mean()
    expect(page.locator(".read-as")).to_contain_text(f"held {share * 100:.0f}% of the weight")
    for (row, column), weight in listed_weights(page).items():
        assert weight == pytest.approx(without_sinks[row, column] / without_sinks[row].sum(), abs=1e-6)
    aside.click()
    expect(page.locator(".read-as")).to_be_hidden()
    assert {key for _, key, _ in strongest_links(page)} & {".", "end"}


def test_only_the_chosen_kinds_of_sink_are_removed(draw: Draw) -> None:
    view = translation_view()
    page = draw(view, state={"sinks": "removed", "sink_kinds": ["end"]})
    keys = {key for _, key, _ in strongest_links(page)}
    assert "end" not in keys
    page.get_by_role("button", name="Sinks:").click()
    page.get_by_label("punctuation").check()
    assert "." not in {key for _, key, _ in strongest_links(page)}


@pytest.mark.nightly
@pytest.mark.parametrize(("method", "combine"), [("mean", np.mean), ("maximum", np.max)])
def test_shift_click_combines_heads(draw: Draw, method: str, combine: Any) -> None:
    view = translation_view()
    page = draw(view)
    grid = page.locator(".grid-base")
    grid.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Layer 0 · Head 1")).to_be_visible()
    box = bounding_box(grid)
    names = {}
    for x in range(8, int(box["width"]), 24):
        page.mouse.move(box["x"] + x, box["y"] + 60)
        wait_for_frame(page)
        if tooltip(page):
            names.setdefault(tooltip(page)[0], x)
    grid.click(position={"x": names["Layer 0 · Head 3"], "y": 60}, modifiers=["Shift"])
    page.get_by_role("button", name=method, exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("of 2 heads"))).to_be_visible()
    expected = combine(weights_of(view, "cross")[0, [1, 3]], axis=0)
    for place, weight in listed_weights(page).items():
        assert weight == pytest.approx(expected[place], abs=1e-6)


def test_sorting_puts_the_head_with_the_largest_metric_or_the_lowest_entropy_first(draw: Draw) -> None:
    view = translation_view()
    page = draw(view)
    menu = page.locator(".sort")
    assert "undefined" not in menu.inner_text(), "every metric has its words"
    for name, bar in (("diagonality", "how diagonal it is"), ("sink_share", "share on sinks"), ("entropy", "entropy")):
        menu.select_option(name)
        expect(page.get_by_text(f"Bar under a head: {bar}")).to_be_visible()
        page.mouse.move(1, 1)
        page.locator(".grid-base").hover(position={"x": 20, "y": 20})
        wait_for_frame(page)
        values = view.metrics["cross"].of(name)
        assert values is not None
        layer, head = np.unravel_index(values.argmin() if name == "entropy" else values.argmax(), values.shape)
        assert tooltip(page)[0] == f"Layer {layer} · Head {head}"


@pytest.mark.nightly
def test_a_thumbnail_shows_its_head_and_no_other(draw: Draw) -> None:
    weights = np.full((1, 2, 4, 4), 1e-6, dtype=np.float32)
    weights[0, 0, :, 0] = 1  # a column on the left
    weights[0, 1, :, 3] = 1  # a column on the right
    page = draw(AttentionView.from_arrays(encoder_self=weights, source_tokens=list("abcd")))
    hue, panel = (11, 114, 133), (255, 255, 255)
    box = bounding_box(page.locator(".grid-base"))
    row = [pixel_colour(page, ".grid-base", x, 50) for x in range(int(box["width"]))]
    inked = [x for x, colour in enumerate(row) if colour == hue]
    left, right = inked[0], inked[-1]
    assert row[left + 40] == panel  # the first thumbnail is empty right of its first column
    assert row[right - 40] == panel


def test_arrows_move_through_layers_and_heads_and_stop_at_the_edge(draw: Draw) -> None:
    page = draw(translation_view())
    page.locator(".grid-base").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Layer 2 · Head 1")).to_be_visible()


def test_a_pin_stays_until_escape_and_is_carried_to_other_views(draw: Draw) -> None:
    page = draw(translation_view())
    page.locator(".token", has_text="dort").click()
    chip = page.locator(".chip", has_text="dort")
    expect(chip).to_be_visible()
    for view in ("Lines", "Text", "Map"):
        page.get_by_role("button", name=view, exact=True).click()
        expect(chip).to_be_visible()
    page.keyboard.press("Escape")
    expect(chip).to_have_count(0)


def test_clicking_a_row_of_the_map_pins_its_token(draw: Draw) -> None:
    page = draw(translation_view())
    page.locator(".map-base").hover(position={"x": 200, "y": 100})
    wait_for_frame(page)
    query = tooltip(page)[0].split(" → ")[0]
    page.locator(".map-base").click(position={"x": 200, "y": 100})
    expect(page.locator(".chip")).to_have_text(re.compile(re.escape(query)))


def test_zooming_shows_a_part_and_zero_the_whole_again(draw: Draw) -> None:
    page = draw(sequence_view(100))

    def corner() -> str:
        page.locator(".map-base").hover(position={"x": 110, "y": 110})
        wait_for_frame(page)
        return tooltip(page)[0]

    whole_corner = corner()
    for _ in range(4):
        page.keyboard.press("+")
        page.get_by_role("button", name="Zoom in").click()
    zoomed_corner = corner()
    assert zoomed_corner != whole_corner
    assert int(zoomed_corner.split(" → ")[0][1:]) > int(whole_corner.split(" → ")[0][1:])
    page.get_by_role("button", name="Whole map").click()
    assert corner() == whole_corner


def row_and_column(cell: str) -> list[int]:
    """The numbers of "w3 → w5"."""
    return [int(word[1:]) for word in cell.split(" → ")]


def test_dragging_a_box_zooms_into_it(draw: Draw) -> None:
    page = draw(sequence_view(60))
    box = bounding_box(page.locator(".map-base"))
    start, end = (box["x"] + 300, box["y"] + 120), (box["x"] + 420, box["y"] + 220)
    page.mouse.move(*start)
    wait_for_frame(page)
    first = tooltip(page)[0]
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()
    wait_for_frame(page)
    cells = []
    for place in range(90, int(box["height"]), 40):
        page.mouse.move(box["x"] + place, box["y"] + place)
        wait_for_frame(page)
        cells += [row_and_column(tooltip(page)[0])] if tooltip(page) else []
    for visible, begin in zip(zip(*cells, strict=True), row_and_column(first), strict=True):
        assert begin - 1 <= min(visible) <= begin + 4 and max(visible) - min(visible) < 30


def test_a_cancelled_pointer_leaves_no_box(draw: Draw) -> None:
    page = draw(sequence_view(9))
    data_url = "node => node.toDataURL()"
    overlay, box = page.locator(".map-over"), bounding_box(page.locator(".map-base"))
    empty = overlay.evaluate(data_url)
    page.mouse.move(box["x"] + 150, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 250, box["y"] + 200, steps=3)
    page.locator(".map-stage").dispatch_event("pointercancel", {"pointerId": 1})
    page.mouse.move(1, 1)
    wait_for_frame(page)
    assert overlay.evaluate(data_url) == empty


def test_the_threshold_leaves_small_weights_undrawn(draw: Draw) -> None:
    page = draw(translation_view(), state={"threshold": 0.3, "scale": "common"})
    expect(page.locator(".read-as")).to_contain_text("below 0.30 are not drawn")


def test_the_strip_shades_the_tokens_that_the_word_under_the_pointer_attends_to(draw: Draw) -> None:
    view = translation_view()
    page = draw(view, state={"heads": [[0, 3]], "sinks": "shown"})
    page.locator(".token", has_text="chat").hover()
    wait_for_frame(page)
    row = weights_of(view, "cross")[0, 3][1]
    tokens = page.locator(".sentence").first.locator(".token")
    shades = tokens.evaluate_all("nodes => nodes.map(node => node.style.backgroundColor)")
    greens = np.array([int(re.findall(r"\d+", shade)[1]) if shade else 255 for shade in shades])
    expected = 255 + (58 - 255) * row / row.max()
    assert np.abs(greens - expected).max() <= 5


def test_the_state_of_a_larger_model_is_clamped(draw: Draw) -> None:
    page = draw(translation_view(), state={"heads": [[11, 11]], "kind": "cross", "pins": ["q40"]})
    expect(page.get_by_role("heading", name="Layer 2 · Head 3")).to_be_visible()
    expect(page.locator(".chip")).to_have_count(0)
