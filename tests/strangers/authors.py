"""Transformers as students and tutorials write them: decoders, encoders and encoder-decoders under any names.

An ``Author`` is a table of names, ``theirs = role``, and the habits of its code. ``Written`` makes the state dictionary
that such code would save and computes attention and logits in plain PyTorch, without any code of this project.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

LENGTH = 40
_ACTIVATIONS = {"relu": functional.relu, "gelu": functional.gelu, "silu": functional.silu,
                "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh")}  # fmt: skip


@dataclass(frozen=True)
class Author:
    """One author's names and habits.

    A line of the table is ``name = role``. ``{i}`` in a name is a layer's number, ``{h}`` a head's. Roles of a layer
    are q k v o (self-attention), cq ck cv co (cross-attention), fc1 fc2 gate, n1 nc n2 (norms), each after ``enc.`` or
    ``dec.`` where there are two stacks, joined by + where one tensor holds several. Around the layers: emb, pos (or
    pos1, a parameter (1, P, D)), pe, first (a norm), final, out, types; and what carries nothing: tril for masks, and
    scale.
    """

    table: str
    causal: bool = True
    heads: int = 4
    width: int = 32
    inner: int = 48
    sizes: tuple[int, int] = (29, 29)
    layers: int = 3
    encoder_layers: int = 2
    """Of the encoder, where there are two stacks."""
    begins: int = 0
    """The number of the first layer."""
    norm_first: bool = True
    norm: str = "layer"
    decoder_norm: str = ""
    """The decoder's kind, where it is another one."""
    norm_names: tuple[str, str] = ("weight", "bias")
    decoder_norm_names: tuple[str, str] = ()  # type: ignore[assignment]
    epsilon: float = 1e-5
    activation: str = "relu"
    without: str = ""
    """Roles that have no bias."""
    turned: str = ""
    """Roles that are stored as (in, out)."""
    scaled: bool = False
    positions: str = "learned"
    pe_shape: tuple[int, ...] = (1, LENGTH, 32)
    score: str = "head"
    by_head: bool = False
    shared: bool = False
    """One projection of a head's width serves all heads."""
    key_heads: int = 0
    """Heads of keys and values, where they are shared."""
    wide: bool = False
    """Each head is as wide as the model."""
    masks_target: bool = True
    """The decoder does not see the target's padding."""
    base: float = 10_000.0
    """By which rotary positions turn."""
    stretched: bool = False
    """They turn as Llama 3.1's do, which reads longer texts than it was first trained on."""
    log_softmax: bool = False
    """The output is log-probabilities."""
    one_norm: bool = False
    """A layer's n1 serves all of its branches."""
    parallel: bool = False
    """Attention and the feed-forward network read what n1 gives, and both are added."""
    split: str = ""
    """Roles that are stored by heads: (H, D, K), and (H, K, D) for the output."""
    is_bare: bool = False
    """Names with ``W_`` are matrices without modules, whose biases have ``b_``."""
    one_hot: bool = False
    tied: bool = False
    answers: dict[str, Any] = field(default_factory=dict)
    """What a reader of the code answers besides what follows from the other fields."""

    def with_one_norm(self) -> Author:
        """The same author with one norm in each layer."""
        lines = (line for line in self.table.splitlines() if not line.endswith((".n2", ".nc")))
        return replace(self, table="\n".join(lines), one_norm=True)

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The table's names and roles."""
        return [(left.strip(), right.strip()) for left, _, right in
                (line.partition("=") for line in self.table.strip().splitlines()) if right]  # fmt: skip

    def depth(self, side: str) -> int:
        """How many layers a stack has."""
        return self.encoder_layers if side == "enc" else self.layers

    def side(self, role: str) -> str:
        """The stack of a role; a role without one belongs to the last stack."""
        return role.split("+")[0].rpartition(".")[0] or self.sides[-1]

    @property
    def sides(self) -> tuple[str, ...]:
        """The stacks that the table names: two, or ``gpt`` for a stack alone."""
        return ("enc", "dec") if any("enc." in role for _, role in self.lines) else ("gpt",)

    def hints(self) -> dict[str, Any]:
        """The answers of somebody who has the code at hand."""
        hints: dict[str, Any] = {"norm_first": self.norm_first, "activation": self.activation,
                                 "embedding_scale": self.width**0.5 if self.scaled else 1.0}  # fmt: skip
        if not any("{h}" in name for name, _ in self.lines) and not self.shared:
            hints["n_heads"] = self.heads
        if self.sides == ("gpt",):
            hints["causal"] = self.causal
        kinds = {"bessel": "annotated", "population": "population"}
        if self.decoder_norm:
            hints |= {f"{side}_norm_kind": kinds.get(kind, "layer")
                      for side, kind in (("encoder", self.norm), ("decoder", self.decoder_norm))}  # fmt: skip
        else:
            hints["norm_kind"] = kinds.get(self.norm, self.norm)
        if self.epsilon != 1e-5 and self.norm != "bessel":
            hints["norm_epsilon"] = self.epsilon
        if not any(role in ("pos", "pos1", "enc.pos") or role.endswith("pe") for _, role in self.lines):
            hints["positions"] = {"sinusoids": "interleaved"}.get(self.positions, self.positions)
        if "qkv" in self.table:
            hints["fused_by_head"] = self.by_head
        return hints | {"score_width": self.score} | self.answers


