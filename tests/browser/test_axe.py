"""axe reports no violation on any page of the application and the site, in light and dark, at four sizes."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks.serving import ROOT
from tests.browser.static_site import wait_for_model
from tests.browser.test_layout_shift import SIZES
from tests.browser.waiting import wait_until_idle
from viz.pages import PAGES

AXE = ROOT / "node_modules/axe-core/axe.min.js"
FIND = """except => axe.run({ include: [document], exclude: except })
  .then(found => found.violations.flatMap(each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 200)}`)))"""
STREAMLITS = ['[data-testid="stFileUploaderDropzone"]', '[data-testid="stSidebarNavItems"]']
"""What a page cannot change: the zone of Streamlit's file uploader, whose role and name contradict each other, and the
navigation at the side of a phone, a list whose items stand in groups."""
BY_DAY = {("explore", "dark"), ("decode", "light")}
EACH = [
    pytest.param(page, theme, width, marks=() if (page, theme) in BY_DAY and width == 1440 else pytest.mark.nightly)
    for page in PAGES
    for theme in ("light", "dark")
    for width in SIZES
]

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core: npm ci")


def violations(page: Page) -> list[str]:
    page.evaluate(f"{AXE.read_text('utf-8')}; 0")
    return page.evaluate(FIND, STREAMLITS)


@pytest.mark.parametrize(("path", "theme", "width"), EACH)
def test_axe_finds_nothing_on_a_page(open_page: Callable[..., Page], path: str, theme: str, width: int) -> None:
    address = "" if path == PAGES[0] else path
    page = open_page("?model=en-fr", path=address, dark=theme == "dark", width=width, height=SIZES[width])
    page.locator(".stage .tools button").first.wait_for()
    wait_until_idle(page)
    assert violations(page) == []


def test_content_wider_than_a_phone_is_scrolled_with_the_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page("?model=en-fr", path="positions", dark=True, width=320, height=640)
    box = page.locator(".st-key-wide_maps_positions_order")
    expect(box).to_have_attribute("tabindex", "0")
    wait_until_idle(page)
    assert violations(page) == []
    box.press("ArrowRight")
    page.wait_for_function("box => box.scrollLeft > 0", arg=box.element_handle())
    assert box.evaluate("each => getComputedStyle(each).outlineStyle") != "none"
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(box).not_to_have_attribute("tabindex", "0")


@pytest.mark.nightly(but=("1440-dark-head",))
@pytest.mark.parametrize("level", ["", "model", "head"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", SIZES)
def test_axe_finds_nothing_on_the_site(open_site: Callable[..., Page], width: int, theme: Any, level: str) -> None:
    def prepare(page: Page) -> None:  # during a transition colours have another contrast
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")

    page = wait_for_model(
        open_site(f"?level={level}" if level else "", width=width, height=SIZES[width], prepare=prepare)
    )
    assert violations(page) == []
