"""Attention scoring functions with one signature (additive, dot, scaled dot, bilinear), and kernel regression.

Additive: Bahdanau et al. (2015). Dot and bilinear ("general"): Luong et al. (2015). Scaled dot: Vaswani et al.
(2017), whose footnote 4 gives the reason for the scale that ``score_spread`` measures. Kernel regression (Nadaraya
1964; Watson 1964) is an average of values weighted by how near they are: attention whose score is a distance, with a
Gaussian kernel softmax(-(query - key)² / (2 width²)).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.errors import RegardError

Array = NDArray[np.floating]
Doubles = NDArray[np.float64]


class ScoringError(RegardError, ValueError):
    """The widths of queries and keys do not fit a scoring function; the message gives them and the remedy."""


@dataclass(frozen=True, slots=True)
class Dot:
    """q · k

    Every scoring function has the same three members; ``scores`` raises ScoringError when the widths do not fit.
    """

    @property
    def n_parameters(self) -> int:
        """0."""
        return 0

    def scores(self, queries: Array, keys: Array) -> Array:
        """(Q, D) and (S, D) -> (Q, S)."""
        if queries.shape[1] != keys.shape[1]:
            raise ScoringError(
                f"the widths of queries ({queries.shape[1]}) and keys ({keys.shape[1]}) differ: a dot product needs "
                "equal widths, the bilinear and additive scores do not"
            )
        return queries @ keys.T

    def multiplications(self, n_queries: int, n_keys: int, d_query: int, d_key: int) -> int:
        """Multiplications for all scores, D for each pair; a projection counts once per query and once per key."""
        return n_queries * n_keys * d_key


@dataclass(frozen=True, slots=True)
class ScaledDot(Dot):
    """q · k / sqrt(D)"""

    def scores(self, queries: Array, keys: Array) -> Array:
        """(Q, D) and (S, D) -> (Q, S)."""
        return Dot().scores(queries, keys) / math.sqrt(queries.shape[1])

    def multiplications(self, n_queries: int, n_keys: int, d_query: int, d_key: int) -> int:
        """D and the division for each pair."""
        return n_queries * n_keys * (d_key + 1)


@dataclass(frozen=True, slots=True)
class Bilinear:
    """qᵀ W k: queries and keys may differ in width."""

    weight: Array
    """(D, E)"""

    @property
    def n_parameters(self) -> int:
        """The size of W."""
        return self.weight.size

    def scores(self, queries: Array, keys: Array) -> Array:
        """(Q, D) and (S, E) -> (Q, S)."""
        if (queries.shape[1], keys.shape[1]) != self.weight.shape:
            raise ScoringError(
                f"queries of {queries.shape[1]} and keys of {keys.shape[1]} do not fit a matrix of {self.weight.shape}"
            )
        return queries @ self.weight @ keys.T

    def multiplications(self, n_queries: int, n_keys: int, d_query: int, d_key: int) -> int:
        """W once per query, then E for each pair."""
        return n_queries * d_query * d_key + n_queries * n_keys * d_key


@dataclass(frozen=True, slots=True)
class Additive:
    """v · tanh(U q + W k): a network with one hidden layer of A cells."""

    to_query: Array
    """U, (A, D)"""
    to_key: Array
    """W, (A, E)"""
    vector: Array
    """v, (A,)"""

    @property
    def n_parameters(self) -> int:
        """The sizes of U, W and v."""
        return self.to_query.size + self.to_key.size + self.vector.size

    def scores(self, queries: Array, keys: Array) -> Array:
        """(Q, D) and (S, E) -> (Q, S)."""
        if queries.shape[1] != self.to_query.shape[1] or keys.shape[1] != self.to_key.shape[1]:
            raise ScoringError(
                f"queries of {queries.shape[1]} and keys of {keys.shape[1]} do not fit matrices for "
                f"{self.to_query.shape[1]} and {self.to_key.shape[1]}"
            )
        hidden = (queries @ self.to_query.T)[:, None] + (keys @ self.to_key.T)[None]  # (Q, S, A)
        return np.tanh(hidden) @ self.vector

    def multiplications(self, n_queries: int, n_keys: int, d_query: int, d_key: int) -> int:
        """U once per query, W once per key, then A for each pair."""
        width = len(self.vector)
        return width * (n_queries * d_query + n_keys * d_key + n_queries * n_keys)


Scoring = Dot | Bilinear | Additive


def untrained_scorings(d_query: int, d_key: int, *, d_hidden: int, seed: int) -> dict[str, Scoring]:
    """The four scoring functions by name, with seeded, untrained parameters (Glorot & Bengio 2010)."""
    random = np.random.default_rng(seed)

    def xavier(rows: int, columns: int) -> Array:
        bound = math.sqrt(6 / (rows + columns))
        return random.uniform(-bound, bound, (rows, columns))

    return {
        "additive": Additive(xavier(d_hidden, d_query), xavier(d_hidden, d_key), xavier(1, d_hidden)[0]),
        "dot": Dot(),
        "scaled": ScaledDot(),
        "bilinear": Bilinear(xavier(d_query, d_key)),
    }


def softmax(scores: Array) -> Array:
    """Weights along the last axis."""
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def entropy(weights: Array) -> Array:
    """Entropy in bits along the last axis: 0 if one key has all the weight, log2 S if it is uniform."""
    return -np.sum(weights * np.log2(weights, out=np.zeros_like(weights), where=weights > 0), -1)


def hard(weights: Array) -> Array:
    """Hard attention: all weight on the largest, along the last axis."""
    return np.eye(weights.shape[-1])[weights.argmax(-1)]


def sample_key(weights: Array, *, seed: int) -> Array:
    """Hard attention with the key of each row sampled by its weight, (Q, S)."""
    random = np.random.default_rng(seed)
    chosen = [random.choice(len(row), p=row / row.sum()) for row in np.asarray(weights, np.float64)]
    return np.eye(weights.shape[-1])[chosen]


def softmax_slope(weights: Array) -> Array:
    """Largest entry of the softmax's Jacobian diag(w) - w wᵀ, along the last axis: 1/4 at best, 0 when saturated."""
    return (weights * (1 - weights)).max(-1)


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """How dot products of random unit-variance queries and keys of one width affect the softmax."""

    d: int
    variance: float
    """Variance of the dot products; in theory d."""
    largest_weight: tuple[float, float]
    """Mean over queries, without the scale and with it."""
    slope: tuple[float, float]
    """Mean of ``softmax_slope``, without the scale and with it."""


def score_spread(
    widths: tuple[int, ...], *, n_keys: int = 10, n_queries: int = 400, seed: int = 0
) -> tuple[ScoreSpread, ...]:
    """Measure the spread at each width."""
    spreads = []
    for d in widths:
        random = np.random.default_rng((seed, d))
        queries, keys = random.normal(size=(n_queries, 1, d)), random.normal(size=(n_queries, n_keys, d))
        scores = (queries * keys).sum(-1)  # (Q, S)
        weights = softmax(scores), softmax(scores / math.sqrt(d))
        largest = tuple(float(each.max(-1).mean()) for each in weights)
        slope = tuple(float(softmax_slope(each).mean()) for each in weights)
        spreads.append(ScoreSpread(d, float(scores.var()), largest, slope))  # type: ignore[arg-type]
    return tuple(spreads)


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
