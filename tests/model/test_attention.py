"""Masks and multi-head attention."""

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from model.layer_spec import AttentionSpec, LayerSpec
from model.nn.attention import MultiHeadAttention, attention_weights
from model.nn.masks import causal_mask
from tests.nightly import examples


def attention(**changes: Any) -> MultiHeadAttention:
    torch.manual_seed(0)
    given: dict[str, Any] = {"d_key": 4, "d_value": 4} | changes
    spec = AttentionSpec(n_heads=2, **given)
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
def test_any_mask_is_kept_and_rows_sum_to_one_or_to_nothing(seed: int, queries: int, keys: int) -> None:
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


@pytest.mark.parametrize("gradients", [True, False], ids=["training", "inference"])
@pytest.mark.parametrize("capture", [True, False], ids=["captured", "fused"])
def test_a_query_that_may_see_nothing_is_not_nan(capture: bool, gradients: bool) -> None:
    module, x = attention(), torch.randn(1, 3, 8)
    attn_mask = torch.tensor([[True, True, True], [False, False, False], [True, False, True]])[None, None]
    with torch.set_grad_enabled(gradients):
        output, weights = module(x, *module.keys_values(x), attn_mask, capture=capture)
        assert output.isfinite().all()
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
def test_a_norm_of_queries_and_keys_is_as_wide_as_what_it_normalises(norm: Any, sizes: tuple[int, int]) -> None:
    spec = AttentionSpec(n_heads=6, n_key_heads=2, d_key=4, d_value=4, query_norm=norm)
    made = MultiHeadAttention(24, spec, LayerSpec(attention=spec, d_feed_forward=8), dropout=0.0)
    assert made.query_norm is not None and made.key_norm is not None
    assert tuple(next(each.parameters()).numel() for each in (made.query_norm, made.key_norm)) == sizes
