"""A check of each property of positions that the page states."""

import math

import numpy as np
import pytest

import model
from model.nn.positional import sinusoidal
from model.teaching.position_properties import (
    PositionError,
    dot_by_offset,
    encoding,
    frequencies,
    order_effect,
    rotated,
    rotation,
    rotation_error,
    shift_effect,
    similarity,
    wavelengths,
)
from tests.checkpoint import tiny_bundle


@pytest.mark.parametrize("halves", [False, True])
def test_the_encoding_is_the_models_own(halves):
    np.testing.assert_allclose(
        encoding(np.arange(300), 64, halves=halves), sinusoidal(300, 64, halves=halves), atol=1e-4
    )


def test_wavelengths_run_from_two_pi_to_ten_thousand_times_that():
    found = wavelengths(512)
    assert found[0] == pytest.approx(2 * math.pi)
    assert found[-1] == pytest.approx(2 * math.pi * 10_000 ** (510 / 512))
    np.testing.assert_allclose(found[1:] / found[:-1], 10_000 ** (2 / 512))


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
    assert np.abs(rotated(encoding(positions, 16), 3) - encoding(positions + 4, 16)).max() > 0.1


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
    found = order_effect(tiny_bundle(), source_ids=(4, 5, 7, 8, 9, 3), n_fixed=1, seed=2)
    assert sorted(found.order) == list(range(6)) and found.order[-1] == 5
    with_, without = found.change
    assert without < 1e-5
    assert with_ > 0.01


def test_one_token_has_but_one_order():
    found = order_effect(tiny_bundle(), source_ids=(4, 3), n_fixed=1, seed=0)
    assert found.order == (0, 1) and found.change == (0.0, 0.0)


def test_the_shift_effect_is_the_models_own_score():
    bundle = tiny_bundle()
    found = shift_effect(bundle, source="the cat", target="le chat", shifts=(0, 5))
    plain = model.score(bundle, "the cat", "le chat").log_probs.mean()
    moved = model.score(
        bundle, "the cat", "le chat",
        interventions=model.Interventions(source_positions=model.PositionEdit("shift", 5)),
    ).log_probs.mean()  # fmt: skip
    np.testing.assert_allclose(found.log_probs, [plain, moved], atol=1e-5)
    assert plain != moved
