"""One real server and one real Chromium for all browser tests."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from benchmarks.serving import application, serving
from model.runs.limits import RUNS_VARIABLE
from tests.browser import static_site
from tests.browser.classroom import LOCALES
from tests.browser.waiting import PATIENCE
from tests.checkpoint import save_tiny
from viz import cache
from viz.environment import SITE_VARIABLE

SCREENSHOTS = Path(__file__).with_name("screenshots")
expect.set_options(timeout=PATIENCE)
_HARMLESS = ("ResizeObserver loop", "Download Button source error")


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny checkpoint with a vocabulary of plain words, which the server opens."""
    return save_tiny(tmp_path_factory.mktemp("browser") / "tiny")


@pytest.fixture(scope="session")
def server(checkpoint: Path) -> Iterator[str]:
    """The address of the running application."""
    environment = {
        cache.CHECKPOINT_VARIABLE: str(checkpoint), RUNS_VARIABLE: str(checkpoint.parent / "runs"),
        "OMP_NUM_THREADS": "1", SITE_VARIABLE: static_site.SITE,
    }  # fmt: skip
    with application(**environment) as address:
        yield address


class Sessions:
    """Browser sessions of which a new one starts with the empty storage of a first visit, but with the scripts that
    one before it has read: without them each page takes a third more processor time.

    Each session keeps a bare page of the server and opens the pages of tests from it. They run in its process, which
    has compiled the scripts already: that is another fifth less than pages with processes of their own.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[str, list[Page]] = {}
        self._used: dict[BrowserContext, tuple[str, Page]] = {}

    def new_page(self, server: str, **options: Any) -> Page:
        """An empty page of a session that no other test has at the same time and that knows nothing of the server."""
        kind = f"{server} {sorted(options.items())}"
        idle = self._idle.setdefault(kind, [])
        bare = idle.pop() if idle else self._bare_page(server, options)
        self._used[bare.context] = kind, bare
        store = bare.context.new_cdp_session(bare)
        store.send("Storage.clearDataForOrigin", {"origin": server, "storageTypes": "all"})
        store.detach()
        with bare.context.expect_page() as opened:
            bare.evaluate("void window.open('about:blank')")
        return opened.value

    def _bare_page(self, server: str, options: dict[str, Any]) -> Page:
        page = self._browser.new_context(**options).new_page()
        page.goto(f"{server}/_stcore/health")
        return page

    def end(self, contexts: Iterable[BrowserContext]) -> None:
        """Close the pages of sessions."""
        for context in contexts:
            kind, bare = self._used.pop(context)
            for page in context.pages:
                if page is not bare:
                    page.close()
            if not bare.is_closed():  # a session that a test has closed is not used again
                context.clear_permissions()
                context.set_offline(False)
                self._idle[kind].append(bare)


@pytest.fixture(scope="session")
def sessions(browser: Browser) -> Sessions:
    """The browser sessions of this process."""
    return Sessions(browser)


@pytest.fixture
def open_page(sessions: Sessions, server: str, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Opens the application in a fresh browser session: ``open_page("?kind=cross", path="decode", dark=True)``.

    At the end of the test no page may have logged an error. Nothing moves by itself, except in the tests that a file
    names in ``MOVES``: to draw what pulses takes two fifths of the processor time of a test.
    """
    moves = getattr(request.node, "originalname", "") in getattr(request.module, "MOVES", ())
    with opening(sessions, server, moves=moves) as opened:
        yield opened


@pytest.fixture(scope="module")
def open_shared(sessions: Sessions, server: str) -> Iterator[Callable[..., Page]]:
    """Like ``open_page``, for a page that all tests of a file share because they only read it."""
    with opening(sessions, server) as opened:
        yield opened


@contextmanager
def opening(sessions: Sessions, server: str, *, moves: bool = False) -> Iterator[Callable[..., Page]]:
    """A function that opens pages. All are closed at the end, and the test fails if one of them has logged an error."""
    contexts, complaints = [], []

    def hear(message: ConsoleMessage) -> None:
        # A page opened by its own address first asks for Streamlit's endpoints below that address. A click while the
        # page is drawn anew asks for a file that has just been replaced (tests/browser/waiting.py clicks again).
        is_known = any(part in message.location["url"] for part in ("/_stcore/", "/media/"))
        if message.type == "error" and not is_known and not any(word in message.text for word in _HARMLESS):
            complaints.append(message.text)

    def opened(
        query: str = "", *, path: str = "", dark: bool = False, width: int = 1440, height: int = 900,
        locale: str = "en-US", touch: bool = False, is_new: bool = False,
    ) -> Page:  # fmt: skip
        page = sessions.new_page(
            server, viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            locale=locale, has_touch=touch, reduced_motion="no-preference" if moves else "reduce",
        )  # fmt: skip
        contexts.append(page.context)
        page.set_default_timeout(PATIENCE)
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if not is_new:
            page.add_init_script(static_site.MET)
        page.goto(f"{server}/{path}{query}")
        return page

    try:
        yield opened
    finally:
        sessions.end(contexts)
    assert not complaints


@pytest.fixture
def phone(sessions: Sessions, server: str) -> Iterator[Callable[..., Page]]:
    """Opens the class page of a room on a phone; the test fails if a phone had an error or scrolled sideways."""
    contexts, complaints = [], []

    def opened(code: str, language: str = "en", *, dark: bool = False) -> Page:
        page = sessions.new_page(
            server, viewport={"width": 390, "height": 844}, locale=LOCALES[language],
            color_scheme="dark" if dark else "light", has_touch=True,
        )  # fmt: skip
        contexts.append(page.context)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{server}/class/{code}")
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    sessions.end(contexts)
    assert not complaints


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without a server."""
    return static_site.write(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def site_address(site_folder: Path) -> Iterator[str]:
    """Where a static web server has it."""
    with serving(site_folder) as address:
        yield f"{address}/"


@pytest.fixture
def visit(browser: Browser, site_address: str) -> Iterator[Callable[..., Page]]:
    """Opens the site in a new browser session."""
    with static_site.visiting(browser, site_address) as opened:
        yield opened


@pytest.fixture
def screenshot() -> Callable[[Page, str], None]:
    """Saves a screenshot of a page in an ignored folder, for a person to look at; in the checks nobody does."""
    SCREENSHOTS.mkdir(exist_ok=True)

    def taken(page: Page, name: str) -> None:
        if "CI" not in os.environ:
            page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return taken
