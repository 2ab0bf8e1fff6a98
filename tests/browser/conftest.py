"""One server and one Chromium for all browser tests."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from model.runs.limits import RUNS_VARIABLE
from tests.browser import static_site
from tests.browser.actions import LOCALES, PATIENCE, open_room
from tests.checkpoint import save_tiny
from tests.serving import application, serving
from viz import cache
from viz.environment import SITE_VARIABLE

SCREENSHOTS = Path(__file__).with_name("screenshots")
expect.set_options(timeout=PATIENCE)
_IGNORED_ERRORS = ("ResizeObserver loop", "Download Button source error")


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


class ContextPool:
    """Browser contexts that tests use in turn: storage is emptied before each use, but cached scripts stay, which
    saves a quarter of the processor time per page.

    Each context keeps a bare page of the server and opens tests' pages from it. They share its process and its
    compiled scripts, which saves another fifth.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[str, list[Page]] = {}
        self._used: dict[BrowserContext, tuple[str, Page]] = {}

    def new_page(self, server: str, **options: Any) -> Page:
        """An empty page in an unused context without storage."""
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

    def release(self, contexts: Iterable[BrowserContext]) -> None:
        """Close the pages of contexts and make these available again."""
        for context in contexts:
            kind, bare = self._used.pop(context)
            for page in context.pages:
                if page is not bare:
                    page.close()
            if not bare.is_closed():  # a context that a test has closed cannot be reused
                context.clear_permissions()
                context.set_offline(False)
                self._idle[kind].append(bare)


@pytest.fixture(scope="session")
def context_pool(browser: Browser) -> ContextPool:
    """The browser contexts of this process."""
    return ContextPool(browser)


@pytest.fixture
def open_page(context_pool: ContextPool, server: str, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Opens the application in a fresh browser context: ``open_page("?kind=cross", path="decode", dark=True)``.

    At the end of the test no page may have logged an error. Motion is reduced, which saves two fifths of the
    processor time, except in the tests that a file names in ``MOVES``.
    """
    moves = getattr(request.node, "originalname", "") in getattr(request.module, "MOVES", ())
    with page_opener(context_pool, server, moves=moves) as opener:
        yield opener


@pytest.fixture(scope="module")
def open_shared(context_pool: ContextPool, server: str) -> Iterator[Callable[..., Page]]:
    """``open_page`` for a page that all tests of a file share because they only read it."""
    with page_opener(context_pool, server) as opener:
        yield opener


@contextmanager
def page_opener(context_pool: ContextPool, server: str, *, moves: bool = False) -> Iterator[Callable[..., Page]]:
    """Yields a function that opens pages; closes them at the end and fails if one of them has logged an error."""
    contexts, failures = [], []

    def check_message(message: ConsoleMessage) -> None:
        # A page opened at a path first requests Streamlit's endpoints below that path. A click during a rerun requests
        # a file that has just been replaced (tests/browser/actions.py clicks again).
        is_expected = any(part in message.location["url"] for part in ("/_stcore/", "/media/"))
        if message.type == "error" and not is_expected and not any(word in message.text for word in _IGNORED_ERRORS):
            failures.append(message.text)

    def open_page(
        query: str = "", *, path: str = "", dark: bool = False, width: int = 1440, height: int = 900,
        locale: str = "en-US", touch: bool = False, is_new: bool = False,
    ) -> Page:  # fmt: skip
        page = context_pool.new_page(
            server, viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            locale=locale, has_touch=touch, reduced_motion="no-preference" if moves else "reduce",
        )  # fmt: skip
        contexts.append(page.context)
        page.set_default_timeout(PATIENCE)
        page.on("console", check_message)
        page.on("pageerror", lambda error: failures.append(str(error)))
        if not is_new:
            page.add_init_script(static_site.RETURNING_VISITOR)
        page.goto(f"{server}/{path}{query}")
        return page

    try:
        yield open_page
    finally:
        context_pool.release(contexts)
    assert not failures


@pytest.fixture
def phone(context_pool: ContextPool, server: str) -> Iterator[Callable[..., Page]]:
    """Opens the class page of a room on a phone; the test fails if a phone had an error or scrolled sideways."""
    contexts, failures = [], []

    def open_phone(code: str, language: str = "en", *, dark: bool = False) -> Page:
        page = context_pool.new_page(
            server, viewport={"width": 390, "height": 844}, locale=LOCALES[language],
            color_scheme="dark" if dark else "light", has_touch=True,
        )  # fmt: skip
        contexts.append(page.context)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.goto(f"{server}/class/{code}")
        return page

    yield open_phone
    for context in contexts:
        for page in context.pages:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context_pool.release(contexts)
    assert not failures


@pytest.fixture
def open_class(open_page: Callable[..., Page], phone: Callable[..., Page]) -> Callable[..., tuple[Page, Page, str]]:
    """Opens a room, which one phone joins and sees the map; returns the teacher's page, the phone and the code."""

    def open_class(query: str = "?text=the+cat+is+sleeping+.", *, language: str = "en") -> tuple[Page, Page, str]:
        teacher = open_page(query, path="room")
        code = open_room(teacher, "en")
        student = phone(code, language)
        expect(student.locator(".place .picture canvas").first).to_be_visible()
        return teacher, student, code

    return open_class


@pytest.fixture
def open_file(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a file offline; the page may request only itself and must not log an error."""
    contexts, failures = [], []

    def open_offline(path: Path, *, dark: bool = False, width: int = 1440) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", offline=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: failures.append(request.url) if _is_outside(request.url) else None)
        page.goto(path.as_uri())
        return page

    def _is_outside(url: str) -> bool:
        return not url.startswith(("file:", "data:", "blob:"))

    yield open_offline
    for context in contexts:
        context.close()
    assert not failures


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without a server."""
    return static_site.write_test_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def site_address(site_folder: Path) -> Iterator[str]:
    """The address at which a static web server serves it."""
    with serving(site_folder) as address:
        yield f"{address}/"


@pytest.fixture
def open_site(browser: Browser, site_address: str) -> Iterator[Callable[..., Page]]:
    """Opens the site in a new browser context."""
    with static_site.site_opener(browser, site_address) as opener:
        yield opener


@pytest.fixture
def screenshot() -> Callable[[Page, str], None]:
    """Saves a screenshot in an ignored folder for a person to look at; does nothing in CI."""
    SCREENSHOTS.mkdir(exist_ok=True)

    def save(page: Page, name: str) -> None:
        if "CI" not in os.environ:
            page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return save
