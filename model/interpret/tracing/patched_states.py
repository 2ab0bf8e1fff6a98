"""The residual stream after a layer, once for each of the layer's activations that is taken from another sentence.

After self-attention a layer computes each position by itself. A patch at one position is therefore carried to the end
of its layer by computing that position alone; at the others stands what was recorded of the unpatched sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from model.interpret.tracing.partial_forward import PartialForward

Cell = tuple[str, int, int]
"""Component or kind of attention, row of its map, and position or head."""
_ATTENTION = {"encoder": {"self": "encoder_self"}, "decoder": {"self": "decoder_self", "cross": "cross"}}


@dataclass(frozen=True, slots=True)
class Variants:
    """B variants of one stack, and the layer that they enter next."""

    layer: int
    states: Tensor
    """(B, N, D)"""
    cells: tuple[Cell, ...]
    """The B cells that they stand for."""
    unchanged: tuple[Cell, ...]
    """Cells whose activation is the same in both sentences: taking it changes nothing."""


def joined(variants_of_rows: Iterable[Variants]) -> Iterator[Variants]:
    """Those that enter the same layer as one batch."""
    by_layer: dict[int, list[Variants]] = {}
    for variants in variants_of_rows:
        by_layer.setdefault(variants.layer, []).append(variants)
    for layer, group in by_layer.items():
        cells, unchanged = (
            tuple(chain.from_iterable(side)) for side in zip(*((v.cells, v.unchanged) for v in group), strict=True)
        )
        yield Variants(layer, torch.cat([variants.states for variants in group]), cells, unchanged)


def recorded_names(stack: str, n_layers: int) -> Iterator[str]:
    """What has to be recorded of both sentences."""
    yield f"{stack}.0.residual.before"
    parts = ["residual.before", "residual.middle", "residual.after", "feed_forward.output"]
    parts += ["residual.after_cross"] * (stack == "decoder")
    parts += [f"{kind}.{part}" for kind in _ATTENTION[stack] for part in ("output", "mixed")]
    yield from (f"{stack}.{layer}.{part}" for layer in range(n_layers) for part in parts)


class PatchedStates:
    """The variants of one stack of the second sentence, layer by layer."""

    def __init__(
        self, passes: PartialForward, first: Mapping[str, Tensor], stack: str, places: Sequence[tuple[int, int]]
    ) -> None:
        """``first`` are the first sentence's activations; ``places`` pairs positions of the second with its own."""
        self.passes, self.first, self.stack = passes, first, stack
        device = passes.prefix.device
        own, theirs = zip(*places, strict=True)
        self.positions, self.sources = torch.tensor(own, device=device), torch.tensor(theirs, device=device)

    @torch.inference_mode()
    def of_layer(self, index: int) -> Iterator[Variants]:
        """Variants that enter the next layer, and in layer 0 those that enter this one."""
        following, after = index + 1, self._own(f"{index}.residual.after")
        if index == 0:
            before = "0.residual.before"
            own, given = self._pair(before)
            yield self._put(("residual", 0), own != given, given, into=self._own(before), layer=0)
        own, given = self._pair(f"{index}.residual.after")
        yield self._put(("residual", following), own != given, given, into=after, layer=following)
        for part, (stream, norm, rest) in self._sublayers(index).items():
            own, given = self._pair(f"{index}.{part}.output")
            added = self._layer(index).add(self._own(stream)[self.positions, None], given[:, None], norm)
            yield self._put((part, index), own != given, rest(added)[:, 0], into=after, layer=following)
            if part in _ATTENTION[self.stack]:
                yield self._heads(index, part, stream, norm, rest)

    def _sublayers(self, index: int) -> dict[str, tuple[str, Any, Callable[[Tensor], Tensor]]]:
        """By sublayer: the stream that it adds to, the norm of that sum, and the layer's rest, (B, N, D) in and out."""
        layer: Any = self._layer(index)
        if self.stack == "encoder":
            return {
                "self": (f"{index}.residual.before", layer.self_attention_norm, layer.feed_forward_block),
                "feed_forward": (f"{index}.residual.middle", layer.feed_forward_norm, _same),
            }
        return {
            "self": (f"{index}.residual.before", layer.self_attention_norm, lambda x: self._read(index, x)),
            "cross": (f"{index}.residual.middle", layer.cross_attention_norm, layer.feed_forward_block),
            "feed_forward": (f"{index}.residual.after_cross", layer.feed_forward_norm, _same),
        }

    def _read(self, index: int, x: Tensor) -> Tensor:
        passes = self.passes
        keys_values = passes.keys_values(index, passes.encoded.memory, len(x))
        return self._layer(index).cross_block(x, keys_values, passes.source_mask)[0]

    def _put(self, row: tuple[str, int], differs: Tensor, states: Tensor, *, into: Tensor, layer: int) -> Variants:
        """The stream ``into`` (N, D) with one of the states (P, D) at its place, where activations differ (P, D)."""
        is_other = differs.any(-1)  # (P,)
        places = self.positions[is_other]  # (B,)
        streams = into.repeat(len(places), 1, 1)  # (B, N, D)
        streams[torch.arange(len(places), device=places.device), places] = states[is_other]
        component = f"{self.stack}.{row[0]}"
        cells, unchanged = (
            [(component, row[1], place) for place in side.tolist()] for side in (places, self.positions[~is_other])
        )
        return Variants(layer, streams, tuple(cells), tuple(unchanged))

    def _heads(self, index: int, part: str, stream: str, norm: Any, rest: Callable[[Tensor], Tensor]) -> Variants:
        """What each head mixed, taken at all places."""
        name, layer, kind = f"{self.stack}.{index}.{part}.mixed", self._layer(index), _ATTENTION[self.stack][part]
        own = self.passes.recorded[name][0]  # (H, N, M)
        given = own.clone()
        given[:, self.positions] = self.first[name][0][:, self.sources]
        is_other = (given != own).flatten(1).any(-1)  # (H,)
        heads = is_other.nonzero()[:, 0]  # (B,)
        mixed = own.repeat(len(heads), 1, 1, 1)  # (B, H, N, M)
        mixed[torch.arange(len(heads), device=heads.device), heads] = given[heads]
        attention = layer.self_attention if part == "self" else layer.cross_attention
        states = rest(layer.add(self._own(stream), attention.write(mixed), norm))  # (B, N, D)
        cells, unchanged = (
            [(kind, index, head) for head in side] for side in (heads.tolist(), (~is_other).nonzero()[:, 0].tolist())
        )
        return Variants(index + 1, states, tuple(cells), tuple(unchanged))

    def _pair(self, part: str) -> tuple[Tensor, Tensor]:
        """One activation of the second and of the first sentence at the places, (P, D) each."""
        return self._own(part)[self.positions], self.first[f"{self.stack}.{part}"][0][self.sources]

    def _own(self, part: str) -> Tensor:
        return self.passes.recorded[f"{self.stack}.{part}"][0]  # (N, D)

    def _layer(self, index: int) -> Any:
        stack = self.passes.model.encoder if self.stack == "encoder" else self.passes.model.decoder
        return stack.layers[index]


def _same(x: Tensor) -> Tensor:
    return x
