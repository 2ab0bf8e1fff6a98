"""Decoder-only and encoder-only models as their authors write them, in plain PyTorch: the names, the arithmetic and the
files.

Each module's ``forward`` returns its output and every layer's attention (B, H, T, T). nanoGPT and minGPT after
Karpathy, the lecture's GPT after his "Let's build GPT", Raschka's after "Build a Large Language Model", Llama after
llama2.c and Meta's code, the Annotated Transformer's encoder after Rush.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

Found = tuple[Tensor, list[Tensor]]


def causal(q: Tensor, k: Tensor, v: Tensor, scale: float) -> tuple[Tensor, Tensor]:
    """Attention (B, H, T, T) that sees no token to come, and what it mixes."""
    hidden = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).triu(1)
    weights = (q @ k.transpose(-2, -1) * scale).masked_fill(hidden, float("-inf")).softmax(-1)
    return weights @ v, weights


class NanoAttention(nn.Module):
    """One matrix for queries, keys and values."""

    def __init__(self, width: int, heads: int, length: int, *, bias: bool, buffer: bool) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width, bias=bias), nn.Linear(width, width, bias=bias)
        self.heads = heads
        if buffer:
            self.register_buffer("bias", torch.ones(length, length).tril().view(1, 1, length, length))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(B, T, C) -> (B, T, C), (B, H, T, T)"""
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.c_attn(x).chunk(3, -1))
        mixed, weights = causal(q, k, v, q.shape[-1] ** -0.5)
        return self.c_proj(mixed.transpose(1, 2).flatten(2)), weights


class NanoGPT(nn.Module):
    """nanoGPT (model.py) and, with ``tanh``, ``buffer`` and an output of its own, minGPT."""

    def __init__(self, *, size: int = 40, width: int = 24, heads: int = 4, layers: int = 3, length: int = 32,
                 bias: bool = False, tanh: bool = False, buffer: bool = False, tied: bool = True) -> None:  # fmt: skip
        super().__init__()
        block = nn.ModuleDict({
            "ln_1": nn.LayerNorm(width, bias=bias),
            "attn": NanoAttention(width, heads, length, bias=bias, buffer=buffer),
            "ln_2": nn.LayerNorm(width, bias=bias),
            "mlp": nn.ModuleDict({"c_fc": nn.Linear(width, 4 * width, bias=bias),
                                  "c_proj": nn.Linear(4 * width, width, bias=bias)}),
        })  # fmt: skip
        self.transformer = nn.ModuleDict({
            "wte": nn.Embedding(size, width), "wpe": nn.Embedding(length, width),
            "h": nn.ModuleList(copy.deepcopy(block) for _ in range(layers)), "ln_f": nn.LayerNorm(width, bias=bias),
        })  # fmt: skip
        self.lm_head = nn.Linear(width, size, bias=False)
        if tied:
            self.lm_head.weight = self.transformer["wte"].weight
        self.approximate = "tanh" if tanh else "none"

    def forward(self, ids: Tensor) -> Found:
        """(B, T) -> logits (B, T, V) and attention."""
        body: Any = self.transformer
        x, found = body["wte"](ids) + body["wpe"](torch.arange(ids.shape[1])), []
        for block in body["h"]:
            y, weights = block["attn"](block["ln_1"](x))
            x = x + y
            inner = functional.gelu(block["mlp"]["c_fc"](block["ln_2"](x)), approximate=self.approximate)
            x = x + block["mlp"]["c_proj"](inner)
            found.append(weights)
        return self.lm_head(body["ln_f"](x)), found


