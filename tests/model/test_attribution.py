"""Value-weighted norms and gradient × attention against slow references written here."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from model.checkpoints import Bundle, load
from model.inference.scoring import score
from model.interpret.attribution import (
    AttributionError,
    gradient_attention,
    share_of_head,
    share_of_row,
    value_weighted,
)
from model.interventions import KINDS, NONE, Interventions
from model.nn.transformer import Transformer
from model.trace import AttentionMaps, TokenSequence, Trace
from tests.tiny import tiny_model

SOURCE, PREFIX, TARGET = (5, 9, 4, 3), (2, 7, 11), (7, 11, 3)


def tokens(ids: tuple[int, ...]) -> TokenSequence:
    n = len(ids)
    return TokenSequence(ids, tuple(f"#{i}" for i in ids), tuple(range(n)), (None,) * n)


def traced(model: Transformer, interventions: Interventions = NONE) -> tuple[Bundle, Trace]:
    with torch.no_grad():
        out = model(torch.tensor([SOURCE]), torch.tensor([PREFIX]), capture=True, interventions=interventions)
    maps = AttentionMaps(
        *(np.stack([w[0].numpy() for w in kind]) for kind in (out.encoder_self, out.decoder_self, out.cross))
    )
    log_probs = out.logits[0].log_softmax(-1)[range(3), TARGET].numpy()
    trace = Trace("", "", tokens(SOURCE), tokens(TARGET), tokens(PREFIX), log_probs, maps, None,
                  interventions=interventions)  # fmt: skip
    return Bundle("tiny", model, model.config, None, None), trace


def attention_of(maps: AttentionMaps, kind: Any) -> np.ndarray:
    found = maps.of(kind)
    assert found is not None
    return found


class Nudged(torch.nn.Module):
    """The model with one weight of one head changed by hand after its softmax."""

    def __init__(self, model: Transformer, place: tuple[str, int, int, int, int], by: float) -> None:
        super().__init__()
        self.model, self.place, self.by = model, place, by

    def log_prob(self, step: int, token: int) -> float:
        kind, layer_index, *place = self.place
        layers = self.model.encoder.layers if kind == "encoder_self" else self.model.decoder.layers
        layer: Any = layers[layer_index]
        attention = layer.cross_attention if kind == "cross" else layer.self_attention
        original = attention.forward

        def forward(x: Any, keys: Any, values: Any, attn_mask: Any, **rest: Any) -> Any:
            _, weights = original(x, keys, values, attn_mask, **{**rest, "capture": True})
            weights = weights.clone()
            weights[(0, *place)] += self.by
            mixed = weights @ values
            return attention.output(mixed.transpose(1, 2).flatten(2)), weights

        attention.forward = forward
        try:
            with torch.no_grad():
                logits = self.model(torch.tensor([SOURCE]), torch.tensor([PREFIX]), capture=True).logits
        finally:
            attention.forward = original
        return float(functional.log_softmax(logits[0, step], -1)[token])


@pytest.mark.parametrize(
    "place", [("encoder_self", 0, 1, 2, 3), ("encoder_self", 1, 0, 0, 0), ("decoder_self", 0, 0, 1, 0),
              ("decoder_self", 1, 1, 1, 1), ("cross", 0, 1, 0, 2), ("cross", 1, 0, 1, 3)]
)  # fmt: skip
def test_gradients_equal_a_nudge_of_each_weight(place: tuple[str, int, int, int, int]) -> None:
    model = tiny_model().double()
    bundle, trace = traced(model)
    found = gradient_attention(bundle, trace, step=1, token_id=8)
    by = 1e-5
    slope = (Nudged(model, place, by).log_prob(1, 8) - Nudged(model, place, -by).log_prob(1, 8)) / (2 * by)
    kind, *index = place
    weight = attention_of(trace.attention, kind)[tuple(index)]
    assert attention_of(found.maps, kind)[tuple(index)] == pytest.approx(slope * weight, rel=1e-4, abs=1e-7)


def test_gradients_are_of_the_predicted_word_unless_told_otherwise() -> None:
    bundle, trace = traced(tiny_model())
    found = gradient_attention(bundle, trace, step=1)
    assert (found.token_id, found.step) == (TARGET[1], 1)
    assert found.log_prob == pytest.approx(float(trace.log_probs[1]), abs=1e-5)
    assert found.maps.cross is not None and found.maps.decoder_self is not None
    assert not found.maps.cross[:, :, 2].any()
    assert not found.maps.decoder_self[:, :, 2].any()
    assert found.maps.cross[:, :, 1].any()
    # The last layer's earlier rows cannot influence the word.
    assert not found.maps.cross[-1, :, 0].any()


def test_a_rival_takes_its_own_gradient_away() -> None:
    bundle, trace = traced(tiny_model())
    first, second, both = (
        gradient_attention(bundle, trace, step=2, token_id=word, rival_id=rival).maps.cross
        for word, rival in ((5, None), (6, None), (5, 6))
    )
    assert first is not None and second is not None and both is not None
    assert both == pytest.approx(first - second, abs=1e-6)


def test_attribution_leaves_the_model_as_it_was() -> None:
    model = tiny_model()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    bundle, trace = traced(model)
    gradient_attention(bundle, trace, step=0)
    value_weighted(bundle, trace)
    assert all(parameter.grad is None for parameter in model.parameters())
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())


def test_gradients_work_inside_inference_code_without_gradients() -> None:
    bundle, trace = traced(tiny_model())
    with torch.no_grad():
        found = gradient_attention(bundle, trace, step=0)
    assert found.maps.cross is not None and found.maps.cross.any()


def test_gradients_of_a_hugging_face_model_are_those_of_its_own_graph(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="Hugging Face models are an optional extra")
    torch.manual_seed(0)
    config = transformers.MarianConfig(
        vocab_size=30, d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=4, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=32,
        pad_token_id=29, eos_token_id=28, decoder_start_token_id=29, forced_eos_token_id=None,
        attn_implementation="eager",
    )  # fmt: skip
    network = transformers.MarianMTModel(config).eval()
    network.save_pretrained(tmp_path)
    bundle = load(tmp_path)
    trace = score(bundle, "#5 #6 #7 #28", "#8 #9 #28")
    found = gradient_attention(bundle, trace, step=1)
    outputs = network(
        torch.tensor([trace.source.ids]), decoder_input_ids=torch.tensor([trace.prefix.ids]), output_attentions=True
    )
    aim = outputs.logits[0, 1].log_softmax(-1)[trace.target.ids[1]]
    for kind, layers in (("encoder_self", outputs.encoder_attentions), ("cross", outputs.cross_attentions)):
        gradients = torch.autograd.grad(aim, layers, retain_graph=True)
        wanted = torch.stack([w * g for w, g in zip(layers, gradients, strict=True)])[:, 0].detach().numpy()
        assert np.abs(wanted).max() > 0
        assert attention_of(found.maps, kind) == pytest.approx(wanted, abs=1e-6)


def test_what_cannot_be_asked_is_answered() -> None:
    bundle, trace = traced(tiny_model())
    with pytest.raises(AttributionError, match="choose 0 to 2"):
        gradient_attention(bundle, trace, step=3)
    with pytest.raises(AttributionError, match="0 to 19"):
        gradient_attention(bundle, trace, step=0, token_id=20)
    reader = dataclasses.replace(trace, attention=AttentionMaps(trace.attention.encoder_self, None, None))
    with pytest.raises(AttributionError, match="predicts no words"):
        gradient_attention(bundle, reader, step=0)
    with pytest.raises(AttributionError, match="does not expose"):
        other: Any = object()
        value_weighted(dataclasses.replace(bundle, model=other), trace)


def test_frozen_parameters_have_the_same_gradients_of_attention() -> None:
    bundle, trace = traced(tiny_model())
    free = gradient_attention(bundle, trace, step=1)
    bundle.model.requires_grad_(False)
    frozen = gradient_attention(bundle, trace, step=1)
    for kind in KINDS:
        left, right = frozen.maps.of(kind), free.maps.of(kind)
        assert left is not None and right is not None
        np.testing.assert_allclose(left, right, atol=1e-7)
    assert not any(parameter.requires_grad for parameter in bundle.model.parameters())


def test_shares_sum_to_one_and_empty_rows_stay_empty() -> None:
    maps = AttentionMaps(None, None, np.array([[[[1.0, -3.0], [0.0, 0.0]]]], dtype=np.float32))
    shared = share_of_row(maps)
    assert shared.cross is not None
    assert shared.cross[0, 0].tolist() == [[0.25, 0.75], [0.0, 0.0]]
    assert shared.kinds == ("cross",)


def test_shares_of_a_head_keep_rows_in_proportion() -> None:
    maps = AttentionMaps(
        None, None, np.array([[[[1.0, -3.0], [0.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]]]], dtype=np.float32)
    )
    shared = share_of_head(maps)
    assert shared.cross is not None
    assert shared.cross[0].tolist() == [[[0.25, 0.75], [0.0, 0.5]], [[0.0, 0.0], [0.0, 0.0]]]
