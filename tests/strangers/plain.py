"""Encoder-decoders as strangers write them: plain PyTorch, with names, layouts and habits of their own.

``Stranger`` is one such model whose names, fusions and norms are chosen by a ``Habit``. Its forward is written without
any code of this project and returns every attention map, so that an opened file can be compared with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Habit:
    """How one author writes a Transformer."""

    heads: int = 4
    width: int = 32
    inner: int = 48
    layers: tuple[int, int] = (2, 3)
    sizes: tuple[int, int] = (23, 29)
    encoder: str = "encoder"
    decoder: str = "decoder"
    stack: str = "layers"
    own: str = "self_attn"
    cross: str = "cross_attn"
    roles: tuple[str, str, str, str] = ("wq", "wk", "wv", "wo")
    fused: str = ""
    """The name of one projection for queries, keys and values."""
    by_head: str = ""
    """The name of a list with one module a head."""
    wide: bool = False
    """Each of these modules is as wide as the model."""
    feed: tuple[str, str] = ("ffn.fc1", "ffn.fc2")
    norms: tuple[str, str, str] = ("norm1", "norm2", "norm3")
    """Of the decoder; the encoder has the first and the last, or the first two where they are numbered."""
    embeddings: tuple[str, str] = ("src_embed", "tgt_embed")
    positions: str = "pe"
    """A buffer (1, P, D); "" for none in the file."""
    learned: tuple[str, str] = ()  # type: ignore[assignment]
    output: str = "fc_out"
    final: str = ""
    """The name of each stack's last norm."""
    norm_first: bool = False
    bias: bool = True
    scaled: bool = True
    activation: str = "relu"
    norm: str = "layer"
    extra: dict[str, Tensor] = field(default_factory=dict)
    """Buffers that carry nothing."""


class StdNorm(nn.Module):
    """(x - mean) / (std + eps), with Bessel's correction or without it."""

    def __init__(self, width: int, *, correction: int) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))
        self.correction = correction

    def forward(self, x: Tensor) -> Tensor:
        spread = x.std(-1, correction=self.correction, keepdim=True)
        return self.weight * (x - x.mean(-1, keepdim=True)) / (spread + 1e-6) + self.bias


