"""Kernel regression against its closed form."""

import math

import numpy as np
import pytest

from model.teaching.scoring import (
    RegressionError,
    draw_sample,
    fit_width,
    kernel_weights,
    left_out_loss,
    predict,
    true_curve,
)


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
