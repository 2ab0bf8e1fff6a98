"""Pages have a small cumulative layout shift while they load."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import PATIENCE, wait_until_idle
from viz.pages import PAGES

MOST_SHIFTED = 0.05
"""The limit of a load's cumulative layout shift; browsers call up to 0.1 good."""
SIZES = {1440: 900, 1280: 720, 390: 844, 320: 640}
BY_DAY = {("explore", 390), ("lesson", 1440)}
EACH = [
    pytest.param(page, width, marks=() if (page, width) in BY_DAY else pytest.mark.nightly)
    for page in PAGES
    for width in SIZES
]
STANDS = """quiet => new Promise(resolve => {
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


@pytest.mark.parametrize(("path", "width"), EACH)
def test_hardly_anything_moves_while_a_page_loads(open_page: Callable[..., Page], path: str, width: int) -> None:
    page = open_page("?model=en-fr", path="" if path == PAGES[0] else path, width=width, height=SIZES[width])
    page.locator(".stage .tools button").first.wait_for(timeout=PATIENCE)
    wait_until_idle(page)
    shift, elements = page.evaluate(STANDS, 800)
    assert shift < MOST_SHIFTED, "\n".join(elements)
