"""One real server and one real Chromium for all browser tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from model.training.limits import RUNS_VARIABLE
from tests.checkpoint import save_tiny
from viz import cache

ROOT = Path(__file__).parents[2]
SCREENSHOTS = Path(__file__).with_name("screenshots")
PATIENCE = 90_000
"""Milliseconds to wait for anything: two busy cores may need tens of seconds for a first screen."""
_CHROMIUM_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip
expect.set_options(timeout=PATIENCE)
_HARMLESS = ("ResizeObserver loop",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny checkpoint of plain words, which the server opens."""
    return save_tiny(tmp_path_factory.mktemp("browser") / "tiny")


@pytest.fixture(scope="session")
def server(checkpoint: Path) -> Iterator[str]:
    """The address of the running application."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true",
        "--server.fileWatcherType", "none", "--server.address", "127.0.0.1", "--server.port", str(port),
    ]  # fmt: skip
    environment = {
        **os.environ, cache.CHECKPOINT_VARIABLE: str(checkpoint), "OMP_NUM_THREADS": "1",
        RUNS_VARIABLE: str(checkpoint.parent / "runs"),
    }  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        _wait_until_healthy(process, f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: Playwright's own if it is installed, else the system's."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=_chromium(), args=list(_CHROMIUM_FLAGS))
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    """Opens the application in a fresh browser session: ``open_page("?kind=cross", path="decode", dark=True)``.

    At the end of the test no page may have logged an error.
    """
    contexts, complaints = [], []

    def hear(message: ConsoleMessage) -> None:
        # A page opened by its own address first asks for Streamlit's endpoints below that address.
        is_probe = "/_stcore/" in message.location["url"]
        if message.type == "error" and not is_probe and not any(word in message.text for word in _HARMLESS):
            complaints.append(message.text)

    def opened(
        query: str = "", *, path: str = "", dark: bool = False, width: int = 1440, height: int = 900,
        locale: str = "en-US",
    ) -> Page:  # fmt: skip
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", locale=locale
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{server}/{path}{query}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def screenshot() -> Callable[[Page, str], Path]:
    """Writes a picture of a page into the ignored folder, for looking at."""
    SCREENSHOTS.mkdir(exist_ok=True)

    def taken(page: Page, name: str) -> Path:
        path = SCREENSHOTS / f"{name}.png"
        page.screenshot(path=path)
        return path

    return taken


def _wait_until_healthy(process: subprocess.Popen, address: str) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"the server ended with status {process.returncode} before it was ready")
        try:
            urllib.request.urlopen(address, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the server was not ready within {PATIENCE // 1000} s")


def _chromium() -> str | None:
    """The same places as install_chromium.sh; None is Playwright's own."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, names)), None)
