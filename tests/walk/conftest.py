"""Walks use a tiny model and begin with an empty cache."""

import pytest

from tests.walk import models
from viz import cache


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(models.shared_model()))
    cache.RESULTS.clear()
