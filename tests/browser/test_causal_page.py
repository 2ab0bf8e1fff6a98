"""The Causal page in a real browser: a clicked cell's patch holds, stands in the link and is undone."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import eventually, url_params

TEXT = "?text=The+cat+is+sleeping+on+the+sofa."


def test_a_clicked_cell_is_patched_enters_the_link_and_is_undone(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], Path]
) -> None:
    page = open_page(TEXT, path="causal")
    grid = page.get_by_role("grid", name="Encoder, after each layer")
    cell = grid.get_by_role("button", name=re.compile(r"^0, cat: \+?\d+% of the difference"))
    expect(cell).to_be_visible()
    screenshot(page, "causal-map")
    assert url_params(page).get("interventions", "") == ""
    before = page.locator(".target-row").inner_text()
    cell.click()
    announcement = page.get_by_text("With the patch the translation is")
    expect(announcement).to_be_visible()
    page.wait_for_url(re.compile("interventions="))
    assert "encoder.0.residual.after@1" in url_params(page).get("interventions", "")
    page.reload()
    expect(announcement).to_be_visible()
    page.get_by_role("button", name=re.compile("taken from")).click()
    expect(announcement).to_have_count(0)
    expect(page.locator(".target-row")).to_have_text(before, use_inner_text=True)
    assert url_params(page).get("interventions", "") == ""


@pytest.mark.nightly
def test_on_a_phone_every_row_keeps_its_token_and_shares_have_no_sign(open_page: Callable[..., Page]) -> None:
    page = open_page(
        "?text=the+cat+is+sleeping+on+the+sofa+and+the+dog+is+sleeping+on+the+sofa+too&causal.part=tokens",
        path="causal", width=390, height=844,
    )  # fmt: skip
    grid = page.get_by_role("grid", name="From the source")
    expect(grid).to_be_visible()

    def the_labels_stay_when_it_is_scrolled() -> None:
        assert grid.evaluate("grid => grid.scrollWidth > grid.parentElement.clientWidth"), "it has to be scrolled"
        grid.evaluate("grid => { grid.parentElement.scrollLeft = grid.scrollWidth }")
        for label in grid.get_by_role("rowheader").all():
            assert label.evaluate("label => label.scrollWidth <= label.clientWidth"), label.inner_text()
            assert label.evaluate("label => label.getBoundingClientRect().left >= 0")

    eventually(page, the_labels_stay_when_it_is_scrolled)
    assert not any("+" in cell.inner_text() for cell in grid.get_by_role("gridcell").all())
