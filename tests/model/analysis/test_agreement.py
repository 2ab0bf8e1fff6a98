"""Rank agreement between two scores of the same heads."""

import numpy as np
import pytest

from model.analysis import head_scores, rank_agreement
from model.trace import ShapeError


def test_equal_and_opposite_rankings() -> None:
    assert rank_agreement([1, 2, 3, 4], [10, 20, 30, 400]).correlation == pytest.approx(1)
    assert rank_agreement([1, 2, 3, 4], [4, 3, 2, 1]).correlation == pytest.approx(-1)


def test_ties_share_their_mean_rank() -> None:
    # Ranks 1.5, 1.5, 3, 4 against 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5.
    assert rank_agreement([0, 0, 1, 2], [1, 2, 3, 4]).correlation == pytest.approx(4.5 / np.sqrt(4.5 * 5))


def test_what_has_no_ranking_has_no_agreement() -> None:
    assert rank_agreement([1, 1, 1], [1, 2, 3]).correlation is None
    assert rank_agreement([1, 2], [1, 2]).correlation is None
    undefined = rank_agreement([1, 2, np.nan, 3], [1, 2, 3, 5])
    assert (undefined.correlation, undefined.n_heads) == (pytest.approx(1), 3)


def test_scores_of_different_heads_are_refused() -> None:
    with pytest.raises(ShapeError, match="same heads"):
        rank_agreement(np.zeros((2, 2)), np.zeros((2, 3)))


def test_each_weighting_ranks_heads_by_its_own_number() -> None:
    maps = np.array([[[[0.5, 0.5], [0.0, 1.0]], [[-2.0, 1.0], [0.0, 0.0]]]], dtype=np.float32)
    assert head_scores(maps, "raw")[0, 0] == pytest.approx(0.75)
    assert head_scores(maps, "value_weighted")[0, 0] == pytest.approx(1)
    assert head_scores(maps, "gradient")[0, 1] == pytest.approx(1)
    with pytest.raises(ShapeError, match="another weighting"):
        head_scores(maps, "rollout")
