"""Two tutorials' models, written for these tests in plain PyTorch with the tutorials' names."""

from __future__ import annotations

import math
import re
from typing import Any

import torch
from torch import Tensor, nn

Maps = dict[str, list[Tensor]]


class Projections(nn.Module):
    """bentrevett's attention: fc_q, fc_k, fc_v, fc_o."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.fc_q, self.fc_k, self.fc_v, self.fc_o = (nn.Linear(width, width) for _ in range(4))
        self.heads = heads

    def forward(self, x: Tensor, y: Tensor, seen: Tensor, kept: list[Tensor]) -> Tensor:
        query, key, value = (one.unflatten(-1, (self.heads, -1)).transpose(1, 2)
                             for one in (self.fc_q(x), self.fc_k(y), self.fc_v(y)))  # fmt: skip
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        kept.append(scores.masked_fill(~seen, -1e10).softmax(-1))
        return self.fc_o((kept[-1] @ value).transpose(1, 2).flatten(2))


class Feed(nn.Module):
    """bentrevett's feed-forward network."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.fc_1, self.fc_2 = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc_2(self.fc_1(x).relu())


class Tutorial6(nn.Module):
    """bentrevett's model with either side's layers."""

    encoder: Any
    decoder: Any

    def __init__(
        self, width: int = 32, heads: int = 4, sizes: tuple[int, int] = (23, 29), *, shares_norms: bool = False
    ) -> None:
        super().__init__()
        self.width = width
        for side, size in zip(("encoder", "decoder"), sizes, strict=True):
            stack: Any = nn.Module()
            stack.tok_embedding, stack.pos_embedding = nn.Embedding(size, width), nn.Embedding(100, width)
            stack.layers = nn.ModuleList(self._layer(side, width, heads) for _ in range(2))
            for layer in stack.layers if shares_norms else ():
                layer.ff_layer_norm = layer.self_attn_layer_norm
                layer.enc_attn_layer_norm = layer.self_attn_layer_norm
            self.add_module(side, stack)
        self.decoder.fc_out = nn.Linear(width, sizes[1])

    @staticmethod
    def _layer(side: str, width: int, heads: int) -> nn.Module:
        layer = nn.Module()
        layer.self_attn_layer_norm, layer.ff_layer_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        layer.self_attention, layer.positionwise_feedforward = Projections(width, heads), Feed(width)
        if side == "decoder":
            layer.enc_attn_layer_norm, layer.encoder_attention = nn.LayerNorm(width), Projections(width, heads)
        return layer

    def forward(self, source: Tensor, target: Tensor) -> tuple[Tensor, Maps]:
        seen = (source != 1)[:, None, None]
        causal = (target != 1)[:, None, None] & torch.ones(target.shape[1], target.shape[1]).tril().bool()
        maps: Maps = {"encoder_self": [], "decoder_self": [], "cross": []}
        x = self._embedded(self.encoder, source)
        for layer in self.encoder.layers:
            x = layer.self_attn_layer_norm(x + layer.self_attention(x, x, seen, maps["encoder_self"]))
            x = layer.ff_layer_norm(x + layer.positionwise_feedforward(x))
        memory, x = x, self._embedded(self.decoder, target)
        for layer in self.decoder.layers:
            x = layer.self_attn_layer_norm(x + layer.self_attention(x, x, causal, maps["decoder_self"]))
            x = layer.enc_attn_layer_norm(x + layer.encoder_attention(x, memory, seen, maps["cross"]))
            x = layer.ff_layer_norm(x + layer.positionwise_feedforward(x))
        return self.decoder.fc_out(x), maps

    def _embedded(self, stack: Any, ids: Tensor) -> Tensor:
        return stack.tok_embedding(ids) * math.sqrt(self.width) + stack.pos_embedding(torch.arange(ids.shape[1]))


_AGES = {
    "2020-03": ((r"self_attn_layer_norm", "layer_norm"),),
    "2019-12": ((r"self_attn_layer_norm", "layer_norm"), (r"attention\.fc_o", "attention.fc")),
    "2019-10": ((r"self_attn_layer_norm", "ln"), (r"attention\.fc_o", "attention.fc"), (r"\.fc_([qkv])\.", r".w_\1."),
                (r"self_attention", "sa"), (r"encoder_attention", "ea"), (r"positionwise_feedforward", "pf"),
                (r"^decoder\.fc_out", "decoder.fc")),
}  # fmt: skip


