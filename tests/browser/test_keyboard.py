"""Keyboard only: every head of every kind can be reached, and a screen reader announces the focused one."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import wait_until_drawn, wait_until_idle

pytestmark = pytest.mark.nightly
TEXT = "?text=the+cat+is+on+the+sofa"
KINDS, LAYERS, HEADS = 3, 2, 2
Open = Callable[..., Page]


def tree(page: Page) -> list[dict[str, Any]]:
    """The browser's accessibility tree."""
    return page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]


def role_of(node: dict[str, Any]) -> str:
    return "" if node["ignored"] else node["role"]["value"]


def descendants(nodes: list[dict[str, Any]], top: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A node's descendants except ignored nodes, whose descendants are included."""
    nodes_by_id = {node["nodeId"]: node for node in nodes}
    for child in top.get("childIds", ()):
        if child in nodes_by_id:
            yield nodes_by_id[child]
            yield from descendants(nodes, nodes_by_id[child])


def name_of(node: dict[str, Any]) -> str:
    return node.get("name", {}).get("value", "")


def focused_element(page: Page) -> Locator:
    return page.locator("button:focus, canvas:focus")


def focused_cell(page: Page) -> tuple[str, ...]:
    """Grid, row and column of the cell with the focus."""
    return tuple((focused_element(page).get_attribute("data-cell") or "").split(","))


def is_focus_visible(cell: Locator) -> bool:
    """Whether the focus is visible, as an outline or as a ring inside the element."""
    cell.evaluate("node => Promise.all(node.getAnimations().map((each) => each.finished))")
    style = cell.evaluate("node => { const s = getComputedStyle(node); return [s.outlineStyle, s.boxShadow]; }")
    return style[0] not in ("none", "hidden") or "2px inset" in style[1]


def open_effects(open_page: Open) -> Page:
    """Open the grids of the heads' effects, which are measured first."""
    page = open_page(TEXT + "&decode.question=heads", path="decode")
    expect(page.locator(".grids .cell")).to_have_count(KINDS * LAYERS * HEADS, timeout=120_000)
    return page


@pytest.mark.by_day
def test_arrows_reach_every_head_of_every_kind(open_page: Open) -> None:
    page = open_effects(open_page)
    page.locator(".grids .cell").first.focus()
    page.keyboard.press("ArrowLeft")
    reached = [focused_cell(page)]
    for row in range(KINDS * LAYERS):
        page.keyboard.press("ArrowRight" if row % 2 == 0 else "ArrowLeft")
        reached.append(focused_cell(page))
        assert is_focus_visible(focused_element(page))
        page.keyboard.press("ArrowDown")
        reached.append(focused_cell(page))
    assert set(reached) == {
        (str(block), str(row), str(column))
        for block in range(KINDS) for row in range(LAYERS) for column in range(HEADS)
    }  # fmt: skip


@pytest.mark.by_day
def test_tab_stops_once_at_each_kind_and_enter_switches_the_head_off(open_page: Open) -> None:
    page = open_effects(open_page)
    page.locator(".grids .cell").first.focus()
    for block in range(KINDS):
        assert focused_cell(page)[0] == str(block)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        assert focused_cell(page) == (str(block), "1", "1")
        page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert focused_cell(page) == (str(KINDS - 1), "1", "1")
    page.keyboard.press("Enter")
    off_cells = page.locator(".grids .cell[data-off]")
    expect(off_cells).to_have_count(1)
    expect(off_cells).to_have_attribute("aria-pressed", "true")
    expect(off_cells).to_be_focused()


def test_a_grid_has_rows_and_each_cell_is_a_button_named_by_its_number(open_page: Open) -> None:
    page = open_effects(open_page)
    nodes = tree(page)
    grids = [node for node in nodes if role_of(node) == "grid"]
    nodes_of_grid = {name_of(grid): list(descendants(nodes, grid)) for grid in grids}
    effects = [nodes_of_grid[name] for name in ("Encoder", "Decoder", "Cross")]
    for inside in effects:
        counts = Counter(map(role_of, inside))
        assert (counts["row"], counts["rowheader"], counts["columnheader"]) == (LAYERS + 1, LAYERS, HEADS)
        assert counts["gridcell"] - 1 == counts["button"] == LAYERS * HEADS, "the empty corner is a cell as well"
        assert all(name_of(node) for node in inside if role_of(node) == "button")
    page.locator(".grids [role=grid]").evaluate_all(
        f"grids => grids.forEach(grid => {{ if (grid.ariaRowCount !== '{LAYERS + 1}') throw grid.ariaRowCount; }})"
    )


def test_the_small_grids_of_decode_are_walked_by_arrows(open_page: Open) -> None:
    page = open_page(TEXT, path="decode")
    for kind in ("decoder_self", "cross"):
        grid = page.locator(f"[data-kind={kind}] .head-grid")
        grid.get_by_role("button").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        assert is_focus_visible(focused_element(page))
        expect(focused_element(page)).to_have_attribute("aria-pressed", "true")
        expect(focused_element(page)).to_have_accessible_name("head 1·1")
        assert grid.get_by_role("row").count() == LAYERS
    nodes = tree(page)
    small = [node for node in nodes if role_of(node) == "grid"]
    assert small and all([*map(role_of, descendants(nodes, grid))].count("row") == LAYERS for grid in small)


def test_tokens_are_buttons_in_a_list_with_one_stop_and_enter_pins_them(open_page: Open) -> None:
    page = wait_until_drawn(open_page(TEXT))
    tokens = page.locator(".source-row .token")
    nodes = tree(page)
    lists = [list(descendants(nodes, node)) for node in nodes if role_of(node) == "list"]
    (source,) = [inside for inside in lists if any(name_of(node) == "sofa" for node in inside)][:1]
    counts = Counter(map(role_of, source))
    assert counts["listitem"] == counts["button"] == tokens.count()
    tokens.nth(1).focus()
    page.keyboard.press("ArrowRight")
    expect(tokens.nth(2)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".source-row .token:focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(tokens.nth(2)).to_be_focused()
    assert is_focus_visible(tokens.nth(2))
    page.keyboard.press("Enter")
    chip = page.locator(".chips .chip")
    expect(chip).to_contain_text("is")
    page.keyboard.press("Escape")
    expect(chip).to_have_count(0)


def test_arrows_move_through_the_heads_of_each_kind_and_are_announced(open_page: Open) -> None:
    page = wait_until_drawn(open_page(TEXT + "&layer=0&head=0"))
    canvas = page.locator(".grid-base")
    for key, words in (("1", "encoder self-attention"), ("2", "decoder self-attention"), ("3", "cross-attention")):
        canvas.focus()
        page.keyboard.press(key)
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
        announcement = page.locator(".main .hidden-text[aria-live]")
        for press, head in (("ArrowRight", "Layer 0 · Head 1"), ("ArrowDown", "Layer 1 · Head 1"),
                            ("ArrowLeft", "Layer 1 · Head 0"), ("ArrowUp", "Layer 0 · Head 0")):  # fmt: skip
            page.keyboard.press(press)
            expect(announcement).to_have_text(f"{head}, {words}")


def test_the_focus_stays_in_the_view_whatever_key_redraws_it(open_page: Open) -> None:
    page = open_page(TEXT + "&layer=0&head=0")
    page.locator(".regard[data-drawn-main]").wait_for()
    page.locator(".map-cell").focus()
    for key, selector in (("t", ".sentences.prose button"), ("w", ".sentences.prose button"), ("l", ".lines-base"),
                       ("m", ".map-cell"), ("?", ".help button"), ("Escape", ".map-cell")):  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator(f"{selector}:focus")).to_have_count(1)


ACTIVE = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  const style = getComputedStyle(node);
  return {
    name: `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}`,
    text: node.innerText ?? "",
    isRinged: !["none", "hidden"].includes(style.outlineStyle) && parseFloat(style.outlineWidth) > 0,
    isInTopBar: Boolean(node.closest(".stAppHeader, .st-key-top_bar")),
  };
}"""
HANDFUL = 9


def tab(page: Page) -> dict[str, Any]:
    """Press Tab and describe the element with the focus."""
    page.keyboard.press("Tab")
    return page.evaluate(ACTIVE)


def test_the_heads_are_a_handful_of_stops_away_from_the_top_of_the_page(open_page: Open) -> None:
    page = wait_until_drawn(open_page(TEXT))
    wait_until_idle(page)
    assert tab(page)["text"] == "Go to the sentence"
    page.keyboard.press("Enter")
    assert "token" in page.evaluate(ACTIVE)["name"]
    passed = []
    while "grid-radio" not in (now := tab(page))["name"]:
        passed.append(now["name"])
        assert len(passed) <= HANDFUL, passed
    assert any("sort" in name for name in passed)


def test_arrows_move_through_the_toolbar_and_tab_leaves_it(open_page: Open) -> None:
    page = wait_until_drawn(open_page(TEXT))
    bar = page.locator(".regard .toolbar")
    expect(bar.locator("[tabindex='0']")).to_have_count(1)
    bar.get_by_role("button", name="Cross", exact=True).focus()
    reached = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        reached.append(page.evaluate(ACTIVE)["text"])
    assert reached[:3] == ["Map", "Lines", "Text"] and reached[3].startswith("More")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(ACTIVE)["text"] not in reached, "unfolded controls are reached too"
    expect(bar.locator("[tabindex='0']")).to_have_count(1)
    stops = [tab(page)["name"] for _ in range(2)]
    assert any("sort" in name for name in stops), "a term of the glossary may come before the menu"


def test_the_focus_is_seen_on_everything_in_the_top_bar(open_page: Open) -> None:
    page = wait_until_drawn(open_page(TEXT))
    wait_until_idle(page)
    stops = [tab(page) for _ in range(40)]
    inside = [stop for stop in stops if stop["isInTopBar"]]
    assert len(inside) >= 8
    assert [stop["text"] for stop in inside if not stop["isRinged"]] == []
