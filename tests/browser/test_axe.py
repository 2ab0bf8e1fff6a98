"""axe finds nothing to mend on any page of the application and of the site, in light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from benchmarks.serving import ROOT
from tests.browser.static_site import asked
from tests.browser.waiting import rests
from viz.pages import PAGES

AXE = ROOT / "node_modules/axe-core/axe.min.js"
FIND = """except => axe.run({ include: [document], exclude: except })
  .then(found => found.violations.flatMap(each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 200)}`)))"""
STREAMLITS = ['[data-testid="stFileUploaderDropzone"]']
"""The zone of Streamlit's file uploader: its role and its name contradict each other, which a page cannot change."""
BY_DAY = {("explore", "dark"), ("decode", "light")}
EACH = [
    pytest.param(page, theme, marks=() if (page, theme) in BY_DAY else pytest.mark.nightly)
    for page in PAGES
    for theme in ("light", "dark")
]

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core: npm ci")


def violations(page: Page) -> list[str]:
    page.evaluate(f"{AXE.read_text('utf-8')}; 0")
    return page.evaluate(FIND, STREAMLITS)


@pytest.mark.parametrize(("path", "theme"), EACH)
def test_axe_finds_nothing_on_a_page(open_page: Callable[..., Page], path: str, theme: str) -> None:
    page = open_page("?model=en-fr", path="" if path == PAGES[0] else path, dark=theme == "dark")
    page.locator(".stage .tools button").first.wait_for()
    rests(page)
    assert violations(page) == []


@pytest.mark.nightly(but=("dark-head",))
@pytest.mark.parametrize("level", ["", "model", "head"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_the_site(visit: Callable[..., Page], theme: str, level: str) -> None:
    def prepare(each: Page) -> None:  # a colour that still changes has another contrast
        each.emulate_media(color_scheme=theme, reduced_motion="reduce")

    page = visit(f"?level={level}" if level else "", prepare=prepare)
    asked(page)
    assert violations(page) == []
