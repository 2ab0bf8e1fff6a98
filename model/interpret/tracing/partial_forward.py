"""Many variants of one forward pass, each started at the layer where it first differs.

Layers below an intervention do not change, so they are computed once and shared by every row of the batch. After
self-attention a layer is position-wise: one pass of one layer, patched at all positions, gives the result of every
patch at a single position, because the other positions keep the states recorded without a patch.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from model.activations import activation_shapes
from model.bundle import Bundle
from model.config import TransformerConfig
from model.inference.teacher_forcing import teacher_forced
from model.interventions import NONE, Interventions
from model.nn.transformer import NOTHING, Transformer
from model.patch import Patch

Cell = tuple[str, int, int]
"""(component or kind of attention, row of its map, position or head)."""
_ATTENTION = {"encoder": {"self": "encoder_self"}, "decoder": {"self": "decoder_self", "cross": "cross"}}


class PartialForward:
    """One pass of our own Transformer over source and prefix tokens, and variants of that pass."""

    @torch.inference_mode()
    def __init__(
        self,
        bundle: Bundle,
        source_ids: Sequence[int],
        prefix_ids: Sequence[int],
        base: Interventions = NONE,
        *,
        record: frozenset[str] = NOTHING,
    ) -> None:
        """``base`` are the interventions of the first pass; they contain no patches."""
        assert isinstance(bundle.model, Transformer) and not base.patches
        self.model = bundle.model
        rows = [(source_ids, prefix_ids)]
        forced = teacher_forced(bundle, rows, interventions=base, capture=True, record=record)
        self.encoded, self.decoded = forced.encoded, forced.decoded
        self.recorded: Mapping[str, Tensor] = forced.recorded
        """The recorded activations of the first pass, by name."""
        self.source, self.prefix = forced.source, forced.prefix

    @torch.inference_mode()
    def under(self, stack: str, layer: int, variants: Sequence[Interventions]) -> Tensor:
        """The decoder's output (B, T, D) under B sets of interventions that change nothing before ``layer``."""
        states = self._entering(stack, layer, len(variants))
        return self._output(stack, layer, states, interventions=variants)

    @torch.inference_mode()
    def last_of(self, stack: str, layer: int, states: Tensor) -> Tensor:
        """The decoder's output at its last position, (B, 1, D), for B states (B, N, D) that enter a layer."""
        n_tokens = self.prefix.shape[1]
        return self._output(stack, layer, states, rows=(n_tokens - 1, n_tokens))

    @torch.inference_mode()
    def after_layer(self, stack: str, layer: int, variants: Sequence[Interventions]) -> Tensor:
        """The residual stream (B, N, D) after one layer under B sets of interventions on that layer."""
        name = f"{stack}.{layer}.residual.after"
        arguments: dict[str, Any] = {
            "interventions": variants, "begin": (layer, self._entering(stack, layer, len(variants))),
            "n_layers": layer + 1, "record": frozenset((name,)),
        }  # fmt: skip
        if stack == "encoder":
            return self.model.encode(_repeat(self.source, len(variants)), **arguments).recorded[name]
        encoded = self.encoded.repeated(len(variants))
        return self.model.decode(_repeat(self.prefix, len(variants)), encoded, **arguments).recorded[name]

    def _output(
        self,
        stack: str,
        layer: int,
        states: Tensor,
        *,
        interventions: Sequence[Interventions] | None = None,
        rows: tuple[int, int] | None = None,
    ) -> Tensor:
        n_rows, begin = len(states), (layer, states)
        prefix = _repeat(self.prefix, n_rows)
        if stack == "decoder":
            encoded = self.encoded.repeated(n_rows)
            return self.model.decode(prefix, encoded, interventions=interventions, begin=begin, rows=rows).hidden
        encoded = self.model.encode(_repeat(self.source, n_rows), interventions=interventions, begin=begin)
        return self.model.decode(prefix, encoded, interventions=interventions, rows=rows).hidden

    def _entering(self, stack: str, layer: int, n_rows: int) -> Tensor:
        """A layer's input in the first pass, repeated for each variant."""
        return _repeat((self.encoded if stack == "encoder" else self.decoded).hidden_states[layer], n_rows)


def _repeat(x: Tensor, n_rows: int) -> Tensor:
    """Expand one batch row to n rows."""
    return x.expand(n_rows, *x.shape[1:])


@dataclass(frozen=True, slots=True)
class Variants:
    """The states of B variants of one stack, and the layer that they enter next."""

    layer: int
    states: Tensor
    """(B, N, D)"""
    cells: tuple[Cell, ...]
    """The cell of each variant."""
    unchanged: tuple[Cell, ...]
    """Cells whose activation is equal in both sentences, so that a patch has no effect."""


