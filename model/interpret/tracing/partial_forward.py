"""Many variants of one forward pass, each started at the layer where it first differs.

Layers below an intervention do not change, so they are computed once and shared by every row of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.teacher_forcing import teacher_forced
from model.interventions import NONE, Interventions
from model.nn.edits import BatchInterventions
from model.nn.layers import KeysValues
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
        """``base`` holds in the first pass; it names no patches."""
        assert isinstance(bundle.model, Transformer) and not base.patches
        self.model, self.base = bundle.model, base
        rows = [(source_ids, prefix_ids)]
        forced = teacher_forced(bundle, rows, interventions=base, capture=True, record=record)
        self.encoded, self.decoded = forced.encoded, forced.decoded
        self.recorded: Mapping[str, Tensor] = forced.recorded
        """What the first pass was asked to record, by name."""
        self.source, self.prefix = forced.source, forced.prefix
        self.source_mask = None if bool(self.encoded.attn_mask.all()) else self.encoded.attn_mask
        _, self.target_mask = self.model.target_mask(self.prefix, BatchInterventions(base, 1))
        has_blanks = self.model.config.blank_target_padding
        self.pad_queries = self.prefix == self.model.config.target_pad_id if has_blanks else None

    @torch.inference_mode()
    def from_encoder(self, first: int, rows: Sequence[Interventions]) -> Tensor:
        """The decoder's output (B, T, D) for B variants that differ from encoder layer ``first`` on."""
        n, states = len(rows), self.encoded.hidden_states[first]
        encoded = self.model.encode(
            self.source.expand(n, -1), interventions=rows, begin=(first, states.expand(n, -1, -1))
        )
        return self.model.decode(self.prefix.expand(n, -1), encoded, interventions=rows).hidden

    @torch.inference_mode()
    def from_decoder(self, first: int, rows: Sequence[Interventions]) -> Tensor:
        """The decoder's output (B, T, D) for B variants that differ from decoder layer ``first`` on."""
        n, states = len(rows), self.decoded.hidden_states[first]
        return self.model.decode(
            self.prefix.expand(n, -1), self.encoded.repeated(n), interventions=rows,
            begin=(first, states.expand(n, -1, -1)),
        ).hidden  # fmt: skip

    @torch.inference_mode()
    def last_from_encoder(self, first: int, x: Tensor) -> Tensor:
        """The decoder's last output (B, 1, D) for B states (B, S, D) that enter encoder layer ``first``.

        Layer 0's self-attention has not seen the source: it must have been recorded, and is shared.
        """
        for index in range(first, len(self.model.encoder.layers)):
            x, _ = self.model.encoder.layers[index](x, self.source_mask)
        memory = self.model.encoder.finish(x)
        y = self.recorded["decoder.0.residual.middle"].expand(len(memory), -1, -1)
        y = y[:, -1:] if len(self.model.decoder.layers) == 1 else y
        y, _ = self._layer(0).cross_block(y, self.keys_values(0, memory, len(memory)), self.source_mask)
        return self.last_from_decoder(1, y, memory)

    @torch.inference_mode()
    def last_from_decoder(self, first: int, x: Tensor, memory: Tensor | None = None) -> Tensor:
        """The decoder's last output (B, 1, D) for B states (B, T, D) that enter decoder layer ``first``."""
        memory = self.encoded.memory if memory is None else memory
        target_mask, pad_queries, past = self.target_mask, self.pad_queries, None
        last = len(self.model.decoder.layers) - 1
        for index in range(first, last + 1):
            layer = self._layer(index)
            if index == last and x.shape[1] > 1:
                past, x = layer.past_of(x[:, :-1]), x[:, -1:]
                target_mask = None if target_mask is None else target_mask[..., -1:, :]
                pad_queries = None if pad_queries is None else pad_queries[:, -1:]
            x, *_ = layer(
                x,
                self.keys_values(index, memory, len(x)),
                target_mask,
                self.source_mask,
                past=past,
                pad_queries=pad_queries,
            )
        return self.model.decoder.finish(x[:, -1:])

    def keys_values(self, layer: int, memory: Tensor, n_rows: int) -> KeysValues:
        """A decoder layer's keys (B, H, S, K) and values (B, H, S, M) of the encoder's output (1 or B, S, D)."""
        keys, values = self._layer(layer).cross_attention.keys_values(memory)
        return keys.expand(n_rows, -1, -1, -1), values.expand(n_rows, -1, -1, -1)

    def _layer(self, index: int) -> Any:
        return self.model.decoder.layers[index]
