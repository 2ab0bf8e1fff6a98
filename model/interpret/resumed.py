"""Many variants of one forward pass, each started at the layer where it first differs.

Layers below an intervention do not change, so they are computed once and shared by every row of the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.log_probs import forced_pass
from model.interventions import NONE, Interventions
from model.nn.edits import Edits
from model.nn.padding import pad
from model.nn.transformer import NOTHING, Encoded, Transformer


class ResumedPasses:
    """One pair of tokens read and fed in our own Transformer, run once; then variants of it."""

    @torch.inference_mode()
    def __init__(
        self, bundle: Bundle, source_ids: Sequence[int], prefix_ids: Sequence[int], base: Interventions = NONE
    ) -> None:
        """``base`` holds in the first pass; it names no patches."""
        assert isinstance(bundle.model, Transformer) and not base.patches
        self.model, self.base = bundle.model, base
        found = forced_pass(bundle, source_ids, prefix_ids, interventions=base, capture=True)
        self.encoded, self.decoded = found.encoded, found.decoded
        self.prefix = pad([prefix_ids], bundle.config.target_pad_id, device=bundle.device)

    @torch.inference_mode()
    def from_encoder(self, first: int, rows: Sequence[Interventions]) -> Tensor:
        """The decoder's output (B, T, D) for B variants that differ from encoder layer ``first`` on."""
        edits, model, real = Edits(rows, len(rows)), self.model, self.encoded.attn_mask[:, 0, 0]
        taps = edits.taps("encoder", NOTHING, {}, real.expand(len(rows), -1))
        x = self.encoded.hidden_states[first].expand(len(rows), -1, -1)
        for index in range(first, len(model.encoder.layers)):
            x, _ = model.encoder.layers[index](
                x, self.encoded.attn_mask, edit=edits.at("encoder_self", index),
                tap=taps.at("encoder", index) if taps else None,
            )  # fmt: skip
        memory = model.encoder.finish(x)
        encoded = Encoded(memory, self.encoded.attn_mask.expand(len(rows), -1, -1, -1), (), ())
        edited = list(rows) if self.base else None
        return model.decode(self.prefix.expand(len(rows), -1), encoded, interventions=edited).hidden

    @torch.inference_mode()
    def from_decoder(self, first: int, rows: Sequence[Interventions]) -> Tensor:
        """The decoder's output (B, T, D) for B variants that differ from decoder layer ``first`` on."""
        edits, model = Edits(rows, len(rows)), self.model
        taps = edits.taps("decoder", NOTHING, {}, self.encoded.attn_mask[:, 0, 0].expand(len(rows), -1))
        x = self.decoded.hidden_states[first].expand(len(rows), -1, -1)
        _, attn_mask = model.target_mask(self.prefix, Edits(self.base, 1))
        for index in range(first, len(model.decoder.layers)):
            layer: Any = model.decoder.layers[index]
            keys, values = layer.cross_attention.keys_values(self.encoded.memory)
            crossed = (keys.expand(len(rows), -1, -1, -1), values.expand(len(rows), -1, -1, -1))
            x, *_ = layer(
                x, crossed, attn_mask, self.encoded.attn_mask,
                edits=(edits.at("decoder_self", index), edits.at("cross", index)),
                tap=taps.at("decoder", index) if taps else None,
            )  # fmt: skip
        return model.decoder.finish(x)