class Stranger(nn.Module):
    """One author's model."""

    def __init__(self, habit: Habit) -> None:
        super().__init__()
        self.habit = habit
        _at(self, habit.embeddings[0], nn.Embedding(habit.sizes[0], habit.width))
        _at(self, habit.embeddings[1], nn.Embedding(habit.sizes[1], habit.width))
        for name in habit.learned:
            _at(self, name, nn.Embedding(40, habit.width))
        for side, name, count in zip(("encoder", "decoder"), (habit.encoder, habit.decoder), habit.layers, strict=True):
            layers = nn.ModuleList(self._layer(side) for _ in range(count))
            _at(self, ".".join(filter(None, (name, habit.stack))), layers)
            if habit.final:
                _at(self, f"{name}.{habit.final}" if habit.stack else f"{side}_{habit.final}", self._norm())
        _at(self, habit.output, nn.Linear(habit.width, habit.sizes[1], bias=habit.bias))
        if habit.positions:
            self.register_buffer("held", sinusoids(40, habit.width)[None])
        for name, tensor in habit.extra.items():
            self.register_buffer(name.replace(".", "__"), tensor)

    def state(self) -> dict[str, Tensor]:
        """The state dict as the author's own modules would name it."""
        names = {"held": self.habit.positions}
        return {names.get(name, name.replace("__", ".")): tensor.clone() for name, tensor in self.state_dict().items()}

    def forward(self, source: Tensor, target: Tensor, pad: int = 0) -> tuple[Tensor, dict[str, Tensor]]:
        """Logits (B, T, V) and the maps (B, L, H, query, key) by kind."""
        seen = (source != pad)[:, None, None, :]
        causal = torch.ones(target.shape[1], target.shape[1]).tril().bool() & (target != pad)[:, None, None, :]
        maps: dict[str, list[Tensor]] = {"encoder_self": [], "decoder_self": [], "cross": []}
        x = self._embed(source, 0)
        for layer in self._layers("encoder"):
            x = self._step(
                x,
                layer,
                "encoder",
                0,
                lambda y, layer=layer: self._attend(layer, self.habit.own, y, y, seen, maps["encoder_self"]),
            )
            x = self._step(x, layer, "encoder", 1, lambda y, layer=layer: self._fed(layer, y))
        memory = self._finished(x, "encoder")
        x = self._embed(target, 1)
        for layer in self._layers("decoder"):
            x = self._step(
                x,
                layer,
                "decoder",
                0,
                lambda y, layer=layer: self._attend(layer, self.habit.own, y, y, causal, maps["decoder_self"]),
            )
            x = self._step(
                x,
                layer,
                "decoder",
                1,
                lambda y, layer=layer: self._attend(layer, self.habit.cross, y, memory, seen, maps["cross"]),
            )
            x = self._step(x, layer, "decoder", 2, lambda y, layer=layer: self._fed(layer, y))
        logits = _of(self, self.habit.output)(self._finished(x, "decoder"))
        return logits, {kind: torch.stack(found, 1) for kind, found in maps.items()}

    def _layer(self, side: str) -> nn.Module:
        habit, layer = self.habit, nn.Module()
        for name in (habit.own, habit.cross)[: 1 + (side == "decoder")]:
            self._projections(layer, name)
        _at(layer, habit.feed[0], nn.Linear(habit.width, habit.inner))
        _at(layer, habit.feed[1], nn.Linear(habit.inner, habit.width))
        for name in self._norm_names(side):
            _at(layer, name, self._norm())
        return layer

    def _projections(self, layer: nn.Module, name: str) -> None:
        habit, width = self.habit, self.habit.width

        def made(n: int, out: int = width) -> nn.Linear:
            return nn.Linear(n, out, bias=habit.bias)

        if habit.by_head:
            heads = nn.ModuleList(nn.Module() for _ in range(habit.heads))
            for head in heads:
                for role in habit.roles[:3]:
                    _at(head, role, made(width, width if habit.wide else width // habit.heads))
            _at(layer, f"{name}.{habit.by_head}", heads)
        elif habit.fused and name == habit.own:
            _at(layer, f"{name}.{habit.fused}", made(width, 3 * width))
        else:
            for role in habit.roles[:3]:
                _at(layer, f"{name}.{role}", made(width))
        _at(layer, f"{name}.{habit.roles[3]}", made(width * habit.heads if habit.wide else width))

    def _norm_names(self, side: str) -> tuple[str, ...]:
        first, second, third = self.habit.norms
        if side == "decoder":
            return first, second, third
        return (first, second) if second[-1:].isdigit() else (first, third)

    def _norm(self) -> nn.Module:
        kinds = {"layer": nn.LayerNorm, "bessel": lambda n: StdNorm(n, correction=1),
                 "population": lambda n: StdNorm(n, correction=0)}  # fmt: skip
        return kinds[self.habit.norm](self.habit.width)

    def _layers(self, side: str) -> nn.ModuleList:
        name = getattr(self.habit, side)
        return _of(self, ".".join(filter(None, (name, self.habit.stack))))  # type: ignore[return-value]

    def _embed(self, ids: Tensor, side: int) -> Tensor:
        x = _of(self, self.habit.embeddings[side])(ids) * (math.sqrt(self.habit.width) if self.habit.scaled else 1.0)
        if self.habit.learned:
            return x + _of(self, self.habit.learned[side])(torch.arange(ids.shape[1]))
        return x + sinusoids(40, self.habit.width)[: ids.shape[1]]

    def _step(self, x: Tensor, layer: nn.Module, side: str, place: int, sublayer) -> Tensor:
        norm = _of(layer, self._norm_names(side)[place])
        return x + sublayer(norm(x)) if self.habit.norm_first else norm(x + sublayer(x))

    def _attend(self, layer: nn.Module, name: str, x: Tensor, y: Tensor, seen: Tensor, maps: list[Tensor]) -> Tensor:
        habit = self.habit
        if habit.by_head:
            heads = _of(layer, f"{name}.{habit.by_head}")
            projected = [torch.cat([_of(head, role)(z) for head in heads], -1)  # type: ignore[union-attr]
                         for role, z in zip(habit.roles[:3], (x, y, y), strict=True)]  # fmt: skip
        elif habit.fused and name == habit.own:
            projected = list(_of(layer, f"{name}.{habit.fused}")(x).chunk(3, -1))
        else:
            projected = [_of(layer, f"{name}.{role}")(z)
                         for role, z in zip(habit.roles[:3], (x, y, y), strict=True)]  # fmt: skip
        query, key, value = (one.unflatten(-1, (habit.heads, -1)).transpose(1, 2) for one in projected)
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        weights = scores.masked_fill(~seen, -1e9).softmax(-1)
        maps.append(weights)
        return _of(layer, f"{name}.{habit.roles[3]}")((weights @ value).transpose(1, 2).flatten(2))

    def _fed(self, layer: nn.Module, x: Tensor) -> Tensor:
        first, second = (_of(layer, name) for name in self.habit.feed)
        return second(getattr(functional, self.habit.activation)(first(x)))

    def _finished(self, x: Tensor, side: str) -> Tensor:
        name = getattr(self.habit, side)
        place = f"{name}.{self.habit.final}" if self.habit.stack else f"{side}_{self.habit.final}"
        return _of(self, place)(x) if self.habit.final else x


def made(habit: Habit, seed: int = 0) -> Stranger:
    """A model whose every number is random, norms and biases too."""
    torch.manual_seed(seed)
    model = Stranger(habit).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


def sinusoids(length: int, width: int) -> Tensor:
    """Interleaved sines and cosines, (P, D)."""
    angle = torch.arange(length)[:, None] * torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    return torch.stack((angle.sin(), angle.cos()), -1).flatten(1)


def _at(module: nn.Module, name: str, child: nn.Module) -> None:
    """Put a child at a dotted name, making the modules on the way."""
    *way, last = name.split(".")
    for part in way:
        if not hasattr(module, part):
            module.add_module(part, nn.Module())
        module = getattr(module, part)
    module.add_module(last, child)


def _of(module: nn.Module, name: str) -> nn.Module:
    for part in name.split("."):
        module = getattr(module, part)
    return module
