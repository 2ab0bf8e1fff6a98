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
gc.disable()  # until all tests are collected: imported modules are never garbage

LONG_FILES = (
    "browser", "walk/test_walk", "test_notebooks", "deploy/test_school", "checkpoints/test_fuzz", "deploy",
    "packaging", "test_mutants", "checkpoints/test_sandbox", "training/test_processes", "model/test_patterns",
    "model/test_recurrent", "training", "walk", "viz/test_checkpoints_page", "viz/test_corpus_page", "viz",
    "test_project",
)  # fmt: skip
"""Folders and files of tests, the longest first."""
FOLDER_MARKERS = {"browser": "browser", "deploy": "server"}
"""The marker of all tests of a folder."""
SHARED_PROCESS_FOLDER = "browser"
"""The folder whose tests share one process, and in it a server, a Chromium and a built site."""


def pytest_configure(config: pytest.Config) -> None:
    """Register the plug-ins: missing programs, tests left to the night, flaky tests."""
    config.pluginmanager.register(programs)
    config.pluginmanager.register(nightly)
    flaky.register(config)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of ``make test``."""
    parser.addoption("--by-day", action="store_true", help="leave out what tests/nightly.py leaves to the night")
    flaky.add_options(parser)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadfile``: one file per task, but all files of ``SHARED_PROCESS_FOLDER`` in one process."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            start = f"{TESTS.name}/{SHARED_PROCESS_FOLDER}/"
            return start if nodeid.startswith(start) else super()._split_scope(nodeid)

    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the longest files, so that all processes end at about the same time."""

    def place(item: pytest.Item) -> int:
        name = item.path.relative_to(TESTS).as_posix()
        return next((number for number, start in enumerate(LONG_FILES) if name.startswith(start)), len(LONG_FILES))

    items.sort(key=place)
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        fixtures = getattr(item, "fixturenames", ())
        if folder in FOLDER_MARKERS:
            item.add_marker(FOLDER_MARKERS[folder])
        if "browser" in fixtures:
            item.add_marker("browser")
        if "redis_program" in fixtures:
            item.add_marker("server")


def pytest_collection_finish() -> None:
    """Exempt modules and tests from garbage collection, as in the server (viz/server/garbage.py)."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000)


@functools.cache
def _hasten_app_tests() -> None:
    """Cache the metadata of installed packages, which each AppTest reads again in as long as a page takes."""
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Patch Streamlit only where it is already imported: other tests must not wait for its import."""
    if "streamlit.testing.v1" in sys.modules:
        _hasten_app_tests()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of the process."""
    from benchmarks.browser import chromium

    with chromium(keeps_scripts=True) as launched:
        yield launched
