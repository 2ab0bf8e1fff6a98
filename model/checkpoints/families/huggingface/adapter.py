"""A model of the ``transformers`` library with the same ``encode``, ``decode`` and ``project`` as our Transformer.

The library's own eager code runs. Its attention is read and edited where it computes its softmax (``capture``), and
on a few tokens everything that is shown is compared with what the library returns before the model opens.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import DynamicCache, EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput

from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.families.huggingface.capture import (
    DifferentError,
    Place,
    find,
    record_routers,
    running,
    watch_routers,
    watching,
)
from model.config import TransformerConfig
from model.grid_source import GridSource
from model.interventions import AttentionKind, InterventionError
from model.nn.attention_selection import AttentionSelection
from model.nn.edits import BatchInterventions
from model.nn.layers import KeysValues
from model.nn.passes import Cache, Decoded, Encoded
from model.nn.transformer import InterventionsLike
from model.trace import Floats

_N_SOURCE, _N_TARGET = 7, 5
"""Tokens of the pass that finds the attention; different, so that self- and cross-attention have different shapes."""


class HuggingFaceModel(nn.Module):
    """An encoder-decoder, an encoder-only or a decoder-only model of ``transformers``.

    Raises:
        CheckpointError: when its attention or its logits cannot be read exactly.
    """

    def __init__(
        self, network: Any, config: TransformerConfig, kinds: tuple[AttentionKind, ...], grid: GridSource | None = None
    ) -> None:
        """
        Args:
            grid: what it reads, where that is no text.
        """
        super().__init__()
        self.network, self.config, self.kinds, self.grid = network.eval(), config, kinds, grid
        self._has_encoder = "cross" in kinds or "encoder_self" in kinds
        self._decoder_has_lm_head = "cross" in kinds and _has_lm_head(network.get_decoder())
        """Whether the decoder of an encoder-decoder has an lm_head of its own."""
        headed = network.get_decoder() if self._decoder_has_lm_head else network
        self._head = (_head_of(headed),) if "decoder_self" in kinds else ()
        """In a tuple, so that PyTorch does not count its parameters twice."""
        self._encoder_places: tuple[Place | None, ...] = ()
        self._decoder_places: tuple[Place | None, ...] = ()
        self.has_experts = watch_routers(network)
        try:
            self._find()
        except DifferentError as error:
            raise CheckpointError(
                f"the attention of this {network.config.model_type} model cannot be read exactly ({error}): "
                "save it as a file instead (docs/attention-files.md)"
            ) from error

    @property
    def _encoder(self) -> Any:
        return self.network.get_encoder() if "decoder_self" in self.kinds else self.network

    @property
    def _decoder(self) -> Any:
        """The decoder without its output projection."""
        if "cross" not in self.kinds:
            return self.network.base_model
        decoder = self.network.get_decoder()
        return decoder.base_model if self._decoder_has_lm_head else decoder

    @torch.no_grad()
    def _find(self) -> None:
        """Locate each layer's attention in a pass over a few tokens and compare it with what the library returns."""
        size = min(self.config.source_vocab_size, self.config.target_vocab_size)
        usable = [index for index in range(min(size, 50)) if index != self.config.source_pad_id] or [0]
        rows = [usable[index % len(usable)] for index in range(_N_SOURCE)]
        device = next(self.network.parameters()).device
        source = torch.tensor([rows], device=device)
        target, memory = source[:, :_N_TARGET], None
        if self._has_encoder:
            read = source if self.grid is None else self.grid.probe(device)
            with watching() as seen:
                outputs = self._encoder(**self._read(read), output_attentions=True, return_dict=True)
            if "encoder_self" in self.kinds:
                self._encoder_places = find(seen, {"encoder_self": outputs.attentions or ()})
                self._count("encoder", outputs.attentions)
            memory = outputs.last_hidden_state
            if self.grid is not None and memory.shape[1] != read.shape[1]:
                raise DifferentError(f"its encoder makes {memory.shape[1]} states of {read.shape[1]} tokens")
        if "decoder_self" not in self.kinds:
            return
        with watching() as seen:
            outputs = self._decoder(**self._inputs(target, memory, None), output_attentions=True, return_dict=True)
        returned: dict[AttentionKind, Sequence[Tensor]] = {"decoder_self": outputs.attentions or ()}
        if "cross" in self.kinds:
            returned["cross"] = outputs.cross_attentions or ()
        self._decoder_places = find(seen, returned)
        self._count("decoder", outputs.attentions)
        whole = self.network(input_ids=target) if memory is None else self.network(
            encoder_outputs=_States(memory), decoder_input_ids=target)  # fmt: skip
        near = max(1e-5, torch.finfo(whole.logits.dtype).eps)
        if not torch.allclose(self.project(outputs.last_hidden_state), whole.logits, rtol=near, atol=near):
            raise DifferentError("its logits are not those that the library returns")

    def _count(self, side: str, attention: Sequence[Tensor]) -> None:
        """The actual layers and heads, whatever the configuration calls them."""
        counted: dict[str, Any] = {f"n_{side}_layers": len(attention), f"n_{side}_heads": attention[0].shape[1]}
        self.config = dataclasses.replace(self.config, **counted)

    def _read(self, source_ids: Tensor) -> dict[str, Tensor]:
        """The encoder's input."""
        if self.grid is not None:
            return self.grid.inputs(source_ids)
        return {"input_ids": source_ids, "attention_mask": (source_ids != self.config.source_pad_id).long()}

    def _inputs(self, target_ids: Tensor, memory: Tensor | None, memory_mask: Tensor | None) -> dict[str, Any]:
        inputs: dict[str, Any] = {"input_ids": target_ids}
        if "cross" in self.kinds:
            inputs["encoder_hidden_states"] = self._bridged(memory)
            if self.network.config.model_type != "whisper":  # which always reads a sound of one length
                inputs["encoder_attention_mask"] = memory_mask
        return inputs

    def _bridged(self, memory: Tensor | None) -> Tensor | None:
        """The encoder's output, projected to the decoder's width if they differ."""
        bridge = getattr(self.network, "enc_to_dec_proj", None)
        if bridge is None or getattr(self.network.decoder.config, "cross_attention_hidden_size", None) is not None:
            return memory
        return bridge(memory)

    def encode(
        self, source_ids: Tensor, *, capture: bool | AttentionSelection = False, interventions: InterventionsLike = None
    ) -> Encoded:
        """Run the encoder on int64 (B, S), or (B, S, P) of pictures and sounds, padded with source_pad_id; a
        decoder-only model encodes nothing."""
        edits = _editable(interventions, source_ids.shape[0])
        first = source_ids if self.grid is None else source_ids[..., 0]
        real = first != self.config.source_pad_id  # (B, S)
        if self.grid is not None and not real.all():
            return self._encoded_apart(source_ids, real, capture, edits)
        if not self._has_encoder:
            memory = torch.zeros(*source_ids.shape, 0, device=source_ids.device)
            return Encoded(memory, real[:, None, None, :], (), ())
        with running(self._encoder_places, edits, capture=capture or True) as found_in, record_routers() as chosen:
            outputs = self._encoder(**self._read(source_ids), output_hidden_states=capture is True, return_dict=True)
        attention = found_in.captured("encoder_self") if capture else ()
        states = tuple(outputs.hidden_states) if capture is True and "encoder_self" in self.kinds else ()
        experts = tuple(choice.of(len(source_ids)) for choice in chosen) if capture else ()
        return Encoded(outputs.last_hidden_state, real[:, None, None, :], attention, states, routed=experts)

    def _encoded_apart(
        self, source_ids: Tensor, real: Tensor, capture: bool | AttentionSelection, edits: BatchInterventions
    ) -> Encoded:
        """Encode sounds of different length one by one, because the library's convolutions see the padding."""
        n = source_ids.shape[1]
        rows = [
            self.encode(source_ids[b : b + 1, : int(real[b].sum())], capture=capture, interventions=edits.rows[b])
            for b in range(len(source_ids))
        ]

        def joined(parts: Sequence[Tensor], *, square: bool = False) -> Tensor:
            """Tensors (1, …, S, D), or (1, H, S, S), of each row, filled up with zeros."""
            sizes = [(0, n - part.shape[-1]) if square else (0, 0) for part in parts]
            filled = [functional.pad(part, (*size, 0, n - part.shape[-2]))
                      for part, size in zip(parts, sizes, strict=True)]  # fmt: skip
            return torch.cat(filled)

        attention = tuple(joined(layer, square=True) for layer in zip(*(row.attention for row in rows), strict=True))
        states = tuple(map(joined, zip(*(row.hidden_states for row in rows), strict=True)))
        return Encoded(joined([row.memory for row in rows]), real[:, None, None, :], attention, states)

    def decode(
        self,
        target_ids: Tensor,
        encoded: Encoded,
        *,
        cache: Cache | None = None,
        keep_cache: bool = False,
        capture: bool | AttentionSelection = False,
        interventions: InterventionsLike = None,
    ) -> Decoded:
        """Run the decoder on the tokens it is fed, int64 (B, T); with a cache, on those that are new.

        An encoder-only model cannot decode: it returns no attention, and states of width 0.
        """
        if "decoder_self" not in self.kinds:
            if keep_cache:
                raise CheckpointError(
                    "this model is only an encoder: it has attention to show, but it cannot translate"
                )
            return Decoded(torch.zeros(*target_ids.shape, 0, device=target_ids.device), (), (), (), None)
        edits = _editable(interventions, target_ids.shape[0])
        known = cache.attn_mask.shape[1] if cache else 0
        past = _library_cache(cache, has_cross="cross" in self.kinds) if cache or keep_cache else None
        inputs = self._inputs(target_ids, encoded.memory, encoded.attn_mask[:, 0, 0].long())
        inputs |= {"past_key_values": past, "use_cache": past is not None}
        with running(self._decoder_places, edits, known, capture or True) as found_in, record_routers() as chosen:
            outputs = self._decoder(**inputs, output_hidden_states=capture is True, return_dict=True)
        real = target_ids.new_ones(target_ids.shape[0], known + target_ids.shape[1], dtype=torch.bool)
        return Decoded(
            outputs.last_hidden_state,
            found_in.captured("decoder_self") if capture else (),
            found_in.captured("cross") if capture else (),
            tuple(outputs.hidden_states) if capture is True else (),
            _our_cache(past, real) if keep_cache else None,
            routed=tuple(choice.of(len(target_ids)) for choice in chosen) if capture else (),
        )

    def project(self, hidden: Tensor) -> Tensor:
        """Logits (…, V) of decoder states (…, D), as the library computes them; none for an encoder-only model."""
        if not self._head:
            return hidden
        (head,) = self._head
        states = hidden.reshape(1, -1, hidden.shape[-1])  # (1, N, D)
        if "cross" in self.kinds and not self._decoder_has_lm_head:
            logits = head(encoder_outputs=_States(states[:, :1]), decoder_inputs_embeds=states, use_cache=False).logits
        else:
            logits = head(inputs_embeds=states, use_cache=False).logits
        return logits.reshape(*hidden.shape[:-1], -1)

    def positional(self, length: int) -> Floats | None:
        """The encodings of positions 0…length-1, (length, D); None where the model adds none, or others to its source
        than to what it writes."""
        module = self._position_table()
        if module is None or self.grid is not None:
            return None
        offset = _first_row(module)
        return module.weight[offset : offset + length].detach().float().cpu().numpy().astype(np.float32)

    @property
    def n_positions(self) -> int | None:
        """The number of rows of the position table; None if no positions are added or they are computed as needed."""
        module = self._position_table()
        return None if module is None else module.weight.shape[0] - _first_row(module)

    def _position_table(self) -> nn.Embedding | None:
        owner = self.network if self.grid is None else self._decoder  # its source's are of a picture or a sound
        for name, module in owner.named_modules():
            if isinstance(module, nn.Embedding) and "position" in name.rpartition(".")[2].replace("wpe", "position"):
                return module
        return None


