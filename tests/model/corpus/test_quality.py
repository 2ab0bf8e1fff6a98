"""BLEU and chrF of translations without heads: the sums give sacreBLEU's own scores."""

import numpy as np
import pytest
import sacrebleu

import model
from model.corpus.pruning.removal import by_means, heads_off, readable_rows
from model.corpus.pruning.table import corpus_bleu, quality
from model.interventions import every_head
from tests.model.corpus.pairs import THREE as PAIRS


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
    found = [metric.sentence_score(text, [wanted]) for text, wanted in zip(translations, references, strict=True)]
    sums = np.array([[*one.counts, *one.totals, one.sys_len, one.ref_len] for one in found]).sum(0)
    assert corpus_bleu(sums[None])[0] == pytest.approx(
        sacrebleu.corpus_bleu(list(translations), [references]).score, abs=1e-9
    )


def test_many_sums_at_once_give_what_sacrebleu_computes_of_each() -> None:
    rng = np.random.default_rng(0)
    totals = np.sort(rng.integers(0, 9, (200, 4)), 1)[:, ::-1]
    counts = np.minimum(rng.integers(0, 9, (200, 4)), totals)
    sums = np.concatenate([counts, totals, totals[:, :1], rng.integers(1, 12, (200, 1))], 1)
    each = [
        sacrebleu.BLEU.compute_bleu(one[:4], one[4:8], one[8], one[9], smooth_method="exp").score
        for one in sums.tolist()
    ]
    np.testing.assert_allclose(corpus_bleu(sums), each, atol=1e-9)
    assert 0 in each and max(each) > 50


def test_each_variant_is_held_against_the_whole_model(bundle: model.Bundle) -> None:
    head = every_head(bundle.config)[5]
    found = quality(bundle, PAIRS, [heads_off([head]), model.NONE])
    texts = [[pair.target for pair in PAIRS]]
    before = [trace.text for trace in model.translate(bundle, [pair.source for pair in PAIRS])]  # type: ignore[union-attr]
    edits = heads_off([head])
    after = [trace.text for trace in model.translate(bundle, [p.source for p in PAIRS], interventions=edits)]  # type: ignore[union-attr]
    assert found.bleu_before == pytest.approx(sacrebleu.corpus_bleu(before, texts).score)
    assert found.bleu[0].mean == pytest.approx(sacrebleu.corpus_bleu(after, texts).score - found.bleu_before)
    nothing = found.chrf[1]
    assert nothing.low == nothing.mean == nothing.high == 0


def test_a_mean_in_the_place_of_a_head_leaves_the_model_as_it_was(bundle: model.Bundle) -> None:
    kept = {name: parameter.clone() for name, parameter in bundle.model.named_parameters()}
    found = quality(bundle, PAIRS, by_means(bundle, readable_rows(bundle, PAIRS), every_head(bundle.config)[:2]))
    assert len(found.bleu) == len(found.chrf) == 2
    for name, parameter in bundle.model.named_parameters():
        assert parameter.equal(kept[name])
