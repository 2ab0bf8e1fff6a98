"""Scoring functions compared with plain loops, kernel regression with its closed form, and shared weights."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import model
from model.nn.recurrent import AdditiveAttention
from model.nn.transformer import Transformer
from model.teaching.scoring import (
    Additive,
    Bilinear,
    Dot,
    RegressionError,
    ScaledDot,
    ScoringError,
    draw_sample,
    entropy,
    fit_width,
    hard,
    kernel_weights,
    left_out_loss,
    predict,
    sample_key,
    score_spread,
    softmax,
    softmax_slope,
    true_curve,
    untrained_scorings,
)
from model.teaching.weight_sharing import weight_sharing
from tests.checkpoint import tiny_bundle

RANDOM = np.random.default_rng(0)
QUERIES, KEYS = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=(5, 4))
WIDE_KEYS = RANDOM.normal(size=(5, 6))


def test_dot_and_scaled_dot_are_sums_of_products():
    by_hand = [[sum(a * b for a, b in zip(q, k, strict=True)) for k in KEYS] for q in QUERIES]
    np.testing.assert_allclose(Dot().scores(QUERIES, KEYS), by_hand)
    np.testing.assert_allclose(ScaledDot().scores(QUERIES, KEYS), np.array(by_hand) / 2)


def test_bilinear_puts_a_matrix_between():
    weight = RANDOM.normal(size=(4, 6))
    by_hand = [
        [sum(q[i] * weight[i, j] * k[j] for i in range(4) for j in range(6)) for k in WIDE_KEYS] for q in QUERIES
    ]
    result = Bilinear(weight)
    np.testing.assert_allclose(result.scores(QUERIES, WIDE_KEYS), by_hand)
    assert result.n_parameters == 24
    np.testing.assert_allclose(Bilinear(np.eye(4)).scores(QUERIES, KEYS), Dot().scores(QUERIES, KEYS))


def test_additive_is_a_small_network_and_the_recurrent_models_own():
    u, w, v = RANDOM.normal(size=(7, 4)), RANDOM.normal(size=(7, 6)), RANDOM.normal(size=7)
    result = Additive(u, w, v)
    by_hand = [
        [sum(v[a] * math.tanh(u[a] @ q + w[a] @ k) for a in range(7)) for k in WIDE_KEYS] for q in QUERIES
    ]  # fmt: skip
    np.testing.assert_allclose(result.scores(QUERIES, WIDE_KEYS), by_hand)
    assert result.n_parameters == 7 * 4 + 7 * 6 + 7
    module = AdditiveAttention(4, 6, 7).double()
    with torch.no_grad():
        module.query.weight.copy_(torch.tensor(u))
        module.key.weight.copy_(torch.tensor(w))
        module.score.weight.copy_(torch.tensor(v[None]))
        memory = torch.tensor(WIDE_KEYS)[None]
        attn_mask = torch.ones(1, 5, dtype=torch.bool)
        _, weights = module(torch.tensor(QUERIES[:1]), module.key(memory), memory, attn_mask)
    np.testing.assert_allclose(weights[0].numpy(), softmax(result.scores(QUERIES[:1], WIDE_KEYS))[0], atol=1e-12)


@pytest.mark.parametrize(
    "scoring", [Dot(), ScaledDot(), Bilinear(np.eye(4)), Additive(np.eye(4), np.eye(4), np.ones(4))]
)
def test_widths_that_do_not_fit_are_named(scoring):
    with pytest.raises(ScoringError, match="6"):
        scoring.scores(QUERIES, WIDE_KEYS)


def test_the_four_share_one_signature_and_their_seed():
    first, second = (untrained_scorings(4, 4, d_hidden=3, seed=5) for _ in range(2))
    for name, scoring in first.items():
        result = scoring.scores(QUERIES, KEYS)
        assert result.shape == (3, 5)
        np.testing.assert_array_equal(result, second[name].scores(QUERIES, KEYS))
        assert scoring.multiplications(3, 5, 4, 4) >= 3 * 5
    assert first["dot"].n_parameters == first["scaled"].n_parameters == 0


@settings(deadline=None)
@given(st.lists(st.floats(-50, 50), min_size=2, max_size=9))
def test_softmax_equals_torchs_and_sums_to_one(scores):
    result = softmax(np.array(scores))
    np.testing.assert_allclose(result, torch.tensor(scores, dtype=torch.float64).softmax(0), atol=1e-12)
    assert entropy(result) <= math.log2(len(scores)) + 1e-9


def test_entropy_runs_from_zero_to_the_logarithm_of_the_number():
    assert entropy(np.array([0.0, 1.0, 0.0])) == 0
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(3)


def test_the_slope_is_the_largest_entry_of_the_softmaxs_jacobian():
    scores = torch.tensor(KEYS[0])
    jacobian = torch.autograd.functional.jacobian(lambda x: x.softmax(0), scores)
    assert softmax_slope(softmax(KEYS[0])) == pytest.approx(float(jacobian.max()))


@pytest.mark.nightly
def test_hard_and_sampled_attention_choose_one_key():
    weights = softmax(QUERIES @ KEYS.T)
    np.testing.assert_array_equal(hard(weights).argmax(1), weights.argmax(1))
    draws = np.stack([sample_key(weights, seed=seed) for seed in range(3000)])
    assert (draws.sum(-1) == 1).all()
    np.testing.assert_allclose(draws.mean(0), weights, atol=0.04)


def test_the_variance_of_a_dot_product_is_its_width_and_scaling_keeps_the_slope():
    result = score_spread((4, 64, 256))
    for item in result:
        assert item.variance == pytest.approx(item.d, rel=0.1)
    assert result[-1].largest_weight[0] > 0.9 > 0.6 > result[-1].largest_weight[1]
    assert result[-1].slope[0] < 0.05 < result[-1].slope[1]


def test_the_prediction_is_the_closed_form():
    sample = draw_sample(20, seed=0)
    for width in (0.1, 0.5, 2.0):
        for x in (0.0, 1.3, 5.0):
            powers = [math.exp(-((x - key) ** 2) / (2 * width**2)) for key in sample.keys]
            by_hand = sum(p * y for p, y in zip(powers, sample.values, strict=True)) / sum(powers)
            assert predict(np.array([x]), sample, width)[0] == pytest.approx(by_hand)


def test_a_wide_kernel_is_plain_averaging_and_a_narrow_one_the_nearest_point():
    sample = draw_sample(30, seed=1)
    queries = np.linspace(0, 5, 7)
    np.testing.assert_allclose(predict(queries, sample, 1e4), sample.values.mean(), rtol=1e-6)
    nearest = np.abs(queries[:, None] - sample.keys).argmin(1)
    np.testing.assert_allclose(predict(queries, sample, 1e-3), sample.values[nearest], rtol=1e-6)


def test_weights_sum_to_one_even_far_away():
    np.testing.assert_allclose(kernel_weights(np.array([-1e6, 2.0]), np.linspace(0, 5, 9), 0.01).sum(1), 1)


def test_a_point_may_not_look_at_itself():
    sample = draw_sample(12, seed=2)
    errors = []
    for i in range(12):
        rest = [j for j in range(12) if j != i]
        powers = np.exp(-((sample.keys[i] - sample.keys[rest]) ** 2) / (2 * 0.4**2))
        errors.append((powers @ sample.values[rest] / powers.sum() - sample.values[i]) ** 2)
    assert left_out_loss(sample, 0.4) == pytest.approx(np.mean(errors))


@pytest.mark.parametrize("start", [0.05, 0.3, 3.0])
def test_the_learned_width_is_the_best_of_a_fine_search(start):
    sample = draw_sample(50, seed=3)
    fit = fit_width(sample, start=start, steps=200)
    search = min(left_out_loss(sample, width) for width in np.geomspace(0.05, 3, 300))
    assert fit.losses[-1] == pytest.approx(search, rel=0.02)
    assert fit.losses[-1] < fit.losses[0]
    assert fit.losses[5] == pytest.approx(left_out_loss(sample, fit.widths[5]))


def test_the_sample_lies_around_its_curve():
    sample = draw_sample(2000, seed=4)
    residual = sample.values - true_curve(sample.keys)
    assert abs(residual.mean()) < 0.05 and residual.std() == pytest.approx(0.5, rel=0.1)


@pytest.mark.parametrize("call", [
    lambda: draw_sample(1, seed=0),
    lambda: kernel_weights(np.zeros(1), np.zeros(2), 0.0),
    lambda: kernel_weights(np.zeros(1), np.zeros(2), math.nan),
    lambda: fit_width(draw_sample(5, seed=0), start=-1.0),
])  # fmt: skip
def test_impossible_numbers_are_refused(call):
    with pytest.raises(RegressionError, match="must be"):
        call()


@pytest.mark.parametrize("tie_output", [True, False])
def test_a_tied_output_is_recognised_and_layers_are_never_shared(tie_output):
    bundle = tiny_bundle(tie_output=tie_output)
    network = bundle.model
    assert isinstance(network, Transformer)
    sharing = weight_sharing(bundle, model.translate(bundle, "the cat is on the sofa ."))
    assert sharing is not None
    table = network.decoder.embedding.weight.detach()
    assert (sharing.is_output_tied, sharing.n_entries) == (tie_output, table.numel())
    assert sharing.deviation == pytest.approx(float(table.std()))
    assert np.allclose(np.diag(sharing.cosines), 1, atol=1e-5)
    assert np.abs(sharing.cosines[0, 1:]).max() < 0.9


def test_entries_of_the_size_of_one_over_the_root_keep_the_scores_of_the_size_of_one():
    bundle = model.load()
    sharing = weight_sharing(bundle, model.translate(bundle, "The man bites the dog."))
    assert sharing is not None and sharing.is_output_tied and sharing.is_input_shared
    assert sharing.unit == pytest.approx(bundle.config.d_model**-0.5)
    assert 0.5 < sharing.deviation / sharing.unit < 2
    assert 0.3 < sharing.logit_deviation < 3 < sharing.logit_deviation / sharing.unit
    assert np.abs(sharing.cosines - np.eye(len(sharing.cosines))).max() < 0.05
