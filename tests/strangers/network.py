"""An encoder-decoder in plain PyTorch, whose state dictionary has the names, layouts and habits of one repository.

One network is written down once, over a dictionary of tensors (``Network``). A ``Repository`` says how one author
names these tensors, in which order, and what that code computes differently. No code of the repositories is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

Names = tuple[tuple[str, str], ...]
"""Pairs of an author's name and ours, without ``weight`` and ``bias``, in the order of the author's modules."""
BRANCHES = {"encoder": ("self", "feed"), "decoder": ("self", "cross", "feed")}
WIDTH, INNER, SIZES, LAYERS = 32, 48, (23, 29), {"encoder": 2, "decoder": 3}


def sinusoids(length: int, width: int, exponent: Callable[[int], float]) -> Tensor:
    """Interleaved sines and cosines whose dimension j divides a position by 10000^exponent(j), (P, D)."""
    table = [[(math.cos if j % 2 else math.sin)(place / 10000 ** exponent(j)) for j in range(width)]
             for place in range(length)]  # fmt: skip
    return torch.tensor(table)


PAPER = sinusoids(40, WIDTH, lambda j: 2 * (j // 2) / WIDTH)
DOUBLED = sinusoids(40, WIDTH, lambda j: 2 * j / WIDTH)


@dataclass(frozen=True)
class Repository:
    """One author's names and habits."""

    around: Names
    layer: dict[str, Names]
    stack: dict[str, str]
    """The prefix of a layer, with ``{}`` for its number."""
    norm: str = "layer"
    norm_names: tuple[str, str] = ("weight", "bias")
    epsilon: float = 1e-5
    norm_first: bool = False
    has_final: bool = False
    scaled: bool = True
    heads: int = 4
    positions: Tensor = field(default_factory=lambda: PAPER)
    buffers: tuple[str, ...] = ()
    """Names under which the table of positions stands in the file."""
    table_shape: tuple[int, ...] = (40, WIDTH)
    by_head: bool = False
    """Fused projections are cut head by head."""
    attention_bias: bool = True
    tied: bool = False
    hints: dict[str, Any] = field(default_factory=dict)
    """What a reader of the code answers, besides the number of heads."""


