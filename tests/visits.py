"""Records which pages, languages, kinds of model and themes the tests visit, and prints them at the end.

Every run of the application under AppTest and every page that a browser test opens is recorded. With several processes,
each sends its records to the first, which prints them.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import PAGES

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

Visit = tuple[str, str, str, str]
"""Page, language, kind of model, theme."""
KINDS = ("shipped", "own", "uploaded", "encoder", "decoder", "none")
"""Shipped, named at the start, opened by a session, encoder only, decoder only, and no model."""
THEMES = ("light", "dark")
NEVER = "·"
visited: Counter[Visit] = Counter()


def note(page: str, language: str, kind: str, theme: str) -> None:
    """Count one visit."""
    visited[page, language, kind, theme] += 1


def watch_app_tests() -> None:
    """Record every run of the application's own script."""
    from streamlit.testing.v1 import AppTest

    running = AppTest._run
    if hasattr(running, "__wrapped__"):
        return

    @functools.wraps(running)
    def run(self: AppTest, *args: Any, **options: Any) -> AppTest:
        found = running(self, *args, **options)
        if self._script_path.endswith("viz/main.py"):
            note(*_seen(self))
        return found

    AppTest._run = run


def _seen(app: AppTest) -> Visit:
    from viz.i18n import LANGUAGES

    info = app._registered_pages.get(app._finished_page_script_hash, {})
    page = str(info.get("script_path", "")).rpartition("/")[2].removesuffix(".py") or PAGES[0]
    language = app.query_params.get("language") or str(app.context.get("locale") or "en")[:2]
    name = str(app.query_params.get("model", ""))
    return page, language if language in LANGUAGES else "en", _kind(app, name), app.context.get("theme") or "light"


def _kind(app: AppTest, name: str) -> str:
    from model.checkpoints.loading import PRETRAINED
    from viz import cache

    own = app.session_state.get("regard.private_models", {})
    names = cache.model_names()
    used = name if name in names or name in own else names[0] if names else ""
    try:
        bundle = own[used] if used in own else cache.bundle(used)
    except Exception:  # some tests use a missing or broken checkpoint
        return "none"
    kinds = cache.extent(bundle).kinds
    if "cross" not in kinds:
        return "encoder" if "encoder_self" in kinds else "decoder"
    return "uploaded" if used in own else "shipped" if (PRETRAINED / used).is_dir() else "own"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a worker process: send the records."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["visits"] = [[*visit, times] for visit, times in visited.items()]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """In the main process: add the records of a worker that has ended."""
    for *visit, times in getattr(node, "workeroutput", {}).get("visits", ()):
        visited[tuple(visit)] += times


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table."""
    if visited:
        terminalreporter.section("visits: pages, languages, models, themes")
        for line in table(visited):
            terminalreporter.write_line(line)


def table(visits: Counter[Visit]) -> Iterator[str]:
    """A line for each page: how often it was visited in each language, with each kind of model and in each theme."""
    from viz.i18n import LANGUAGES

    columns = [*LANGUAGES, *KINDS, *THEMES]
    yield f"{'':<12}" + "".join(f"{name:>9}" for name in columns)
    for page in PAGES:
        counts = Counter[str]()
        for (where, *what), times in visits.items():
            counts.update(dict.fromkeys(what, times) if where == page else {})
        yield f"{page:<12}" + "".join(f"{counts[name] or NEVER:>9}" for name in columns)
    whole = [
        (page, language, kind, theme) for page in PAGES for language in LANGUAGES for kind in KINDS for theme in THEMES
    ]
    never = sum(not visits[visit] for visit in whole)
    yield f"{len(whole) - never} of {len(whole)} combinations were visited; {NEVER} was never seen"
