"""One head, computed step by step, equals the model's own forward pass in every number."""

from typing import Any, cast

import numpy as np
import pytest
import torch

from model.bundle import Bundle
from model.interpret.inspection import InspectionError, inspect_head
from model.interpret.inspection_steps import Variation
from model.interpret.residual_stream import logit_lens
from model.interventions import KINDS, HeadOff, Interventions
from tests.tiny import bundle_of_ids

SOURCE, PREFIX = (5, 9, 7, 12, 3), (2, 6, 8, 4)
BUILDS = (
    {},
    {"encoder_norm_first": False, "decoder_norm_first": False, "encoder_final_norm": False, "activation": "gelu"},
    {"d_key": 5, "d_value": 3, "attention_bias": False, "n_decoder_heads": 4, "embedding_norm": True},
    {"positions": "none", "decoder_residual_scale": 1.3, "norm_kind": "annotated", "n_encoder_layers": 3},
    {"positions": "learned", "output_log_softmax": True, "output_scale": 0.5},
    {"positions": "relative", "norm_kind": "rms", "score_scale": 1.0},
)


def head_of(bundle: Bundle, kind: Any, layer: int = 1, head: int = 1, **options: Any):
    """One head on the fixed pair of sentences."""
    return inspect_head(bundle, (SOURCE, PREFIX), kind=kind, layer=layer, head=head, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_each_number_follows_by_hand_from_the_one_before(kind):
    inspection = head_of(bundle_of_ids(3), kind)
    by_hand = np.array([[np.dot(q, k) for k in inspection.key] for q in inspection.query])
    np.testing.assert_allclose(inspection.scores, by_hand, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(inspection.scaled, by_hand / np.sqrt(8), rtol=1e-5, atol=1e-6)
    if kind == "decoder_self":
        assert np.array_equal(inspection.attn_mask, np.tril(np.ones((4, 4), bool)))
    powers = np.where(inspection.attn_mask, np.exp(inspection.scaled), 0)
    softmax = powers / powers.sum(1, keepdims=True)
    np.testing.assert_allclose(inspection.weights, softmax, rtol=1e-5)
    np.testing.assert_allclose(inspection.mixed, softmax @ inspection.value, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(inspection.concatenated[:, 8:], inspection.mixed)
    assert inspection.to_output.bias is not None
    out = inspection.concatenated @ inspection.to_output.weight + inspection.to_output.bias
    np.testing.assert_allclose(inspection.output, out, atol=1e-5)
    np.testing.assert_allclose(inspection.stream_after, inspection.stream + out, atol=1e-5)


@pytest.mark.parametrize("build", BUILDS)
def test_projections_as_written_give_the_vectors(build):
    inspection = head_of(bundle_of_ids(3, **build), "cross")
    for inputs, projection, result in (
        (inspection.received, inspection.to_query, inspection.query),
        (inspection.key_received, inspection.to_key, inspection.key),
        (inspection.key_received, inspection.to_value, inspection.value),
    ):
        bias = 0 if projection.bias is None else projection.bias
        np.testing.assert_allclose(inputs @ projection.weight + bias, result, atol=1e-5)


@pytest.mark.parametrize("build", BUILDS)
def test_norms_and_the_feed_forward_network_follow_by_hand(build):
    inspection = head_of(bundle_of_ids(3, **build), "decoder_self")
    step = inspection.feed_forward
    for norm, before, after, last in (
        (inspection.norm, inspection.stream, inspection.received, (inspection.summed, inspection.stream_after)),
        (
            step.norm,
            step.stream,
            step.received,
            (step.stream * inspection.residual_scale + step.output, step.stream_after),
        ),
    ):
        value, result = (before, after) if inspection.is_norm_first else last
        by_hand = (value - norm.mean[:, None]) / norm.deviation[:, None] * norm.gain + norm.shift
        np.testing.assert_allclose(result, by_hand, atol=2e-5)
    assert step.fc1.bias is not None and step.fc2.bias is not None
    inner = step.received @ step.fc1.weight + step.fc1.bias
    if build.get("activation") != "gelu":
        np.testing.assert_allclose(step.hidden, np.maximum(inner, 0), atol=1e-5)
    np.testing.assert_allclose(step.output, step.hidden @ step.fc2.weight + step.fc2.bias, atol=2e-5)


def test_entrance_is_embedding_plus_position():
    bundle = bundle_of_ids(3)
    inspection = head_of(bundle, "decoder_self", layer=0)
    embedding = bundle.model.decoder.embedding.weight[list(PREFIX)].detach().numpy() * 4
    np.testing.assert_allclose(inspection.entrance.token, embedding, rtol=1e-6)
    np.testing.assert_allclose(inspection.entrance.summed, embedding + inspection.entrance.position, atol=1e-6)
    np.testing.assert_array_equal(inspection.entrance.summed, inspection.stream)


def test_without_scaling_the_softmax_is_of_the_scores_themselves():
    plain, result = (
        head_of(bundle_of_ids(3), "cross", variation=Variation(without_scaling=flag)) for flag in (False, True)
    )
    np.testing.assert_allclose(result.scaled, plain.scores, rtol=1e-6)
    assert result.divisor == 1.0 and plain.divisor == pytest.approx(8**0.5)
    assert (result.weights.max(1) > plain.weights.max(1)).all()


def test_one_matrix_makes_the_scores_of_self_attention_symmetric():
    bundle = bundle_of_ids(3)
    plain = head_of(bundle, "encoder_self")
    inspection = head_of(bundle, "encoder_self", variation=Variation(one_matrix=True))
    np.testing.assert_allclose(inspection.scores, inspection.scores.T, atol=1e-5)
    assert not np.allclose(plain.scores, plain.scores.T, atol=1e-2)
    np.testing.assert_array_equal(inspection.to_key.weight, inspection.to_query.weight)


def test_without_values_the_head_adds_nothing_and_the_others_go_on():
    bundle = bundle_of_ids(3)
    inspection = head_of(bundle, "cross", variation=Variation(without_values=True))
    off = head_of(bundle, "cross", interventions=Interventions(heads_off=(HeadOff("cross", 1, 1),)))
    assert not inspection.mixed.any()
    np.testing.assert_allclose(inspection.output, off.output, atol=1e-6)


@pytest.mark.parametrize(("layer", "head", "message"), [(9, 0, "no layer 9: choose 0 to 1"), (0, -1, "no head -1")])
def test_a_head_that_is_not_there_is_named(layer, head, message):
    with pytest.raises(InspectionError, match=message):
        head_of(bundle_of_ids(3), "cross", layer, head)


def test_a_model_of_another_build_is_refused_by_name():
    whole = bundle_of_ids(3)
    foreign = Bundle("opus", cast(Any, object()), whole.config, None, None, family="marian")
    with pytest.raises(InspectionError, match=r"opus \(marian\).*choose a model"):
        head_of(foreign, "cross")


@pytest.mark.parametrize("build", BUILDS)
def test_the_lens_after_the_last_layer_is_the_models_own_prediction(build):
    bundle = bundle_of_ids(3, **build)
    lens = logit_lens(bundle, (SOURCE, PREFIX), n_best=5)
    with torch.inference_mode():
        logits = bundle.model(torch.tensor([SOURCE]), torch.tensor([PREFIX])).logits[0]
    best = logits.log_softmax(-1).topk(5, -1)
    np.testing.assert_array_equal(lens.ids[-1], best.indices)
    np.testing.assert_allclose(lens.log_probs[-1], best.values, atol=1e-5)
    np.testing.assert_allclose(lens.logits[-1], logits.gather(1, best.indices), atol=1e-5)
    p = logits.softmax(-1).numpy()
    np.testing.assert_allclose(lens.entropy[-1], -(p * np.log2(p)).sum(-1), rtol=1e-4)
    assert lens.ids.shape == (2, 4, 5) and lens.pieces[0][0][0].startswith("#")
