"""A model that reads handwriting beside models that read texts: each keeps its source, and the address has it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.viz.test_first_steps import MAIN, told

SENTENCE = "the cat ."


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(MAIN, default_timeout=120)


def _written(app) -> str:
    return "".join(piece["text"] for piece in told(app)["target"] if not piece.get("special"))


def test_models_of_texts_and_of_pictures_keep_what_each_has_read(app):
    app.query_params.update({"model": "en-fr", "text": SENTENCE})
    app.run()
    before = _written(app)
    app.radio(key="choice..model").set_value("reader").run()
    assert not app.exception and told(app)["reads_pictures"]
    assert _written(app) == "beauty" and len(told(app)["source"]) == 64
    assert "".join(app.query_params["text"]).startswith("ink.")
    app.radio(key="choice..model").set_value("en-fr").run()
    assert told(app)["text"] == SENTENCE == "".join(app.query_params["text"])
    assert _written(app) == before
    app.radio(key="choice..model").set_value("reader").run()
    assert _written(app) == "beauty"


def test_a_link_with_the_other_kind_of_source_opens_on_one_that_the_model_reads(app):
    app.query_params.update({"model": "reader", "text": SENTENCE})
    app.run()
    assert not app.exception and not app.error
    assert _written(app) == "beauty"


def test_a_damaged_picture_in_a_link_is_explained(app):
    app.query_params.update({"model": "reader", "text": "ink.!!"})
    app.run()
    assert not app.exception
    assert any("cannot be translated" in each.value for each in app.markdown)
