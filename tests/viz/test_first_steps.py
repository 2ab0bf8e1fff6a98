"""The first screen: introduction, text box, tour, gallery and recent sentences."""

import pytest

from model.teaching.sentences import collection, collections
from tests.pages import open_drawers
from tests.viz.page import new_app, page_text, run_page, sentence_data, url_param
from viz.components.sentence import TERMS
from viz.i18n import LANGUAGES, speaking, tr
from viz.plain_text import escape_markdown
from viz.shipped_models import shipped_models

DOORS_TO = ("lesson", "checkpoints")
STOPS = ("word", "head", "off", "step", "own", "done")


@pytest.fixture
def app(tiny_server):
    return open_drawers(new_app())


def test_a_newcomer_is_told_what_this_is_finds_two_doors_and_can_type_at_once(app):
    app.run()
    assert any(text.value == tr("first.what") for text in app.markdown)
    assert sentence_data(app)["invitation"] == tr("first.invite_en")
    assert {link.proto.page for link in app.get("page_link")} >= set(DOORS_TO)
    returning = open_drawers(new_app(text="the dog is sleeping .")).run()
    assert tr("first.what") not in page_text(returning)


@pytest.mark.parametrize("change", [{}, {"interventions": "off:x.0.1"}, {"prefix": "5"}])
def test_a_projector_shows_nothing_above_the_sentence_but_what_is_changed(app, change):
    app.query_params.update({"presenter": "1", "model": "tiny", "text": "the cat"} | change)
    app.run()
    assert bool([button for button in app.button if button.key == "change.0"]) is bool(change)
    assert not {link.proto.page for link in app.get("page_link")} & set(DOORS_TO)


def test_claims_about_a_sentence_are_shown_only_for_the_model_on_which_they_were_tested(app):
    claims = {tr(f"first.shows_{example.name}") for example in collection().gallery if example.name}
    app.query_params["model"] = "tiny"
    app.run()
    offered = sentence_data(app)
    assert offered["suggestions_about"] == tr("first.tried_elsewhere", model="en-fr")
    assert not claims & {about for _, about in offered["suggestions"]}
    texts = {text for text, _ in offered["suggestions"]}
    examples = {example.name: example.text for example in collection().gallery if example.name}
    assert examples["order"] in texts and examples["head"] not in texts, "the last is a claim about one model"
    french = run_page(model="en-fr")
    assert {about for _, about in sentence_data(french)["suggestions"]} == claims and not sentence_data(french)[
        "suggestions_about"
    ]


def test_the_model_picker_names_the_languages_of_the_shipped_models(app):
    app.query_params["language"] = "zh"
    app.run()
    picker = app.radio(key="choice..model")
    captions = dict(zip(picker.options, picker.proto.captions, strict=True))
    with speaking("zh"):
        for name, bundle in shipped_models().items():
            language = bundle.target_language or bundle.source_language
            key = "pad.reads_handwriting" if bundle.reads_pictures else f"sentence.language_{language}"
            assert tr(key) in captions[escape_markdown(name)]


@pytest.mark.parametrize(("language", "is_offered"), [("zh", True), ("fr", False)])
def test_a_reader_whose_language_another_model_writes_is_offered_that_model(app, language, is_offered):
    app.query_params.update({"language": language, "model": "tiny"})
    app.run()
    assert ("first.own_language" in [button.key for button in app.button]) == is_offered
    if is_offered:
        app.button(key="first.own_language").click().run()
        assert url_param(app, "model") == "en-zh"
        assert url_param(app, "text") == collection("en-zh").scenes["cross"]


@pytest.mark.nightly
def test_two_visitors_have_their_own_recent_sentences(app):
    app.query_params["text"] = "the cat ."
    app.run()
    assert sentence_data(app)["recent"] == []
    app.session_state["regard.choices"] = None
    del app.session_state["regard.choices"]
    app.query_params["text"] = "the dog ."
    app.run()
    assert sentence_data(app)["recent"] == ["the cat ."]
    assert sentence_data(run_page())["recent"] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stop_term_and_example_has_its_words(language):
    with speaking(language):
        assert all(tr(f"first.tour_{name}") and tr(f"first.tour_{name}_text") for name in STOPS)
        assert all(tr(f"first.forms_{name}") and tr(f"first.about_{name}") for name in TERMS)
        examples = [example for collection in collections() for example in collection.gallery]
        assert all(tr(f"first.shows_{example.name}") for example in examples if example.name)
        assert all(tr(f"gallery.{example.phenomenon}_why") for example in examples)
