"""Removing heads over a corpus: the totals equal those of one sentence at a time."""

from collections.abc import Sequence

import numpy as np
import pytest
import sacrebleu
import torch

import model
from model.analysis.intervals import intervals
from model.corpus.batches import read_rows
from model.corpus.pruning.erasure import _erasure, _weightings, agreement_table
from model.corpus.pruning.removal import by_means, heads_off, importance, keep_one, prune, readable_rows, remove_each
from model.corpus.pruning.table import corpus_bleu, quality
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
    removal = remove_each(bundle, PAIRS)
    before = per_token(bundle, model.NONE)
    for index, head in enumerate(removal.heads):
        alone = per_token(bundle, Interventions(heads_off=(HeadAblation(*head),)))
        np.testing.assert_allclose(removal.changes[index], np.subtract(alone, before), atol=1e-4)
    assert len(removal.heads) == 12 and removal.before == pytest.approx(np.mean(before), abs=1e-4)


def test_keep_one_removes_the_other_heads_of_a_layer(bundle: model.Bundle) -> None:
    result = keep_one(bundle, PAIRS)
    index = result.heads.index(("cross", 1, 0))
    alone = per_token(bundle, heads_off([("cross", 1, 1)]))
    np.testing.assert_allclose(result.changes[index], np.subtract(alone, per_token(bundle, model.NONE)), atol=1e-4)


def test_a_head_with_a_constant_output_can_be_replaced_by_its_mean(bundle: model.Bundle) -> None:
    """With a single key every query has the same output, which equals its mean, so removal by mean changes nothing."""
    pairs = [Pair("cat", "chat")]
    source_free = tiny_bundle(source_has_eos=False)
    removal = remove_each(source_free, pairs, mode="mean")
    changes = dict(zip(removal.heads, removal.changes[:, 0], strict=True))
    one_key: Sequence[AttentionKind] = ("encoder_self", "cross")
    assert max(abs(changes[head]) for head in removal.heads if head[0] in one_key) < 1e-4
    assert max(abs(change) for change in remove_each(source_free, pairs).changes[:, 0]) > 1e-3


def test_importance_is_the_size_of_the_derivative_by_a_gate(bundle: model.Bundle) -> None:
    """Compared with a difference quotient: scaling a head's columns of the output projection acts as its gate."""
    result, step = importance(bundle, PAIRS[:1]), 1e-3
    slopes = []
    for head in range(2):
        attention = bundle.model.decoder.layers[1].cross_attention
        columns = slice(head * attention.d_value, (head + 1) * attention.d_value)
        retained, sides = attention.output.weight.detach().clone(), []
        for factor in (1 + step, 1 - step):
            with torch.no_grad():
                attention.output.weight[:, columns] = retained[:, columns] * factor
            sides.append(float(model.score(bundle, PAIRS[0].source, PAIRS[0].target).log_probs.mean()))
            with torch.no_grad():
                attention.output.weight.copy_(retained)
        slopes.append(abs(sides[0] - sides[1]) / (2 * step))
    expected = np.array(slopes) / np.linalg.norm(slopes)
    np.testing.assert_allclose([result["cross", 1, 0], result["cross", 1, 1]], expected, rtol=0.05)


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
    result = agreement_table(bundle, PAIRS)
    assert result["n_sentences"] == 2, "the third has too few tokens"
    names = {(row["weighting"], row["kind"], row["layer"]) for row in result["rows"]}
    for kind in ("encoder_self", "decoder_self", "cross"):
        assert {("raw", kind, 0), ("value_weighted", kind, None), ("gradient", kind, 1)} <= names
    for kind in ("decoder_self", "cross"):
        assert {("rollout", kind, None), ("alti", kind, None), ("gradient_input", kind, None)} <= names
    for bounds in (row["agreement"] for row in result["rows"]):
        assert -1 <= bounds["low"] <= bounds["mean"] <= bounds["high"] <= 1
    (row,), _ = read_rows(bundle, PAIRS[:1])
    fed, ids = (list(row.prefix.ids), list(row.target.ids)), list(row.source.ids)
    whole, without = (
        teacher_forced(bundle, [(source, *fed)]).log_probs[0].detach().numpy() for source in (ids, [ids[0], *ids[2:]])
    )
    np.testing.assert_allclose(_erasure(bundle, row)[:, 1], whole - without, atol=1e-5)
    with pytest.raises(CorpusError, match="no sentence has"):
        agreement_table(bundle, [Pair("cat", "chat")])


