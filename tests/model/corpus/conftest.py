"""A small model and a survey of it, for the tests of many sentences."""

import pytest

import model
from model.corpus.survey import Survey, survey
from tests.checkpoint import tiny_bundle
from tests.model.corpus.pairs import PAIRS


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return tiny_bundle()


@pytest.fixture(scope="module")
def surveyed(bundle: model.Bundle, tmp_path_factory: pytest.TempPathFactory) -> Survey:
    """A survey of a few pairs, with every map."""
    return survey(bundle, PAIRS, tmp_path_factory.mktemp("survey") / "one", shard_size=2, maps=True)
