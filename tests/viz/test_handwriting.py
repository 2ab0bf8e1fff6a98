"""The handwriting model beside models of texts: each kind keeps its source, also in the link."""

import numpy as np
import pytest

import model
from model.picture import runs
from model.teaching.measured.handwriting import painted_out, written_words
from tests.pages import open_drawers
from tests.viz.page import new_app, page_text, press, run_page, sentence_data, url_param
from viz.i18n import speaking, tr
from viz.plain_text import escape_markdown

SENTENCE = "the cat ."


def source_of(app) -> str:
    return "".join(piece["text"] for piece in sentence_data(app)["target"] if not piece.get("special"))


@pytest.mark.nightly
def test_models_of_texts_and_of_pictures_keep_their_inputs():
    app = run_page(model="en-fr", text=SENTENCE)
    before = source_of(app)
    app.radio(key="choice..model").set_value("reader").run()
    assert sentence_data(app)["reads_pictures"]
    assert source_of(app) == "beauty" and len(sentence_data(app)["source"]) == 96
    assert url_param(app, "text").startswith("ink.")
    app.radio(key="choice..model").set_value("en-fr").run()
    assert sentence_data(app)["text"] == SENTENCE == url_param(app, "text")
    assert source_of(app) == before
    app.radio(key="choice..model").set_value("reader").run()
    assert source_of(app) == "beauty"


def test_a_link_with_the_other_kind_of_source_opens_on_one_that_the_model_reads():
    app = run_page(model="reader", text=SENTENCE)
    assert not app.error
    assert source_of(app) == "beauty"


def test_a_damaged_picture_in_a_link_is_explained():
    app = run_page(model="reader", text="ink.!!")
    assert "cannot be translated" in page_text(app)


def all_texts(app) -> list[str]:
    """All texts of a page, including its frame."""
    texts = [element.value for kind in ("markdown", "caption", "info", "warning") for element in getattr(app, kind)]
    labels = [
        element.label for kind in ("slider", "selectbox", "toggle", "button", "text_input") for element in app.get(kind)
    ]
    return [*texts, *labels]


def test_decode_speaks_of_letters_where_the_model_reads_a_picture():
    app = run_page("decode", model="reader")
    texts = all_texts(app)
    assert [text for text in texts if "translat" in text.lower() and "→" not in text] == []
    assert sentence_data(app)["words"]["target"] == tr("of_pictures.sentence_target")


def test_a_lesson_with_the_reader_names_the_remedy_and_the_handwriting_scene_works():
    app = run_page("lesson", model="reader")
    assert [info.value for info in app.info] == [tr("lesson.need_sentence")]
    app = run_page("lesson", model="reader", lesson__scene="reader", lesson__votes="reader2")
    assert not app.info
    press(app, "lesson.change", "lesson.explain")
    assert escape_markdown(tr("lesson.reader_gap")) in page_text(app)


PICTURE = next(word.picture for word in written_words(model.load("reader")) if word.word == "felt")


@pytest.mark.nightly
def test_causal_takes_a_picture_for_a_picture_and_a_sentence_for_a_sentence():
    app = run_page("causal", model="reader", causal__first=PICTURE)
    assert not app.error
    assert "The other word is read “felt”" in page_text(app)
    app.radio(key="choice..model").set_value("en-fr").run()
    assert not app.error
    assert not any("ink." in str(field.value) for field in app.text_input)
    app.radio(key="choice..model").set_value("reader").run()
    assert not app.error


@pytest.mark.parametrize("second_source", ["ink.!!", "ink.", "The cat is here."])
def test_causal_explains_a_damaged_picture_and_ignores_a_sentence(second_source):
    app = run_page("causal", model="reader", causal__first=second_source)
    reader = model.load("reader")
    without_first = painted_out(reader, text=written_words(reader)[0].picture, place=0).after.text
    assert "cannot be" in page_text(app) or f"The other word is read “{without_first}”" in page_text(app)


@pytest.mark.parametrize(("part", "language"), [("tokens", "fr"), ("direct", "zh"), ("circuit", "en")])
def test_the_parts_of_causal_speak_of_strips_and_letters(part, language):
    app = run_page("causal", model="reader", causal__part=part, language=language)
    assert not app.error
    names = [option for control in app.segmented_control for option in control.options]
    with speaking(language):
        assert tr("of_pictures.causal_part_tokens") in names and tr("causal.part_steer") not in names


def test_a_link_to_a_page_of_words_explains_why_it_is_empty_and_offers_a_model_of_texts():
    app = run_page("positions", model="reader")
    assert any(text.value.startswith(tr("pad.only_words")) for text in app.text)
    assert "encoder reads" not in page_text(app)
    app.button(key="fitting_model").click().run()
    assert tr("pad.only_words") not in page_text(app)
    assert app.query_params["model"] != ["reader"] and not sentence_data(app)["reads_pictures"]


def test_a_written_word_is_compared_with_another():
    app = run_page(model="reader", other_text=PICTURE)
    assert not app.error
    assert not any("ink." in element.value for element in (*app.caption, *app.markdown))
    assert any("felt" in element.proto.body for element in app.get("html"))
    app.query_params.update({"other_text": "The cat is here."})
    app.run()
    assert "cannot be translated" not in page_text(app)


@pytest.mark.nightly
def test_a_second_written_word_of_many_strokes_is_compared_whole():
    rng = np.random.default_rng(1)
    text = runs.write_runs(np.where(rng.random((32, 240)) < 0.3, 255, 0).astype(np.uint8))
    reader = model.load("reader")
    translation, of_first_strokes = (model.translate(reader, part).text for part in (text, text[:2_000]))
    assert translation != of_first_strokes
    app = run_page(model="reader", other_text=text)
    assert not app.error
    assert any(f">{translation}</mark>" in element.proto.body for element in app.get("html"))


def test_heads_are_measured_on_the_written_words_that_come_with_the_model():
    app = open_drawers(new_app(model="reader")).run()
    assert not any(uploader.key == "corpus_file" for uploader in app.file_uploader)
    app.button(key="corpus_start").click().run()
    assert any(caption.value == "Measured on 24 words, 0 left out." for caption in app.caption)
