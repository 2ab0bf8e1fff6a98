"""Attribution to tokens: each method satisfies the identities that define it."""

import warnings
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from torch import nn

import model
from model.bundle import Bundle
from model.inference.teacher_forcing import teacher_forced
from model.interpret.attribution import AttributionError
from model.interpret.integrated_gradients import integrated_gradients
from model.interpret.token_attribution import (
    METHODS,
    AttributionWarning,
    Method,
    agreement_with_erasure,
    token_attribution,
)
from tests.checkpoints import library
from tests.tiny import POST_NORM, bundle_of_ids

NORMS: dict[str, dict[str, Any]] = {
    "pre-norm": {},
    "post-norm": POST_NORM,
    "annotated": {"norm_kind": "annotated", "decoder_norm_first": False},
}
SHARED: tuple[Method, ...] = ("raw", "rollout", "value_weighted", "alti")


def score_pair(bundle: Bundle) -> model.Trace:
    return model.score(bundle, [5, 6, 7, 8, 3], [9, 10, 11, 3])


@pytest.mark.nightly("integrated_gradients")
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_covers_source_and_prefix_and_looks_at_nothing_later(method: Method, norm: str) -> None:
    bundle = bundle_of_ids(**NORMS[norm])
    attribution = token_attribution(bundle, score_pair(bundle), method=method)
    assert attribution.source.shape == (4, 5) and attribution.prefix.shape == (4, 4)
    np.testing.assert_allclose(np.triu(attribution.prefix, 1), 0, atol=1e-5)
    if method in SHARED:
        assert (attribution.source >= 0).all() and (attribution.prefix >= 0).all()
        np.testing.assert_allclose(attribution.source.sum(1) + attribution.prefix.sum(1), 1, atol=1e-5)


@pytest.mark.parametrize("norm", NORMS)
def test_a_model_whose_attention_writes_nothing_owes_all_to_the_residual(norm: str) -> None:
    bundle = bundle_of_ids(**NORMS[norm])
    run = bundle.model
    layers: Any = [*run.encoder.layers, *run.decoder.layers]
    with torch.no_grad():
        for layer in layers:
            for attention in (layer.self_attention, layer.cross_attention or layer.self_attention):
                attention.output.weight.zero_()
                attention.output.bias.zero_()
            layer.self_attention_norm.bias.zero_()
            (layer.cross_attention_norm or layer.self_attention_norm).bias.zero_()
    attribution = token_attribution(bundle, score_pair(bundle), method="alti")
    np.testing.assert_allclose(attribution.prefix, np.eye(4), atol=1e-6)
    np.testing.assert_allclose(attribution.source, 0, atol=1e-6)


def test_alti_of_one_layer_equals_the_papers_definition() -> None:
    bundle = bundle_of_ids(n_encoder_layers=1, n_decoder_layers=1)
    run = bundle.model
    trace = score_pair(bundle)
    parts = model.record(bundle, [5, 6, 7, 8, 3], [9, 10, 11, 3])
    layer: Any = run.encoder.layers[0]
    weight = layer.self_attention.output.weight.detach().numpy().reshape(16, 2, 8)
    attention, value = parts["encoder.0.self.weights"][0], parts["encoder.0.self.value"][0]
    stream, output = parts["encoder.0.residual.before"][0], parts["encoder.0.self.output"][0]
    shares = np.zeros((5, 5))
    for i in range(5):
        whole = stream[i] + output[i]
        for j in range(5):
            brought = sum(attention[h, i, j] * weight[:, h] @ value[h, j] for h in range(2))
            part = brought + (stream[i] if i == j else 0)
            shares[i, j] = max(0.0, np.abs(whole).sum() - np.abs(whole - part).sum())
    shares /= shares.sum(1, keepdims=True)
    attribution = token_attribution(bundle, trace, method="alti")
    weights, cross_value = parts["decoder.0.cross.weights"][0], parts["decoder.0.cross.value"][0]
    matrix: Any = run.decoder.layers[0]
    projection = matrix.cross_attention.output.weight.detach().numpy().reshape(16, 2, 8)
    before, written = parts["decoder.0.residual.middle"][0], parts["decoder.0.cross.output"][0]
    for t in range(4):
        whole = before[t] + written[t]
        brought = [sum(weights[h, t, j] * projection[:, h] @ cross_value[h, j] for h in range(2)) for j in range(5)]
        near = np.array([max(0.0, np.abs(whole).sum() - np.abs(whole - part).sum()) for part in (*brought, before[t])])
        near /= near.sum()
        np.testing.assert_allclose(attribution.source[t], near[:5] @ shares, atol=1e-5)
        assert abs(attribution.prefix[t].sum() - near[5]) < 1e-5


