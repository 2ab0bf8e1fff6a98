"""What holds for every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Browser

from benchmarks.serving import chromium
from tests.visits import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown, watch_app_tests
from viz.server.pages_folder import ignore_pages_folder

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

torch.set_num_threads(1)
ignore_pages_folder()
watch_app_tests()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all."""
    with chromium() as launched:
        yield launched
