"""Takes the pictures of the README from the running application, with the shipped model.

python docs/take_pictures.py
"""

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
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PICTURES = (
    ("explore-light", "", False),
    ("explore-dark", "", True),
    ("decode-light", "decode", False),
)
PATIENCE = 180_000
"""Milliseconds."""


def main() -> None:
    """Start the server, take every picture, stop the server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true",
               "--server.fileWatcherType", "none", "--server.port", str(port)]  # fmt: skip
    server = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{address}/_stcore/health")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for name, page, is_dark in PICTURES:
                take(browser, f"{address}/{page}", IMAGES / f"{name}.png", is_dark=is_dark)
            browser.close()
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=30)


def take(browser: Browser, address: str, path: Path, *, is_dark: bool) -> None:
    """One picture of 1440 × 900, once the translation stands there and nothing runs any more."""
    page = browser.new_page(
        viewport={"width": 1440, "height": 900}, color_scheme="dark" if is_dark else "light", locale="en-US"
    )
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.locator(".target-row .token").first.wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(3_000)
    page.screenshot(path=path)
    page.close()


def _wait(address: str) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    main()