class _States(BaseModelOutput):
    """A network body's output, with its states only."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


class _Given(nn.Module):
    """Replaces a network's body: returns the states passed in, which the network's head then projects."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config

    @property
    def decoder(self) -> _Given:
        """The body's decoder, which some heads ask for."""
        return self

    def get_decoder(self) -> _Given:
        """Likewise."""
        return self

    def forward(self, *_: Any, inputs_embeds: Any = None, decoder_inputs_embeds: Any = None, **__: Any) -> Any:
        """(B, T, D) in and out."""
        return _States(inputs_embeds if decoder_inputs_embeds is None else decoder_inputs_embeds)


def _has_lm_head(decoder: Any) -> bool:
    find = getattr(decoder, "get_output_embeddings", None)
    return find is not None and find() is not None


def _head_of(network: Any) -> Any:
    """The network without its body, sharing the modules of its head."""
    head = copy.copy(network)
    head._modules = dict(network._modules)
    body = network.base_model_prefix if network.base_model_prefix in head._modules else "decoder"
    head._modules[body] = _Given(network.get_decoder().config)
    return head


def _first_row(table: nn.Embedding) -> int:
    """The table row of position 0: BART has two rows before it, RoBERTa those up to the padding id."""
    if type(table) is nn.Embedding and table.padding_idx is not None:
        return table.padding_idx + 1
    offset: Any = getattr(table, "offset", 0)
    return offset


def _editable(interventions: InterventionsLike, batch_size: int) -> BatchInterventions:
    edits = BatchInterventions(interventions, batch_size)
    for row in edits.rows:
        if row.source_positions is not None or row.lift_causal_mask:
            raise InterventionError("positions and the causal mask of a Hugging Face model cannot be changed here")
        if row.patches:
            raise InterventionError(
                "the activations of this model cannot be patched, because it runs in its original code"
            )
    return edits


def _library_cache(cache: Cache | None, *, has_cross: bool) -> Any:
    """The library's cache around our tensors; it extends them by concatenation, never in place."""
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
