"""Helpers for pages of the application: waits, parameters of the address, lists and downloads."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Error, FloatRect, Locator, Page, expect

PATIENCE = 30_000
"""Timeout of every wait in milliseconds; on two busy cores the first screen may take tens of seconds."""
_DOWNLOAD_TIMEOUT = 15_000


def url_params(page: Page) -> dict[str, str]:
    """The parameters of the page's address."""
    return dict(parse_qsl(urlsplit(page.url).query))


def eventually(page: Page, check: Callable[[], object]) -> None:
    """Repeat a check until it asserts nothing false and does not return False."""
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            assert check() in (None, True)
            return
        except AssertionError:
            if time.monotonic() > deadline:
                raise
        page.wait_for_timeout(50)


def wait_until_idle(page: Page) -> None:
    """Wait until no message to or from the page is pending (viz/components/shared/pending.js)."""
    page.locator("html:not([data-pending]) [data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def wait_until_drawn(page: Page) -> Page:
    """Wait until the thumbnails of all heads are drawn, and return the page."""
    page.locator(".regard[data-drawn-grid]").wait_for(timeout=PATIENCE)
    return page


def bounding_box(part: Locator) -> FloatRect:
    """The bounding box of an element that must be visible."""
    box = part.bounding_box()
    assert box is not None
    return box


def select_option(page: Page, name: str, option: str) -> None:
    """Select an option of a combobox, again if the page closes the list because it still scrolls."""
    item = page.get_by_role("option", name=option)

    def try_to_select() -> None:
        if not item.is_visible():
            page.get_by_role("combobox", name=name).click()
        expect(item).to_be_visible(timeout=5000)
        try:
            item.click(timeout=5000)
        except Error as error:
            raise AssertionError from error

    eventually(page, try_to_select)


class Download(NamedTuple):
    name: str
    content: bytes


def open_files_dialog(page: Page, export: str = "Export", files: str = "Data and files") -> None:
    """Open the dialog of files through the menu Export."""
    page.locator(".regard").get_by_role("button", name=export, exact=True).click()
    page.get_by_role("button", name=files).click()
    page.get_by_role("dialog").wait_for()
    wait_until_idle(page)  # at the end of a run Streamlit deletes the files that the run before it offered


def download(page: Page, button: Locator, is_expected: Callable[[bytes], bool] = bool) -> Download:
    """Download the file of a button.

    A click during a rerun may download the file of the previous choice, show Streamlit's error, or start a download
    that the browser cancels: click again until the content is as expected.
    """
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            with page.expect_download(timeout=_DOWNLOAD_TIMEOUT) as saved:
                button.click()
            content = Path(saved.value.path()).read_bytes()
            if is_expected(content):
                return Download(saved.value.suggested_filename, content)
        except Error:
            pass
        assert time.monotonic() < deadline
        page.wait_for_timeout(300)
