"""Head metrics over a set of sentences."""

import numpy as np
import pytest

from model.analysis import mean_metrics, trace_metrics
from model.analysis.metrics import METRIC_NAMES
from model.bundle import Bundle
from model.corpus import metrics
from model.corpus.metrics import MAX_SENTENCES, SentencesError, corpus_metrics, example_sentences, read_sentences
from model.inference.translation import translate
from tests.tiny import tiny_model

IDS = ("#5 #6 #7 #3", "#8 #3", "#9 #10 #11 #12 #13 #3")


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    model = tiny_model()
    return Bundle("tiny", model, model.config, None, None)


def test_the_mean_is_over_each_sentence_measured_alone(bundle: Bundle) -> None:
    found = corpus_metrics(bundle, IDS)
    alone = mean_metrics([trace_metrics(translate(bundle, text), "cross") for text in IDS])
    assert found.n_sentences == 3
    assert set(found.by_kind) == {"encoder_self", "decoder_self", "cross"}
    assert found.by_kind["cross"].entropy == pytest.approx(alone.entropy)
    for name in METRIC_NAMES:
        values, expected = found.by_kind["cross"].of(name), alone.of(name)
        assert values is not None and expected is not None
        np.testing.assert_allclose(values, expected, atol=1e-5, err_msg=name)


def test_progress_is_reported_after_each_batch(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "SENTENCES_PER_BATCH", 1)
    reports: list[tuple[int, ...]] = []
    found = corpus_metrics(bundle, IDS, on_progress=lambda *done: reports.append(done))
    assert reports == [(1, 3), (2, 3), (3, 3)] and found.n_sentences == 3
    assert corpus_metrics(bundle, ()).by_kind == {}


def test_a_sentence_that_cannot_be_read_is_skipped_with_its_reason(bundle: Bundle) -> None:
    found = corpus_metrics(bundle, (IDS[0], "#999", IDS[1]))
    assert [(skip.id, "999" in skip.reason) for skip in found.skipped] == [(1, True)]
    assert found.n_sentences == 2
    assert np.isfinite(found.by_kind["encoder_self"].entropy).all()


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
