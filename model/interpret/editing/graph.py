"""A pre-norm Transformer as a graph of heads and feed-forward networks, whose edges can be cut one by one.

The input of each head and feed-forward network is the sum of the outputs of earlier ones, so every edge between two of
them can be cut alone (Goldowsky-Dill et al. 2023, "Path Patching"). A cut edge carries its sender's output from another
pass.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from model.interpret.path_patching import ROLES
from model.interpret.tracing.pair_reading import CausalError
from model.nn.attention import attention_weights
from model.nn.masks import causal_mask
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import Transformer


def why_unsuited(config: Any) -> str:
    """Why a model's edges cannot be cut one by one; empty if its residual streams are plain sums."""
    for spec in (*config.layers(encoder=True), *config.layers(encoder=False)):
        if spec.norm_place == "post":
            return "normalises the residual stream after each addition (post-norm): no edge carries one part alone"
        if spec.residual_scale != 1.0:
            return "scales its residual stream, whose edges are not the plain sum"
        if not dataclasses.replace(spec, attention=dataclasses.replace(spec.attention, window=None)).is_papers:
            return "has layers that do more than the paper's, which this graph does not follow"
    return ""


@dataclass(frozen=True, slots=True)
class Graph:
    """The senders and receivers of a model, in the order of computation, and which senders each receiver reads."""

    senders: tuple[str, ...]
    """Embeddings, heads such as "decoder.1.cross.0", and feed-forward networks."""
    receivers: tuple[str, ...]
    """Queries, keys and values of heads, feed-forward networks, and "logits"."""
    reads: Tensor
    """bool (R, S)"""

    @classmethod
    def of(cls, model: EncoderDecoder) -> Graph:
        """The graph of a model.

        Raises:
            CausalError: when its residual stream is not a plain sum: post-norm, scaled, or layers of another kind.
        """
        config = model.config
        reason = why_unsuited(config)
        if reason:
            raise CausalError(f"this model {reason}: use causal_map, or choose another model, such as the shipped one")
        senders, edges = ["encoder.embedding"], []

        def attention(place: str, n_heads: int, sent: Sequence[str], other: Sequence[str]) -> list[str]:
            for head in range(n_heads):
                edges.extend((f"{place}.{head}.{role}", sent if role == "query" else other) for role in ROLES)
            return [f"{place}.{head}" for head in range(n_heads)]

        def feed(place: str, sent: Sequence[str]) -> list[str]:
            edges.append((place, sent))
            return [place]

        for layer in range(config.n_encoder_layers):
            earlier = tuple(senders)
            senders += attention(f"encoder.{layer}.self", config.n_encoder_heads, earlier, earlier)
            senders += feed(f"encoder.{layer}.feed_forward", tuple(senders))
        source, target = tuple(senders), ["decoder.embedding"]
        for layer in range(config.n_decoder_layers):
            earlier = tuple(target)
            target += attention(f"decoder.{layer}.self", config.n_decoder_heads, earlier, earlier)
            target += attention(f"decoder.{layer}.cross", config.n_decoder_heads, tuple(target), source)
            target += feed(f"decoder.{layer}.feed_forward", tuple(target))
        edges.append(("logits", tuple(target)))
        names = (*source, *target)
        reads = torch.tensor([[name in read for name in names] for _, read in edges])
        return cls(names, tuple(name for name, _ in edges), reads)