class FirstMinGPT(nn.Module):
    """minGPT before January 2023: positions as a parameter (1, T, C), projections apart, an exact GELU."""

    def __init__(self, *, size: int = 40, width: int = 24, heads: int = 4, layers: int = 2, length: int = 32) -> None:
        super().__init__()
        self.tok_emb = nn.Embedding(size, width)
        self.pos_emb = nn.Parameter(torch.zeros(1, length, width))
        attention = nn.ModuleDict({name: nn.Linear(width, width) for name in ("key", "query", "value", "proj")})
        attention.register_buffer("mask", torch.ones(1, 1, length, length).tril())
        block = nn.ModuleDict({
            "ln1": nn.LayerNorm(width), "ln2": nn.LayerNorm(width), "attn": attention,
            "mlp": nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.0)),
        })  # fmt: skip
        self.blocks = nn.ModuleList(copy.deepcopy(block) for _ in range(layers))
        self.ln_f, self.head = nn.LayerNorm(width), nn.Linear(width, size, bias=False)
        self.heads = heads

    def forward(self, ids: Tensor) -> Found:
        """(B, T) -> logits (B, T, V) and attention."""
        x, found = self.tok_emb(ids) + self.pos_emb[:, : ids.shape[1]], []
        blocks: Any = self.blocks
        for block in blocks:
            y = block["ln1"](x)
            q, k, v = (block["attn"][name](y).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                       for name in ("query", "key", "value"))  # fmt: skip
            mixed, weights = causal(q, k, v, q.shape[-1] ** -0.5)
            x = x + block["attn"]["proj"](mixed.transpose(1, 2).flatten(2))
            x = x + block["mlp"](block["ln2"](x))
            found.append(weights)
        return self.head(self.ln_f(x)), found