def as_of(month: str, model: nn.Module) -> dict[str, Tensor]:
    """The state dictionary of a tutorial 6 whose layers share their norm, with the names that the notebook then had.

    In September 2019 the feed-forward network was two convolutions of width 1.
    """
    state = {name: tensor for name, tensor in model.state_dict().items()
             if "ff_layer_norm" not in name and "enc_attn_layer_norm" not in name}  # fmt: skip
    for last, earlier in _AGES["2019-10" if month == "2019-09" else month]:
        state = {re.sub(last, earlier, name): tensor for name, tensor in state.items()}
    is_convolution = re.compile(r"\.pf\.fc_\d\.weight")
    if month == "2019-09":
        state = {name: tensor[..., None] if is_convolution.search(name) else tensor for name, tensor in state.items()}
    return state


class SharedAttention(nn.Module):
    """Aladdin Persson's attention: each projection has a head's width and serves every head."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.values, self.keys, self.queries = (nn.Linear(width // heads, width // heads, bias=False) for _ in range(3))
        self.fc_out = nn.Linear(width, width)
        self.heads, self.width = heads, width

    def forward(self, x: Tensor, y: Tensor, seen: Tensor | None, kept: list[Tensor]) -> Tensor:
        query, key, value = (project(one.unflatten(-1, (self.heads, -1))) for project, one in (
            (self.queries, x), (self.keys, y), (self.values, y)))  # fmt: skip
        energy = torch.einsum("nqhd,nkhd->nhqk", query, key)
        energy = energy if seen is None else energy.masked_fill(~seen, -1e20)
        kept.append((energy / math.sqrt(self.width)).softmax(-1))
        return self.fc_out(torch.einsum("nhqk,nkhd->nqhd", kept[-1], value).flatten(2))


class Block(nn.Module):
    """Aladdin Persson's block."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention = SharedAttention(width, heads)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))

    def forward(self, x: Tensor, y: Tensor, seen: Tensor, kept: list[Tensor]) -> Tensor:
        x = self.norm1(x + self.attention(x, y, seen, kept))
        return self.norm2(x + self.feed_forward(x))


class FromScratch(nn.Module):
    """Aladdin Persson's model."""

    encoder: Any
    decoder: Any

    def __init__(self, width: int = 32, heads: int = 4, sizes: tuple[int, int] = (23, 29)) -> None:
        super().__init__()
        for side, size in zip(("encoder", "decoder"), sizes, strict=True):
            stack: Any = nn.Module()
            stack.word_embedding, stack.position_embedding = nn.Embedding(size, width), nn.Embedding(50, width)
            self.add_module(side, stack)
        self.encoder.layers = nn.ModuleList(Block(width, heads) for _ in range(2))
        layers = []
        for _ in range(2):
            layer: Any = nn.Module()
            layer.norm, layer.attention = nn.LayerNorm(width), SharedAttention(width, heads)
            layer.transformer_block = Block(width, heads)
            layers.append(layer)
        self.decoder.layers = nn.ModuleList(layers)
        self.decoder.fc_out = nn.Linear(width, sizes[1])

    def forward(self, source: Tensor, target: Tensor) -> tuple[Tensor, Maps]:
        seen = (source != 0)[:, None, None]
        causal = torch.ones(target.shape[1], target.shape[1]).tril().bool()[None, None]
        maps: Maps = {"encoder_self": [], "decoder_self": [], "cross": []}
        x = self._embedded(self.encoder, source)
        for block in self.encoder.layers:
            x = block(x, x, seen, maps["encoder_self"])
        memory, x = x, self._embedded(self.decoder, target)
        for layer in self.decoder.layers:
            query = layer.norm(x + layer.attention(x, x, causal, maps["decoder_self"]))
            x = layer.transformer_block(query, memory, seen, maps["cross"])
        return self.decoder.fc_out(x), maps

    @staticmethod
    def _embedded(stack: Any, ids: Tensor) -> Tensor:
        return stack.word_embedding(ids) + stack.position_embedding(torch.arange(ids.shape[1]))
