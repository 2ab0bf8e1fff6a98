"""The first screen: the introduction, the text box, the tour, the gallery and earlier sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.teaching.experiments import gallery
from tests.checkpoint import save_tiny
from tests.pages import open_drawers
from viz import cache
from viz.i18n import LANGUAGES, speaking, tr
from viz.panels.first_steps import STOPS, TERMS
from viz.plain_text import as_written

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
    example = next(example for example in gallery("en") if example.name)
    app.button(key=f"first.example.{example.name}").click().run()
    assert "".join(app.query_params["text"]) == example.text
    assert app.button(key="first.recent.0").label == as_written("the cat .")


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
        assert all(tr(f"first.shows_{example.name}") for example in gallery("en") if example.name)