class Network:
    """One network of a repository's kind, with random numbers."""

    def __init__(self, repository: Repository, seed: int = 0) -> None:
        torch.manual_seed(seed)
        self.how = repository
        sizes = (max(SIZES),) * 2 if repository.tied else SIZES
        self.held: dict[str, Tensor] = {}
        self._matrix("source", sizes[0], WIDTH, bias=False)
        self._matrix("target", sizes[1], WIDTH, bias=False)
        self._matrix("output", sizes[1], WIDTH, bias=True)
        if repository.tied:
            self.held["source.weight"] = self.held["output.weight"] = self.held["target.weight"]
        for side, count in LAYERS.items():
            self._norm(f"{side}.final")
            for at in (f"{side}.{layer}.{branch}" for layer in range(count) for branch in BRANCHES[side]):
                self._norm(f"{at}.norm")
                for part, rows, columns in self._parts(at):
                    is_attention = not at.endswith("feed")
                    self._matrix(f"{at}.{part}", rows, columns, bias=repository.attention_bias or not is_attention)

    def state(self) -> dict[str, Tensor]:
        """The state dictionary as the author's modules would write it."""
        found: dict[str, Tensor] = {}
        for theirs, ours in self.how.around:
            if theirs in self.how.buffers:
                found[theirs] = self.how.positions.reshape(self.how.table_shape)
            else:
                found |= self._named(theirs, ours)
        for side, count in LAYERS.items():
            for layer in range(count):
                for theirs, ours in self.how.layer[side]:
                    found |= self._named(self.how.stack[side].format(layer) + theirs, f"{side}.{layer}.{ours}")
        return {name: tensor.clone() for name, tensor in found.items()}

    @torch.inference_mode()
    def __call__(self, source: Tensor, target: Tensor, pad: int = 0) -> tuple[Tensor, dict[str, Tensor]]:
        """Logits (B, T, V) and the maps (B, L, H, query, key) by kind."""
        seen = (source != pad)[:, None, None, :]
        causal = torch.ones(target.shape[1], target.shape[1]).tril().bool() & (target != pad)[:, None, None, :]
        maps: dict[str, list[Tensor]] = {"encoder_self": [], "decoder_self": [], "cross": []}
        memory = x = self._embedded("source", source)
        for layer in range(LAYERS["encoder"]):
            at = f"encoder.{layer}"
            x = self._step(
                x, f"{at}.self", lambda y, at=at: self._attended(at, "self", y, y, seen, maps["encoder_self"])
            )
            x = self._step(x, f"{at}.feed", lambda y, at=at: self._fed(at, y))
        memory = self._finished("encoder", x)
        x = self._embedded("target", target)
        for layer in range(LAYERS["decoder"]):
            at = f"decoder.{layer}"
            x = self._step(
                x, f"{at}.self", lambda y, at=at: self._attended(at, "self", y, y, causal, maps["decoder_self"])
            )
            x = self._step(
                x, f"{at}.cross", lambda y, at=at: self._attended(at, "cross", y, memory, seen, maps["cross"])
            )
            x = self._step(x, f"{at}.feed", lambda y, at=at: self._fed(at, y))
        logits = self._linear("output", self._finished("decoder", x))
        return logits, {kind: torch.stack(found, 1) for kind, found in maps.items()}

    @staticmethod
    def _parts(at: str) -> Iterator[tuple[str, int, int]]:
        if at.endswith("feed"):
            yield from (("1", INNER, WIDTH), ("2", WIDTH, INNER))
        else:
            yield from ((role, WIDTH, WIDTH) for role in "qkvo")

    def _matrix(self, name: str, rows: int, columns: int, *, bias: bool) -> None:
        self.held[f"{name}.weight"] = torch.randn(rows, columns) * columns**-0.5
        if bias:
            self.held[f"{name}.bias"] = torch.randn(rows) * 0.1

    def _norm(self, name: str) -> None:
        self.held[f"{name}.weight"] = 1 + torch.randn(WIDTH) * 0.1
        self.held[f"{name}.bias"] = torch.randn(WIDTH) * 0.1

    def _named(self, theirs: str, ours: str) -> dict[str, Tensor]:
        """One module's tensors; several of ours joined by "+" are fused."""
        *before, last = ours.split(".")
        kinds = zip(
            ("weight", "bias"), self.how.norm_names if last in ("norm", "final") else ("weight", "bias"), strict=True
        )
        found = {}
        for kind, written in kinds:
            parts = [self.held.get(".".join((*before, part, kind))) for part in last.split("+")]
            whole = [part for part in parts if part is not None]
            if whole:
                found[f"{theirs}.{written}"] = self._fused(whole) if len(whole) > 1 else whole[0]
        return found

    def _fused(self, parts: list[Tensor]) -> Tensor:
        if not self.how.by_head:
            return torch.cat(parts)
        by_head = [part.unflatten(0, (self.how.heads, -1)) for part in parts]
        return torch.cat(by_head, 1).flatten(0, 1)

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return functional.linear(x, self.held[f"{name}.weight"], self.held.get(f"{name}.bias"))

    def _embedded(self, name: str, ids: Tensor) -> Tensor:
        scale = math.sqrt(WIDTH) if self.how.scaled else 1.0
        return self.held[f"{name}.weight"][ids] * scale + self.how.positions[: ids.shape[1]]

    def _step(self, x: Tensor, at: str, branch: Callable[[Tensor], Tensor]) -> Tensor:
        if self.how.norm_first:
            return x + branch(self._normed(f"{at}.norm", x))
        return self._normed(f"{at}.norm", x + branch(x))

    def _normed(self, name: str, x: Tensor) -> Tensor:
        weight, bias = self.held[f"{name}.weight"], self.held[f"{name}.bias"]
        if self.how.norm == "layer":
            return functional.layer_norm(x, (WIDTH,), weight, bias, self.how.epsilon)
        return weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + self.how.epsilon) + bias

    def _finished(self, side: str, x: Tensor) -> Tensor:
        return self._normed(f"{side}.final", x) if self.how.has_final else x

    def _attended(self, at: str, branch: str, x: Tensor, y: Tensor, seen: Tensor, maps: list[Tensor]) -> Tensor:
        query, key, value = (
            self._linear(f"{at}.{branch}.{role}", z).unflatten(-1, (self.how.heads, -1)).transpose(1, 2)
            for role, z in zip("qkv", (x, y, y), strict=True)
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        maps.append(scores.masked_fill(~seen, -1e9).softmax(-1))
        return self._linear(f"{at}.{branch}.o", (maps[-1] @ value).transpose(1, 2).flatten(2))

    def _fed(self, at: str, x: Tensor) -> Tensor:
        return self._linear(f"{at}.feed.2", self._linear(f"{at}.feed.1", x).relu())


def projections(theirs: str, ours: str, roles: tuple[str, ...] = ("q", "k", "v", "o")) -> Names:
    """The projections of one attention: ``theirs`` has ``{}`` for the author's word for a role."""
    return tuple((theirs.format(role), f"{ours}.{canonical}") for role, canonical in zip(roles, "qkvo", strict=True))
