"""Waiting for what a page comes to: a layout that still moves, a file that is offered anew after each choice."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Error, FloatRect, Locator, Page, expect

PATIENCE = 30_000
"""Timeout of every wait in milliseconds; on two busy cores the first screen may take tens of seconds."""
_ONE_DOWNLOAD = 15_000


def eventually(page: Page, holds: Callable[[], None]) -> None:
    """Returns once ``holds`` passes, which asserts something about the layout: parts move until all have arrived."""
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            return holds()
        except AssertionError:
            if time.monotonic() > deadline:
                raise
        page.wait_for_timeout(50)


def rests(page: Page) -> None:
    """Returns once the page has sent and received all that it has to (viz/components/shared/pending.js)."""
    page.locator("html:not([data-pending]) [data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def drawn(page: Page) -> Page:
    """The page once all heads of its sentence are drawn."""
    page.locator(".regard[data-drawn-grid]").wait_for(timeout=PATIENCE)
    return page


def box_of(part: Locator) -> FloatRect:
    """Where a part stands on the page, which it must."""
    box = part.bounding_box()
    assert box is not None
    return box


def choose(page: Page, name: str, option: str) -> None:
    """Choose in a list. While the page still scrolls an open list is closed again, and a reader opens it again."""
    offered = page.get_by_role("option", name=option)

    def is_chosen() -> None:
        if not offered.is_visible():
            page.get_by_role("combobox", name=name).click()
        expect(offered).to_be_visible(timeout=5000)
        try:
            offered.click(timeout=5000)
        except Error as error:
            raise AssertionError from error

    eventually(page, is_chosen)


class Saved(NamedTuple):
    name: str
    content: bytes


def open_files(page: Page, export: str = "Export", files: str = "Data and files") -> None:
    """Open the dialog that gives what is on screen as files, through the menu Export."""
    page.locator(".regard").get_by_role("button", name=export, exact=True).click()
    page.get_by_role("button", name=files).click()
    page.get_by_role("dialog").wait_for()
    rests(page)  # the end of a run drops the files that the run before it offered


def downloaded(page: Page, button: Locator, is_wanted: Callable[[bytes], bool] = bool) -> Saved:
    """The file that a button gives.

    A click while the page is drawn anew gives the file of the choice before, or Streamlit's notice that it could not
    be made, or a download that the browser gives up; a reader clicks again, and so does this.
    """
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            with page.expect_download(timeout=_ONE_DOWNLOAD) as saved:
                button.click()
            content = Path(saved.value.path()).read_bytes()
            if is_wanted(content):
                return Saved(saved.value.suggested_filename, content)
        except Error:
            pass
        assert time.monotonic() < deadline
        page.wait_for_timeout(300)
