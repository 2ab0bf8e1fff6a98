"""The decoder's layers for one new token at a time: the arithmetic of ``DecoderLayer`` with little overhead.

Such a step multiplies single rows, so its time goes into reading every weight once and into several hundred calls of
PyTorch. Therefore query, key and value are one matrix, matrices whose output is wider than their input are stored
column-major, which a CPU reads up to three times as fast, and no module is called. Each decoding packs the weights
once, before its second token, unless a server has packed those of a shared model; a model with other modules or hooks
runs its layers as they are (docs/decisions/0011).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor, nn

from model.nn.attention import MultiHeadAttention, attend
from model.nn.attention_selection import AttentionSelection
from model.nn.dropout import Dropout
from model.nn.edits import LayerEdit
from model.nn.hooks import has_global_hooks, has_hooks
from model.nn.layers import DecoderLayer, FeedForward, KeysValues
from model.nn.norms import AnnotatedNorm, RootMeanSquareNorm
from model.nn.relative import RelativeBias

Rows: TypeAlias = Callable[[Tensor], Tensor]
"""A function of rows, (N, in) -> (N, out)."""
_KNOWN = (DecoderLayer, MultiHeadAttention, FeedForward, Dropout, AnnotatedNorm, RootMeanSquareNorm, RelativeBias,
          nn.Linear, nn.LayerNorm)  # fmt: skip


class OneTokenLayer:
    """A ``DecoderLayer`` for inference with one new position per row."""

    def __init__(self, layer: DecoderLayer) -> None:
        self_attention, cross = layer.self_attention, layer.cross_attention
        assert cross is not None and layer.cross_attention_norm is not None
        self.n_heads = self_attention.n_heads
        self.self_input = pack_weights(self_attention.query, self_attention.key, self_attention.value)
        self.self_sizes = [
            linear.out_features for linear in (self_attention.query, self_attention.key, self_attention.value)
        ]
        self.self_output = pack_weights(self_attention.output)
        self.cross_query, self.cross_output = pack_weights(cross.query), pack_weights(cross.output)
        self.fc1, self.fc2 = pack_weights(layer.feed_forward.fc1), pack_weights(layer.feed_forward.fc2)
        if layer.feed_forward.is_wide:
            self.fc2 = layer.feed_forward.contract
        gate = layer.feed_forward.gate
        self.gate = None if gate is None else pack_weights(gate)
        self.activation = layer.feed_forward.activation
        self.scale, self.position_bias = self_attention.scale, self_attention.position_bias
        self.self_norm, self.cross_norm = _function(layer.self_attention_norm), _function(layer.cross_attention_norm)
        self.feed_forward_norm = _function(layer.feed_forward_norm)
        self.norm_first, self.add = layer.norm_first, layer.add

    def __call__(
        self,
        x: Tensor,
        cross: KeysValues | None,
        attn_mask: Tensor | None,
        source_mask: Tensor | None,
        *,
        past: KeysValues | None,
        capture: bool | AttentionSelection,
        edits: tuple[LayerEdit | None, LayerEdit | None],
    ) -> tuple[Tensor, Tensor, Tensor, KeysValues]:
        """As ``DecoderLayer`` for x (B, 1, D); always returns weights, since those of one row cost almost nothing."""
        assert past is not None and cross is not None
        first, x = past[0].shape[2], x.squeeze(1)
        query, key, value = self.self_input(self.self_norm(x) if self.norm_first else x).split_with_sizes(
            self.self_sizes, 1
        )
        keys = torch.cat((past[0], self._heads(key)), 2)  # (B, H, T, K)
        values = torch.cat((past[1], self._heads(value)), 2)  # (B, H, T, M)
        mixed, self_weights = attend(
            self._heads(query), keys, values, attn_mask, edit=edits[0], first_query=first, scale=self.scale,
            bias=self.position_bias(1, keys.shape[2], first, edits[0], attn_mask),
        )  # fmt: skip
        x = self.add(x, self.self_output(mixed.flatten(1)), self.self_norm)
        query = self.cross_query(self.cross_norm(x) if self.norm_first else x)
        mixed, cross_weights = attend(
            self._heads(query), *cross, source_mask, edit=edits[1], first_query=first, scale=self.scale
        )
        x = self.add(x, self.cross_output(mixed.flatten(1)), self.cross_norm)
        received = self.feed_forward_norm(x) if self.norm_first else x
        hidden = self.activation(self.fc1(received))  # (B, F)
        if self.gate is not None:
            hidden = hidden * self.gate(received)
        x = self.add(x, self.fc2(hidden), self.feed_forward_norm)
        return x.unsqueeze(1), self_weights, cross_weights, (keys, values)

    def _heads(self, projected: Tensor) -> Tensor:
        """(B, H*K) -> (B, H, 1, K)"""
        return projected.view(projected.shape[0], self.n_heads, 1, -1)


def pack_weights(*linears: nn.Linear) -> Rows:
    """Fuse projections of the same input into one whose weight is laid out for fast products with a single row."""
    weights = [linear.weight.detach() for linear in linears]
    weight = (torch.cat(weights) if len(weights) > 1 else weights[0]).t()  # (in, out)
    if weight.shape[0] < weight.shape[1]:
        weight = weight.contiguous()
    biases = [linear.bias.detach() for linear in linears if linear.bias is not None]
    if not biases:
        return partial(torch.mm, mat2=weight)
    return partial(torch.addmm, torch.cat(biases) if len(biases) > 1 else biases[0], mat2=weight)


def _function(norm: nn.Module) -> Rows:
    """A norm as a function of its live parameters, without the cost of calling a module."""
    if isinstance(norm, nn.LayerNorm):
        shape, weight, bias, eps = list(norm.normalized_shape), norm.weight, norm.bias, norm.eps
        return lambda x: torch.layer_norm(x, shape, weight, bias, eps)
    return norm.forward


@dataclass(frozen=True, slots=True)
class Layout:
    """The decoder's packed weights. The cache of a decoding holds them, so they are freed with it."""

    layers: tuple[OneTokenLayer, ...]
    """Empty where the layers must be called instead."""
    output: Rows
    weights: tuple[tuple[Tensor, int], ...]
    """The parameters that were packed, each with its version counter at that time."""

    @classmethod
    def of(cls, layers: nn.ModuleList, output: nn.Linear) -> Layout:
        """Pack the current weights, the output projection's included; modules with hooks stay modules."""
        return cls(
            tuple(OneTokenLayer(layer) for layer in layers if isinstance(layer, DecoderLayer))
            if is_plain(layers) else (),
            pack_weights(output) if type(output) is nn.Linear and not has_hooks(output) else output,
            tuple((weight.detach(), _n_changes(weight)) for weight in (*layers.parameters(), *output.parameters())),
        )  # fmt: skip

    def is_of(self, layers: nn.ModuleList, output: nn.Linear) -> bool:
        """Whether these modules' weights are unchanged since they were packed."""
        now = (*layers.parameters(), *output.parameters())
        return len(now) == len(self.weights) and all(
            weight.data_ptr() == before.data_ptr() and _n_changes(weight) == n_changes
            for weight, (before, n_changes) in zip(now, self.weights, strict=True)
        )


def _n_changes(weight: Tensor) -> int:
    """A tensor's version counter: in-place changes so far. Tensors made in inference mode have none."""
    return -1 if weight.is_inference() else weight._version


def is_plain(layers: nn.ModuleList) -> bool:
    """Whether packed weights can replace the modules: each is exactly one of ours or PyTorch's, without hooks.

    A layer that does more than the paper's is called as a module.
    """
    return (
        all(isinstance(layer, DecoderLayer) and layer.spec.cross and layer.spec.is_papers for layer in layers)
        and all(type(module) in _KNOWN and not has_hooks(module) for layer in layers for module in layer.modules())
        and not has_global_hooks()
    )
