"""The signals that a model gives about its own translation, and their conversion into a probability.

The shipped calibration belongs to the shipped weights, is accurate enough, and accepts everyday sentences.
"""

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest

import model
from model.calibration import CONFIDENCE, REASSURING, Calibration, CalibrationError, Term, read_calibration
from model.checkpoints import CheckpointError
from model.corpus.confidence import auc, fit, threshold
from model.interpret.confidence import confidence, evidence, is_rare, log_probs_without_source, repetition
from model.interventions import HeadOff, Interventions
from model.trace import TokenSequence
from tests.checkpoint import save_tiny, tiny_bundle
from viz.panels.opening import EXAMPLES

TEXT = "the cat is sleeping on the sofa ."


def calibration(fingerprint: str = "x", **changes: float) -> Calibration:
    terms = {"mean_log_prob": Term(-1.0, 0.5, -2.0), "log_length": Term(2.0, 1.0, 1.0)}
    return Calibration(fingerprint, changes.get("bias", 0.0), terms, changes.get("threshold", 0.5), {"auc": 0.9})


def test_the_probability_is_the_logistic_of_the_weighed_sum() -> None:
    result = calibration(bias=0.25).probability({"mean_log_prob": -2.0, "log_length": 2.5})
    assert result == pytest.approx(1 / (1 + math.exp(-(0.25 + 4.0 + 0.5))))
    assert calibration().probability({"mean_log_prob": -1e9, "log_length": 0.0}) == pytest.approx(1.0)


def test_a_value_far_beyond_those_measured_speaks_against_a_translation_but_never_for_it() -> None:
    limit = calibration().probability({"mean_log_prob": -1.0, "log_length": 2.0 - 3.0})
    assert calibration().probability({"mean_log_prob": -1.0, "log_length": -50.0}) == limit
    assert limit < calibration().probability({"mean_log_prob": -1.0, "log_length": 0.0})
    assert calibration().probability({"mean_log_prob": -4.0, "log_length": -50.0}) > 0.99


def test_evidence_is_taken_from_the_tokens_and_their_probabilities() -> None:
    bundle = tiny_bundle()
    trace = model.translate(bundle, TEXT)
    alone = log_probs_without_source(bundle, trace.target.ids)
    signals = evidence(trace.source, trace.target, trace.log_probs, alone)
    assert signals["mean_log_prob"] == pytest.approx(float(trace.log_probs.mean()))
    assert signals["source_effect"] == pytest.approx(float(trace.log_probs.mean() - alone.mean()))
    assert signals["log_length"] == pytest.approx(math.log(9)) and signals["pieces_per_word"] == 1.0
    assert signals["character_ratio"] == pytest.approx(math.log(len(trace.text) / len(TEXT)))


def test_the_lengths_are_compared_in_characters() -> None:
    source = TokenSequence((5, 6, 7, 1), ("▁un", "be", "▁cat", "</s>"), (0, 0, 1, -1), ((0, 2), (2, 4), (5, 8), None))
    target = TokenSequence((8, 1), ("▁ab", "</s>"), (0, -1), ((0, 4), None))
    signals = evidence(source, target, [-1.0, -2.0], np.array([-1.0, -3.0]))
    assert signals["character_ratio"] == pytest.approx(math.log(4 / 8)) and signals["pieces_per_word"] == 1.5
    nothing = evidence(source, TokenSequence((1,), ("</s>",), (-1,), (None,)), [-1.0], np.array([-1.0]))
    assert nothing["character_ratio"] == pytest.approx(math.log(1 / 8))


def test_the_source_is_removed_as_if_the_sentence_were_empty() -> None:
    bundle = tiny_bundle()
    ids = model.translate(bundle, TEXT).target.ids
    result = log_probs_without_source(bundle, ids)
    empty = np.array([[bundle.config.eos_id]])
    fed = np.array([[bundle.config.bos_id, *ids[:-1]]])
    logits = model.attend(bundle, empty, fed).logits
    assert logits is not None
    expected = logits[0] - np.log(np.exp(logits[0]).sum(-1, keepdims=True))
    np.testing.assert_allclose(result, expected[np.arange(len(ids)), ids], atol=1e-4)


@pytest.mark.parametrize(
    ("piece", "rare"), [("<0xE7>", True), ("<unk>", True), ("z", True), ("▁a", False), (".", False), ("ing", False)]
)
def test_bytes_unknowns_and_single_letters_inside_a_word_are_rare(piece: str, rare: bool) -> None:
    assert is_rare(piece) is rare


def test_repetition_is_the_share_of_trigrams_that_came_before() -> None:
    assert repetition([1, 2, 3, 4]) == 0.0 and repetition([1, 2]) == 0.0
    assert repetition([7] * 10) == pytest.approx(7 / 8)


def test_without_a_calibration_or_with_interventions_there_is_no_confidence() -> None:
    plain, measured = tiny_bundle(), dataclasses.replace(tiny_bundle(), calibration=calibration())
    assert confidence(plain, model.translate(plain, TEXT)) is None
    edited = Interventions(heads_off=(HeadOff("cross", 0, 0),))
    assert confidence(measured, model.translate(measured, TEXT, interventions=edited)) is None
    judged = confidence(measured, model.translate(measured, TEXT))
    assert judged is not None and judged.is_doubtful == (judged.p_poor > 0.5)


