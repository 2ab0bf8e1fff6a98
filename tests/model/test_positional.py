"""Positional encodings and the rows that positions read."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from model.interventions import PositionEdit
from model.nn.positional import PositionalEncoding, sinusoidal, tensor2tensor
from tests.tiny import tiny_config


def encoding(order: tuple[int, ...] | None = None, **changes: Any) -> PositionalEncoding:
    torch.manual_seed(0)
    return PositionalEncoding(tiny_config(**changes), order)


def test_sinusoidal_equals_the_papers_formula() -> None:
    table = sinusoidal(40, 16)
    for position in (0, 1, 7, 39):
        for pair in range(8):
            angle = position / 10000 ** (2 * pair / 16)
            assert table[position, 2 * pair] == pytest.approx(math.sin(angle), abs=2e-6)
            assert table[position, 2 * pair + 1] == pytest.approx(math.cos(angle), abs=2e-6)


def test_halves_hold_the_same_numbers_sines_first() -> None:
    alternating, halves = sinusoidal(30, 16), sinusoidal(30, 16, halves=True)
    assert_close(halves, torch.cat((alternating[:, 0::2], alternating[:, 1::2]), 1))


def test_a_shift_is_a_rotation_of_each_pair() -> None:
    table, shift = sinusoidal(30, 16), 5
    for pair in range(8):
        angle = shift / 10000 ** (2 * pair / 16)
        sine, cosine = table[:-shift, 2 * pair], table[:-shift, 2 * pair + 1]
        rotated = sine * math.cos(angle) + cosine * math.sin(angle)
        assert_close(table[shift:, 2 * pair], rotated, atol=1e-5, rtol=0)


@pytest.mark.parametrize("kind", ["interleaved", "halves"])
def test_positions_beyond_the_table_are_computed(kind: str) -> None:
    positions = encoding(positions=kind, max_positions=8)
    expected = sinusoidal(20, 16, halves=kind == "halves")
    assert_close(positions(5, 20), expected[5:].unsqueeze(0))


def test_learned_positions_end_where_the_table_ends() -> None:
    positions = encoding(positions="learned", max_positions=8, position_offset=2)
    found = positions(0, 6)
    assert isinstance(found, torch.Tensor)
    assert torch.equal(found[0], positions.table[2:8])
    with pytest.raises(IndexError, match="position 8 is beyond the 8 learned positions: use a shorter text"):
        positions(0, 7)


def test_no_positions_add_nothing() -> None:
    assert encoding(positions="none")(0, 5) == 0.0


def test_an_explicit_order_is_read_first_and_then_each_position_its_own_row() -> None:
    positions = encoding((1, 2, 3, 4, 0))
    assert positions.rows(0, 7).tolist() == [1, 2, 3, 4, 0, 5, 6]
    assert positions.rows(3, 6).tolist() == [4, 0, 5]
    found = positions(0, 7)
    assert isinstance(found, torch.Tensor)
    assert_close(found[0], sinusoidal(64, 16)[[1, 2, 3, 4, 0, 5, 6]])


@pytest.mark.parametrize(
    ("edit", "rows"),
    [
        (PositionEdit("reverse"), [3, 2, 1, 0]),
        (PositionEdit("shift", 2), [2, 3, 4, 5]),
        (PositionEdit("shift", -2), [0, 0, 0, 1]),
    ],
)
def test_position_edits_move_the_rows(edit: PositionEdit, rows: list[int]) -> None:
    found = encoding()(0, 4, (edit, None))
    assert isinstance(found, torch.Tensor)
    assert_close(found[0], sinusoidal(8, 16)[rows])
    assert_close(found[1], sinusoidal(4, 16))


def test_zeroed_positions_are_zero_and_a_shuffle_is_the_same_for_the_same_seed() -> None:
    positions = encoding()
    found = positions(0, 12, (PositionEdit("zero"), PositionEdit("shuffle", 1), PositionEdit("shuffle", 1)))
    assert isinstance(found, torch.Tensor)
    assert found[0].eq(0).all()
    assert torch.equal(found[1], found[2])
    assert not torch.equal(found[1], sinusoidal(12, 16))
    assert_close(found[1].sort(0).values, sinusoidal(12, 16).sort(0).values)


def test_tensor2tensor_spaces_frequencies_from_one_to_a_ten_thousandth() -> None:
    table = tensor2tensor(5, 16)
    frequencies = np.exp(-np.arange(8) * np.log(10000) / 7)
    np.testing.assert_allclose(table[3, :8], np.sin(3 * frequencies), atol=1e-6)
    np.testing.assert_allclose(table[3, 8:], np.cos(3 * frequencies), atol=1e-6)
    assert not torch.allclose(table, sinusoidal(5, 16, halves=True), atol=1e-2)
