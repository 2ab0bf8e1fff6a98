"""Results are computed once, shared and frozen, and never returned for other choices."""

import dataclasses

import numpy as np
import pytest

import model
from model.nn.transformer import Transformer
from tests.checkpoint import tiny_bundle
from viz import cache

TEXT = "the cat is sleeping ."


def _cross(trace):
    assert trace.attention.cross is not None
    return trace.attention.cross


@pytest.fixture(scope="module")
def bundle():
    return tiny_bundle()


def test_an_equal_wish_is_answered_with_the_same_object(bundle):
    assert cache.translate(bundle, TEXT) is cache.translate(bundle, TEXT)


@pytest.mark.parametrize(
    "other",
    [
        {"text": "the dog ."},
        {"interventions": model.Interventions((model.HeadOff("cross", 0, 0),))},
        {"method": "beam"},
        {"prefix": (12,)},
    ],
)
def test_another_wish_is_computed_anew(bundle, other):
    wish = {"text": TEXT} | other
    assert cache.translate(bundle, **wish) is not cache.translate(bundle, TEXT)


def test_another_model_never_answers(bundle):
    twin = dataclasses.replace(tiny_bundle(seed=206), fingerprint="another")
    assert not np.array_equal(_cross(cache.translate(bundle, TEXT))[0], _cross(cache.translate(twin, TEXT))[0])


def test_what_is_shared_cannot_be_written(bundle):
    weights = _cross(cache.translate(bundle, TEXT))
    with pytest.raises(ValueError, match="read-only"):
        weights[0, 0, 0, 0] = 1.0


def test_the_cached_trace_is_the_models_own(bundle):
    direct = model.translate(bundle, TEXT)
    np.testing.assert_array_equal(_cross(cache.translate(bundle, TEXT)), _cross(direct))


def test_a_kept_result_is_made_once():
    made = []
    for _ in range(3):
        assert cache.get_or_compute(("test", 1), lambda: made.append(1) or len(made)) == 1
    assert cache.get_or_compute(("test", 2), lambda: len(made) + 10) == 11


def test_the_extent_is_the_models():
    bundle = tiny_bundle(n_encoder_layers=1, n_decoder_layers=3, n_decoder_heads=4)
    extent = cache.extent(bundle)
    assert extent.layers == {"encoder_self": 1, "decoder_self": 3, "cross": 3}
    assert extent.heads == {"encoder_self": 2, "decoder_self": 4, "cross": 4}


@pytest.mark.nightly
def test_a_model_that_visitors_share_has_its_weights_laid_out_once():
    network = cache.bundle(cache.model_names()[0]).model
    assert isinstance(network, Transformer) and network._laid_out() is network._laid_out()
