"""Bootstrap intervals over sentences (Efron 1979); all scores of a corpus share the same resamples."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

N_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A score of a corpus, such as a mean over sentences, with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


def resamples(n_sentences: int, *, seed: int = 0) -> NDArray[np.int64]:
    """Counts of each sentence in the corpus (row 0: all 1) and in each resample: (1 + N_RESAMPLES, sentences)."""
    shares = np.full(n_sentences, 1 / n_sentences)
    drawn = np.random.default_rng(seed).multinomial(n_sentences, shares, size=N_RESAMPLES)
    return np.concatenate([np.ones((1, n_sentences), np.int64), drawn])


def interval(scores: NDArray[np.float64]) -> Interval:
    """The interval from the scores of the corpus and of its resamples, (1 + N_RESAMPLES,)."""
    low, high = np.percentile(scores[1:], (2.5, 97.5))
    return Interval(float(scores[0]), float(low), float(high))


def intervals(values: NDArray[np.float64], *, seed: int = 0) -> Iterator[Interval]:
    """The interval of the mean of each row of ``values``, (rows, sentences)."""
    n_sentences = values.shape[1]
    draws = resamples(n_sentences, seed=seed) / n_sentences
    return (interval(draws @ row) for row in values)
