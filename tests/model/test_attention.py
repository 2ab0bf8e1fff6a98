"""Masks and padding, and multi-head attention."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

import model
from model.config import ConfigError
from model.inference.attending import attend
from model.layer_spec import AttentionSpec, LayerSpec
from model.nn.attention import MultiHeadAttention, attention_weights
from model.nn.masks import causal_mask
from tests.checkpoint import tiny_bundle
from tests.nightly import examples
from tests.tiny import tiny_config, tiny_model


def attention(**changes: Any) -> MultiHeadAttention:
    torch.manual_seed(0)
    fields: dict[str, Any] = {"d_key": 4, "d_value": 4} | changes
    spec = AttentionSpec(n_heads=2, **fields)
    return MultiHeadAttention(8, spec, LayerSpec(attention=spec, d_feed_forward=8), dropout=0.0)


def test_weights_equal_the_formula_written_out() -> None:
    query, key = torch.tensor([[[[1.0, 2.0]]]]), torch.tensor([[[[0.5, -1.0], [2.0, 0.0]]]])
    scores = [(1 * 0.5 + 2 * -1.0) / math.sqrt(2), (1 * 2.0) / math.sqrt(2)]
    total = sum(map(math.exp, scores))
    expected = torch.tensor([[[[math.exp(score) / total for score in scores]]]])
    assert_close(attention_weights(query, key, None), expected)


def test_causal_mask_lets_each_query_see_up_to_itself() -> None:
    assert causal_mask(3, 3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(1, 3).tolist() == [[True, True, True]]
    assert causal_mask(2, 4).tolist() == [[True, True, True, False], [True, True, True, True]]


@settings(max_examples=examples(50), deadline=None)
@given(seed=st.integers(0, 10_000), queries=st.integers(1, 6), keys=st.integers(1, 6))
def test_any_mask_is_obeyed_and_rows_sum_to_one_or_zero(seed: int, queries: int, keys: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    query, key = torch.randn(2, 3, queries, 4, generator=generator), torch.randn(2, 3, keys, 4, generator=generator)
    attn_mask = torch.rand(2, 1, queries, keys, generator=generator) > 0.5
    weights = attention_weights(query * 30, key * 30, attn_mask)
    assert weights.masked_select(~attn_mask).eq(0).all()
    assert_close(weights.sum(-1), attn_mask.any(-1).float().expand(2, 3, queries))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_weights_of_half_precision_are_float32_and_sum_to_one(dtype: torch.dtype) -> None:
    weights = attention_weights(torch.randn(1, 2, 3, 4, dtype=dtype), torch.randn(1, 2, 200, 4, dtype=dtype), None)
    assert weights.dtype == torch.float32
    assert_close(weights.sum(-1), torch.ones(1, 2, 3))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])  # in bfloat16 training has its own kernel
@pytest.mark.parametrize("gradients", [True, False], ids=["training", "inference"])
@pytest.mark.parametrize("capture", [True, False], ids=["captured", "fused"])
def test_a_query_that_may_see_nothing_gets_nothing(capture: bool, gradients: bool, dtype: torch.dtype) -> None:
    module, x = attention().to(dtype), torch.randn(1, 3, 8, dtype=dtype)
    attn_mask = torch.tensor([[True, True, True], [False, False, False], [True, False, True]])[None, None]
    with torch.set_grad_enabled(gradients):
        output, weights = module(x, *module.keys_values(x), attn_mask, capture=capture)
        assert output.isfinite().all() and torch.equal(output[0, 1], module.output.bias)
        if gradients:
            output.sum().backward()
            assert all(p.grad is not None and p.grad.isfinite().all() for p in module.parameters())
    if weights is not None:
        assert weights[0, :, 1].eq(0).all()


def test_query_and_value_widths_are_free() -> None:
    module, x = attention(d_key=5, d_value=3), torch.randn(2, 4, 8)
    keys, values = module.keys_values(x)
    assert keys.shape == (2, 2, 4, 5) and values.shape == (2, 2, 4, 3)
    captured, weights = module(x, keys, values, None, capture=True)
    fused, nothing = module(x, keys, values, None)
    assert_close(captured, fused, atol=1e-5, rtol=0)
    assert nothing is None and weights is not None
    by_hand = (weights @ values).transpose(1, 2).flatten(2) @ module.output.weight.T + module.output.bias
    assert_close(captured, by_hand)


@pytest.mark.parametrize(("norm", "sizes"), [("head", (4, 4)), ("whole", (24, 8))])
def test_a_norm_of_queries_and_keys_has_their_width(norm: Any, sizes: tuple[int, int]) -> None:
    spec = AttentionSpec(n_heads=6, n_key_heads=2, d_key=4, d_value=4, query_norm=norm)
    made = MultiHeadAttention(24, spec, LayerSpec(attention=spec, d_feed_forward=8), dropout=0.0)
    assert made.query_norm is not None and made.key_norm is not None
    assert tuple(next(item.parameters()).numel() for item in (made.query_norm, made.key_norm)) == sizes


LEFT, RIGHT = [[0, 0, 5, 6, 7]], [[5, 6, 7, 0, 0]]


def test_positions_that_skip_padding_are_the_same_on_either_side() -> None:
    network = tiny_model(skip_padding=True, position_offset=2, embedding_norm=True)
    left, right = (network.encode(torch.tensor(ids)).memory for ids in (LEFT, RIGHT))
    torch.testing.assert_close(left[0, 2:], right[0, :3])
    ordinary = tiny_model(position_offset=2, embedding_norm=True)
    assert not torch.allclose(ordinary.encode(torch.tensor(LEFT)).memory[0, 2:], right[0, :3])


def test_padding_that_is_skipped_enters_the_encoder_as_zeros() -> None:
    network = tiny_model(skip_padding=True, embedding_norm=True)
    embedded = network.encoder.embed(torch.tensor(RIGHT), 0)
    assert not embedded[0, 3:].any() and embedded[0, :3].any()


def test_a_blank_query_weighs_every_position_alike() -> None:
    network = tiny_model(blank_target_padding=True, mask_target_padding=False)
    target = torch.tensor([[2, 6, 7, 0]])
    weights = network(torch.tensor(RIGHT), target, capture=True).decoder_self[0]
    torch.testing.assert_close(weights[0, :, 3], torch.full((2, 4), 0.25))
    assert not weights[0, :, 2, 3].any()
    whole, captured = (network(torch.tensor(RIGHT), target, capture=capture).logits for capture in (False, True))
    torch.testing.assert_close(whole, captured)


def test_the_id_past_the_vocabulary_is_zeros_padding_and_start() -> None:
    bundle = tiny_bundle(starts_from_zero=True, bos_id=20, source_pad_id=20, target_pad_id=20,
                         mask_target_padding=False)  # fmt: skip
    fed = np.array([[20, 5, 6], [20, 7, 20]])
    attended = attend(bundle, np.array([[5, 6, 7], [5, 20, 20]]), fed)
    alone = attend(bundle, np.array([[5]]), np.array([[20, 7]]))
    assert attended.logits is not None and attended.logits.shape[-1] == 20 and alone.logits is not None
    np.testing.assert_allclose(attended.logits[1, :2], alone.logits[0], atol=1e-5)
    assert attended.encoder_self is not None and not attended.encoder_self[1, ..., 1:].any()
    assert model.translate(bundle, "the cat").prefix_tokens[0] == "#20"


def test_an_id_past_the_vocabulary_needs_the_setting() -> None:
    assert tiny_config(starts_from_zero=True, bos_id=20).bos_id == 20
    with pytest.raises(ConfigError, match=r"bos_id \(20\) must lie in \[0, 20\)"):
        tiny_config(bos_id=20)


@pytest.mark.parametrize("name", ["relu", "gelu", "gelu_tanh", "gelu_sigmoid", "silu"])
def test_every_activation_computes(name: str) -> None:
    network = tiny_model(activation=name)
    assert bool(network(torch.tensor(RIGHT), torch.tensor([[2, 5]])).logits.isfinite().all())
