"""A model that reads handwriting beside models that read texts: each keeps its source, and the address has it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages import go_to
from tests.viz.test_first_steps import MAIN, told
from viz.i18n import tr
from viz.plain_text import escape_markdown

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


def _texts(app) -> list[str]:
    """What is written on a page, the frame included."""
    written = [each.value for kind in ("markdown", "caption", "info", "warning") for each in getattr(app, kind)]
    labels = [
        each.label for kind in ("slider", "selectbox", "toggle", "button", "text_input") for each in app.get(kind)
    ]
    return [*written, *labels]


def test_decode_speaks_of_letters_where_the_model_reads_a_picture(app):
    app.query_params.update({"model": "reader"})
    go_to(app, "decode")
    assert not app.exception
    spoken = _texts(app)
    assert [text for text in spoken if "translat" in text.lower() and "→" not in text] == []
    assert told(app)["words"]["target"] == tr("of_pictures.sentence_target")


def test_a_lesson_with_the_reader_chosen_says_what_to_do_and_its_own_scene_works(app):
    app.query_params.update({"model": "reader"})
    go_to(app, "lesson")
    assert not app.exception
    assert [each.value for each in app.info] == [tr("lesson.need_sentence")]
    app = AppTest.from_file(MAIN, default_timeout=120)
    app.query_params.update({"model": "reader", "lesson.scene": "reader", "lesson.votes": "reader2"})
    go_to(app, "lesson")
    assert not app.exception and not app.info
    app.button(key="lesson.change").click().run()
    app.button(key="lesson.explain").click().run()
    assert not app.exception
    assert any(escape_markdown(tr("lesson.reader_gap")) in each.value for each in app.markdown)
