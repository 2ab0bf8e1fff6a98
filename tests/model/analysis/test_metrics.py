"""Head metrics against numbers worked out by hand, and properties that hold for any weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from model.analysis import earned_label, earned_labels, head_metrics, head_scores, mean_metrics, rank_agreement
from model.analysis.metrics import nan_mean
from model.interventions import AttentionKind
from model.trace import Floats, ShapeError
from tests.nightly import examples


def rows(*weights: list[float]) -> Floats:
    """One head of one layer, (1, 1, Q, K)."""
    return np.array([[weights]], dtype=np.float32)


@st.composite
def attention(draw: st.DrawFn, *, square: bool = False) -> Floats:
    """Rows that sum to 1, (L, H, Q, K)."""
    n_queries = draw(st.integers(1, 6))
    n_keys = n_queries if square else draw(st.integers(1, 6))
    shape = (draw(st.integers(1, 2)), draw(st.integers(1, 3)), n_queries, n_keys)
    raw = draw(arrays(np.float64, shape, elements=st.floats(0.001, 1)))
    return (raw / raw.sum(-1, keepdims=True)).astype(np.float32)


def test_a_known_map_gives_the_numbers_worked_out_by_hand() -> None:
    weights = rows([0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 0.75, 0.25])
    metrics = head_metrics(weights, kind="encoder_self", key_is_sink=[False, False, True])
    # Entropies 1, 0 and 0.75 log2(4/3) + 0.25 log2 4 = 0.811278 bits.
    assert metrics.entropy[0, 0] == pytest.approx((1 + 0 + 0.811278) / 3, abs=1e-5)
    assert metrics.normalised_entropy[0, 0] == pytest.approx((1.811278 / 3) / np.log2(3), abs=1e-5)
    # Offsets 0.5, -1 and -0.75.
    assert metrics.offset[0, 0] == pytest.approx(-1.25 / 3, abs=1e-6)
    assert metrics.previous[0, 0] == pytest.approx((1 + 0.75) / 2)
    assert metrics.same[0, 0] == pytest.approx((0.5 + 0 + 0.25) / 3)
    assert metrics.next[0, 0] == pytest.approx((0.5 + 0) / 2)
    assert metrics.sink_share[0, 0] == pytest.approx(0.25 / 3)
    assert metrics.confidence[0, 0] == pytest.approx((0.5 + 1 + 0.75) / 3)
    assert metrics.maximum[0, 0] == 1
    assert (metrics.strongest_query[0, 0], metrics.strongest_key[0, 0]) == (1, 0)
    assert metrics.diagonality is None


def test_diagonality_is_one_on_the_diagonal_and_zero_farthest_from_it() -> None:
    diagonal, anti = rows([1, 0, 0], [0, 0, 1]), rows([0, 0, 1], [1, 0, 0])
    assert head_metrics(diagonal, kind="cross", key_is_sink=[False] * 3).diagonality == pytest.approx(1)
    assert head_metrics(anti, kind="cross", key_is_sink=[False] * 3).diagonality == pytest.approx(0)
    # Uniform over keys at 0, 1/2, 1 seen from 0 and from 1: mean distance 1/2 of a largest distance 1.
    uniform = np.full((1, 1, 2, 3), 1 / 3, dtype=np.float32)
    assert head_metrics(uniform, kind="cross", key_is_sink=[False] * 3).diagonality == pytest.approx(0.5)


def test_the_first_row_of_a_causal_map_counts_for_nothing() -> None:
    weights = rows([1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.1, 0.1, 0.8])
    metrics = head_metrics(weights, kind="decoder_self", key_is_sink=[True, False, False])
    assert metrics.maximum[0, 0] == pytest.approx(0.8)
    assert (metrics.strongest_query[0, 0], metrics.strongest_key[0, 0]) == (2, 2)
    assert metrics.same[0, 0] == pytest.approx((0.75 + 0.8) / 2)
    assert metrics.sink_share[0, 0] == pytest.approx((0.25 + 0.1) / 2)
    first, second = 0.811278, -(0.2 * np.log2(0.1) + 0.8 * np.log2(0.8))
    assert metrics.normalised_entropy[0, 0] == pytest.approx((first / 1 + second / np.log2(3)) / 2, abs=1e-5)


def test_lifting_the_mask_brings_the_first_row_back() -> None:
    weights = rows([0.0, 1.0], [0.5, 0.5])
    metrics = head_metrics(weights, kind="decoder_self", key_is_sink=[False, False], is_causal=False)
    assert metrics.next[0, 0] == pytest.approx(1)
    assert metrics.maximum[0, 0] == 1


def test_metrics_of_two_tokens_are_nan_for_one() -> None:
    metrics = head_metrics(rows([1.0]), kind="encoder_self", key_is_sink=[True])
    assert (metrics.entropy[0, 0], metrics.same[0, 0], metrics.maximum[0, 0]) == (0, 1, 1)
    assert np.isnan([metrics.previous[0, 0], metrics.next[0, 0], metrics.normalised_entropy[0, 0]]).all()
    crossed = head_metrics(rows([1.0]), kind="cross", key_is_sink=[True])
    assert crossed.diagonality is not None and np.isnan(crossed.diagonality[0, 0])


def test_a_row_without_weight_is_left_out() -> None:
    metrics = head_metrics(rows([0.0, 0.0], [0.0, 1.0]), kind="encoder_self", key_is_sink=[False, False])
    assert metrics.same[0, 0] == 1
    assert metrics.confidence[0, 0] == 1
    assert metrics.offset[0, 0] == 0


@pytest.mark.parametrize("row", [(np.inf, np.nan), (np.nan, 0.5), (np.inf, 1.0), (np.inf, np.inf)])
@pytest.mark.filterwarnings("error")
def test_a_row_that_a_damaged_model_gives_is_left_out_without_a_warning(row: tuple[float, float]) -> None:
    sound = np.array([[[[0.25, 0.75]]]], dtype=np.float32)
    damaged = np.concatenate([sound, np.array([[[row]]], dtype=np.float32)], axis=2)
    result, alone = (head_metrics(item, kind="cross", key_is_sink=[True, False]) for item in (damaged, sound))
    for name in ("entropy", "offset", "sink_share", "confidence", "maximum"):
        assert result.of(name) == alone.of(name), name


def test_rows_of_another_total_count_by_their_shares() -> None:
    none = [False, False]
    whole = head_metrics(rows([0.5, 0.5], [0.2, 0.8]), kind="encoder_self", key_is_sink=none)
    scaled = head_metrics(rows([5, 5], [0.02, 0.08]), kind="encoder_self", key_is_sink=none)
    for name in ("entropy", "offset", "previous", "same", "next", "confidence", "maximum"):
        assert scaled.of(name) == pytest.approx(whole.of(name), abs=1e-6)


def test_one_row_makes_no_diagonal() -> None:
    lone = head_metrics(rows([0, 0, 0], [0, 1, 0]), kind="cross", key_is_sink=[False] * 3)
    assert lone.diagonality is not None and np.isnan(lone.diagonality[0, 0])


@settings(max_examples=examples(60), deadline=None)
@given(attention())
def test_metrics_stay_in_their_ranges(weights: Floats) -> None:
    n_keys = weights.shape[-1]
    metrics = head_metrics(weights, kind="cross", key_is_sink=[index % 2 == 0 for index in range(n_keys)])
    assert metrics.diagonality is not None
    for values in (metrics.previous, metrics.same, metrics.next, metrics.sink_share, metrics.confidence,
                   metrics.maximum,
                   metrics.normalised_entropy, metrics.diagonality):  # fmt: skip
        known = values[~np.isnan(values)]
        assert (known >= -1e-6).all() and (known <= 1 + 1e-6).all()
    assert (metrics.entropy <= np.log2(max(n_keys, 2)) + 1e-5).all()
    assert (metrics.confidence <= metrics.maximum + 1e-6).all()
    at = np.take_along_axis(
        weights.reshape(*weights.shape[:2], -1),
        (metrics.strongest_query * n_keys + metrics.strongest_key)[..., None],
        -1,
    )[..., 0]
    assert np.array_equal(at, metrics.maximum)


@pytest.mark.nightly
@settings(max_examples=examples(40), deadline=None)
@given(attention(square=True))
def test_heads_are_measured_one_by_one(weights: Floats) -> None:
    sink = [False] * weights.shape[-1]
    together = head_metrics(weights, kind="encoder_self", key_is_sink=sink)
    for layer in range(weights.shape[0]):
        for head in range(weights.shape[1]):
            alone = head_metrics(weights[layer : layer + 1, head : head + 1], kind="encoder_self", key_is_sink=sink)
            for name in ("entropy", "offset", "previous", "same", "next", "confidence"):
                whole, part = together.of(name), alone.of(name)
                assert whole is not None and part is not None
                assert whole[layer, head] == pytest.approx(part[0, 0], abs=1e-6, nan_ok=True)


def label_of(weights: Floats, kind: AttentionKind, sinks: list[bool]) -> tuple[str, float] | None:
    earned = earned_label(head_metrics(weights, kind=kind, key_is_sink=sinks), 0, 0)
    return None if earned is None else (earned.name, earned.value)


def test_a_label_is_earned_by_its_number_alone() -> None:
    none = [False] * 3
    previous = rows([1, 0, 0], [0.9, 0.1, 0], [0, 0.8, 0.2])
    assert label_of(previous, "encoder_self", none) == ("previous", pytest.approx(0.85))
    uniform = rows(*[[1 / 3] * 3] * 3)
    assert label_of(uniform, "encoder_self", none) == ("uniform", pytest.approx(1))
    assert label_of(rows([0.7, 0.2, 0.1], [0.4, 0.3, 0.3], [0.4, 0.3, 0.3]), "encoder_self", none) is None


def test_across_languages_only_the_diagonal_and_sinks_are_claims() -> None:
    diagonal = rows([1, 0, 0], [0, 1, 0], [0, 0, 1])
    assert label_of(diagonal, "cross", [False] * 3) == ("diagonal", pytest.approx(1))
    to_end = rows([0, 0, 1], [0, 0, 1], [0.5, 0, 0.5])
    assert label_of(to_end, "cross", [False, False, True]) == ("sinks", pytest.approx(2.5 / 3))


def test_labels_come_for_every_head() -> None:
    weights = np.concatenate([rows([0, 1], [0, 1]), rows([0.5, 0.5], [0.5, 0.5])], axis=1)
    labels = earned_labels(head_metrics(weights, kind="cross", key_is_sink=[False, True]))
    assert [[earned and earned.name for earned in layer] for layer in labels] == [["sinks", "sinks"]]


def test_the_mean_over_sentences_skips_nan() -> None:
    one = head_metrics(rows([1.0]), kind="encoder_self", key_is_sink=[False])
    two = head_metrics(rows([0.5, 0.5], [0.2, 0.8]), kind="encoder_self", key_is_sink=[False, False])
    mean = mean_metrics([one, two])
    assert mean.previous[0, 0] == pytest.approx(0.2)
    assert mean.same[0, 0] == pytest.approx((1 + 0.65) / 2)
    assert mean.maximum[0, 0] == 1
    assert mean.strongest_query[0, 0] == -1
    with pytest.raises(ShapeError, match="at least one sentence"):
        mean_metrics([])


@pytest.mark.parametrize("shape", [(2, 2, 3), (1, 2, 0, 3), (0, 1, 2, 2)])
def test_weights_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ShapeError, match="layer, head, query, key"):
        head_metrics(np.zeros(shape, np.float32), kind="cross", key_is_sink=[False] * shape[-1])


def test_a_claim_for_each_key_is_needed() -> None:
    with pytest.raises(ShapeError, match="for 2 keys"):
        head_metrics(rows([0.5, 0.5]), kind="cross", key_is_sink=[True])


def test_a_mean_skips_nan_and_is_nan_without_values() -> None:
    result = nan_mean(np.array([[1.0, np.nan, np.nan], [3.0, 5.0, np.nan]]))
    assert result[:2].tolist() == [2.0, 5.0] and np.isnan(result[2])


def test_equal_and_opposite_rankings() -> None:
    assert rank_agreement([1, 2, 3, 4], [10, 20, 30, 400]).correlation == pytest.approx(1)
    assert rank_agreement([1, 2, 3, 4], [4, 3, 2, 1]).correlation == pytest.approx(-1)


def test_ties_share_their_mean_rank() -> None:
    # Ranks 1.5, 1.5, 3, 4 against 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5.
    assert rank_agreement([0, 0, 1, 2], [1, 2, 3, 4]).correlation == pytest.approx(4.5 / np.sqrt(4.5 * 5))


def test_constant_values_have_no_agreement() -> None:
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
