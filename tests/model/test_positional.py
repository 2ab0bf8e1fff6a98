"""Positional encodings, the rows that positions read, and each property that the page states."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import model
from model.interventions import PositionEdit
from model.nn.positional import PositionalEncoding, sinusoidal, tensor2tensor
from model.teaching.position_properties import (
    PositionError,
    dot_by_offset,
    encoding,
    frequencies,
    order_effect,
    rotate,
    rotation,
    rotation_error,
    shift_effect,
    similarity,
    wavelengths,
)
from tests.checkpoint import tiny_bundle
from tests.tiny import tiny_config


def positions_of(order: tuple[int, ...] | None = None, **changes: Any) -> PositionalEncoding:
    torch.manual_seed(0)
    return PositionalEncoding(tiny_config(**changes), order)


def test_sinusoidal_equals_the_papers_formula() -> None:
    table = sinusoidal(40, 16)
    for position in (0, 1, 7, 39):
        for pair in range(8):
            angle = position / 10000 ** (2 * pair / 16)
            assert table[position, 2 * pair] == pytest.approx(math.sin(angle), abs=2e-6)
            assert table[position, 2 * pair + 1] == pytest.approx(math.cos(angle), abs=2e-6)


@pytest.mark.parametrize("kind", ["interleaved", "halves"])
def test_positions_beyond_the_table_are_computed(kind: str) -> None:
    positions = positions_of(positions=kind, max_positions=8)
    expected = sinusoidal(20, 16, halves=kind == "halves")
    assert_close(positions(5, 20), expected[5:].unsqueeze(0))


def test_learned_positions_end_where_the_table_ends() -> None:
    positions = positions_of(positions="learned", max_positions=8, position_offset=2)
    rows = positions(0, 6)
    assert isinstance(rows, torch.Tensor)
    assert torch.equal(rows[0], positions.table[2:8])
    with pytest.raises(IndexError, match="position 8 is beyond the 8 learned positions: use a shorter text"):
        positions(0, 7)


def test_no_positions_add_nothing() -> None:
    assert positions_of(positions="none")(0, 5) == 0.0


def test_an_explicit_order_is_read_first_and_then_each_position_its_own_row() -> None:
    positions = positions_of((1, 2, 3, 4, 0))
    assert positions.rows(0, 7).tolist() == [1, 2, 3, 4, 0, 5, 6]
    assert positions.rows(3, 6).tolist() == [4, 0, 5]
    rows = positions(0, 7)
    assert isinstance(rows, torch.Tensor)
    assert_close(rows[0], sinusoidal(64, 16)[[1, 2, 3, 4, 0, 5, 6]])


@pytest.mark.parametrize(
    ("edit", "rows"),
    [
        (PositionEdit("reverse"), [3, 2, 1, 0]),
        (PositionEdit("shift", 2), [2, 3, 4, 5]),
        (PositionEdit("shift", -2), [0, 0, 0, 1]),
    ],
)
def test_position_edits_move_the_rows(edit: PositionEdit, rows: list[int]) -> None:
    result = positions_of()(0, 4, (edit, None))
    assert isinstance(result, torch.Tensor)
    assert_close(result[0], sinusoidal(8, 16)[rows])
    assert_close(result[1], sinusoidal(4, 16))


def test_zeroed_positions_are_zero_and_a_shuffle_is_the_same_for_the_same_seed() -> None:
    positions = positions_of()
    rows = positions(0, 12, (PositionEdit("zero"), PositionEdit("shuffle", 1), PositionEdit("shuffle", 1)))
    assert isinstance(rows, torch.Tensor)
    assert rows[0].eq(0).all()
    assert torch.equal(rows[1], rows[2])
    assert not torch.equal(rows[1], sinusoidal(12, 16))
    assert_close(rows[1].sort(0).values, sinusoidal(12, 16).sort(0).values)


def test_tensor2tensor_spaces_frequencies_from_one_to_a_ten_thousandth() -> None:
    table = tensor2tensor(5, 16)
    frequencies = np.exp(-np.arange(8) * np.log(10000) / 7)
    np.testing.assert_allclose(table[3, :8], np.sin(3 * frequencies), atol=1e-6)
    np.testing.assert_allclose(table[3, 8:], np.cos(3 * frequencies), atol=1e-6)
    assert not torch.allclose(table, sinusoidal(5, 16, halves=True), atol=1e-2)


@pytest.mark.parametrize("halves", [False, True])
def test_the_encoding_is_the_models_own(halves):
    np.testing.assert_allclose(
        encoding(np.arange(300), 64, halves=halves), sinusoidal(300, 64, halves=halves), atol=1e-4
    )


def test_wavelengths_run_from_two_pi_to_ten_thousand_times_that():
    result = wavelengths(512)
    assert result[0] == pytest.approx(2 * math.pi)
    assert result[-1] == pytest.approx(2 * math.pi * 10_000 ** (510 / 512))
    np.testing.assert_allclose(result[1:] / result[:-1], 10_000 ** (2 / 512))


@pytest.mark.parametrize("offset", [0, 1, 7, -3, 100])
@pytest.mark.parametrize("d_model", [2, 16, 256])
def test_a_step_is_a_rotation_to_within_a_millionth(d_model, offset):
    assert rotation_error(512, d_model, offset) < 1e-6
    matrices = rotation(offset, d_model)
    np.testing.assert_allclose(
        matrices @ matrices.transpose(0, 2, 1), np.broadcast_to(np.eye(2), matrices.shape), atol=1e-12
    )
    np.testing.assert_allclose(np.linalg.det(matrices), 1)


def test_a_wrong_rotation_is_seen_to_be_wrong():
    positions = np.arange(20)
    assert np.abs(rotate(encoding(positions, 16), 3) - encoding(positions + 4, 16)).max() > 0.1


def test_the_dot_product_depends_on_the_distance_alone():
    table = encoding(np.arange(80), 32)
    gram = table @ table.T
    for offset in (0, 1, 5, 30):
        np.testing.assert_allclose(np.diagonal(gram, offset), dot_by_offset(32, np.array([offset]))[0], atol=1e-9)
    assert dot_by_offset(32, np.array([0]))[0] == 16


def test_both_layouts_have_the_same_dot_products():
    a, b = encoding(np.arange(40), 32), encoding(np.arange(40), 32, halves=True)
    np.testing.assert_allclose(a @ a.T, b @ b.T, atol=1e-9)
    np.testing.assert_array_equal(a[:, 0::2], b[:, :16])


def test_similarity_is_the_cosine_and_zeros_are_like_nothing():
    table = np.array([[3.0, 4.0], [6.0, 8.0], [-4.0, 3.0], [0.0, 0.0]])
    np.testing.assert_allclose(similarity(table), [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]], atol=1e-12)


@pytest.mark.parametrize("d_model", [0, 3])
def test_an_odd_width_is_refused(d_model):
    with pytest.raises(PositionError, match="must be even"):
        frequencies(d_model)


def test_attention_without_positions_does_not_care_for_order():
    effect = order_effect(tiny_bundle(), source_ids=(4, 5, 7, 8, 9, 3), n_fixed=1, seed=2)
    assert sorted(effect.order) == list(range(6)) and effect.order[-1] == 5
    with_, without = effect.change
    assert without < 1e-5
    assert with_ > 0.01


def test_one_token_has_but_one_order():
    effect = order_effect(tiny_bundle(), source_ids=(4, 3), n_fixed=1, seed=0)
    assert effect.order == (0, 1) and effect.change == (0.0, 0.0)


def test_the_shift_effect_is_the_models_own_score():
    bundle = tiny_bundle()
    effect = shift_effect(bundle, source="the cat", target="le chat", shifts=(0, 5))
    plain = model.score(bundle, "the cat", "le chat").log_probs.mean()
    moved = model.score(
        bundle, "the cat", "le chat",
        interventions=model.Interventions(source_positions=model.PositionEdit("shift", 5)),
    ).log_probs.mean()  # fmt: skip
    np.testing.assert_allclose(effect.log_probs, [plain, moved], atol=1e-5)
    assert plain != moved
