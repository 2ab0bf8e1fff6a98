"""Removing heads over a corpus: the totals equal those of one sentence at a time."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

import model
from model.analysis.intervals import intervals
from model.corpus.batches import read_rows
from model.corpus.pruning.erasure import _erasure, _weightings, agreement_table
from model.corpus.pruning.removal import heads_off, importance, keep_one, prune, remove_each
from model.corpus.shipped import shipped_figures, shipped_gold, shipped_survey
from model.inference.teacher_forcing import teacher_forced
from model.interventions import AttentionKind, HeadAblation, Interventions, every_head
from model.text.links import CorpusError
from model.text.pairs import Pair
from tests.checkpoint import tiny_bundle
from tests.model.corpus.pairs import THREE as PAIRS


def per_token(bundle: model.Bundle, interventions: Interventions) -> list[float]:
    traces = [model.score(bundle, pair.source, pair.target, interventions=interventions) for pair in PAIRS]
    return [float(trace.log_probs.mean()) for trace in traces]


def test_each_head_is_removed_from_every_sentence(bundle: model.Bundle) -> None:
    found = remove_each(bundle, PAIRS)
    before = per_token(bundle, model.NONE)
    for index, head in enumerate(found.heads):
        alone = per_token(bundle, Interventions(heads_off=(HeadAblation(*head),)))
        np.testing.assert_allclose(found.changes[index], np.subtract(alone, before), atol=1e-4)
    assert len(found.heads) == 12 and found.before == pytest.approx(np.mean(before), abs=1e-4)


def test_one_head_is_kept_and_the_others_of_its_layer_go(bundle: model.Bundle) -> None:
    found = keep_one(bundle, PAIRS)
    index = found.heads.index(("cross", 1, 0))
    alone = per_token(bundle, heads_off([("cross", 1, 1)]))
    np.testing.assert_allclose(found.changes[index], np.subtract(alone, per_token(bundle, model.NONE)), atol=1e-4)


def test_a_head_that_always_says_its_mean_can_be_replaced_by_it(bundle: model.Bundle) -> None:
    """With a single key every query has the same output, which equals its mean, so removal by mean changes nothing."""
    pairs = [Pair("cat", "chat")]
    source_free = tiny_bundle(source_has_eos=False)
    found = remove_each(source_free, pairs, mode="mean")
    changes = dict(zip(found.heads, found.changes[:, 0], strict=True))
    one_key: Sequence[AttentionKind] = ("encoder_self", "cross")
    assert max(abs(changes[head]) for head in found.heads if head[0] in one_key) < 1e-4
    assert max(abs(change) for change in remove_each(source_free, pairs).changes[:, 0]) > 1e-3


def test_importance_is_the_size_of_the_derivative_by_a_gate(bundle: model.Bundle) -> None:
    """Compared with a difference quotient: scaling a head's columns of the output projection acts as its gate."""
    found, step = importance(bundle, PAIRS[:1]), 1e-3
    slopes = []
    for head in range(2):
        attention = bundle.model.decoder.layers[1].cross_attention
        columns = slice(head * attention.d_value, (head + 1) * attention.d_value)
        kept, sides = attention.output.weight.detach().clone(), []
        for factor in (1 + step, 1 - step):
            with torch.no_grad():
                attention.output.weight[:, columns] = kept[:, columns] * factor
            sides.append(float(model.score(bundle, PAIRS[0].source, PAIRS[0].target).log_probs.mean()))
            with torch.no_grad():
                attention.output.weight.copy_(kept)
        slopes.append(abs(sides[0] - sides[1]) / (2 * step))
    expected = np.array(slopes) / np.linalg.norm(slopes)
    np.testing.assert_allclose([found["cross", 1, 0], found["cross", 1, 1]], expected, rtol=0.05)


def test_a_curve_goes_from_all_heads_to_none(bundle: model.Bundle) -> None:
    heads = every_head(bundle.config)
    curve = prune(bundle, PAIRS, heads, n_points=4)
    assert curve.removed == (0, 3, 6, 9, 12)
    assert curve.interventions(1) == heads_off(heads[:3]) and not curve.interventions(0)
    for point in (0, 2, 4):
        expected = np.mean(per_token(bundle, curve.interventions(point)))
        assert curve.log_probs[point] == pytest.approx(expected, abs=1e-4)


def test_an_interval_holds_its_mean_and_shrinks_with_the_sentences() -> None:
    drawn = np.random.default_rng(0).normal(1.0, 1.0, (1, 400))
    wide, narrow = next(intervals(drawn[:, :25])), next(intervals(drawn))
    assert narrow.low < narrow.mean < narrow.high and narrow.high - narrow.low < wide.high - wide.low


def test_weightings_are_held_against_removing_source_tokens(bundle: model.Bundle) -> None:
    found = agreement_table(bundle, PAIRS)
    assert found["n_sentences"] == 2, "the third has too few tokens"
    names = {(row["weighting"], row["kind"], row["layer"]) for row in found["rows"]}
    for kind in ("encoder_self", "decoder_self", "cross"):
        assert {("raw", kind, 0), ("value_weighted", kind, None), ("gradient", kind, 1)} <= names
    for kind in ("decoder_self", "cross"):
        assert {("rollout", kind, None), ("alti", kind, None), ("gradient_input", kind, None)} <= names
    for bounds in (row["agreement"] for row in found["rows"]):
        assert -1 <= bounds["low"] <= bounds["mean"] <= bounds["high"] <= 1
    (row,), _ = read_rows(bundle, PAIRS[:1])
    fed, ids = (list(row.prefix.ids), list(row.target.ids)), list(row.source.ids)
    whole, without = (
        teacher_forced(bundle, [(source, *fed)]).log_probs[0].detach().numpy() for source in (ids, [ids[0], *ids[2:]])
    )
    np.testing.assert_allclose(_erasure(bundle, row)[:, 1], whole - without, atol=1e-5)
    with pytest.raises(CorpusError, match="no sentence has"):
        agreement_table(bundle, [Pair("cat", "chat")])


def test_in_the_encoder_a_token_has_what_all_tokens_give_to_it(bundle: model.Bundle) -> None:
    (row,), _ = read_rows(bundle, PAIRS[:1])
    weights = model.attend(bundle, [list(row.source.ids)], [list(row.prefix.ids)]).encoder_self
    assert weights is not None
    found = _weightings(bundle, row)["raw", "encoder_self", 0]
    np.testing.assert_allclose(found, weights[0, 0].mean((0, 1)), atol=1e-6)


def test_what_is_shipped_belongs_together() -> None:
    survey, figures = shipped_survey(), shipped_figures()
    assert survey.is_complete and survey.n_pairs == 2_000
    assert figures["fingerprint"] == survey.fingerprint, "make it again: python -m model.corpus.shipped"
    assert all(pair.links is not None for pair in shipped_gold())