@dataclass(slots=True)
class GraphPass:
    """B passes over one source and one prefix, each with its own edges cut."""

    model: Transformer
    graph: Graph
    source: Tensor
    """int64 (1, S)"""
    prefix: Tensor
    """int64 (1, T)"""
    cut: Tensor | None = None
    """bool (B, R, S): the edges that carry ``instead``."""
    instead: Sequence[Tensor] = ()
    """Every sender's output in another pass, (1, N, D) each."""
    embedded: Mapping[str, Tensor] = field(default_factory=dict)
    """Replacements for the embeddings' outputs, by name, (1, N, D)."""
    with_slopes: bool = False
    """Add a zero tensor to every receiver's input, to differentiate with respect to it."""
    written: list[Tensor] = field(default_factory=list)
    inputs: dict[str, Tensor] = field(default_factory=dict)
    """These zero tensors by receiver, (B, N, D)."""
    _moved: dict[tuple[int, int], Tensor] = field(default_factory=dict)
    """By range of senders: the change of a receiver's input when an edge is cut, (S, B, N, D)."""

    def run(self) -> Tensor:
        """Logits (B, T, V)."""
        n = 1 if self.cut is None else len(self.cut)
        x = self._write(self._embed("encoder", self.source).expand(n, -1, -1))
        layers: Any = self.model.encoder.layers
        for index, layer in enumerate(layers):
            x = self._attend(layer.self_attention, layer.self_attention_norm, x, None, f"encoder.{index}.self", None)
            x = self._feed(layer, x, f"encoder.{index}.feed_forward")
        memory, first = x, len(self.written)
        x = self._write(self._embed("decoder", self.prefix).expand(n, -1, -1))
        mask = causal_mask(x.shape[1], x.shape[1], x.device)
        layers = self.model.decoder.layers
        for index, layer in enumerate(layers):
            place = f"decoder.{index}"
            x = self._attend(layer.self_attention, layer.self_attention_norm, x, None, f"{place}.self", mask, first)
            x = self._attend(
                layer.cross_attention, layer.cross_attention_norm, x, memory, f"{place}.cross", None, first, first
            )
            x = self._feed(layer, x, f"{place}.feed_forward", first)
        return self.model.project(self.model.decoder.finish(x + self._offset("logits", x, first, len(self.written))))

    def _embed(self, stack: str, ids: Tensor) -> Tensor:
        replacement = self.embedded.get(f"{stack}.embedding")
        module: Any = self.model.get_submodule(stack)
        return module.embed(ids, 0) if replacement is None else replacement

    def _write(self, x: Tensor) -> Tensor:
        self.written.append(x)
        return x

    def _offset(self, receiver: str, x: Tensor, first: int, last: int) -> Tensor | float:
        """The change of a receiver's input by cut edges and the zero tensor, (B, N, D)."""
        row = self.graph.receivers.index(receiver)
        if self.with_slopes:
            self.inputs[receiver] = torch.zeros_like(x).requires_grad_()
            return self.inputs[receiver]
        if self.cut is None or not self.cut[:, row].any():
            return 0.0
        if (first, last) not in self._moved:
            pairs = zip(self.instead[first:last], self.written[first:last], strict=True)
            self._moved[first, last] = torch.stack([there - here for there, here in pairs])
        return torch.einsum("bs,sbnd->bnd", self.cut[:, row, first:last].to(x.dtype), self._moved[first, last])

    def _attend(
        self, attention: Any, norm: Any, x: Tensor, memory: Tensor | None, place: str, mask: Tensor | None,
        first: int = 0, n_source: int = 0,
    ) -> Tensor:  # fmt: skip
        last, heads = len(self.written), []
        n_keys = (x if memory is None else memory).shape[1]
        bias = attention.position_bias(x.shape[1], n_keys, 0, None, None)
        mask = attention.visible(mask, x.shape[1], n_keys, 0)
        for head in range(attention.n_heads):
            parts = []
            for role in ROLES:
                is_far = memory is not None and role != "query"
                stream = memory if memory is not None and is_far else x
                span = (0, n_source) if is_far else (first, last)
                stream = stream + self._offset(f"{place}.{head}.{role}", stream, *span)
                read = self.model.encoder.finish(stream) if is_far else norm(stream)
                linear = getattr(attention, role)
                width = linear.weight.shape[0] // attention.n_heads
                rows = slice(head * width, (head + 1) * width)
                shift = None if linear.bias is None else linear.bias[rows]
                parts.append(torch.nn.functional.linear(read, linear.weight[rows], shift)[:, None])  # (B, 1, N, K)
            bias_of_head = None if bias is None else bias[:, head : head + 1]
            weights = attention_weights(parts[0], parts[1], mask, scale=attention.scale, bias=bias_of_head)
            part = attention.output.weight.unflatten(1, (attention.n_heads, attention.d_value))[:, head]  # (D, M)
            heads.append((weights @ parts[2])[:, 0] @ part.T)  # (B, Q, D)
        for written in heads:
            x = x + self._write(written)
        return x if attention.output.bias is None else x + attention.output.bias

    def _feed(self, layer: Any, x: Tensor, place: str, first: int = 0) -> Tensor:
        stream = x + self._offset(place, x, first, len(self.written))
        return x + self._write(layer.feed_forward(layer.feed_forward_norm(stream)))
