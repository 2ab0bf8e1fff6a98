"""The one Chromium of the browser tests, the benchmarks and the pictures: where it is found, and how it is started.

python -m benchmarks.browser        prints its path, or says how to install one and ends with status 1
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

VARIABLE = "CHROMIUM_PATH"
PATIENCE = 600_000
"""Milliseconds that a benchmark waits for a page: what is slow is to be measured, not cut off."""
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Commands to look for. The variant without windows comes first: it takes an eighth less processor time."""
MISSING = (
    "No Chromium was found: install one (Debian: apt install chromium-headless-shell), or name it in CHROMIUM_PATH."
)
_FEATURES_OFF = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)  # fmt: skip
"""Features to turn off. Chromium loads the list below the address bar as two hidden pages beside each page, which takes
a tenth of the processor time of a browser test. The rest is what Playwright turns off, because Chromium only obeys the
last ``--disable-features``."""
_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--enable-precise-memory-info",
)  # fmt: skip
_STREAMING = ("ScriptStreaming", "SmallScriptStreaming", "BackgroundResourceFetch")
"""Features that read a script on another thread while it arrives, even one that the process has compiled already."""


def open_page(
    browser: Browser, address: str = "", *, width: int = 1440, height: int = 900, script: str = "", slower: int = 1,
    **context: Any,
) -> Page:  # fmt: skip
    """A page in a session of its own, ``width`` × ``height`` pixels, which has begun to open the address if it has one.

    ``script`` runs in it before anything else; ``slower`` divides the processor's speed, of the page alone and not of
    its workers; the rest goes to Playwright's ``new_context``.
    """
    made = browser.new_context(viewport={"width": width, "height": height}, locale="en-US", **context)
    made.add_init_script(script)
    page = made.new_page()
    page.set_default_timeout(PATIENCE)
    if slower > 1:
        made.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    if address:
        page.goto(address, wait_until="commit")
    return page


def whole_chromium() -> str | None:
    """A Chromium with windows, which Lighthouse needs."""
    return _find_program(NAMES[1:])


def _find_program(names: Sequence[str]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def chromium(*, keeps_scripts: bool = False) -> Iterator[Browser]:
    """Start the Chromium of this machine, and end it afterwards.

    Args:
        keeps_scripts: use what a page of the same process has compiled, and forget none of it. A tenth less processor
            time for the tests; a benchmark shall find what a reader's browser does.

    Raises:
        RuntimeError: when there is none, or CHROMIUM_PATH does not name a program.
    """
    features = ",".join((*_FEATURES_OFF, *(_STREAMING if keeps_scripts else ())))
    scripts = ("--js-flags=--no-flush-bytecode",) if keeps_scripts else ()
    flags = [*_FLAGS, f"--disable-features={features}", *scripts]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_path(playwright), args=flags)
        try:
            yield browser
        finally:
            browser.close()


def _path(playwright: Playwright) -> str:
    """The Chromium named by CHROMIUM_PATH, or the system's, or the one that Playwright has downloaded."""
    named = os.environ.get(VARIABLE)
    if named:
        if not os.access(named, os.X_OK):
            raise RuntimeError(f"{VARIABLE} ({named}) is not a program: name a Chromium, or unset it")
        return named
    found = _find_program((*NAMES, playwright.chromium.executable_path))
    if found is None:
        raise RuntimeError(MISSING)
    return found


if __name__ == "__main__":
    with sync_playwright() as started:
        try:
            print(_path(started))
        except RuntimeError as error:
            sys.exit(str(error))
