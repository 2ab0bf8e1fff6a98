"""Many variants of one forward pass, each started at the layer where it first differs.

Layers below an intervention do not change, so they are computed once and shared by every row of the batch.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.teacher_forcing import teacher_forced
from model.interventions import NONE, Interventions
from model.nn.transformer import NOTHING, Transformer


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
            return self.model.encode(_repeated(self.source, len(variants)), **arguments).recorded[name]
        encoded = self.encoded.repeated(len(variants))
        return self.model.decode(_repeated(self.prefix, len(variants)), encoded, **arguments).recorded[name]

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
        prefix = _repeated(self.prefix, n_rows)
        if stack == "decoder":
            encoded = self.encoded.repeated(n_rows)
            return self.model.decode(prefix, encoded, interventions=interventions, begin=begin, rows=rows).hidden
        encoded = self.model.encode(_repeated(self.source, n_rows), interventions=interventions, begin=begin)
        return self.model.decode(prefix, encoded, interventions=interventions, rows=rows).hidden

    def _entering(self, stack: str, layer: int, n_rows: int) -> Tensor:
        """A layer's input in the first pass, repeated for each variant."""
        return _repeated((self.encoded if stack == "encoder" else self.decoded).hidden_states[layer], n_rows)


def _repeated(x: Tensor, n_rows: int) -> Tensor:
    """Expand one batch row to n rows."""
    return x.expand(n_rows, *x.shape[1:])
