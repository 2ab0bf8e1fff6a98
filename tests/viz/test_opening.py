"""A model opens with a sentence that it can read, and the first screen introduces, offers and remembers sentences."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import model
from model.teaching.sentences import collection, collection_for, collections
from model.teaching.teacher_forcing import teacher_forcing
from tests.checkpoint import WORDS, tiny_bundle
from tests.pages import open_drawers
from tests.viz.page import new_app, page_text, run_page, sentence_data, url_param
from viz import cache
from viz.components.sentence import TERMS
from viz.i18n import LANGUAGES, speaking, tr
from viz.panels.opening import EXAMPLES, examples, is_read, opening, vocabulary_texts
from viz.plain_text import escape_markdown
from viz.shipped_models import shipped_models
from viz.state.selection import DEFAULT_TEXT

PAGES = ("explore", "inside", "decode", "positions", "lesson", "laboratory", "overview")
VOCABULARIES = ("ours", "strange", "closed", "none")
STRANGE = (*WORDS[:4], *(f"mot{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(len(WORDS) - 4)))
Open = Callable[..., AppTest]


def bundle_of(vocabulary: str) -> model.Bundle:
    """The same weights with a usual vocabulary, one of another language, one without an unknown token, or none."""
    bundle = tiny_bundle(vocabulary)
    words = {"ours": WORDS, "strange": STRANGE, "closed": ("<pad>", "<gap>", *STRANGE[2:])}.get(vocabulary)
    tokenizer = model.WordTokenizer(words) if words else None
    return dataclasses.replace(bundle, source_tokenizer=tokenizer, target_tokenizer=tokenizer)


@pytest.fixture(params=VOCABULARIES)
def vocabulary(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def open_page(vocabulary: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    model.save(bundle_of(vocabulary), tmp_path / vocabulary)
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / vocabulary))

    return run_page


def components(app: AppTest) -> str:
    """All data of the page's components as one text, without their code."""
    texts = []
    for node in app.get("bidi_component"):
        fields = node.proto.ListFields()
        texts += [str(value) for field, value in fields if field.name not in ("js_content", "css_content")]
    return "".join(texts)


def test_the_opening_sentence_is_one_that_the_model_can_read(vocabulary: str) -> None:
    bundle = bundle_of(vocabulary)
    text = opening(bundle, DEFAULT_TEXT)
    assert is_read(bundle, text)
    assert (text == DEFAULT_TEXT) == (vocabulary == "ours")
    trace = model.translate(bundle, text)
    assert len(trace.source) >= 5 and "<unk>" not in trace.source_tokens
    assert all(is_read(bundle, example) for example in examples(bundle))
    assert bool(set(examples(bundle)) & set(EXAMPLES["en"])) == (vocabulary == "ours")


def test_typed_sentences_are_never_replaced(vocabulary: str) -> None:
    assert opening(bundle_of(vocabulary), "words of mine") == "words of mine"


def test_texts_of_ids_hold_no_special_token() -> None:
    bundle = bundle_of("none")
    config = bundle.config
    special = {f"#{i}" for i in (config.bos_id, config.eos_id, config.source_pad_id, config.target_pad_id)}
    texts = vocabulary_texts(bundle)
    assert len(set(texts)) == 3 and all(text.split() and not special & set(text.split()) for text in texts)


@pytest.mark.nightly(but=("closed-overview", "none-positions", "ours-explore"))
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_without_an_error_and_without_english_examples(
    open_page: Open, vocabulary: str, page: str
) -> None:
    app = open_page(page)
    assert not app.error
    data = components(app)
    assert ("sleeping on the sofa" in data) == (vocabulary == "ours")


@pytest.mark.nightly(but=("strange-explore",))
@pytest.mark.parametrize("page", ["explore", "decode", "inside"])
def test_source_ids_are_taken_from_a_link_and_after_a_refresh(open_page: Open, vocabulary: str, page: str) -> None:
    expected = model.translate(bundle_of(vocabulary), (5, 14, 7))
    for _ in range(2):
        app = open_page(page, text="#5 #14 #7")
        assert not app.error
        assert "".join(app.query_params["text"]) == "#5 #14 #7"
        data = components(app)
        assert all(piece in data for piece in (*expected.source_tokens, *expected.target_tokens) if piece.isascii())


@pytest.mark.nightly(but=("none",))
def test_target_ids_are_taken_as_a_reference(open_page: Open, vocabulary: str) -> None:
    params = {"text": "#5 #14", "decode.mode": "forcing", "decode.reference": "#14 #9 #4"}
    app = open_page("decode", **params)
    assert not app.error
    bundle = bundle_of(vocabulary)
    forced = teacher_forcing(bundle, source="#5 #14", reference="#14 #9 #4")
    pieces = bundle.target_tokenizer.describe((14, 9, 4)).pieces if bundle.target_tokenizer else ("#14", "#9", "#4")
    assert forced.reference.pieces[:3] == tuple(pieces)
    data = components(app)
    assert all(piece in data for piece in pieces if piece.isascii())


def test_the_library_scores_ids_as_it_scores_their_words(vocabulary: str) -> None:
    bundle = bundle_of(vocabulary)
    by_ids = model.score(bundle, (5, 14), (14, 9))
    assert by_ids.target.ids == (14, 9, bundle.config.eos_id)
    as_text = model.score(bundle, "#5 #14", "#14 #9")
    assert np.array_equal(as_text.log_probs, by_ids.log_probs)
    if bundle.source_tokenizer is not None and bundle.target_tokenizer is not None:
        words = model.score(bundle, bundle.source_tokenizer.decode((5, 14)), bundle.target_tokenizer.decode((14, 9)))
        assert np.array_equal(by_ids.log_probs, words.log_probs)


@pytest.mark.parametrize("name", ["en-fr", "en-de", "en-zh"])
def test_a_shipped_model_opens_with_a_sentence_that_was_tried_on_it_unless_the_reader_chose_one(name: str) -> None:
    bundle = model.load(name)
    collection = collection_for(bundle)
    assert collection is not None and collection.is_tried_on(bundle)
    opening_text = opening(bundle, DEFAULT_TEXT, is_chosen=False)
    assert opening_text == (collection.front.text if collection.front else collection.scenes["head"])
    assert opening(bundle, DEFAULT_TEXT) == DEFAULT_TEXT
    offered = examples(bundle)
    assert len(offered) >= 5
    assert set(offered) <= (
        {example.text for example in collection.gallery} if name != "en-fr" else set(EXAMPLES["en"])
    )


DOORS_TO = ("lesson", "checkpoints")
STOPS = ("word", "head", "off", "step", "own", "done")


@pytest.fixture
def app(tiny_server):
    return open_drawers(new_app())


def test_a_newcomer_reads_the_purpose_sees_two_doors_and_can_type_at_once(app):
    app.run()
    assert any(text.value == tr("first.what") for text in app.markdown)
    assert sentence_data(app)["invitation"] == tr("first.invite_en")
    assert {link.proto.page for link in app.get("page_link")} >= set(DOORS_TO)
    returning = open_drawers(new_app(text="the dog is sleeping .")).run()
    assert tr("first.what") not in page_text(returning)


@pytest.mark.parametrize("change", [{}, {"interventions": "off:x.0.1"}, {"prefix": "5"}])
def test_a_projector_shows_only_the_changes_above_the_sentence(app, change):
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
def test_two_visitors_have_separate_recent_sentences(app):
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
