"""Regression tests for errors that the random walk has found."""

import pytest
import streamlit as st

from model.inference.alone import read
from model.interpret.ablation import head_effects
from tests.walk import models
from tests.walk.browser import FRONT, Browser, data_of
from tests.walk.checks import check_against_fresh_session, check_against_model, private_models
from tests.walk.widgets import pressable, state
from viz.explore import take_away
from viz.frame import frame
from viz.frame.frame import model_title
from viz.i18n import LANGUAGES, tr
from viz.plain_text import escape_markdown
from viz.state.selection import DEFAULT_TEXT


def test_the_first_head_of_the_first_layer_survives_a_refresh():
    browser = Browser(params={"text": "the cat is sleeping"})
    assert browser.look()["heads"] != [[0, 0]], "the first screen must open on another head"
    browser.choose_head("cross", 0, 0)
    browser.reload()
    assert browser.look()["heads"] == [[0, 0]]


def test_the_first_head_of_the_first_layer_opens_from_another_page():
    default = Browser(params={"text": "the cat is sleeping"}).look()["heads"]
    browser = Browser(page="corpus", params={"corpus.view": "find", "text": "the cat is sleeping"})
    browser.press("corpus_explore_find_0")
    assert browser.look()["heads"] == [[0, 0]] != default
    address = browser.params
    browser.reload()
    assert browser.params == address and browser.look()["heads"] == [[0, 0]]


@pytest.mark.nightly
def test_an_address_without_a_head_opens_on_the_same_head_at_every_visit():
    browser = Browser(page="decode", params={"text": "the cat is sleeping"})
    browser.go(FRONT)
    default = browser.look()["heads"]
    assert default != [[0, 0]], "the test needs a default other than the first head"
    assert browser.back() and "head" not in browser.params
    browser.go(FRONT)
    assert browser.look()["heads"] == default
    address = browser.params
    browser.reload()
    assert browser.params == address


@pytest.mark.nightly
def test_the_lesson_has_the_sentence_that_its_address_has_in_a_new_session():
    """The first model has no sentence for the scene, but the model chosen next has one."""
    browser = Browser(page="lesson")
    browser.press("choice..model", "en-fr")
    assert browser.params["model"] == "en-fr"
    check_against_fresh_session(browser)
    browser.write(DEFAULT_TEXT)
    browser.go("positions")
    browser.go("lesson")
    assert data_of(browser.component("sentence"))["text"] == DEFAULT_TEXT, "what was typed stays"


def test_a_click_on_a_language_survives_a_run_that_ends_before_the_menu_is_drawn(monkeypatch):
    """A run ends early if another click interrupts it."""
    browser = Browser(params={"text": "the cat is sleeping"})
    with monkeypatch.context() as patch:
        patch.setattr(frame, "top_bar", st.stop)
        browser.press("language", LANGUAGES["fr"])
    browser.run()
    assert browser.params["language"] == "fr"


def test_the_list_of_keys_opens_while_the_dialog_of_files_is_due_from_an_interrupted_run(monkeypatch):
    """A reader chooses files, and opens the list of keys before the page has run."""
    browser = Browser(params={"text": "the cat is sleeping"})
    keys = pressable(browser.elements())["keys"]
    monkeypatch.setattr("tests.walk.browser.open_drawers", lambda app: app)
    with monkeypatch.context() as patch:
        patch.setattr(take_away, "dialog", lambda *_, **__: st.stop())
        browser.act("files", "cross", 0, 0)
    browser.app.component_states.append(state(keys, True))
    browser.run()
    check_against_model(browser)
    assert any(tr("frame.keys_key") in text.value for text in browser.app.markdown)
    assert "attention_file" not in {upload.key for upload in browser.app.file_uploader}


def test_a_page_opened_from_another_tells_the_stage_its_name():
    browser = Browser(params={"text": "the cat is sleeping"})
    browser.act("open_head", "cross", 1, 1)
    assert browser.page == "inside"
    assert data_of(browser.component("sentence"))["page"] == "inside"


def test_heads_of_kinds_that_a_model_lacks_are_not_measured():
    bundle = models.private("decoder-only model")
    effects = head_effects(bundle, read(bundle, "#14 #8"))
    assert set(effects.changes) == {"decoder_self"}


def test_the_name_of_a_model_is_text_where_models_are_chosen():
    name, bundle = "*mine* [a](b) `c`", models.private("twin")
    browser = Browser(params={"text": "the cat .", "model": name}, private={name: bundle})
    options = getattr(pressable(browser.elements())["choice..model"], "options")  # noqa: B009
    assert escape_markdown(name) in options and name not in options
    assert model_title(bundle, name).startswith(escape_markdown(name))


def test_a_dropped_model_that_the_address_names_reads_the_sentence_at_once():
    """A link to a dropped model after a refresh, and then a second drop of its file."""
    browser = Browser(page="checkpoints", params={"text": "cat", "model": "tiny 3"})
    assert "model_keep" in pressable(browser.elements())
    browser.drop("mine.zip", models.archive(7))
    check_against_model(browser)
    assert list(private_models(browser)) == ["tiny 3"], "the name of the link"
    assert "model_keep" not in pressable(browser.elements())
