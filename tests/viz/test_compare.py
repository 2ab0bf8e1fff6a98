"""The summary of a comparison of two sentences or models."""

import numpy as np
import pytest

from model import score, translate
from model.analysis import CompareError, compare_traces, moved
from model.bundle import Bundle
from model.inference.long_text import MAX_LONG
from model.text.tokenizer import Tokenizer
from model.text.tokens import TextError
from model.trace import TokenSequence
from tests.checkpoint import tiny_bundle
from tests.tiny import tiny_model
from tests.viz.page import run_page
from viz import cache
from viz.explore.compare import MAX_HEADS, movers, underline_differences
from viz.panels.reading import prepare_input

TEXT = "The cat is sleeping on the sofa."


def test_words_that_the_other_side_has_not_are_marked_and_every_word_is_escaped() -> None:
    html = underline_differences(["Le", "<b>", "dort"], ["Le", "chien", "dort"], colour="#112233")
    assert (
        html == 'Le <mark style="background:none;color:inherit;border-bottom:3px solid #112233">&lt;b&gt;</mark> dort'
    )
    assert underline_differences(["a"], ["a"], colour="#000000") == "a"
    assert underline_differences([], ["a"], colour="#000000") == ""


def test_the_heads_that_moved_most_come_first() -> None:
    bundle = tiny_bundle()
    first = translate(bundle, "the cat is sleeping on the sofa .")
    second = translate(bundle, "the dog is sleeping on the sofa .")
    heads = movers(first, second)
    assert 0 < len(heads) <= MAX_HEADS
    shares = [mover.share for mover in heads]
    assert shares == sorted(shares, reverse=True)
    best = heads[0]
    assert best.share == pytest.approx(moved(compare_traces(first, second, best.kind))[best.layer, best.head])
    largest = max(np.nanmax(moved(compare_traces(first, second, kind))) for kind in first.attention.kinds)
    assert best.share == pytest.approx(largest)


def test_nothing_moves_between_a_sentence_and_itself() -> None:
    trace = translate(tiny_bundle(), "the cat is sleeping .")
    assert movers(trace, trace) == ()


def test_models_of_other_shapes_are_not_subtracted() -> None:
    def bundle(n_heads: int) -> Bundle:
        model = tiny_model(n_encoder_heads=n_heads, n_decoder_heads=n_heads)
        return Bundle("tiny", model, model.config, None, None)

    first, second = (score(bundle(n), "#5 #6 #3", "#7 #3") for n in (2, 4))
    with pytest.raises(CompareError, match="layers and heads differ"):
        movers(first, second)


@pytest.mark.nightly(but=("emoji",))
@pytest.mark.parametrize(
    "text", ["😀" * 500, "中" * 3_000, "1 " * 30_000, "a" * 60_000], ids=["emoji", "zh", "ones", "a"]
)
def test_a_long_second_sentence_is_truncated_with_a_notice(text: str) -> None:
    app = run_page(text=TEXT, other_text=text)
    assert any("Too long: the first 512 of" in caption.value for caption in app.caption)
    assert any(button.key and button.key.startswith("mover.") for button in app.button)


def test_a_second_sentence_that_cannot_be_read_leaves_the_first_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise TextError("this text cannot be read: write another one")

    monkeypatch.setattr("viz.explore.compare.read_as", refuse)
    app = run_page(text=TEXT, other_text="#999999")
    assert any("cannot be read" in text.value for text in app.text)
    assert any(node.type == "bidi_component" and node.key == "explorer" for node in app._tree)


@pytest.mark.nightly(but=("prose",))
@pytest.mark.parametrize(
    "text", ["😀" * 60_000, "a" * 60_000, "The cat is here. " * 3_530], ids=["emoji", "a", "prose"]
)
def test_a_link_of_60_000_characters_is_read_as_far_as_a_model_reads(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Emoji are four tokens each: to tokenize all of them would take three times five seconds."""
    bundle, n_encoded = cache.bundle("en-fr"), []
    assert bundle.source_tokenizer is not None
    encode = type(bundle.source_tokenizer).encode

    def encode_counted(self: Tokenizer, part: str) -> TokenSequence:
        tokens = encode(self, part)
        n_encoded.append(len(tokens))
        return tokens

    monkeypatch.setattr(type(bundle.source_tokenizer), "encode", encode_counted)
    prepared = prepare_input(bundle, text)
    assert prepared.is_cut and len(prepared.text) < len(text)
    assert sum(n_encoded) <= 6 * MAX_LONG
    assert text.startswith(prepared.text)
