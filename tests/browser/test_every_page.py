"""Every page and every level of the site: axe reports no violation, and hardly any layout shift, at four sizes."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import PATIENCE, wait_until_idle
from tests.browser.static_site import wait_for_model
from tests.serving import ROOT
from viz.pages import PAGES

MAX_SHIFT = 0.05
"""The limit of a load's cumulative layout shift; browsers call up to 0.1 good."""
SIZES = {1440: 900, 1280: 720, 390: 844, 320: 640}
SHIFT_ON_LOAD = """quiet => new Promise(resolve => {
  let shifted = 0, since = performance.now();
  const moved = [], place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver(list => {
    for (const each of list.getEntries()) {
      if (each.hadRecentInput) continue;
      shifted += each.value;
      for (const { node, previousRect, currentRect } of each.sources) {
        const name = node?.className?.baseVal ?? node?.className ?? node?.nodeName;
        moved.push(`${each.value.toFixed(3)} ${name}: ${place(previousRect)} to ${place(currentRect)}`);
      }
    }
    since = performance.now();
  }).observe({ type: "layout-shift", buffered: true });
  new MutationObserver(() => { since = performance.now(); })
    .observe(document.querySelector(".stMain"), { childList: true, subtree: true });
  const look = () => performance.now() - since > quiet ? resolve([shifted, moved]) : requestAnimationFrame(look);
  look();
})"""
"""A load's layout shift and the elements that moved, once the page has been quiet for some milliseconds."""


@pytest.mark.nightly(but=("390-explore", "1440-lesson"))
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", SIZES)
def test_hardly_anything_moves_while_a_page_loads(open_page: Callable[..., Page], path: str, width: int) -> None:
    page = open_page("?model=en-fr", path="" if path == PAGES[0] else path, width=width, height=SIZES[width])
    page.locator(".stage .tools button").first.wait_for(timeout=PATIENCE)
    wait_until_idle(page)
    shift, elements = page.evaluate(SHIFT_ON_LOAD, 800)
    assert shift < MAX_SHIFT, "\n".join(elements)


AXE = ROOT / "node_modules/axe-core/axe.min.js"
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core: npm ci")
FIND = """except => axe.run({ include: [document], exclude: except })
  .then(found => found.violations.flatMap(each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 200)}`)))"""
EXCLUDED = ['[data-testid="stFileUploaderDropzone"]', '[data-testid="stSidebarNavItems"]']
"""What a page cannot change: the zone of Streamlit's file uploader, whose role and name contradict each other, and the
navigation at the side of a phone, a list whose items stand in groups."""


def violations(page: Page) -> list[str]:
    page.evaluate(f"{AXE.read_text('utf-8')}; 0")
    return page.evaluate(FIND, EXCLUDED)


@needs_axe
@pytest.mark.nightly(but=("1440-dark-explore", "1440-light-decode"))
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", SIZES)
def test_axe_finds_nothing_on_a_page(open_page: Callable[..., Page], path: str, theme: str, width: int) -> None:
    address = "" if path == PAGES[0] else path
    page = open_page("?model=en-fr", path=address, dark=theme == "dark", width=width, height=SIZES[width])
    page.locator(".stage .tools button").first.wait_for()
    wait_until_idle(page)
    assert violations(page) == []


@needs_axe
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


@needs_axe
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
