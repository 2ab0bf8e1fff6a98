"""Decoding one token at a time respects every change to the model, or falls back to the layers."""

import copy
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
from torch.testing import assert_close

from model.decoding.options import DecodingOptions
from model.decoding.strategies import greedy
from model.nn.incremental import Layout
from tests.model.test_transformer import decode_stepwise
from tests.tiny import tiny_batch, tiny_model


class LowRank(nn.Linear):
    """A Linear with a rank-1 addition, as in LoRA."""

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return super().forward(input) + input.sum(-1, keepdim=True) * 0.3


def _add_hook(model: Any) -> None:
    model.decoder.layers[0].feed_forward.register_forward_hook(lambda *_: torch.zeros(1))


def _hooked_before(model: Any) -> None:
    model.decoder.layers[1].self_attention.query.register_forward_pre_hook(lambda _, inputs: (inputs[0] * 2,))


def _hooked_output(model: Any) -> None:
    model.output.register_forward_hook(lambda _, __, result: result.flip(-1))


def _low_rank(model: Any) -> None:
    layer, old = model.decoder.layers[0].feed_forward, model.decoder.layers[0].feed_forward.fc1
    layer.fc1 = LowRank(old.in_features, old.out_features)
    layer.fc1.load_state_dict(old.state_dict())


def _own_forward(model: Any) -> None:
    network = model.decoder.layers[0].feed_forward
    network.forward = lambda x: x * 0  # type: ignore[method-assign]


def _parametrize_weight(model: Any) -> None:
    weight_norm(model.decoder.layers[1].feed_forward.fc2)


def _another(name: str) -> Callable[[Any], None]:
    def replace(model: Any) -> None:
        path, _, leaf = name.rpartition(".")
        old = model.get_submodule(name)
        made = nn.Linear(old.in_features, old.out_features, bias=old.bias is not None)
        setattr(model.get_submodule(path), leaf, made)

    return replace


def _data(name: str) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        model.get_parameter(name).data[0] += 0.7

    return change


CHANGES = {
    "a hook": _add_hook,
    "a hook before": _hooked_before,
    "a hook on the output": _hooked_output,
    "a subclass": _low_rank,
    "an own forward": _own_forward,
    "a parametrization": _parametrize_weight,
    "another module": _another("decoder.layers.0.self_attention.value"),
    "another output": _another("output"),
    "an activation": lambda model: setattr(model.decoder.layers[0].feed_forward, "activation", torch.tanh),
    "the place of a norm": lambda model: setattr(model.decoder.layers[0], "norm_first", False),
} | {
    f"data of {name}": _data(name)
    for name in (
        "decoder.layers.0.self_attention.key.weight", "decoder.layers.0.self_attention.value.bias",
        "decoder.layers.1.self_attention.output.weight", "decoder.layers.0.cross_attention.query.weight",
        "decoder.layers.1.feed_forward.fc1.weight", "decoder.layers.1.feed_forward.fc1.bias",
        "decoder.layers.1.feed_forward.fc2.weight", "decoder.layers.0.self_attention_norm.weight",
        "decoder.final_norm.bias", "output.weight",
    )
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_to_the_model_is_seen_by_the_next_translation(name: str) -> None:
    model, (source, target) = tiny_model(tie_output=False), tiny_batch()
    with torch.no_grad():
        before, *_ = decode_stepwise(model, source, target)
        CHANGES[name](model)
        stepped, *_ = decode_stepwise(model, source, target)
        assert_close(stepped, model(source, target).logits, atol=2e-4, rtol=1e-4)
        assert not torch.allclose(stepped, before, atol=1e-3) or name == "a parametrization"


def test_a_hook_for_all_modules_is_called_in_each_step() -> None:
    model, (source, target), called = tiny_model(), tiny_batch(), []
    handle = nn.modules.module.register_module_forward_hook(lambda module, *_: called.append(type(module)))
    try:
        with torch.no_grad():
            decode_stepwise(model, source, target)
    finally:
        handle.remove()
    assert called.count(type(model.decoder.layers[0])) == 2 * target.shape[1]


@pytest.mark.parametrize("is_cached", [True, False])
def test_the_output_projection_is_that_of_the_weights_as_they_are(is_cached: bool) -> None:
    model, (source, _) = tiny_model(tie_output=False), tiny_batch()
    weight = model.output.weight

    def decoded() -> list[list[int]]:
        options = DecodingOptions(max_length=6, cached=is_cached, prefixes=((5, 6, 7),))
        return [step.candidate_ids[:, 0].tolist() for step in greedy(model, source[:1], options)]

    list(greedy(model, source[:1], DecodingOptions(max_length=6, prefixes=((5, 6, 7),))))
    before = decoded()
    weight.data = weight.data.flip(0).contiguous()
    after = decoded()
    assert after != before
    weight.data.copy_(weight.data.flip(0))
    assert decoded() == before


@pytest.mark.nightly
def test_a_decoding_lays_its_weights_out_once_and_frees_them_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    model, (source, _), laid_out = tiny_model(), tiny_batch(), []
    original = Layout.of

    def counted(*value: Any) -> Layout:
        made = original(*value)
        laid_out.append(weakref.ref(made.layers[0]))
        return made

    monkeypatch.setattr(Layout, "of", counted)
    for n_before in (0, 1):
        list(greedy(model, source, DecodingOptions(max_length=8, prefixes=((5, 6, 7),) * len(source))))
        assert len(laid_out) == n_before + 1
    gc.collect()
    assert all(item() is None for item in laid_out)


@pytest.mark.nightly
def test_a_cached_layout_serves_every_decoding_of_its_model_and_of_no_copy() -> None:
    model, batch = tiny_model(), tiny_batch()
    with torch.no_grad():
        before = decode_stepwise(model, *batch)
        model.keep_layout()
        after = decode_stepwise(model, *batch)
    assert model._laid_out() is model._laid_out()
    for first, second in zip(after, before, strict=True):
        assert_close(first, second, rtol=0, atol=0)
    trained = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in trained.parameters():
            parameter.mul_(1.5)
    assert trained._laid_out() is not trained._laid_out(), "each decoding reads the copy's weights as they are"
    handle = model.decoder.layers[0].register_forward_hook(lambda *_: None)
    assert not model._laid_out().layers, "a hook is called even so"
    handle.remove()
    decoder = weakref.ref(model.decoder.layers)
    del model
    gc.collect()
    assert decoder() is None