class LectureGPT(nn.Module):
    """The GPT of the lecture: one module a head, ReLU, an output with a bias."""

    def __init__(self, *, size: int = 40, width: int = 24, heads: int = 4, layers: int = 2, length: int = 32) -> None:
        super().__init__()
        self.token_embedding_table = nn.Embedding(size, width)
        self.position_embedding_table = nn.Embedding(length, width)
        head = nn.ModuleDict({name: nn.Linear(width, width // heads, bias=False) for name in ("key", "query", "value")})
        head.register_buffer("tril", torch.ones(length, length).tril())
        block = nn.ModuleDict({
            "sa": nn.ModuleDict({"heads": nn.ModuleList(copy.deepcopy(head) for _ in range(heads)),
                                 "proj": nn.Linear(width, width)}),
            "ffwd": nn.ModuleDict({"net": nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(),
                                                        nn.Linear(4 * width, width), nn.Dropout(0.0))}),
            "ln1": nn.LayerNorm(width), "ln2": nn.LayerNorm(width),
        })  # fmt: skip
        self.blocks = nn.Sequential(*(copy.deepcopy(block) for _ in range(layers)))
        self.ln_f, self.lm_head = nn.LayerNorm(width), nn.Linear(width, size)

    def forward(self, ids: Tensor) -> Found:
        """(B, T) -> logits (B, T, V) and attention."""
        x = self.token_embedding_table(ids) + self.position_embedding_table(torch.arange(ids.shape[1]))
        found = []
        blocks: Any = self.blocks
        for block in blocks:
            y, parts, weights = block["ln1"](x), [], []
            for head in block["sa"]["heads"]:
                q, k, v = (head[name](y)[:, None] for name in ("query", "key", "value"))
                mixed, one = causal(q, k, v, k.shape[-1] ** -0.5)
                parts.append(mixed[:, 0])
                weights.append(one)
            x = x + block["sa"]["proj"](torch.cat(parts, -1))
            x = x + block["ffwd"]["net"](block["ln2"](x))
            found.append(torch.cat(weights, 1))
        return self.lm_head(self.ln_f(x)), found


class BookNorm(nn.Module):
    """Raschka's LayerNorm, whose parts are ``scale`` and ``shift``."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        """(…, C) in and out."""
        centred = x - x.mean(-1, keepdim=True)
        return self.scale * centred / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5) + self.shift


class BookGPT(nn.Module):
    """GPTModel of the book: ``trf_blocks``, GELU by tanh, queries without or with biases."""

    def __init__(self, *, size: int = 40, width: int = 24, heads: int = 4, layers: int = 2, length: int = 32,
                 qkv_bias: bool = False) -> None:  # fmt: skip
        super().__init__()
        self.tok_emb, self.pos_emb = nn.Embedding(size, width), nn.Embedding(length, width)
        attention = nn.ModuleDict(
            {name: nn.Linear(width, width, bias=qkv_bias) for name in ("W_query", "W_key", "W_value")}
            | {"out_proj": nn.Linear(width, width)}
        )
        attention.register_buffer("mask", torch.ones(length, length).triu(1))
        layers_of = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU("tanh"), nn.Linear(4 * width, width))
        block = nn.ModuleDict({"att": attention, "ff": nn.ModuleDict({"layers": layers_of}), "norm1": BookNorm(width),
                               "norm2": BookNorm(width)})  # fmt: skip
        self.trf_blocks = nn.Sequential(*(copy.deepcopy(block) for _ in range(layers)))
        self.final_norm, self.out_head = BookNorm(width), nn.Linear(width, size, bias=False)
        self.heads = heads

    def forward(self, ids: Tensor) -> Found:
        """(B, T) -> logits (B, T, V) and attention."""
        x, found = self.tok_emb(ids) + self.pos_emb(torch.arange(ids.shape[1])), []
        blocks: Any = self.trf_blocks
        for block in blocks:
            y = block["norm1"](x)
            q, k, v = (block["att"][name](y).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                       for name in ("W_query", "W_key", "W_value"))  # fmt: skip
            mixed, weights = causal(q, k, v, k.shape[-1] ** -0.5)
            x = x + block["att"]["out_proj"](mixed.transpose(1, 2).flatten(2))
            x = x + block["ff"]["layers"](block["norm2"](x))
            found.append(weights)
        return self.out_head(self.final_norm(x)), found


class LlamaNorm(nn.Module):
    """RMSNorm as Meta writes it."""

    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.eps, self.weight = eps, nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        """(…, C) in and out."""
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


class Llama(nn.Module):
    """llama2.c's and Meta's Llama: rotary pairs are neighbours, as complex numbers."""

    def __init__(self, *, size: int = 40, width: int = 32, heads: int = 4, key_heads: int = 2, layers: int = 2,
                 inside: int = 44, tied: bool = True, base: float = 10000.0, scaled: bool = False,
                 eps: float = 1e-5) -> None:  # fmt: skip
        super().__init__()
        keys = width // heads * key_heads
        self.tok_embeddings = nn.Embedding(size, width)
        attention = nn.ModuleDict({name: nn.Linear(rows[1], rows[0], bias=False) for name, rows in (
            ("wq", (width, width)), ("wk", (keys, width)), ("wv", (keys, width)), ("wo", (width, width)))})  # fmt: skip
        network = nn.ModuleDict({name: nn.Linear(rows[1], rows[0], bias=False) for name, rows in (
            ("w1", (inside, width)), ("w2", (width, inside)), ("w3", (inside, width)))})  # fmt: skip
        block = nn.ModuleDict({"attention": attention, "feed_forward": network, "attention_norm": LlamaNorm(width, eps),
                               "ffn_norm": LlamaNorm(width, eps)})  # fmt: skip
        self.layers = nn.ModuleList(copy.deepcopy(block) for _ in range(layers))
        self.norm, self.output = LlamaNorm(width, eps), nn.Linear(width, size, bias=False)
        if tied:
            self.output.weight = self.tok_embeddings.weight
        self.heads, self.key_heads, self.base, self.scaled = heads, key_heads, base, scaled

    def turns(self, length: int, width: int) -> Tensor:
        """e^(i angle) of each position and pair, complex (T, K / 2)."""
        freqs = 1.0 / (self.base ** (torch.arange(0, width, 2).float() / width))
        if self.scaled:  # Meta's apply_scaling
            kept = []
            for freq in freqs.tolist():
                wavelength = 2 * math.pi / freq
                smooth = (8192 / wavelength - 1) / (4 - 1)
                kept.append(freq if wavelength < 8192 / 4 else freq / 8 if wavelength > 8192
                            else (1 - smooth) * freq / 8 + smooth * freq)  # fmt: skip
            freqs = torch.tensor(kept)
        angles = torch.outer(torch.arange(length).float(), freqs)
        return torch.polar(torch.ones_like(angles), angles)

    def forward(self, ids: Tensor) -> Found:
        """(B, T) -> logits (B, T, V) and attention."""
        x, found = self.tok_embeddings(ids), []
        turns = self.turns(ids.shape[1], x.shape[-1] // self.heads)

        def turned(y: Tensor) -> Tensor:
            pairs = torch.view_as_complex(y.unflatten(-1, (-1, 2)).contiguous())
            return torch.view_as_real(pairs * turns).flatten(-2)

        blocks: Any = self.layers
        for block in blocks:
            y, attention = block["attention_norm"](x), block["attention"]
            q = turned(attention["wq"](y).unflatten(-1, (self.heads, -1)).transpose(1, 2))
            k = turned(attention["wk"](y).unflatten(-1, (self.key_heads, -1)).transpose(1, 2))
            v = attention["wv"](y).unflatten(-1, (self.key_heads, -1)).transpose(1, 2)
            k, v = (part.repeat_interleave(self.heads // self.key_heads, 1) for part in (k, v))
            mixed, weights = causal(q, k, v, q.shape[-1] ** -0.5)
            x = x + attention["wo"](mixed.transpose(1, 2).flatten(2))
            y, network = block["ffn_norm"](x), block["feed_forward"]
            x = x + network["w2"](functional.silu(network["w1"](y)) * network["w3"](y))
            found.append(weights)
        return self.output(self.norm(x)), found


class AnnotatedNorm(nn.Module):
    """The Annotated Transformer's norm."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.a_2, self.b_2 = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        """(…, C) in and out."""
        return self.a_2 * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + self.b_2


class AnnotatedEncoder(nn.Module):
    """``src_embed`` and ``encoder`` of the Annotated Transformer, with a ``generator`` or without."""

    def __init__(self, *, size: int = 40, width: int = 24, heads: int = 4, layers: int = 2, inside: int = 36,
                 generator: bool = False) -> None:  # fmt: skip
        super().__init__()
        position = torch.arange(64).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2) * -(math.log(10000.0) / width))
        table = torch.stack(((position * rate).sin(), (position * rate).cos()), -1).flatten(1)
        places = nn.Module()
        places.register_buffer("pe", table.unsqueeze(0))
        self.src_embed = nn.Sequential(nn.ModuleDict({"lut": nn.Embedding(size, width)}), places)
        layer = nn.ModuleDict({
            "self_attn": nn.ModuleDict({"linears": nn.ModuleList(nn.Linear(width, width) for _ in range(4))}),
            "feed_forward": nn.ModuleDict({"w_1": nn.Linear(width, inside), "w_2": nn.Linear(inside, width)}),
            "sublayer": nn.ModuleList(nn.ModuleDict({"norm": AnnotatedNorm(width)}) for _ in range(2)),
        })  # fmt: skip
        self.encoder = nn.ModuleDict({"layers": nn.ModuleList(copy.deepcopy(layer) for _ in range(layers)),
                                      "norm": AnnotatedNorm(width)})  # fmt: skip
        self.generator = nn.ModuleDict({"proj": nn.Linear(width, size)}) if generator else None
        self.heads = heads

    def forward(self, ids: Tensor, real: Tensor) -> Found:
        """(B, T) and which are no padding, bool (B, T) -> states or log-probabilities, and attention."""
        embed: Any = self.src_embed
        x = embed[0]["lut"](ids) * math.sqrt(embed[0]["lut"].weight.shape[1]) + embed[1].pe[:, : ids.shape[1]]
        found, encoder = [], self.encoder
        layers: Any = encoder["layers"]
        for layer in layers:
            y, linears = layer["sublayer"][0]["norm"](x), layer["self_attn"]["linears"]
            q, k, v = (linears[i](y).unflatten(-1, (self.heads, -1)).transpose(1, 2) for i in range(3))
            scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(~real[:, None, None, :], -1e9)
            weights = scores.softmax(-1)
            x = x + linears[3]((weights @ v).transpose(1, 2).flatten(2))
            inner = layer["feed_forward"]["w_1"](layer["sublayer"][1]["norm"](x)).relu()
            x = x + layer["feed_forward"]["w_2"](inner)
            found.append(weights)
        x = encoder["norm"](x)
        generator: Any = self.generator
        return (x if generator is None else generator["proj"](x).log_softmax(-1)), found


def seeded(network: nn.Module, seed: int = 0) -> Any:
    """The network with every number random."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.3)
    return network.eval()