def test_in_the_encoder_a_token_has_the_sum_over_all_tokens(bundle: model.Bundle) -> None:
    (row,), _ = read_rows(bundle, PAIRS[:1])
    weights = model.attend(bundle, [list(row.source.ids)], [list(row.prefix.ids)]).encoder_self
    assert weights is not None
    result = _weightings(bundle, row)["raw", "encoder_self", 0]
    np.testing.assert_allclose(result, weights[0, 0].mean((0, 1)), atol=1e-6)


def test_shipped_files_belong_to_one_model() -> None:
    survey, figures = shipped_survey(), shipped_figures()
    assert survey.is_complete and survey.n_pairs == 2_000
    assert figures["fingerprint"] == survey.fingerprint, "make it again: python -m model.corpus.shipped"
    assert all(pair.links is not None for pair in shipped_gold())


@pytest.mark.parametrize(
    "translations",
    [
        ("the cat sat on the mat", "a dog ran to the red house"),
        ("the cat on mat sat", "dog red a house"),  # orders without a match are smoothed
        ("the", "a"),
    ],
)
def test_summed_counts_give_the_bleu_of_the_corpus(translations: tuple[str, ...]) -> None:
    references = ["the cat sat on the mat", "a dog ran to the house"]
    metric = sacrebleu.BLEU(effective_order=True)
    results = [metric.sentence_score(text, [wanted]) for text, wanted in zip(translations, references, strict=True)]
    sums = np.array([[*result.counts, *result.totals, result.sys_len, result.ref_len] for result in results]).sum(0)
    assert corpus_bleu(sums[None])[0] == pytest.approx(
        sacrebleu.corpus_bleu(list(translations), [references]).score, abs=1e-9
    )


def test_batched_sums_equal_sacrebleu() -> None:
    rng = np.random.default_rng(0)
    totals = np.sort(rng.integers(0, 9, (200, 4)), 1)[:, ::-1]
    counts = np.minimum(rng.integers(0, 9, (200, 4)), totals)
    sums = np.concatenate([counts, totals, totals[:, :1], rng.integers(1, 12, (200, 1))], 1)
    each = [
        sacrebleu.BLEU.compute_bleu(item[:4], item[4:8], item[8], item[9], smooth_method="exp").score
        for item in sums.tolist()
    ]
    np.testing.assert_allclose(corpus_bleu(sums), each, atol=1e-9)
    assert 0 in each and max(each) > 50


def test_each_variant_is_held_against_the_whole_model(bundle: model.Bundle) -> None:
    head = every_head(bundle.config)[5]
    scores = quality(bundle, PAIRS, [heads_off([head]), model.NONE])
    texts = [[pair.target for pair in PAIRS]]
    before = [trace.text for trace in model.translate(bundle, [pair.source for pair in PAIRS])]  # type: ignore[union-attr]
    edits = heads_off([head])
    after = [trace.text for trace in model.translate(bundle, [p.source for p in PAIRS], interventions=edits)]  # type: ignore[union-attr]
    assert scores.bleu_before == pytest.approx(sacrebleu.corpus_bleu(before, texts).score)
    assert scores.bleu[0].mean == pytest.approx(sacrebleu.corpus_bleu(after, texts).score - scores.bleu_before)
    nothing = scores.chrf[1]
    assert nothing.low == nothing.mean == nothing.high == 0


def test_a_mean_in_the_place_of_a_head_leaves_the_model_as_it_was(bundle: model.Bundle) -> None:
    retained = {name: parameter.clone() for name, parameter in bundle.model.named_parameters()}
    scores = quality(bundle, PAIRS, by_means(bundle, readable_rows(bundle, PAIRS), every_head(bundle.config)[:2]))
    assert len(scores.bleu) == len(scores.chrf) == 2
    for name, parameter in bundle.model.named_parameters():
        assert parameter.equal(retained[name])
