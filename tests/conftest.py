"""Settings and fixtures for all tests."""

from __future__ import annotations

import functools
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser
from streamlit.components.v2 import manifest_scanner

from benchmarks.browser import chromium
from tests import flaky, nightly, programs
from tests.visits import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown, watch_app_tests

TESTS = Path(__file__).parent
__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

torch.set_num_threads(1)
os.environ.setdefault("OMP_NUM_THREADS", "1")  # for the processes that tests start
watch_app_tests()
# Each AppTest reads the metadata of all installed packages again, which takes as long as a page.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)
# Modules imported so far stay until the end, as in the server (viz/server/garbage.py), so collections can skip them.
gc.freeze()
gc.set_threshold(20_000)

LONG_FILES = (
    "walk/test_second_visit", "training/test_runs", "browser/test_decode_page", "browser/test_teaching",
    "browser/test_room", "browser/test_phone", "browser/test_views_extremes", "test_notebooks", "browser",
    "deploy/test_school", "checkpoints/test_fuzz", "deploy", "packaging", "test_mutants", "checkpoints/test_sandbox",
    "training/test_processes", "model/test_patterns", "model/test_recurrent", "training", "walk",
    "viz/test_checkpoints_page", "viz/test_corpus_page", "viz", "test_project",
)  # fmt: skip
"""Folders and files of tests, the longest first."""
MARKED = {"browser": "browser", "deploy": "server"}
"""Folders, and the marker of all tests in each."""


def pytest_configure(config: pytest.Config) -> None:
    """Say at the end what was not tested for want of a program."""
    config.pluginmanager.register(programs)
    config.pluginmanager.register(nightly)
    flaky.register(config)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of ``make test``."""
    parser.addoption("--by-day", action="store_true", help="leave out what tests/nightly.py leaves to the night")
    flaky.add_options(parser)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files, so that at the end no process still runs one while the others are idle."""

    def place(item: pytest.Item) -> int:
        name = item.path.relative_to(TESTS).as_posix()
        return next((number for number, start in enumerate(LONG_FILES) if name.startswith(start)), len(LONG_FILES))

    items.sort(key=place)
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in MARKED:
            item.add_marker(MARKED[folder])
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of the process."""
    with chromium(keeps_scripts=True) as launched:
        yield launched