def test_the_threshold_decides_whether_a_reader_is_warned() -> None:
    for limit, doubtful in ((0.0, True), (1.0, False)):
        bundle = dataclasses.replace(tiny_bundle(), calibration=calibration(threshold=limit))
        judged = confidence(bundle, model.translate(bundle, TEXT))
        assert judged is not None and judged.is_doubtful is doubtful


def test_constants_come_with_the_checkpoint_that_they_were_measured_on(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "tiny")
    digest = model.load(folder).fingerprint
    (folder / CONFIDENCE).write_text(calibration(digest).to_json())
    assert model.load(folder).calibration == calibration(digest)
    (folder / CONFIDENCE).write_text(calibration("of other weights").to_json())
    assert model.load(folder).calibration is None


@pytest.mark.parametrize("damage", ["{", "[]", '{"terms": 3}', '"bias": NaN', '"scale": 0'])
def test_the_error_of_a_damaged_file_has_a_remedy(tmp_path: Path, damage: str) -> None:
    whole = json.loads(calibration().to_json())
    if damage.startswith('"bias"'):
        text = json.dumps(whole | {"bias": math.nan})
    elif damage.startswith('"scale"'):
        text = json.dumps(whole | {"terms": {"mean_log_prob": {"centre": 0, "scale": 0, "weight": 1}}})
    else:
        text = damage
    (tmp_path / CONFIDENCE).write_text(text)
    with pytest.raises(CalibrationError, match="delete it, or measure it again"):
        read_calibration(tmp_path, "x")
    folder = save_tiny(tmp_path / "tiny")
    (folder / CONFIDENCE).write_text(text)
    with pytest.raises(CheckpointError, match=r"confidence\.json is damaged"):
        model.load(folder)


def test_the_area_under_the_curve_counts_pairs_in_the_right_order() -> None:
    scores, positive = np.array([0.1, 0.4, 0.4, 0.8, 0.9]), np.array([False, True, False, False, True])
    pairs = [(p, n) for p in scores[positive] for n in scores[~positive]]
    assert auc(scores, positive) == pytest.approx(np.mean([(p > n) + 0.5 * (p == n) for p, n in pairs]))


def test_a_fit_finds_which_value_speaks_against_a_translation() -> None:
    generator = np.random.default_rng(3)
    telling, noise = generator.normal(size=(2, 400))
    poor = telling + 0.5 * generator.normal(size=400) > 0.7
    rows = [{"telling": float(a), "noise": float(b)} for a, b in zip(telling, noise, strict=True)]
    fitted = fit(rows, poor, fingerprint="x")
    assert fitted.terms["telling"].weight > 5 * abs(fitted.terms["noise"].weight)
    p = np.array([fitted.probability(row) for row in rows])
    assert auc(p, poor) > 0.9 and p[poor].mean() > 0.5 > p[~poor].mean()


def test_a_tenth_of_the_good_translations_is_above_the_threshold_whatever_the_poor_ones_are() -> None:
    rows = [{"mean_log_prob": -i / 100, "log_length": 2.0} for i in range(200)]
    poor = np.arange(200) >= 100
    limit = threshold(calibration(), rows, poor)
    warned = np.array([calibration().probability(row) > limit for row in rows])
    assert warned[~poor].sum() == pytest.approx(10, abs=2) and warned[poor].all()
    assert threshold(calibration(), rows[:3], np.ones(3, bool)) == 0.5


def test_a_term_is_the_distance_from_its_centre_times_its_weight_down_to_a_bound() -> None:
    assert Term(1.0, 2.0, 3.0).of(5.0) == 6.0
    assert Term(1.0, 0.5, -3.0).of(0.0) == 6.0
    assert Term(1.0, 2.0, 3.0).of(-1e6) == -3.0 * REASSURING
    assert Term(1.0, 2.0, -3.0).of(1e6) == -3.0 * REASSURING


@pytest.fixture(scope="module")
def shipped() -> model.Bundle:
    return model.load()


def test_the_constants_are_those_of_the_shipped_weights_and_tell_poor_translations(shipped: model.Bundle) -> None:
    assert shipped.calibration is not None, "run model/corpus/confidence.py again: the model has changed"
    assert shipped.calibration.measured["auc"] >= 0.84


@pytest.mark.parametrize("text", EXAMPLES["en"])
def test_the_examples_of_the_app_are_not_doubted(shipped: model.Bundle, text: str) -> None:
    judged = confidence(shipped, model.translate(shipped, text))
    assert judged is not None and not judged.is_doubtful


@pytest.mark.nightly(but=("xq zzkw vbrt plmq",))
@pytest.mark.parametrize(
    "text",
    [
        "The defendant's counsel filed a motion to suppress the evidence obtained during the search.",
        "The judgment of the constitutional court has been described as a watershed in comparative jurisprudence.",
        "xq zzkw vbrt plmq",
        "我今天很累。",
        "Привет, как дела?",
        "😂😂😂",
    ],
)
def test_untranslatable_sentences_are_doubted(shipped: model.Bundle, text: str) -> None:
    judged = confidence(shipped, model.translate(shipped, text))
    assert judged is not None and judged.is_doubtful
