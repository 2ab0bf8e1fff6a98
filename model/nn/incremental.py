"""The decoder's layers for one new token at a time, the arithmetic of ``DecoderLayer`` with as little else as possible.

Such a step multiplies single rows: what it costs is reading every weight once, and calling PyTorch several hundred
times. So query, key and value are one matrix, matrices that widen are stored column by column, which a CPU reads up to
three times as fast, and no module is called that has nothing to do (docs/decisions/0011).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from model.interventions import LayerEdit
from model.nn.attention import attend
from model.nn.layers import DecoderLayer, KeysValues, residual

T = TypeVar("T")
Rows: TypeAlias = Callable[[Tensor], Tensor]
"""A function of rows, (N, in) -> (N, out)."""


class OneTokenLayer:
    """A ``DecoderLayer`` that is called with one position a row, and never trains."""

    def __init__(self, layer: DecoderLayer) -> None:
        own, cross = layer.self_attention, layer.cross_attention
        self.n_heads = own.n_heads
        self.own = lay_out(own.query, own.key, own.value)
        self.own_sizes = [linear.out_features for linear in (own.query, own.key, own.value)]
        self.own_output = lay_out(own.output)
        self.cross_query, self.cross_output = lay_out(cross.query), lay_out(cross.output)
        self.fc1, self.fc2 = lay_out(layer.feed_forward.fc1), lay_out(layer.feed_forward.fc2)
        self.activation = layer.feed_forward.activation
        self.own_norm, self.cross_norm = _function(layer.self_attention_norm), _function(layer.cross_attention_norm)
        self.feed_forward_norm = _function(layer.feed_forward_norm)
        self.norm_first, self.scale = layer.norm_first, layer.residual_scale

    def __call__(
        self,
        x: Tensor,
        cross: KeysValues,
        attn_mask: Tensor | None,
        source_mask: Tensor | None,
        *,
        past: KeysValues | None,
        capture: bool,
        edits: tuple[LayerEdit | None, LayerEdit | None],
    ) -> tuple[Tensor, Tensor, Tensor, KeysValues]:
        """As ``DecoderLayer`` for x (B, 1, D); one row's weights cost nothing, so they come also without capture."""
        assert past is not None
        first, x = past[0].shape[2], x.squeeze(1)
        query, key, value = self.own(self.own_norm(x) if self.norm_first else x).split_with_sizes(self.own_sizes, 1)
        keys = torch.cat((past[0], self._heads(key)), 2)  # (B, H, T, K)
        values = torch.cat((past[1], self._heads(value)), 2)  # (B, H, T, M)
        mixed, own_weights = attend(self._heads(query), keys, values, attn_mask, edit=edits[0], first_query=first)
        x = self._add(x, self.own_output(mixed.flatten(1)), self.own_norm)
        query = self.cross_query(self.cross_norm(x) if self.norm_first else x)
        mixed, cross_weights = attend(self._heads(query), *cross, source_mask, edit=edits[1], first_query=first)
        x = self._add(x, self.cross_output(mixed.flatten(1)), self.cross_norm)
        hidden = self.activation(self.fc1(self.feed_forward_norm(x) if self.norm_first else x))  # (B, F)
        x = self._add(x, self.fc2(hidden), self.feed_forward_norm)
        return x.unsqueeze(1), own_weights, cross_weights, (keys, values)

    def _heads(self, projected: Tensor) -> Tensor:
        """(B, H*K) -> (B, H, 1, K)"""
        return projected.view(projected.shape[0], self.n_heads, 1, -1)

    def _add(self, x: Tensor, branch: Tensor, norm: Rows) -> Tensor:
        return residual(x, branch, norm, norm_first=self.norm_first, scale=self.scale)


def lay_out(*linears: nn.Linear) -> Rows:
    """Several projections of one input as one, its weight stored so that a single row is multiplied fast."""
    weights = [linear.weight.detach() for linear in linears]
    weight = (torch.cat(weights) if len(weights) > 1 else weights[0]).t()  # (in, out)
    if weight.shape[0] < weight.shape[1]:
        weight = weight.contiguous()
    biases = [linear.bias.detach() for linear in linears if linear.bias is not None]
    return partial(torch.addmm, torch.cat(biases), mat2=weight) if biases else partial(torch.mm, mat2=weight)


def _function(norm: nn.Module) -> Rows:
    """A norm without the ceremony of calling a module."""
    if isinstance(norm, nn.LayerNorm):
        shape, weight, bias, eps = list(norm.normalized_shape), norm.weight, norm.bias, norm.eps
        return lambda x: torch.layer_norm(x, shape, weight, bias, eps)
    return norm.forward


@dataclass(frozen=True, slots=True)
class _Kept:
    weights: tuple[tuple[int, int], ...]
    """Where each weight lay and how often it had been changed."""
    made: Any


_kept: WeakKeyDictionary[nn.Module, _Kept] = WeakKeyDictionary()


def one_token_layers(layers: nn.ModuleList) -> tuple[OneTokenLayer, ...]:
    """A decoder's layers laid out, which is done once for the weights that they have."""
    return _once(layers, lambda: tuple(OneTokenLayer(layer) for layer in layers if isinstance(layer, DecoderLayer)))


def one_token_output(output: nn.Linear) -> Rows:
    """The output projection laid out, likewise."""
    return _once(output, lambda: lay_out(output))


def _once(module: nn.Module, make: Callable[[], T]) -> T:
    weights = tuple(
        (weight.data_ptr(), 0 if weight.is_inference() else weight._version) for weight in module.parameters()
    )
    kept = _kept.get(module)
    if kept is None or kept.weights != weights:
        kept = _kept[module] = _Kept(weights, make())
    return kept.made
