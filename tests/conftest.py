"""What holds for every test."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser

from benchmarks.serving import chromium
from tests.visits import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown, watch_app_tests
from viz.server.pages_folder import ignore_pages_folder

TESTS = Path(__file__).parent
__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

torch.set_num_threads(1)
os.environ.setdefault("OMP_NUM_THREADS", "1")  # for the processes that tests start
ignore_pages_folder()
watch_app_tests()
# What is imported by now stays to the end, as in the server (viz/server/garbage.py): collections need not visit it.
gc.freeze()

LONG_FILES = (
    "walk/test_second_visit", "training/test_runs", "browser/test_decode_page", "browser/test_teaching",
    "browser/test_room", "browser/test_phone", "browser/test_views_extremes", "browser", "checkpoints/test_sandbox",
    "training/test_processes", "checkpoints/test_fuzz", "model/test_patterns", "model/test_recurrent", "training",
    "walk", "viz/test_checkpoints_page", "viz/test_corpus_page", "viz", "packaging", "deploy",
)  # fmt: skip
"""Folders and files of tests, those that take longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files, so that no process is left with one of them when the others have nothing to do."""

    def place(item: pytest.Item) -> int:
        name = item.path.relative_to(TESTS).as_posix()
        return next((number for number, start in enumerate(LONG_FILES) if name.startswith(start)), len(LONG_FILES))

    items.sort(key=place)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all."""
    with chromium() as launched:
        yield launched
