"""Attention as kernel regression (Nadaraya 1964; Watson 1964): an average of values, weighted by how near they are.

With a Gaussian kernel the weights are softmax(-(query - key)² / (2 width²)): attention whose score is a distance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.errors import RegardError
from model.teaching.scoring import softmax

Doubles = NDArray[np.float64]


class RegressionError(RegardError, ValueError):
    """Invalid input for a regression; the message gives the value and the rule."""


@dataclass(frozen=True, slots=True)
class Sample:
    """N points of a known curve with noise."""

    keys: Doubles
    """(N,), where."""
    values: Doubles
    """(N,), the measured values there."""


def true_curve(x: Doubles) -> Doubles:
    """2 sin x + x^0.8, the curve of Dive into Deep Learning, section 11.2."""
    return 2 * np.sin(x) + x**0.8


def draw_sample(n: int, *, seed: int, noise: float = 0.5) -> Sample:
    """n points with x uniform in [0, 5), sorted.

    Raises:
        RegressionError: when n is below 2.
    """
    if n < 2:
        raise RegressionError(f"n ({n}) must be at least 2: one point has no neighbour")
    random = np.random.default_rng(seed)
    keys = np.sort(random.uniform(0, 5, n))
    return Sample(keys, true_curve(keys) + random.normal(0, noise, n))


def kernel_weights(queries: Doubles, keys: Doubles, width: float) -> Doubles:
    """(Q,) and (N,) -> (Q, N), each row sums to 1.

    Raises:
        RegressionError: when the width is not positive.
    """
    if not width > 0:
        raise RegressionError(f"width ({width}) must be positive")
    return np.asarray(softmax(-((queries[:, None] - keys[None]) ** 2) / (2 * width**2)), np.float64)


def predict(queries: Doubles, sample: Sample, width: float) -> Doubles:
    """The weighted average of the values at each query, (Q,)."""
    return kernel_weights(queries, sample.keys, width) @ sample.values


def left_out_loss(sample: Sample, width: float) -> float:
    """Mean squared error when each point is predicted from the others only."""
    return _loss_and_slope(sample, np.log(width))[0]


@dataclass(frozen=True, slots=True)
class Fit:
    """A width learned by gradient descent, with every width on the way."""

    widths: Doubles
    """(steps + 1,)"""
    losses: Doubles
    """(steps + 1,), ``left_out_loss`` at each width."""


def fit_width(sample: Sample, *, start: float, steps: int = 60, rate: float = 0.2) -> Fit:
    """Gradient descent on the logarithm of the width, so that it stays positive.

    Raises:
        RegressionError: when the start is not positive.
    """
    if not start > 0:
        raise RegressionError(f"start ({start}) must be positive")
    logarithm, widths, losses = float(np.log(start)), [], []
    for _ in range(steps + 1):
        loss, slope = _loss_and_slope(sample, logarithm)
        widths.append(float(np.exp(logarithm)))
        losses.append(loss)
        # The slope can be steep where the kernel is narrow: a step never changes the width by more than a fifth.
        logarithm -= float(np.clip(rate * slope, -0.2, 0.2))
    return Fit(np.array(widths), np.array(losses))


def _loss_and_slope(sample: Sample, logarithm: float) -> tuple[float, float]:
    """The left-out loss, and its derivative by the logarithm of the width."""
    distance = (sample.keys[:, None] - sample.keys[None]) ** 2  # (N, N)
    scores = -distance / (2 * np.exp(2 * logarithm))
    np.fill_diagonal(scores, -np.inf)
    weights = softmax(scores)
    error = weights @ sample.values - sample.values  # (N,)
    # d score / d log width = -2 score; d prediction = Σ w (v - prediction) · d score
    slope_of_scores = np.where(np.isfinite(scores), -2 * scores, 0.0)
    change = (weights * slope_of_scores * (sample.values[None] - (weights @ sample.values)[:, None])).sum(1)
    return float((error**2).mean()), float((2 * error * change).mean())
