"""Scoring functions, compared with plain loops."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.nn.recurrent import AdditiveAttention
from model.teaching.scoring import (
    Additive,
    Bilinear,
    Dot,
    ScaledDot,
    ScoringError,
    entropy,
    hard,
    sampled,
    score_spread,
    softmax,
    softmax_slope,
    untrained,
)

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
    found = Bilinear(weight)
    np.testing.assert_allclose(found.scores(QUERIES, WIDE_KEYS), by_hand)
    assert found.n_parameters == 24
    np.testing.assert_allclose(Bilinear(np.eye(4)).scores(QUERIES, KEYS), Dot().scores(QUERIES, KEYS))


def test_additive_is_a_small_network_and_the_recurrent_models_own():
    u, w, v = RANDOM.normal(size=(7, 4)), RANDOM.normal(size=(7, 6)), RANDOM.normal(size=7)
    found = Additive(u, w, v)
    by_hand = [
        [sum(v[a] * math.tanh(u[a] @ q + w[a] @ k) for a in range(7)) for k in WIDE_KEYS] for q in QUERIES
    ]  # fmt: skip
    np.testing.assert_allclose(found.scores(QUERIES, WIDE_KEYS), by_hand)
    assert found.n_parameters == 7 * 4 + 7 * 6 + 7
    module = AdditiveAttention(4, 6, 7).double()
    with torch.no_grad():
        module.query.weight.copy_(torch.tensor(u))
        module.key.weight.copy_(torch.tensor(w))
        module.score.weight.copy_(torch.tensor(v[None]))
        memory = torch.tensor(WIDE_KEYS)[None]
        attn_mask = torch.ones(1, 5, dtype=torch.bool)
        _, weights = module(torch.tensor(QUERIES[:1]), module.key(memory), memory, attn_mask)
    np.testing.assert_allclose(weights[0].numpy(), softmax(found.scores(QUERIES[:1], WIDE_KEYS))[0], atol=1e-12)


@pytest.mark.parametrize(
    "scoring", [Dot(), ScaledDot(), Bilinear(np.eye(4)), Additive(np.eye(4), np.eye(4), np.ones(4))]
)
def test_widths_that_do_not_fit_are_named(scoring):
    with pytest.raises(ScoringError, match="6"):
        scoring.scores(QUERIES, WIDE_KEYS)


def test_the_four_share_one_signature_and_their_seed():
    first, second = (untrained(4, 4, d_hidden=3, seed=5) for _ in range(2))
    for name, scoring in first.items():
        found = scoring.scores(QUERIES, KEYS)
        assert found.shape == (3, 5)
        np.testing.assert_array_equal(found, second[name].scores(QUERIES, KEYS))
        assert scoring.multiplications(3, 5, 4, 4) >= 3 * 5
    assert first["dot"].n_parameters == first["scaled"].n_parameters == 0


@settings(deadline=None)
@given(st.lists(st.floats(-50, 50), min_size=2, max_size=9))
def test_softmax_equals_torchs_and_sums_to_one(scores):
    found = softmax(np.array(scores))
    np.testing.assert_allclose(found, torch.tensor(scores, dtype=torch.float64).softmax(0), atol=1e-12)
    assert entropy(found) <= math.log2(len(scores)) + 1e-9


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
    draws = np.stack([sampled(weights, seed=seed) for seed in range(3000)])
    assert (draws.sum(-1) == 1).all()
    np.testing.assert_allclose(draws.mean(0), weights, atol=0.04)


def test_the_variance_of_a_dot_product_is_its_width_and_scaling_keeps_the_slope():
    found = score_spread((4, 64, 256))
    for each in found:
        assert each.variance == pytest.approx(each.d, rel=0.1)
    assert found[-1].largest_weight[0] > 0.9 > 0.6 > found[-1].largest_weight[1]
    assert found[-1].slope[0] < 0.05 < found[-1].slope[1]