@pytest.mark.nightly(but=("marian",))
@pytest.mark.parametrize("kind", ["marian", "bart", "t5"])
def test_gradients_are_those_of_the_token_embeddings_in_the_library_itself(kind: str, tmp_path: Path) -> None:
    """Gradient × input and integrated gradients, by autograd through the original's own code."""
    original = library.make(kind, tmp_path)
    bundle = model.load(tmp_path)
    trace = model.score(bundle, [5, 6, 7, 8, 2], [9, 10, 11, 2])
    sides = [torch.tensor([tokens.ids]) for tokens in (trace.source, trace.prefix)]
    embed = original.get_input_embeddings()
    ends = [embed(ids).detach() for ids in sides]
    scale = 4.0 if kind == "marian" else 1.0  # Marian's encoder alone expects embeddings that are scaled already

    def slopes(share: float) -> list[torch.Tensor]:
        """Of each prediction by the embeddings at a share of the way from zeros, (T, N, D) on each side."""
        tokens = [(share * end).requires_grad_() for end in ends]
        logits = original(inputs_embeds=scale * tokens[0], decoder_inputs_embeds=tokens[1]).logits[0]
        aims = logits.log_softmax(-1)[range(4), trace.target.ids]
        rows = [torch.autograd.grad(aim, tokens, retain_graph=True) for aim in aims]
        return [torch.cat([row[side] for row in rows]) for side in range(2)]

    nodes, weights = np.polynomial.legendre.leggauss(20)
    along = [slopes((node + 1) / 2) for node in nodes]
    expected = {
        "gradient_input": slopes(1.0),
        "integrated_gradients": [
            sum(weight / 2 * result[side] for weight, result in zip(weights, along, strict=True)) for side in range(2)
        ],
    }
    *integrated, gap, used = integrated_gradients(bundle, trace, n_points=20)
    assert used == 20
    product = token_attribution(bundle, trace, method="gradient_input")
    result = {"gradient_input": (product.source, product.prefix), "integrated_gradients": integrated}
    for method, by_hand in expected.items():
        for attribution, slope, end in zip(result[method], by_hand, ends, strict=True):
            np.testing.assert_allclose(attribution, (slope * end).sum(-1), atol=1e-4)  # type: ignore[union-attr]
    with torch.no_grad():
        zeros = [torch.zeros_like(end) for end in ends]
        logits = original(inputs_embeds=zeros[0], decoder_inputs_embeds=zeros[1]).logits[0]
    change = trace.log_probs - logits.log_softmax(-1)[range(4), trace.target.ids].numpy()
    whole = integrated[0].sum(1) + integrated[1].sum(1)
    np.testing.assert_allclose(gap, np.abs(whole.numpy() - change).max(), atol=1e-3)


@pytest.mark.nightly(but=("gradient_input",))
@pytest.mark.parametrize("method", ["gradient_input", "integrated_gradients"])
def test_a_text_that_patches_copy_from_keeps_its_own_embeddings(method: Method) -> None:
    """What the decoder reads comes from another text altogether, so the source's own tokens count for nothing."""
    bundle = bundle_of_ids()
    donor = "#9 #14 #5 #11 #3"
    edits = model.Interventions(patches=model.Patch("encoder.final_norm", from_text=donor))
    trace = model.score(bundle, [5, 6, 7, 8, 3], [9, 10, 11, 3], interventions=edits)
    attribution = token_attribution(bundle, trace, method=method)
    np.testing.assert_array_equal(attribution.source, 0.0)
    if method == "gradient_input":
        other = model.score(bundle, [9, 14, 5, 11, 3], [9, 10, 11, 3])
        np.testing.assert_allclose(
            attribution.prefix, token_attribution(bundle, other, method=method).prefix, atol=1e-4
        )
    shorter = model.Interventions(patches=model.Patch("encoder.final_norm", from_text="#9 #3"))
    trace = model.score(bundle, [5, 6, 7, 8, 3], [9, 10, 11, 3], interventions=shorter)
    assert token_attribution(bundle, trace, method=method).source.any()


@pytest.mark.nightly(but=("post",))
@pytest.mark.parametrize("norm", NORMS)
def test_integrated_gradients_sum_to_the_change_from_zeros(norm: str) -> None:
    bundle = bundle_of_ids(**NORMS[norm])
    source, target = [5, 6, 7, 8, 3], [9, 10, 11, 3]
    off = model.Interventions((model.HeadOff("cross", 0, 1),))
    lifted = model.Interventions(lift_causal_mask=True)
    for interventions in {"pre-norm": (model.NONE, off, lifted), "post-norm": (off,)}.get(norm, (lifted,)):
        trace = model.score(bundle, source, target, interventions=interventions)
        *parts, gap, _ = integrated_gradients(bundle, trace, n_points=300)
        results = [part.numpy() for part in parts]
        empty = bundle_of_ids(**NORMS[norm])
        run = empty.model
        with torch.no_grad():
            run.encoder.embedding.weight.zero_()
            run.decoder.embedding.weight.zero_()
            run.output.weight = nn.Parameter(bundle.model.output.weight.clone())
        start = model.score(empty, source, target, interventions=interventions)
        whole = results[0].sum(1) + results[1].sum(1)
        change = trace.log_probs - start.log_probs
        np.testing.assert_allclose(whole, change, atol=5e-3)
        np.testing.assert_allclose(gap, np.abs(whole - change).max(), atol=1e-4)