class Written:
    """One network of an author's, with random numbers."""

    def __init__(self, author: Author, seed: int = 0) -> None:
        torch.manual_seed(seed)
        self.author = author
        self.held: dict[str, Tensor] = {}
        self.roles = {part.strip() for _, role in author.lines for part in role.split("+")}
        for side in author.sides:
            size = author.sizes[0] if side == "enc" else author.sizes[1]
            self._matrix(f"{side}.emb", size, author.width, bias=author.one_hot)
            self.held[f"{side}.pos.weight"] = torch.randn(LENGTH, author.width) * 0.3
            for role in ("final", "first"):
                self._norm(f"{side}.{role}", side)
            self.held[f"{side}.types.weight"] = torch.randn(2, author.width)
            for layer in range(author.depth(side)):
                at = f"{side}.{layer}"
                for role, rows, columns in self._parts(side):
                    self._matrix(f"{at}.{role}", rows, columns, bias=role not in author.without.split())
                for role in ("n1", "nc", "n2"):
                    self._norm(f"{at}.{role}", side)
        last = author.sides[-1]
        self._matrix("out", author.sizes[1], author.width, bias="out" not in author.without.split())
        if author.tied:
            self.held["out.weight"] = self.held[f"{author.sides[0]}.emb.weight"] = self.held[f"{last}.emb.weight"]

    def state(self) -> dict[str, Tensor]:
        """The state dictionary as the author's modules would write it."""
        collected: dict[str, Tensor] = {}
        by_stack = groupby(self.author.lines, lambda line: ("{i}" in line[0], self.author.side(line[1])))
        for (is_layer, side), grouped in by_stack:
            lines = list(grouped)
            for layer in range(self.author.depth(side)) if is_layer else (None,):
                for name, role in lines:
                    written = name if layer is None else name.replace("{i}", str(layer + self.author.begins))
                    collected |= self._named(written, role, layer)
        return {name: tensor.clone() for name, tensor in collected.items()}

    @torch.inference_mode()
    def __call__(self, source: Tensor, target: Tensor, pad: int = 0) -> tuple[Tensor, dict[str, Tensor]]:
        """Logits (B, T, V) and the maps (B, L, H, query, key) by kind; a stack alone reads the target."""
        maps: dict[str, list[Tensor]] = {"encoder_self": [], "decoder_self": [], "cross": []}
        causal = torch.ones(target.shape[1], target.shape[1]).tril().bool()
        if self.author.sides == ("gpt",):
            seen = causal if self.author.causal else (target != pad)[:, None, None, :]
            kind = "decoder_self" if self.author.causal else "encoder_self"
            x = self._stack("gpt", target, seen, maps[kind])
        else:
            real = (source != pad)[:, None, None, :]
            memory = self._stack("enc", source, real, maps["encoder_self"])
            visible = causal & (target != pad)[:, None, None, :] if self.author.masks_target else causal
            x = self._stack("dec", target, visible, maps["decoder_self"], memory, real, maps["cross"])
        logits = self._linear("out", x)
        logits = logits.log_softmax(-1) if self.author.log_softmax else logits
        return logits, {kind: torch.stack(result, 1) for kind, result in maps.items() if result}

    def _stack(self, side: str, ids: Tensor, seen: Tensor, maps: list[Tensor], memory: Tensor | None = None,
               real: Tensor | None = None, cross: list[Tensor] | None = None) -> Tensor:  # fmt: skip
        author = self.author
        x = self.held[f"{side}.emb.weight"][ids]
        if author.one_hot:
            x = x + self.held[f"{side}.emb.bias"]
        x = x * (math.sqrt(author.width) if author.scaled else 1.0)
        if author.positions == "learned":
            x = x + self.held[f"{side}.pos.weight"][: ids.shape[1]]
        elif author.positions in _TABLES:
            x = x + _TABLES[author.positions](LENGTH, author.width)[: ids.shape[1]]
        x = x + self.held[f"{side}.types.weight"][0] if self._has(side, "types") else x
        x = self._normed(f"{side}.first", side, x) if self._has(side, "first") else x
        for layer in range(author.depth(side)):
            at = f"{side}.{layer}"
            if author.parallel:
                y = self._normed(f"{at}.n1", side, x)
                x = x + self._attended(at, "", y, y, seen, maps) + self._fed(at, side, y)
                continue
            x = self._step(x, at, side, "n1", lambda y, at=at: self._attended(at, "", y, y, seen, maps))
            if memory is not None and real is not None and cross is not None:
                x = self._step(x, at, side, "nc", lambda y, at=at: self._attended(at, "c", y, memory, real, cross))
            x = self._step(x, at, side, "n2", lambda y, at=at: self._fed(at, side, y))
        return self._normed(f"{side}.final", side, x) if self._has(side, "final") else x

    def _has(self, side: str, role: str) -> bool:
        return bool({role, f"{side}.{role}"} & self.roles)

    def _parts(self, side: str) -> Iterator[tuple[str, int, int]]:
        width, inner = self.author.width, self.author.inner
        kv_width = width // self.author.heads if self.author.shared else width
        all_heads = width * self.author.heads if self.author.wide else kv_width
        rows = width // self.author.heads * self.author.key_heads or all_heads
        for prefix in ("", "c") if side == "dec" else ("",):
            yield f"{prefix}q", all_heads, kv_width
            yield from ((f"{prefix}{role}", rows, kv_width) for role in "kv")
            yield f"{prefix}o", width, all_heads if self.author.wide else width
        yield from (("fc1", inner, width), ("gate", inner, width), ("fc2", width, inner))

    def _matrix(self, name: str, rows: int, columns: int, *, bias: bool) -> None:
        self.held[f"{name}.weight"] = torch.randn(rows, columns) * columns**-0.5
        if bias:
            self.held[f"{name}.bias"] = torch.randn(columns if name.endswith("emb") else rows) * 0.1

    def _norm(self, name: str, side: str) -> None:
        self.held[f"{name}.weight"] = 1 + torch.randn(self.author.width) * 0.1
        is_rms = self._kind(side) == "rms"
        if not is_rms and "norms" not in self.author.without.split():
            self.held[f"{name}.bias"] = torch.randn(self.author.width) * 0.1

    def _kind(self, side: str) -> str:
        return self.author.decoder_norm if side == "dec" and self.author.decoder_norm else self.author.norm

    def _named(self, stored: str, role: str, layer: int | None) -> dict[str, Tensor]:
        """The tensors of one line."""
        if role == "tril":
            shape = (1, 1, LENGTH, LENGTH) if stored.endswith("bias") else (LENGTH, LENGTH)
            heads = range(self.author.heads if "{h}" in stored else 1)
            mask = torch.ones(LENGTH, LENGTH).tril().reshape(shape)
            return {stored.replace("{h}", str(head)): mask for head in heads}
        if role == "scale":
            return {stored: torch.tensor([math.sqrt(self.author.width)])}
        first = role.split("+")[0].rpartition(".")[2]
        side = "" if role == "out" else self.author.side(role)
        parts = [part.strip().rpartition(".")[2] for part in role.split("+")]
        if first == "freq":
            half = self.author.width // self.author.heads // 2
            return {stored: 10_000.0 ** (-torch.arange(half) / half)}
        if first == "pos1":
            return {stored: self.held[f"{side}.pos.weight"][None]}
        if first == "pe":
            table = _TABLES[self.author.positions](LENGTH, self.author.width)
            return {stored: table.reshape(self.author.pe_shape)}
        prefix = f"{side}.{layer}." if layer is not None else f"{side}." if side else ""
        is_norm = parts[0] in ("n1", "nc", "n2", "final", "first")
        names = ("weight", "bias")
        if is_norm:
            names = self.author.decoder_norm_names if side == "dec" and self.author.decoder_norm_names else (
                self.author.norm_names)  # fmt: skip
        collected = {}
        for kind, written in zip(("weight", "bias"), names, strict=True):
            whole = [self.held[name] for part in parts if (name := f"{prefix}{part}.{kind}") in self.held]
            if not whole:
                continue
            tensor = self._fused(whole) if len(whole) > 1 else whole[0]
            if first == "emb" and self.author.one_hot and kind == "weight":
                tensor = tensor.t()
            if kind == "weight" and {*parts} & {*self.author.turned.split()}:
                tensor = tensor.t()
            if first in self.author.split.split():
                tensor = self._split(tensor, first)
            joined = "_" if stored.endswith("in_proj") else "."
            for head, part in enumerate(self._by_heads(stored, tensor, parts[0])):
                place = stored.replace("{h}", str(head))
                bare = first in ("pos", "types") and not place.endswith(
                    ("table", "embedding", "wpe", "emb", "embeddings")
                )
                if self.author.is_bare and "W_" in place:
                    place, bare = place.replace("W_", "b_") if kind == "bias" else place, True
                collected[place if bare else f"{place}{joined}{written}"] = part
        return collected

    def _split(self, tensor: Tensor, role: str) -> Tensor:
        heads = self.author.heads
        if tensor.dim() == 1:
            return tensor if role == "o" else tensor.unflatten(0, (heads, -1))
        return (tensor.t() if role == "o" else tensor).unflatten(0, (heads, -1)).transpose(1, 1 if role == "o" else 2)

    def _by_heads(self, stored: str, tensor: Tensor, role: str) -> tuple[Tensor, ...]:
        if "{h}" not in stored:
            return (tensor,)
        return tensor.chunk(self.author.heads, 1 if role.endswith("o") and tensor.dim() == 2 else 0)

    def _fused(self, parts: list[Tensor]) -> Tensor:
        if not self.author.by_head:
            return torch.cat(parts)
        return torch.cat([part.unflatten(0, (self.author.heads, -1)) for part in parts], 1).flatten(0, 1)

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return functional.linear(x, self.held[f"{name}.weight"], self.held.get(f"{name}.bias"))

    def _step(self, x: Tensor, at: str, side: str, norm: str, branch: Any) -> Tensor:
        norm = "n1" if self.author.one_norm else norm
        if not self._has(side, norm):
            return x + branch(x)
        if self.author.norm_first:
            return x + branch(self._normed(f"{at}.{norm}", side, x))
        return self._normed(f"{at}.{norm}", side, x + branch(x))

    def _normed(self, name: str, side: str, x: Tensor) -> Tensor:
        kind, epsilon = self._kind(side), self.author.epsilon
        weight, bias = self.held[f"{name}.weight"], self.held.get(f"{name}.bias", torch.zeros(()))
        if kind == "rms":
            return weight * x / (x.square().mean(-1, keepdim=True) + epsilon).sqrt()
        if kind == "layer":
            return weight * functional.layer_norm(x, x.shape[-1:], eps=epsilon) + bias
        spread = x.std(-1, correction=int(kind == "bessel"), keepdim=True)
        return weight * (x - x.mean(-1, keepdim=True)) / (spread + 1e-6) + bias

    def _attended(self, at: str, prefix: str, x: Tensor, y: Tensor, seen: Tensor, maps: list[Tensor]) -> Tensor:
        heads = self.author.heads
        if self.author.shared:
            split = [z.unflatten(-1, (heads, -1)).transpose(1, 2) for z in (x, y, y)]  # (B, H, T, K)
            query, key, value = (self._linear(f"{at}.{prefix}{role}", z) for role, z in zip("qkv", split, strict=True))
        else:
            query, key, value = (
                self._linear(f"{at}.{prefix}{role}", z).unflatten(-1, (n, -1)).transpose(1, 2)
                for role, z, n in zip("qkv", (x, y, y), (heads, *[self.author.key_heads or heads] * 2), strict=True)
            )
            key, value = (z.repeat_interleave(heads // z.shape[1], 1) for z in (key, value))
        if self.author.positions.startswith("rotary"):
            turns = frequencies(self.author, query.shape[-1])
            is_paired = self.author.positions == "rotary_pairs"
            query, key = (rotate(item, turns, is_paired=is_paired) for item in (query, key))
        divisor = {"head": query.shape[-1], "model": self.author.width, "none": 1}[self.author.score]
        scores = query @ key.transpose(-2, -1) / math.sqrt(divisor)
        maps.append(scores.masked_fill(~seen, -1e9).softmax(-1))
        joined = (maps[-1] @ value).transpose(1, 2).flatten(2)
        has_output = any(role.rpartition(".")[2] == f"{prefix}o" for role in self.roles)
        return self._linear(f"{at}.{prefix}o", joined) if has_output else joined

    def _fed(self, at: str, side: str, x: Tensor) -> Tensor:
        inner = _ACTIVATIONS[self.author.activation](self._linear(f"{at}.fc1", x))
        if self._has(side, "gate"):
            inner = inner * self._linear(f"{at}.gate", x)
        return self._linear(f"{at}.fc2", inner)


def sinusoids(length: int, width: int) -> Tensor:
    """Interleaved sines and cosines, (P, D)."""
    angle = torch.arange(length)[:, None] * torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    return torch.stack((angle.sin(), angle.cos()), -1).flatten(1)


def _doubled_sinusoids(length: int, width: int) -> Tensor:
    """Interleaved sines and cosines whose dimension j divides a position by 10000^(2j/D), (P, D)."""
    angle = torch.arange(length)[:, None] * 10_000.0 ** (-2 * torch.arange(width) / width)
    return torch.where(torch.arange(width) % 2 == 1, angle.cos(), angle.sin())


def _from_one(length: int, width: int) -> Tensor:
    """Sines, then cosines, of positions counted from 1, exponents over D/2 - 1, (P, D)."""
    angle = torch.arange(1, length + 1)[:, None] * 10_000.0 ** (-torch.arange(width // 2) / (width // 2 - 1))
    return torch.cat((angle.sin(), angle.cos()), 1)


_TABLES = {"sinusoids": sinusoids, "doubled": _doubled_sinusoids, "from one": _from_one}


def frequencies(author: Author, width: int) -> Tensor:
    """The angle by which a position turns each pair of a head, (K / 2,)."""
    turns = author.base ** (-torch.arange(width // 2) / (width // 2))
    if author.stretched:  # Meta's apply_scaling
        wavelength = 2 * math.pi / turns
        smooth = (8192 / wavelength - 1) / (4 - 1)
        between = (1 - smooth) * turns / 8 + smooth * turns
        turns = torch.where(wavelength < 8192 / 4, turns, torch.where(wavelength > 8192, turns / 8, between))
    return turns


def rotate(x: Tensor, turns: Tensor, *, is_paired: bool) -> Tensor:
    """Queries or keys (B, H, T, K) turned by their positions."""
    angle = torch.arange(x.shape[2])[:, None] * turns
    first, second = (x[..., 0::2], x[..., 1::2]) if is_paired else x.chunk(2, -1)
    pair = (first * angle.cos() - second * angle.sin(), first * angle.sin() + second * angle.cos())
    return torch.stack(pair, -1).flatten(-2) if is_paired else torch.cat(pair, -1)


def blocks(place: str, layer: Mapping[str, str]) -> str:
    """Lines for the modules of a layer at a place with ``{i}``."""
    return "\n".join(f"{place}{stored} = {role}" for stored, role in layer.items())
