"""Settings and fixtures for all tests."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import flaky, nightly, programs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TESTS = Path(__file__).parent
os.environ.setdefault("OMP_NUM_THREADS", "1")  # for PyTorch, here and in the processes that tests start
gc.disable()  # until all is collected: what is imported stays

LONG_FILES = (
    "browser", "walk/test_second_visit", "test_notebooks", "deploy/test_school", "checkpoints/test_fuzz", "deploy",
    "packaging", "test_mutants", "checkpoints/test_sandbox", "training/test_processes", "model/test_patterns",
    "model/test_recurrent", "training", "walk", "viz/test_checkpoints_page", "viz/test_corpus_page", "viz",
    "test_project",
)  # fmt: skip
"""Folders and files of tests, the longest first."""
MARKED = {"browser": "browser", "deploy": "server"}
"""Folders, and the marker of all tests in each."""
SHARING = "browser"
"""The folder whose tests share one process, and in it a server, a Chromium and a built site."""


def pytest_configure(config: pytest.Config) -> None:
    """Say at the end what was not tested for want of a program."""
    config.pluginmanager.register(programs)
    config.pluginmanager.register(nightly)
    flaky.register(config)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of ``make test``."""
    parser.addoption("--by-day", action="store_true", help="leave out what tests/nightly.py leaves to the night")
    flaky.add_options(parser)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadfile``: a process takes a file at a time, and one of them all files of ``SHARING``."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            start = f"{TESTS.name}/{SHARING}/"
            return start if nodeid.startswith(start) else super()._split_scope(nodeid)

    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files, so that at the end no process still runs one while the others are idle."""

    def place(item: pytest.Item) -> int:
        name = item.path.relative_to(TESTS).as_posix()
        return next((number for number, start in enumerate(LONG_FILES) if name.startswith(start)), len(LONG_FILES))

    items.sort(key=place)
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        fixtures = getattr(item, "fixturenames", ())
        if folder in MARKED:
            item.add_marker(MARKED[folder])
        if "browser" in fixtures:
            item.add_marker("browser")
        if "redis_program" in fixtures:
            item.add_marker("server")


def pytest_collection_finish() -> None:
    """Collections of garbage skip the modules and the tests, as in the server (viz/server/garbage.py)."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000)


@functools.cache
def _hasten_app_tests() -> None:
    """Each AppTest would read the metadata of all installed packages again, which takes as long as a page."""
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Only where tests need Streamlit: the others shall not wait until it is imported."""
    if "streamlit.testing.v1" in sys.modules:
        _hasten_app_tests()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of the process."""
    from benchmarks.browser import chromium

    with chromium(keeps_scripts=True) as launched:
        yield launched
