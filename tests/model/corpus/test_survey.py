"""The survey's tables equal the measures of one sentence at a time."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import model
from model.analysis import trace_metrics
from model.analysis.sinks import sinks_of
from model.corpus.survey import Survey, survey
from model.interpret.attribution import value_weighted
from model.interpret.contrast import source_contribution
from model.interventions import KINDS, AttentionKind
from model.text.links import CorpusError
from model.text.pairs import Pair
from tests.model.corpus.pairs import PAIRS


@pytest.mark.nightly(but=("decoder_self",))
@pytest.mark.parametrize("kind", KINDS)
def test_heads_are_measured_as_one_sentence_at_a_time(
    bundle: model.Bundle, surveyed: Survey, kind: AttentionKind
) -> None:
    frame = surveyed.query("SELECT * FROM heads WHERE kind = ? ORDER BY id, layer, head", [kind])
    for index, (source, target) in enumerate(PAIRS):
        alone = trace_metrics(model.score(bundle, source, target), kind)
        rows = frame[frame["id"] == index]
        for name in ("entropy", "normalised_entropy", "offset", "previous", "same", "next", "sink_share", "confidence",
                     "maximum", *(["diagonality"] if kind == "cross" else [])):  # fmt: skip
            expected = alone.of(name)
            assert expected is not None
            result = rows[name].to_numpy(float).reshape(expected.shape)
            np.testing.assert_allclose(result, expected, atol=2e-5, err_msg=f"{name} of pair {index}")


def test_value_weighted_shares_follow_the_norms(bundle: model.Bundle, surveyed: Survey) -> None:
    frame = surveyed.query("SELECT * FROM heads WHERE kind = 'cross' ORDER BY id, layer, head")
    trace = model.score(bundle, *PAIRS[1])
    moved = value_weighted(bundle, trace).cross
    assert moved is not None
    rows = frame[frame["id"] == 1]
    per_head = moved.sum((-2, -1))
    expected = per_head / per_head.sum(-1, keepdims=True)
    np.testing.assert_allclose(rows["value_weighted_share"].to_numpy().reshape(expected.shape), expected, rtol=1e-3)
    sinks = (moved[..., sinks_of(trace.source)].sum(-1) / moved.sum(-1)).mean(-1)
    np.testing.assert_allclose(rows["value_weighted_sink_share"].to_numpy().reshape(sinks.shape), sinks, rtol=1e-3)


def test_sentences_carry_scores_of_the_pair_and_of_the_translation(bundle: model.Bundle, surveyed: Survey) -> None:
    frame = surveyed.query("SELECT * FROM sentences ORDER BY id")
    for index, (source, target) in enumerate(PAIRS):
        trace = model.score(bundle, source, target)
        row = frame.iloc[index]
        assert row["log_prob"] == pytest.approx(float(trace.log_probs.sum()), abs=1e-3)
        assert row["translation"] == model.translate(bundle, source).text
        assert row["source_contribution"] == pytest.approx(
            -float(source_contribution(bundle, trace).without_source.mean()), abs=1e-3
        )
        assert (row["n_source"], row["n_target"]) == (len(trace.source), len(trace.target))


def test_each_token_has_its_strongest_key(bundle: model.Bundle, surveyed: Survey) -> None:
    frame = surveyed.query("SELECT * FROM links WHERE id = 1 AND kind = 'decoder_self' AND layer = 1 AND head = 0")
    trace = model.score(bundle, *PAIRS[1])
    weights = trace.attention.decoder_self
    assert weights is not None and len(frame) == len(trace.target)
    for row in frame.itertuples():
        shown = weights[1, 0, row.query]
        assert row.key == shown.argmax() and row.weight == pytest.approx(shown.max(), abs=1e-5)
        assert row.query_token == trace.target_tokens[row.query]
        assert row.fed_token == trace.prefix_tokens[row.query]
        assert row.key_token == trace.prefix_tokens[row.key]
        assert row.is_sink == sinks_of(trace.prefix)[row.key]


def test_maps_are_stored_whole_with_the_option(bundle: model.Bundle, surveyed: Survey) -> None:
    row = surveyed.query("SELECT * FROM maps WHERE id = 0 AND kind = 'cross' AND layer = 1 AND head = 1").iloc[0]
    result = np.frombuffer(row["weights"], np.float16).reshape(row["n_queries"], row["n_keys"])
    cross = model.score(bundle, *PAIRS[0]).attention.cross
    assert cross is not None
    np.testing.assert_allclose(result, cross[1, 1], atol=1e-3)


def test_a_survey_under_a_patch_equals_each_sentence_under_it(bundle: model.Bundle, tmp_path: Path) -> None:
    patch = model.Patch("encoder.0.residual.after", positions=(1,), from_text="the dog is sleeping .")
    edits = model.Interventions(model.HeadOff("decoder_self", 0, 1), patches=patch)
    frame = survey(bundle, PAIRS, tmp_path / "s", interventions=edits).query("SELECT * FROM sentences ORDER BY id")
    plain = [model.score(bundle, source, target) for source, target in PAIRS]
    for index, (source, target) in enumerate(PAIRS):
        trace = model.score(bundle, source, target, interventions=edits)
        row = frame.iloc[index]
        assert row["log_prob"] == pytest.approx(float(trace.log_probs.sum()), abs=1e-3)
        assert row["log_prob"] != pytest.approx(float(plain[index].log_probs.sum()), abs=1e-3)
        assert row["translation"] == model.translate(bundle, source, interventions=edits).text
        assert row["source_contribution"] == pytest.approx(
            -float(source_contribution(bundle, trace).without_source.mean()), abs=1e-3
        )
    with pytest.raises(CorpusError):
        survey(bundle, PAIRS, tmp_path / "s", resume=True)
    with pytest.raises(model.InterventionError, match="no layer 9"):
        survey(bundle, PAIRS, tmp_path / "t", interventions=model.Interventions(model.HeadOff("cross", 9, 0)))


def test_states_are_stored_with_the_following_token(bundle: model.Bundle, tmp_path: Path) -> None:
    result = survey(bundle, PAIRS[:1], tmp_path / "s", states=("encoder.2", "decoder.0"))
    frame = result.query("SELECT * FROM states WHERE states = 'encoder.2' ORDER BY position")
    assert frame["token"].tolist() == ["the", "cat", "is", "sleeping", ".", "</s>"]
    assert frame["next_token"].tolist() == ["cat", "is", "sleeping", ".", "</s>", ""]
    assert len(frame["state"][0]) == 2 * bundle.config.d_model
    with pytest.raises(CorpusError, match=r"no states “decoder\.7”"):
        survey(bundle, PAIRS, tmp_path / "t", states=("decoder.7",))


def test_a_slim_survey_answers_the_same_questions(bundle: model.Bundle, surveyed: Survey, tmp_path: Path) -> None:
    slim = survey(bundle, PAIRS, tmp_path / "slim", slim=True)
    query = ("SELECT id, kind, layer, head, query, query_token, fed_token, key_token, round(weight, 2) AS weight "
             "FROM links ORDER BY ALL")  # fmt: skip
    first, second = surveyed.query(query), slim.query(query)
    assert first.drop(columns="weight").equals(second.drop(columns="weight"))
    np.testing.assert_allclose(first["weight"], second["weight"], atol=0.011)


def test_a_model_can_be_measured_on_its_own_translations(bundle: model.Bundle, tmp_path: Path) -> None:
    pairs = [(source, "Wort auf Deutsch", "0-0") for source in ("the cat is sleeping .", "the dog")] + [(" ", "leer")]
    result = survey(bundle, pairs, tmp_path / "own", own_targets=True)
    translations = [model.translate(bundle, source).text for source, *_ in pairs[:2]]
    assert result.query("SELECT target FROM sentences ORDER BY id")["target"].tolist() == translations
    frame = result.query("SELECT * FROM sentences")
    assert result.has_own_targets and frame["chrf"].isna().all() and frame["links"].isna().all()
    assert [reason.partition(":")[0] for _, reason in result.skipped] == ["the source is empty"]
    with pytest.raises(CorpusError, match="other weights or options"):
        survey(bundle, pairs, tmp_path / "own", resume=True)


def test_links_measure_each_sentence(bundle: model.Bundle, tmp_path: Path) -> None:
    linked = [("the cat", "le chat", "0-0 1-1"), ("the dog", "un chien")]
    result = survey(bundle, linked, tmp_path / "gold")
    frame = result.query("SELECT * FROM heads WHERE kind = 'cross' ORDER BY id, layer, head")
    with_links, without = frame[frame["id"] == 0], frame[frame["id"] == 1]
    assert with_links["aer_fed"].notna().all() and without["aer_fed"].isna().all()
    cross = model.score(bundle, "the cat", "le chat").attention.cross
    assert cross is not None
    hits = sum(cross[0, 0, row + 1, :2].argmax() == row for row in range(2))
    assert with_links["aer_fed"].iloc[0] == pytest.approx(1 - hits / 2)


@pytest.mark.parametrize("value", [[], [("one",)], ["text"], [Pair("a", "b"), ("a", "b", "c", "d")]])
def test_other_values_than_pairs_are_refused(bundle: model.Bundle, tmp_path: Path, value: list) -> None:
    with pytest.raises(CorpusError, match="pair"):
        survey(bundle, value, tmp_path / "none")


def test_a_survey_without_the_cache_is_equal(bundle: model.Bundle, surveyed: Survey, tmp_path: Path) -> None:
    columns = "SELECT id, translation FROM sentences ORDER BY id"
    calls: list[bool] = []
    run: Any = bundle.model
    decode = run.decode

    def counted(*ids: object, **options: object) -> object:
        calls.append(bool(options.get("keep_cache")))
        return decode(*ids, **options)

    run.decode = counted
    try:
        again = survey(bundle, PAIRS, tmp_path, cached=False)
    finally:
        del run.decode
    assert calls and not any(calls)
    assert again.query(columns).equals(surveyed.query(columns))


def test_a_heads_mean_over_the_sentences_has_its_interval(surveyed: Survey) -> None:
    result = surveyed.of_heads("entropy")
    rows = surveyed.query(
        "SELECT kind, layer, head, avg(entropy) AS value, count(entropy) AS n FROM heads GROUP BY ALL"
    )
    assert len(result) == len(rows)
    both = result.merge(rows.astype({"kind": str}), on=["kind", "layer", "head"])
    np.testing.assert_allclose(both["mean"], both["value"], atol=1e-5)
    assert (both["sentences"] == both["n"]).all() and len(both) == len(rows)
    assert (both["low"] <= both["mean"] + 1e-9).all() and (both["mean"] <= both["high"] + 1e-9).all()
    assert (both["low"] < both["high"]).any()
