"""A model of the ``transformers`` library with the same ``encode``, ``decode`` and ``project`` as our Transformer.

Its attention is computed by one function registered with the library, equal to its eager one. That function reads the
running pass from a context variable, so weights are returned and edited without hooks, and threads that share the model
do not affect each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import AttentionInterface, AttentionMaskInterface, DynamicCache, EncoderDecoderCache
from transformers.masking_utils import eager_mask

from model.checkpoints.errors import CheckpointError
from model.config import TransformerConfig
from model.interventions import AttentionKind, InterventionError
from model.nn.edits import Edits
from model.nn.layers import KeysValues
from model.nn.passes import Cache, Decoded, Encoded
from model.nn.transformer import Edited
from model.trace import Floats

IMPLEMENTATION = "regard"


@dataclass(slots=True)
class _Pass:
    """The state of one forward pass: each module's place, its edits, and the weights that it has captured."""

    places: dict[int, tuple[AttentionKind, int]]
    edits: Edits
    first_query: int = 0
    weights: dict[tuple[AttentionKind, int], Tensor] = field(default_factory=dict)


_RUNNING: ContextVar[_Pass | None] = ContextVar("running", default=None)


def attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    position_bias: Tensor | None = None,
    **_: Any,
) -> tuple[Tensor, Tensor]:
    """The library's eager attention, (B, H, Q, K) in and (B, Q, H, K) out, with the running pass's edits."""
    scores = query @ key.transpose(-2, -1) * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    if position_bias is not None:
        scores = scores + position_bias
    if attention_mask is not None:
        scores = scores + attention_mask[..., : key.shape[-2]]
    running = _RUNNING.get()
    place = running.places.get(id(module)) if running else None
    if running is None or place is None:
        weights = functional.dropout(scores.softmax(-1), dropout, module.training)
        return (weights @ value).transpose(1, 2).contiguous(), weights
    edit = running.edits.at(*place)
    attn_mask = None
    if edit is not None:
        attn_mask = edit.allow(scores > torch.finfo(scores.dtype).min / 2, first_query=running.first_query)
        scores = scores.masked_fill(~attn_mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)  # (B, H, Q, S)
    if edit is not None and attn_mask is not None:
        weights = edit.reweigh(weights, attn_mask, first_query=running.first_query)
    mixed = weights @ value  # (B, H, Q, K)
    if edit is not None:
        mixed = edit.gate(mixed)
    running.weights[place] = weights
    return mixed.transpose(1, 2).contiguous(), weights


AttentionInterface.register(IMPLEMENTATION, attention)
AttentionMaskInterface.register(IMPLEMENTATION, eager_mask)


class HuggingFaceModel(nn.Module):
    """An encoder-decoder, a lone encoder or a lone decoder of ``transformers``."""

    def __init__(self, network: Any, config: TransformerConfig, kinds: tuple[AttentionKind, ...]) -> None:
        super().__init__()
        self.network, self.config, self.kinds = network, config, kinds
        self._places = _places(network, kinds)

    def encode(self, source_ids: Tensor, *, capture: bool = False, interventions: Edited = None) -> Encoded:
        """Run the encoder on int64 (B, S), padded with source_pad_id; a lone decoder encodes nothing."""
        edits = _editable(interventions, source_ids.shape[0])
        real = source_ids != self.config.source_pad_id  # (B, S)
        if "encoder_self" not in self.kinds:
            memory = torch.zeros(*source_ids.shape, 0, device=source_ids.device)
            return Encoded(memory, real[:, None, None, :], (), ())
        encoder = self.network.get_encoder() if "decoder_self" in self.kinds else self.network
        with self._running(edits) as running:
            found = encoder(
                input_ids=source_ids, attention_mask=real.long(), output_hidden_states=capture, return_dict=True
            )
        attention = self._captured(running, "encoder_self") if capture else ()
        states = tuple(found.hidden_states) if capture else ()
        return Encoded(found.last_hidden_state, real[:, None, None, :], attention, states)

    def decode(
        self,
        target_ids: Tensor,
        encoded: Encoded,
        *,
        cache: Cache | None = None,
        keep_cache: bool = False,
        capture: bool = False,
        interventions: Edited = None,
    ) -> Decoded:
        """Run the decoder on the tokens it is fed, int64 (B, T); with a cache, on those that are new.

        A lone encoder cannot decode: it returns no attention, and states of width 0.
        """
        if "decoder_self" not in self.kinds:
            if keep_cache:
                raise CheckpointError(
                    "this model is only an encoder: it has attention to show, but it cannot translate"
                )
            return Decoded(torch.zeros(*target_ids.shape, 0), (), (), (), None)
        edits = _editable(interventions, target_ids.shape[0])
        known = cache.attn_mask.shape[1] if cache else 0
        past = _library_cache(cache, has_cross="cross" in self.kinds) if cache or keep_cache else None
        inputs: dict[str, Any] = {"input_ids": target_ids, "past_key_values": past, "use_cache": past is not None}
        if "cross" in self.kinds:
            inputs |= {"encoder_hidden_states": encoded.memory,
                       "encoder_attention_mask": encoded.attn_mask[:, 0, 0].long()}  # fmt: skip
            decoder = self.network.get_decoder()
        else:
            decoder = self.network.base_model
        with self._running(edits, first_query=known) as running:
            found = decoder(**inputs, output_hidden_states=capture, return_dict=True)
        real = torch.ones(target_ids.shape[0], known + target_ids.shape[1], dtype=torch.bool)
        return Decoded(
            found.last_hidden_state,
            self._captured(running, "decoder_self") if capture else (),
            self._captured(running, "cross") if capture else (),
            tuple(found.hidden_states) if capture else (),
            _our_cache(past, real) if keep_cache else None,
        )

    def project(self, hidden: Tensor) -> Tensor:
        """Logits (…, V) of decoder states (…, D), as the library computes them; none for a lone encoder."""
        if "decoder_self" not in self.kinds:
            return hidden
        if getattr(self.network.config, "scale_decoder_outputs", False):
            hidden = hidden * self.network.model_dim**-0.5
        logits = self.network.lm_head(hidden)
        bias = getattr(self.network, "final_logits_bias", None)
        return logits if bias is None else logits + bias

    def positional(self, length: int) -> Floats | None:
        """The encodings of positions 0…length-1, (length, D); None where the model adds none."""
        module = self._position_table()
        if module is None:
            return None
        offset = _first_row(module)
        return module.weight[offset : offset + length].detach().float().cpu().numpy().astype(np.float32)

    @property
    def n_positions(self) -> int | None:
        """Positions for which there is a row; None where the model adds none, or computes as many as it needs."""
        module = self._position_table()
        return None if module is None else module.weight.shape[0] - _first_row(module)

    def _position_table(self) -> nn.Embedding | None:
        for name, module in self.network.named_modules():
            if isinstance(module, nn.Embedding) and "position" in name.rpartition(".")[2].replace("wpe", "position"):
                return module
        return None

    @contextmanager
    def _running(self, edits: Edits, first_query: int = 0) -> Iterator[_Pass]:
        running = _Pass(self._places, edits, first_query)
        token = _RUNNING.set(running)
        try:
            yield running
        finally:
            _RUNNING.reset(token)

    @staticmethod
    def _captured(running: _Pass, kind: AttentionKind) -> tuple[Tensor, ...]:
        layers = sorted(layer for found, layer in running.weights if found == kind)
        return tuple(running.weights[kind, layer] for layer in layers)


