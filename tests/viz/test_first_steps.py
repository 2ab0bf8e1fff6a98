"""The first screen: the introduction, the text box, the tour, the gallery and earlier sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.teaching.sentences import collection, collections
from tests.checkpoint import save_tiny
from tests.pages import open_drawers
from viz import cache
from viz.i18n import LANGUAGES, speaking, tr
from viz.panels.first_steps import STOPS, TERMS
from viz.plain_text import as_written
from viz.shipped_models import shipped_models

MAIN = str(Path(__file__).parents[2] / "viz/main.py")


@pytest.fixture
def app(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    return open_drawers(AppTest.from_file(MAIN, default_timeout=120))


def test_a_newcomer_is_told_what_this_is_and_can_type_at_once(app):
    app.run()
    assert any(text.value == tr("first.what") for text in app.markdown)
    assert app.text_input(key="first.text").placeholder == tr("first.invite_en")
    app.text_input(key="first.text").input("the dog is sleeping .").run()
    assert not app.exception
    assert "".join(app.query_params["text"]) == "the dog is sleeping ."
    assert not any(text.value == tr("first.what") for text in app.markdown)


def test_a_sentence_of_the_gallery_is_put_on_the_stage_and_the_one_before_is_remembered(app):
    app.query_params.update({"text": "the cat .", "model": "tiny"})
    app.run()
    example = next(example for example in collection().gallery if example.name)
    app.button(key=f"first.example.{example.name}").click().run()
    assert "".join(app.query_params["text"]) == example.text
    assert app.button(key="first.recent.0").label == as_written("the cat .")


def test_what_a_sentence_shows_is_said_of_the_model_on_which_it_was_tried_alone(app):
    claims = {tr(f"first.shows_{example.name}") for example in collection().gallery if example.name}
    app.query_params["model"] = "tiny"
    app.run()
    said = {caption.value for caption in app.caption}
    assert tr("first.tried_elsewhere", model="en-fr") in said and not claims & said
    keys = {button.key for button in app.button}
    assert "first.example.order" in keys and "first.example.head" not in keys, "the last is a claim about one model"
    other = open_drawers(AppTest.from_file(MAIN, default_timeout=120))
    other.query_params["model"] = "en-fr"
    other.run()
    said = {caption.value for caption in other.caption}
    assert claims <= said and tr("first.tried_elsewhere", model="en-fr") not in said


def test_the_menu_says_what_the_shipped_models_translate(app):
    app.query_params["language"] = "zh"
    app.run()
    picker = app.radio(key="choice..model")
    said = dict(zip(picker.options, picker.proto.captions, strict=True))
    with speaking("zh"):
        for name, found in shipped_models().items():
            assert tr(f"sentence.language_{found.target_language}") in said[as_written(name)]


@pytest.mark.parametrize(("language", "is_offered"), [("zh", True), ("fr", False)])
def test_a_reader_whose_language_another_model_writes_is_offered_that_model(app, language, is_offered):
    app.query_params.update({"language": language, "model": "tiny"})
    app.run()
    assert ("first.own_language" in [button.key for button in app.button]) == is_offered
    if is_offered:
        app.button(key="first.own_language").click().run()
        assert "".join(app.query_params["model"]) == "en-zh"
        assert "".join(app.query_params["text"]) == collection("en-zh").scenes["cross"]


def test_two_visitors_have_their_own_recent_sentences(app):
    app.query_params["text"] = "the cat ."
    app.run()
    app.text_input(key="first.text").input("the dog .").run()
    other = open_drawers(AppTest.from_file(MAIN, default_timeout=120))
    other.run()
    assert not [button for button in other.button if button.key and button.key.startswith("first.recent")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stop_term_and_example_has_its_words(language):
    with speaking(language):
        assert all(tr(f"first.stop_{name}") and tr(f"first.stop_{name}_text") for name in STOPS)
        assert all(tr(f"first.term_{name}") and tr(f"first.about_{name}") for name in TERMS)
        examples = [example for each in collections() for example in each.gallery]
        assert all(tr(f"first.shows_{example.name}") for example in examples if example.name)
        assert all(tr(f"gallery.{example.phenomenon}_why") for example in examples)
