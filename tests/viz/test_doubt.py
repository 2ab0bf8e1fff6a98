"""Warnings about characters missing from the vocabulary and about unreliable translations, with suggestions."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest

import model
from model.inference.reading import prompt_tokens
from model.interpret.confidence import looped_text
from model.text.tokens import describe_target
from model.trace import TokenSequence
from tests.checkpoint import tiny_bundle
from tests.model.test_beam_tree import stubborn
from tests.model.test_confidence import calibration
from viz import i18n
from viz.panels.reading import Reading, prepare_input, translation_options
from viz.panels.stage import doubt
from viz.state.selection import Selection


def reading(bundle: model.Bundle, text: str, **choices: object) -> Reading:
    trace = model.translate(bundle, text)
    return Reading(Selection(text=text, **choices), bundle, trace, prepare_input(bundle, text))  # type: ignore[arg-type]


def doubtful(threshold: float) -> model.Bundle:
    return dataclasses.replace(
        tiny_bundle(), calibration=calibration(threshold=threshold), fingerprint=f"doubtful {threshold}"
    )


def test_only_a_doubtful_translation_has_a_warning() -> None:
    assert doubt.notices(reading(doubtful(1.0), "the cat")) == []
    notices = doubt.notices(reading(doubtful(0.0), "the cat"))
    assert notices == [i18n.tr("doubt.far"), i18n.tr("doubt.plain_in", language="English")]
    long = doubt.notices(reading(doubtful(0.0), "the cat is on the sofa " * 5))
    assert i18n.tr("doubt.split") in long


@pytest.mark.parametrize(
    ("text", "source", "suggestion"),
    [
        ("cat", "en", "Try a whole sentence in English."),
        ("the cat", "de-AT", "Try everyday German words."),
        ("cat", "ja", "Try a whole sentence."),
        ("the cat", None, "Try everyday words."),
    ],
)
def test_the_suggestion_names_the_models_language(text: str, source: str | None, suggestion: str) -> None:
    bundle = dataclasses.replace(doubtful(0.0), source_language=source, fingerprint=f"doubtful in {source}")
    assert doubt.notices(reading(bundle, text))[-1] == suggestion


def test_forced_and_sampled_words_have_no_warning() -> None:
    bundle = doubtful(0.0)
    assert doubt.notices(reading(bundle, "the dog", prefix=(12,))) == []
    assert doubt.notices(reading(bundle, "the dog", method="sample")) == []


def test_a_loop_is_named_in_place_of_the_length_limit() -> None:
    notices = doubt.notices(reading(stubborn(), "the cat is sleeping"))
    assert notices == [i18n.tr("doubt.loop", text="chat")]


def continuation(text: str, ids: list[int], *, is_cut: bool = True) -> Reading:
    """A reading of the shipped decoder whose continuation has these tokens."""
    bundle = model.load("tiny-decoder")
    fed = prompt_tokens(bundle, text)
    target = describe_target(bundle, (*fed.ids[1:], *ids))
    trace: Any = SimpleNamespace(source=(), prefix=target, target=target, is_truncated=is_cut, candidates=())
    return Reading(Selection(text=text, prefix=(1,)), bundle, trace, prepare_input(bundle, text))


@pytest.mark.nightly("fr", "zh")
@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_of_a_decoder_only_model_it_is_the_continuation_that_repeats_or_ends(language: str) -> None:
    with i18n.speaking(language):
        notices = {
            (n, is_cut): doubt.notices(continuation("The dog", [40] * n, is_cut=is_cut))[0]
            for n, is_cut in ((8, True), (8, False), (2, True))
        }
        prompt_alone = doubt.notices(continuation("a" + " b" * 12, [40, 50, 60]))
        word = {"en": "ontinuation", "fr": "suite", "zh": "续写"}[language]
        assert all(word in notice for notice in notices.values()) and len(set(notices.values())) == 3
        assert "2" in notices[2, True], "the prompt is not counted"
        assert prompt_alone == [i18n.tr("sentence.unfinished_alone", n=3)]


def test_a_repetition_is_quoted_without_vocabulary_marks() -> None:
    tokens = TokenSequence((5, 6) * 6, ("Ġha", "ĠĊ") * 6, (0,) * 12, (None,) * 12)
    only_tokens: Any = SimpleNamespace(target=tokens)
    assert looped_text(only_tokens) == "ha ↵"


@pytest.mark.parametrize(
    ("pieces", "text"),
    [(("▁", "<0xE2>", "<0x80>", "<0x93>"), "–"), (("<0x80>", "<0x93>", "<0xE2>"), "<0x80><0x93><0xE2>")],
)
def test_a_character_that_is_written_in_bytes_and_repeats_is_named_as_itself(
    pieces: tuple[str, ...], text: str
) -> None:
    n = len(pieces)
    tokens = TokenSequence(tuple(range(5, 5 + n)) * 6, pieces * 6, (0,) * 6 * n, (None,) * 6 * n)
    only_tokens: Any = SimpleNamespace(target=tokens)
    assert looped_text(only_tokens) == text


REPEATS_AND_MAY = "b" * 48
"""A text that repeats itself, so that decoding does not stop at a repetition."""


@pytest.mark.nightly(but=("choices3",))
@pytest.mark.parametrize(
    ("text", "choices", "notice"),
    [
        ("Здравствуйте, меня зовут Анна", {}, "repeated “de la capitale” again and again, so it was stopped"),
        (REPEATS_AND_MAY, {}, "repeats “b” again and again, and was cut at the limit of 112 tokens"),
        (REPEATS_AND_MAY, {"method": "beam", "max_length": 12}, "and was cut at the limit of 12 tokens"),
        ("n" * 48, {"method": "beam"}, "The translation repeats “n” again and again."),
    ],
)
def test_a_notice_names_the_loop_that_ended_a_translation(text: str, choices: dict[str, Any], notice: str) -> None:
    bundle = model.load()
    reading_of_loop = Reading(
        Selection(text=text, **choices), bundle, model.translate(bundle, "It."), prepare_input(bundle, text)
    )
    trace = model.translate(bundle, reading_of_loop.model_input.text, **translation_options(reading_of_loop))
    assert notice in doubt.notices(dataclasses.replace(reading_of_loop, trace=trace))[0]


@pytest.mark.parametrize(
    ("text", "sure", "doubtful"),
    [
        ("THE CAT SLEEPS", True, True),
        ("NASA", False, True),
        ("The cat", False, False),
        ("I AM HERE", True, True),
        ("A B C", False, False),
        ("你好", False, False),
    ],
)
def test_a_single_word_in_capitals_counts_where_the_model_fails(text: str, sure: bool, doubtful: bool) -> None:
    assert doubt.in_capitals(text, is_doubtful=False) is sure and doubt.in_capitals(text, is_doubtful=True) is doubtful


@pytest.mark.parametrize(
    ("text", "usual"),
    [("THE CAT SLEEPS.", "The cat sleeps."), ("I THINK I'M LATE", "I think I'm late"), ("IT IS ICE", "It is ice")],
)
def test_the_usual_case_has_capitals_at_the_beginning_and_in_i(text: str, usual: str) -> None:
    assert doubt.usual_case(text) == usual


def test_a_button_gives_a_sentence_in_capitals_its_usual_case(open_page) -> None:
    app = open_page(text="THE CAT IS SLEEPING")
    app.button(key="lower_case").click().run()
    assert app.query_params["text"] == "The cat is sleeping"
    assert "lower_case" not in [button.key for button in app.button]


def test_a_text_that_the_model_cannot_read_has_a_warning_that_names_a_model_that_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "你好，世界"
    bundle, chinese = model.load(), model.load("en-zh")
    unread = reading(bundle, text)
    language = i18n.tr("doubt.language_en")
    notices = [i18n.tr("doubt.unread_in", language=language), i18n.tr("doubt.unread_none")]
    assert set(notices) <= set(doubt.notices(unread)) and i18n.tr("doubt.far") not in doubt.notices(unread)
    reader = dataclasses.replace(chinese, source_tokenizer=chinese.target_tokenizer)
    monkeypatch.setattr(doubt.session, "private_models", lambda: {"mine": reader})
    assert i18n.tr("doubt.unread_other", name="mine") in doubt.notices(unread)
    assert i18n.tr("doubt.unread_none") not in doubt.notices(reading(bundle, "Crème brûlée is good."))


class _Pieces:
    """Joins an unknown letter with the previous letter, as SentencePiece does."""

    unknown_id = 1

    def encode(self, text: str) -> TokenSequence:
        place = text.find("ü")
        spans = [(0, len(text))] if place < 1 else [(0, place - 1), (place - 1, place + 1), (place + 1, len(text))]
        spans = [(a, b) for a, b in spans if a < b]
        ids = tuple(1 if "ü" in text[a:b] else 5 for a, b in spans)
        return TokenSequence(ids, tuple(text[a:b] for a, b in spans), tuple(range(len(spans))), tuple(spans))


def _bundle(tokenizer: Any) -> model.Bundle:
    bundle = tiny_bundle()
    return model.Bundle(
        name="other", model=bundle.model, config=bundle.config, source_tokenizer=tokenizer,
        target_tokenizer=bundle.target_tokenizer, fingerprint="other",
    )  # fmt: skip


def test_only_the_character_that_is_missing_is_named():
    assert prepare_input(_bundle(_Pieces()), "Zürich").unknown == ("ü",)


@pytest.mark.parametrize(("text", "unknown"), [("the zebra zebra cat", ("zebra",)), ("the cat", ())])
def test_a_list_of_words_names_the_whole_word_once(text, unknown):
    assert prepare_input(tiny_bundle(), text).unknown == unknown
