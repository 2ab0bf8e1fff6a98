"""Head metrics over a set of sentences."""

import numpy as np
import pytest

import model
from model.analysis import mean_metrics, trace_metrics
from model.analysis.metrics import METRIC_NAMES
from model.bundle import Bundle
from model.corpus import metrics
from model.corpus.metrics import MAX_SENTENCES, SentencesError, corpus_metrics, example_sentences, read_sentences
from model.corpus.units import OTHERS, shipped_units_of, units_of, words_by_token
from model.inference.translation import translate
from model.text.tokens import source_tokens
from tests.serving import ROOT
from tests.tiny import bundle_of_ids

IDS = ("#5 #6 #7 #3", "#8 #3", "#9 #10 #11 #12 #13 #3")


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return bundle_of_ids()


def test_the_mean_is_over_each_sentence_measured_alone(bundle: Bundle) -> None:
    result = corpus_metrics(bundle, IDS)
    alone = mean_metrics([trace_metrics(translate(bundle, text), "cross") for text in IDS])
    assert result.n_sentences == 3
    assert set(result.by_kind) == {"encoder_self", "decoder_self", "cross"}
    assert result.by_kind["cross"].entropy == pytest.approx(alone.entropy)
    for name in METRIC_NAMES:
        values, expected = result.by_kind["cross"].of(name), alone.of(name)
        assert values is not None and expected is not None
        np.testing.assert_allclose(values, expected, atol=1e-5, err_msg=name)


def test_progress_is_reported_after_each_batch(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "SENTENCES_PER_BATCH", 1)
    reports: list[tuple[int, ...]] = []
    result = corpus_metrics(bundle, IDS, on_progress=lambda *done: reports.append(done))
    assert reports == [(1, 3), (2, 3), (3, 3)] and result.n_sentences == 3
    assert corpus_metrics(bundle, ()).by_kind == {}


def test_a_sentence_that_cannot_be_read_is_skipped_with_its_reason(bundle: Bundle) -> None:
    result = corpus_metrics(bundle, (IDS[0], "#999", IDS[1]))
    assert [(skip.id, "999" in skip.reason) for skip in result.skipped] == [(1, True)]
    assert result.n_sentences == 2
    assert np.isfinite(result.by_kind["encoder_self"].entropy).all()


def test_forty_different_sentences_ship() -> None:
    sentences = example_sentences()
    assert len(sentences) == len(set(sentences)) == 40
    assert all(sentence[-1] in ".?!" for sentence in sentences)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"\n \n", "one on each line"), (b"caf\xe9", "byte 3"), (b"x" * 1_000_001, "1,000,001 bytes"),
     (b"a\n" * (MAX_SENTENCES + 1), "1,001 sentences")],
)  # fmt: skip
def test_a_file_that_is_no_list_of_sentences_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(SentencesError, match=message):
        read_sentences(data)


def test_lines_are_trimmed_and_a_byte_order_mark_is_no_character() -> None:
    assert read_sentences("\ufeff a b \r\n\n c".encode()) == ("a b", "c")


TEXTS = ("The dog sleeps.", "He lost his keys.", "We teach and they learn.")


def test_each_units_peak_is_the_largest_activation_and_its_words_are_where_it_is_largest() -> None:
    bundle = model.load()
    result = units_of(bundle, TEXTS)
    name = "encoder.2.feed_forward.hidden"
    hidden = [model.record(bundle, text, names=name)[name][0] for text in TEXTS]  # (S, F) each
    words = [word for text in TEXTS for word in words_by_token(source_tokens(bundle, text))]
    values = np.concatenate(hidden)
    layer = result["layers"][2]
    assert np.allclose(layer["peaks"], values.max(0), atol=0.006)
    assert np.allclose(layer["shares"], (values > 0).mean(0), atol=6e-4)
    assert result["n_tokens"] == len(words) == len(values)
    for unit in np.argsort(-values.max(0))[:50]:
        assert layer["words"][unit].split()[0] == words[values[:, unit].argmax()]


def test_a_word_of_several_tokens_is_named_whole() -> None:
    tokens = source_tokens(model.load(), "The housekeeper slept.")
    named = list(words_by_token(tokens))
    assert named[0] == "the" and named[-1] == "</s>"
    assert next(word for word in named if "keeper" in word) == "housekeeper"


@pytest.mark.parametrize("name", ["en-fr", *OTHERS])
def test_the_shipped_file_belongs_to_the_shipped_model(name: str) -> None:
    bundle = model.load(ROOT / "pretrained" / name)
    result = shipped_units_of(bundle)
    assert result is not None and result["n_sentences"] == 2_000
    assert len(result["layers"]) == bundle.config.n_encoder_layers
    for layer in result["layers"]:
        assert len(layer["words"]) == len(layer["peaks"]) == len(layer["shares"]) == bundle.config.d_feed_forward


def test_a_model_that_was_not_measured_has_none() -> None:
    assert shipped_units_of(model.load(ROOT / "pretrained" / "tiny")) is None