def test_integrated_gradients_leave_the_model_to_others_as_it_is() -> None:
    bundle = bundle_of_ids()
    run = bundle.model
    before = dict(run.named_modules())
    token_attribution(bundle, score_pair(bundle), method="integrated_gradients")
    after = dict(run.named_modules())
    assert all(before[name] is after[name] for name in before) and len(before) == len(after)


def test_erasure_is_the_loss_of_log_probability() -> None:
    bundle = bundle_of_ids()
    trace = score_pair(bundle)
    hidden = model.Interventions(blocked_keys=(model.BlockedKey("encoder_self", 1), model.BlockedKey("cross", 1)))
    without = model.score(bundle, [5, 6, 7, 8, 3], [9, 10, 11, 3], interventions=hidden).log_probs
    attribution = token_attribution(bundle, trace, method="erasure")
    np.testing.assert_allclose(attribution.source[:, 1], trace.log_probs - without, atol=1e-4)
    assert abs(attribution.prefix[1, 1]) < 1e-5


def test_an_unknown_method_is_refused() -> None:
    bundle = bundle_of_ids()
    with pytest.raises(AttributionError, match="choose raw, rollout"):
        token_attribution(bundle, score_pair(bundle), method="eyes")  # type: ignore[arg-type]


def test_a_head_that_is_off_contributes_nothing() -> None:
    bundle = bundle_of_ids(n_decoder_layers=1)
    off = model.Interventions(tuple(model.HeadOff("cross", 0, head) for head in range(2)))
    trace = model.score(bundle, [5, 6, 7, 8, 3], [9, 10, 11, 3], interventions=off)
    np.testing.assert_allclose(token_attribution(bundle, trace, method="alti").source, 0, atol=1e-6)


def test_erasure_agrees_with_itself() -> None:
    bundle = bundle_of_ids()
    erased = token_attribution(bundle, score_pair(bundle), method="erasure")
    assert agreement_with_erasure(erased, erased) == pytest.approx(1)


def test_paths_that_begin_at_a_token_add_up_to_the_change_from_that_token() -> None:
    bundle = bundle_of_ids()
    run = bundle.model
    trace = score_pair(bundle)
    attribution = token_attribution(bundle, trace, method="integrated_gradients", baseline=7)
    tokens = [
        stack.look_up(torch.full((1, len(side)), 7))
        for stack, side in ((run.encoder, trace.source), (run.decoder, trace.prefix))
    ]
    with torch.no_grad():
        start = teacher_forced(bundle, [trace], tokens=(tokens[0], tokens[1])).log_probs[0].numpy()
    missed = np.abs(attribution.source.sum(1) + attribution.prefix.sum(1) - (trace.log_probs - start)).max()
    assert attribution.gap is not None and attribution.gap == pytest.approx(missed, abs=1e-4) and attribution.gap < 0.05
    assert np.abs(attribution.source[:, trace.source.ids.index(7)]).max() == 0
    with pytest.raises(AttributionError, match="there is no token 99 to begin at: choose 0 to"):
        token_attribution(bundle, trace, method="integrated_gradients", baseline=99)


@pytest.mark.nightly(but=("t5", "mbart"))
@pytest.mark.parametrize("kind", ["marian", "mbart", "m2m_100", "t5"])
def test_integrated_gradients_converge_or_warn(kind: str, tmp_path: Path) -> None:
    """T5's RMS norm divides by nearly nothing where a path from zeros begins, so its paths begin at a token."""
    library.make(kind, tmp_path)
    bundle = model.load(tmp_path)
    trace = model.score(bundle, "5 6 7 8 2", "11 12 13")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        attribution = token_attribution(bundle, trace, method="integrated_gradients")
    assert attribution.gap is not None and attribution.is_complete and attribution.n_points is not None
    assert (attribution.baseline is None) == (kind != "t5")
    rows = np.abs(attribution.source.sum(1) + attribution.prefix.sum(1)).max()
    assert attribution.gap < max(0.01 * rows, 1e-3)
    with pytest.warns(AttributionWarning, match=r"miss up to .* nats .*, at 2 points: leave n_points out"):
        token_attribution(bundle, trace, method="integrated_gradients", n_points=2, rule="riemann_left")
    with pytest.raises(AttributionError, match="choose gausslegendre, riemann_left"):
        token_attribution(bundle, trace, method="integrated_gradients", rule=cast(Any, "simpson"))
    if kind == "t5":
        with pytest.warns(AttributionWarning, match="begin at a token instead of zeros"):
            from_zeros = token_attribution(bundle, trace, method="integrated_gradients", baseline="zeros")
        assert not from_zeros.is_complete and from_zeros.baseline is None
    assert token_attribution(bundle, model.score(bundle, "5 6", "11")).method == "alti"