def merge_variants(variants_of_rows: Iterable[Variants]) -> Iterator[Variants]:
    """Join the variants that enter the same layer into one batch."""
    by_layer: dict[int, list[Variants]] = {}
    for variants in variants_of_rows:
        by_layer.setdefault(variants.layer, []).append(variants)
    for layer, group in by_layer.items():
        cells, unchanged = (
            tuple(chain.from_iterable(side)) for side in zip(*((v.cells, v.unchanged) for v in group), strict=True)
        )
        yield Variants(layer, torch.cat([variants.states for variants in group]), cells, unchanged)


def recorded_names(config: TransformerConfig) -> frozenset[str]:
    """Names of the activations to record of both sentences."""
    parts = (".0.residual.before", ".residual.after", ".self.output", ".cross.output", ".feed_forward.output", ".mixed")
    return frozenset(name for name in activation_shapes(config) if name.endswith(parts))


class PatchedStates:
    """The variants of one stack of the second sentence, layer by layer."""

    def __init__(
        self, passes: PartialForward, first: Mapping[str, Tensor], stack: str, places: Sequence[tuple[int, int]]
    ) -> None:
        """``first``: the first sentence's activations; ``places``: (position in second, position in first) pairs."""
        self.passes, self.first, self.stack = passes, first, stack
        device = passes.prefix.device
        here, sources = zip(*places, strict=True)
        self.positions, self.sources = torch.tensor(here, device=device), torch.tensor(sources, device=device)

    @torch.inference_mode()
    def of_layer(self, index: int) -> Iterator[Variants]:
        """The variants that enter the next layer; in layer 0, also those that enter this layer."""
        following, after = index + 1, f"{index}.residual.after"
        if index == 0:
            before = "0.residual.before"
            yield self._put(("residual", 0), before, self._pair(before)[1], into=before, layer=0)
        yield self._put(("residual", following), after, self._pair(after)[1], into=after, layer=following)
        parts = (*_ATTENTION[self.stack], "feed_forward")
        heads = {part: self._heads(index, part) for part in _ATTENTION[self.stack]}
        patches = [self._patch(f"{index}.{part}.output") for part in parts]
        patches += [patch for of_part in heads.values() for patch in of_part.values()]
        states = self.passes.after_layer(self.stack, index, [Interventions(patches=patch) for patch in patches])
        of_parts, of_heads = states[: len(parts)], states[len(parts) :]  # (parts, N, D), (heads that differ, N, D)
        for part, of_part in zip(parts, of_parts, strict=True):
            yield self._put(
                (part, index), f"{index}.{part}.output", of_part[self.positions], into=after, layer=following
            )
        for part, of_part in heads.items():
            kind, n_heads = _ATTENTION[self.stack][part], self._state(f"{index}.{part}.mixed").shape[0]
            cells, unchanged = (
                tuple((kind, index, head) for head in range(n_heads) if (head in of_part) is is_other)
                for is_other in (True, False)
            )
            yield Variants(following, of_heads[: len(of_part)], cells, unchanged)
            of_heads = of_heads[len(of_part) :]

    def _put(self, row: tuple[str, int], part: str, states: Tensor, *, into: str, layer: int) -> Variants:
        """The stream ``into`` with one state (P, D) replaced, wherever the sentences' ``part`` differs."""
        second, first = self._pair(part)
        is_other = (second != first).any(-1)  # (P,)
        places = self.positions[is_other]  # (B,)
        streams = self._state(into).repeat(len(places), 1, 1)  # (B, N, D)
        streams[torch.arange(len(places), device=places.device), places] = states[is_other]
        component = f"{self.stack}.{row[0]}"
        cells, unchanged = (
            tuple((component, row[1], place) for place in side.tolist()) for side in (places, self.positions[~is_other])
        )
        return Variants(layer, streams, cells, unchanged)

    def _heads(self, index: int, part: str) -> dict[int, Patch]:
        """For each head whose output differs, the patch with its output in the first sentence at all places."""
        second, first = self._pair(f"{index}.{part}.mixed")  # (H, P, M)
        is_other = (first != second).flatten(1).any(-1)
        return {head: self._patch(f"{index}.{part}.mixed", head) for head in is_other.nonzero()[:, 0].tolist()}

    def _patch(self, part: str, head: int | None = None) -> Patch:
        """The patch of the first sentence's activation at all places; of one head if the activation has heads."""
        values = self._pair(part)[1].float().cpu().numpy()  # (P, D) or (H, P, M)
        places = tuple(self.positions.tolist())
        if head is None:
            return Patch(f"{self.stack}.{part}", places, value=values)
        return Patch(f"{self.stack}.{part}", places, (head,), value=values[head : head + 1])

    def _pair(self, part: str) -> tuple[Tensor, Tensor]:
        """One activation of the second and of the first sentence at the places, (P, D) or (H, P, M) each."""
        first = self.first[f"{self.stack}.{part}"][0]
        return self._state(part).index_select(-2, self.positions), first.index_select(-2, self.sources)

    def _state(self, part: str) -> Tensor:
        return self.passes.recorded[f"{self.stack}.{part}"][0]  # (N, D) or (H, N, M)
