"""A small trained model for the tests of many sentences."""

from __future__ import annotations

import pytest

import model
from tests.checkpoint import tiny_bundle


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return tiny_bundle()