def _first_row(table: nn.Embedding) -> int:
    """The row of position 0: BART keeps two rows before it, RoBERTa those up to the padding's."""
    if type(table) is nn.Embedding and table.padding_idx is not None:
        return table.padding_idx + 1
    return getattr(table, "offset", 0)


def _editable(interventions: Edited, batch_size: int) -> Edits:
    edits = Edits(interventions, batch_size)
    for row in edits.rows:
        if row.source_positions is not None or row.lift_causal_mask:
            raise InterventionError("positions and the causal mask of a Hugging Face model cannot be changed here")
        if row.patches:
            raise InterventionError(
                "the activations of this model cannot be patched, because it runs in its original code"
            )
    return edits


def _places(network: nn.Module, kinds: tuple[AttentionKind, ...]) -> dict[int, tuple[AttentionKind, int]]:
    """The place of each attention module, by identity, found by the names that the library gives its modules."""
    found: dict[int, tuple[AttentionKind, int]] = {}
    counts: dict[AttentionKind, int] = {}
    for name, module in network.named_modules():
        if not hasattr(module, "layer_idx") and not type(module).__name__.endswith(("Attention", "SelfAttention")):
            continue
        if any(type(child).__name__.endswith("Attention") for child in module.modules() if child is not module):
            continue
        if any(True for child in module.children() if not isinstance(child, nn.Linear | nn.Dropout | nn.Embedding)
               and "Conv1D" not in type(child).__name__ and not isinstance(child, nn.LayerNorm)):  # fmt: skip
            continue
        if not any(isinstance(child, nn.Linear) or "Conv1D" in type(child).__name__ for child in module.children()):
            continue
        kind = _kind(name, kinds)
        found[id(module)] = (kind, counts.setdefault(kind, 0))
        counts[kind] += 1
    return found


def _kind(name: str, kinds: tuple[AttentionKind, ...]) -> AttentionKind:
    if len(kinds) == 1:
        return kinds[0]
    if "encoder_attn" in name or "EncDecAttention" in name or "crossattention" in name:
        return "cross"
    return "decoder_self" if "decoder." in name else "encoder_self"


def _library_cache(cache: Cache | None, *, has_cross: bool) -> Any:
    """The library's mutable cache around our tensors; it adds to them by concatenation, never in place."""
    past = DynamicCache(cache.self_attention if cache else None)
    if not has_cross:
        return past
    return EncoderDecoderCache(past, DynamicCache(cache.cross if cache else None))


def _our_cache(past: Any, real: Tensor) -> Cache:
    if isinstance(past, EncoderDecoderCache):
        return Cache(_tensors(past.self_attention_cache), _tensors(past.cross_attention_cache), real)
    return Cache(_tensors(past), (), real)


def _tensors(past: Any) -> tuple[KeysValues, ...]:
    return tuple((layer.keys, layer.values) for layer in past.layers)
