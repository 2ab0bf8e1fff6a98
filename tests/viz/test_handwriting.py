"""A model that reads handwriting beside models that read texts: each keeps its source, and the address has it."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import model
from model.picture import runs
from model.teaching.written_words import written_words
from tests.pages import go_to, open_drawers
from tests.viz.test_first_steps import MAIN, told
from viz.i18n import speaking, tr
from viz.plain_text import escape_markdown

SENTENCE = "the cat ."


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(MAIN, default_timeout=120)


def _written(app) -> str:
    return "".join(piece["text"] for piece in told(app)["target"] if not piece.get("special"))


@pytest.mark.nightly
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


PICTURE = next(word.picture for word in written_words(model.load("reader")) if word.word == "felt")


@pytest.mark.nightly
def test_causal_takes_a_picture_for_a_picture_and_a_sentence_for_a_sentence(app):
    app.query_params.update({"model": "reader", "causal.first": PICTURE})
    go_to(app, "causal")
    assert not app.exception and not app.error
    assert any("The other word is read “felt”" in each.value for each in app.markdown)
    app.radio(key="choice..model").set_value("en-fr").run()
    assert not app.exception and not app.error
    assert not any("ink." in str(each.value) for each in app.text_input)
    app.radio(key="choice..model").set_value("reader").run()
    assert not app.exception and not app.error


@pytest.mark.parametrize("other", ["ink.!!", "ink.", "The cat is here."])
def test_causal_explains_a_damaged_picture_and_ignores_a_sentence(app, other):
    app.query_params.update({"model": "reader", "causal.first": other})
    go_to(app, "causal")
    assert not app.exception
    told_why = any("cannot be" in each.value for each in app.markdown)
    assert told_why or any("The other word is read “eauty”" in each.value for each in app.markdown)


@pytest.mark.parametrize(("part", "language"), [("tokens", "fr"), ("direct", "zh"), ("circuit", "en")])
def test_the_parts_of_causal_speak_of_strips_and_letters(app, part, language):
    app.query_params.update({"model": "reader", "causal.part": part, "language": language})
    go_to(app, "causal")
    assert not app.exception and not app.error
    names = [option for each in app.segmented_control for option in each.options]
    with speaking(language):
        assert tr("of_pictures.causal_part_tokens") in names and tr("causal.part_steer") not in names


def test_a_link_to_a_page_of_words_says_why_it_is_empty_and_offers_a_model_of_texts(app):
    app.query_params.update({"model": "reader"})
    go_to(app, "positions")
    assert not app.exception
    assert any(each.value.startswith(tr("pad.only_words")) for each in app.text)
    assert not any("encoder reads" in each.value for each in app.markdown)
    app.button(key="fitting_model").click().run()
    assert not app.exception and not any(tr("pad.only_words") in each.value for each in app.text)
    assert app.query_params["model"] != ["reader"] and not told(app)["reads_pictures"]


def test_a_written_word_is_compared_with_another(app):
    app.query_params.update({"model": "reader", "other_text": PICTURE})
    app.run()
    assert not app.exception and not app.error
    assert not any("ink." in each.value for each in (*app.caption, *app.markdown))
    assert any("felt" in each.proto.body for each in app.get("html"))
    app.query_params.update({"other_text": "The cat is here."})
    app.run()
    assert not app.exception and not any("cannot be translated" in each.value for each in app.markdown)


@pytest.mark.nightly
def test_a_second_written_word_of_many_strokes_is_compared_whole(app):
    rng = np.random.default_rng(1)
    text = runs.written(np.where(rng.random((32, 240)) < 0.3, 255, 0).astype(np.uint8))
    reader = model.load("reader")
    whole, cut = (model.translate(reader, part).text for part in (text, text[:2_000]))
    assert whole != cut
    app.query_params.update({"model": "reader", "other_text": text})
    app.run()
    assert not app.exception and not app.error
    assert any(f">{whole}</mark>" in each.proto.body for each in app.get("html"))


def test_heads_are_measured_on_the_written_words_that_come_with_the_model(app):
    app.query_params.update({"model": "reader"})
    open_drawers(app).run()
    assert not any(each.key == "corpus_file" for each in app.file_uploader)
    app.button(key="corpus_start").click().run()
    assert not app.exception
    assert any(each.value == "Measured on 24 words, 0 left out." for each in app.caption)
