"""Head metrics against numbers worked out by hand, and properties that hold for any weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from model.analysis import earned_label, earned_labels, head_metrics, mean_metrics
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
    found = head_metrics(weights, kind="encoder_self", key_is_sink=[False, False, True])
    # Entropies 1, 0 and 0.75 log2(4/3) + 0.25 log2 4 = 0.811278 bits.
    assert found.entropy[0, 0] == pytest.approx((1 + 0 + 0.811278) / 3, abs=1e-5)
    assert found.normalised_entropy[0, 0] == pytest.approx((1.811278 / 3) / np.log2(3), abs=1e-5)
    # Offsets 0.5, -1 and -0.75.
    assert found.offset[0, 0] == pytest.approx(-1.25 / 3, abs=1e-6)
    assert found.previous[0, 0] == pytest.approx((1 + 0.75) / 2)
    assert found.same[0, 0] == pytest.approx((0.5 + 0 + 0.25) / 3)
    assert found.next[0, 0] == pytest.approx((0.5 + 0) / 2)
    assert found.sink_share[0, 0] == pytest.approx(0.25 / 3)
    assert found.confidence[0, 0] == pytest.approx((0.5 + 1 + 0.75) / 3)
    assert found.maximum[0, 0] == 1
    assert (found.strongest_query[0, 0], found.strongest_key[0, 0]) == (1, 0)
    assert found.diagonality is None


def test_diagonality_is_one_on_the_diagonal_and_zero_farthest_from_it() -> None:
    diagonal, anti = rows([1, 0, 0], [0, 0, 1]), rows([0, 0, 1], [1, 0, 0])
    assert head_metrics(diagonal, kind="cross", key_is_sink=[False] * 3).diagonality == pytest.approx(1)
    assert head_metrics(anti, kind="cross", key_is_sink=[False] * 3).diagonality == pytest.approx(0)
    # Uniform over keys at 0, 1/2, 1 seen from 0 and from 1: mean distance 1/2 of a largest distance 1.
    uniform = np.full((1, 1, 2, 3), 1 / 3, dtype=np.float32)
    assert head_metrics(uniform, kind="cross", key_is_sink=[False] * 3).diagonality == pytest.approx(0.5)


def test_the_first_row_of_a_causal_map_counts_for_nothing() -> None:
    weights = rows([1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.1, 0.1, 0.8])
    found = head_metrics(weights, kind="decoder_self", key_is_sink=[True, False, False])
    assert found.maximum[0, 0] == pytest.approx(0.8)
    assert (found.strongest_query[0, 0], found.strongest_key[0, 0]) == (2, 2)
    assert found.same[0, 0] == pytest.approx((0.75 + 0.8) / 2)
    assert found.sink_share[0, 0] == pytest.approx((0.25 + 0.1) / 2)
    first, second = 0.811278, -(0.2 * np.log2(0.1) + 0.8 * np.log2(0.8))
    assert found.normalised_entropy[0, 0] == pytest.approx((first / 1 + second / np.log2(3)) / 2, abs=1e-5)


def test_lifting_the_mask_brings_the_first_row_back() -> None:
    weights = rows([0.0, 1.0], [0.5, 0.5])
    found = head_metrics(weights, kind="decoder_self", key_is_sink=[False, False], is_causal=False)
    assert found.next[0, 0] == pytest.approx(1)
    assert found.maximum[0, 0] == 1


def test_one_token_leaves_undefined_what_needs_two() -> None:
    found = head_metrics(rows([1.0]), kind="encoder_self", key_is_sink=[True])
    assert (found.entropy[0, 0], found.same[0, 0], found.maximum[0, 0]) == (0, 1, 1)
    assert np.isnan([found.previous[0, 0], found.next[0, 0], found.normalised_entropy[0, 0]]).all()
    crossed = head_metrics(rows([1.0]), kind="cross", key_is_sink=[True])
    assert crossed.diagonality is not None and np.isnan(crossed.diagonality[0, 0])


def test_a_row_without_weight_is_left_out() -> None:
    found = head_metrics(rows([0.0, 0.0], [0.0, 1.0]), kind="encoder_self", key_is_sink=[False, False])
    assert found.same[0, 0] == 1
    assert found.confidence[0, 0] == 1
    assert found.offset[0, 0] == 0


@pytest.mark.parametrize("row", [(np.inf, np.nan), (np.nan, 0.5), (np.inf, 1.0), (np.inf, np.inf)])
@pytest.mark.filterwarnings("error")
def test_a_row_that_a_damaged_model_gives_is_left_out_without_a_warning(row: tuple[float, float]) -> None:
    sound = np.array([[[[0.25, 0.75]]]], dtype=np.float32)
    damaged = np.concatenate([sound, np.array([[[row]]], dtype=np.float32)], axis=2)
    found, alone = (head_metrics(each, kind="cross", key_is_sink=[True, False]) for each in (damaged, sound))
    for name in ("entropy", "offset", "sink_share", "confidence", "maximum"):
        assert found.of(name) == alone.of(name), name


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
    found = head_metrics(weights, kind="cross", key_is_sink=[index % 2 == 0 for index in range(n_keys)])
    assert found.diagonality is not None
    for values in (found.previous, found.same, found.next, found.sink_share, found.confidence, found.maximum,
                   found.normalised_entropy, found.diagonality):  # fmt: skip
        known = values[~np.isnan(values)]
        assert (known >= -1e-6).all() and (known <= 1 + 1e-6).all()
    assert (found.entropy <= np.log2(max(n_keys, 2)) + 1e-5).all()
    assert (found.confidence <= found.maximum + 1e-6).all()
    at = np.take_along_axis(
        weights.reshape(*weights.shape[:2], -1), (found.strongest_query * n_keys + found.strongest_key)[..., None], -1
    )[..., 0]
    assert np.array_equal(at, found.maximum)


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


def test_the_mean_over_sentences_leaves_out_what_a_sentence_cannot_say() -> None:
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


def test_a_mean_leaves_out_what_is_undefined_and_is_undefined_where_nothing_is_known() -> None:
    found = nan_mean(np.array([[1.0, np.nan, np.nan], [3.0, 5.0, np.nan]]))
    assert found[:2].tolist() == [2.0, 5.0] and np.isnan(found[2])
