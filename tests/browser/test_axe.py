"""What axe, the checker of accessibility rules, finds on every page in light and dark: nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from benchmarks.serving import ROOT
from tests.browser.waiting import rests
from viz.pages import PAGES

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
OF_STREAMLIT = (".stAppHeader", "[data-testid=stHeader]")
"""Parts that Streamlit draws and that the application cannot change."""
RUN = """async outside => {
  const found = await axe.run({ exclude: outside.map(each => [each]) }, { resultTypes: ["violations"] });
  return found.violations.map(({ id, nodes }) => [id, nodes.map(({ target, failureSummary }) =>
    `${target.flat().join(" ")}: ${failureSummary}`.slice(0, 300))]);
}"""

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core is one of the tools that npm ci installs")


def violations(page: Page) -> list[Any]:
    rests(page)
    page.add_script_tag(path=AXE)
    return page.evaluate(RUN, [*OF_STREAMLIT])


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", ["", *PAGES[1:]])
def test_a_page_breaks_no_rule(open_page: Callable[..., Page], path: str, *, dark: bool) -> None:
    page = open_page("?model=en-fr", path=path, dark=dark)
    page.locator(".stMain [data-testid=stVerticalBlock]").first.wait_for()
    page.wait_for_timeout(1500)
    assert violations(page) == []
