"""The encoder-decoder Transformer (Vaswani et al. 2017, section 3), built from a TransformerConfig.

``forward`` and its parts are pure: every result is in the returned values, and nothing is stored on a module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.interventions import InterventionError, Interventions, PositionEdit
from model.nn.attention import causal_mask
from model.nn.dropout import Dropout
from model.nn.edits import Edits
from model.nn.incremental import OneTokenLayer, one_token_layers, one_token_output
from model.nn.layers import DecoderLayer, EncoderLayer, KeysValues
from model.nn.norms import make_norm
from model.nn.positional import PositionalEncoding
from model.nn.relative import RelativeBias
from model.nn.taps import tapped

Edited: TypeAlias = Interventions | Sequence[Interventions] | None
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Encoded:
    """The encoder's output, and what the decoder needs of it."""

    memory: Tensor
    """The residual stream after the last layer and norm, (B, S, D)."""
    attn_mask: Tensor
    """True where a source token is not padding, bool (B, 1, 1, S)."""
    attention: tuple[Tensor, ...]
    """Each layer's weights (B, H, S, S); empty without capture."""
    hidden_states: tuple[Tensor, ...]
    """The residual stream before each layer and after the last, (B, S, D); empty without capture."""
    recorded: Mapping[str, Tensor] = field(default_factory=dict)
    """The activations that were asked for, by name."""
    donors: Mapping[tuple[int, ...], Encoded] = field(default_factory=dict)
    """The other texts that patches copy from, encoded, by their ids; one row each."""

    def repeated(self, n_rows: int) -> Encoded:
        """One sentence as n rows."""
        return Encoded(self.memory.expand(n_rows, -1, -1), self.attn_mask.expand(n_rows, -1, -1, -1), (), ())


@dataclass(frozen=True, slots=True)
class Cache:
    """Keys and values of the decoder so far; a step returns a new one and does not change this one."""

    self_attention: tuple[KeysValues, ...]
    """Of each layer: keys (B, H, T, K) and values (B, H, T, M) of the tokens so far."""
    cross: tuple[KeysValues, ...]
    """Of each layer: keys (B, H, S, K) and values (B, H, S, M) of the encoder's output."""
    attn_mask: Tensor
    """True where a target token so far is not padding, bool (B, T)."""
    layers: tuple[OneTokenLayer, ...] = ()
    """The layers that the next token goes through; none in the cache of another library's model."""
    donors: Mapping[tuple[int, ...], Cache] = field(default_factory=dict)
    """The caches of the same tokens over the texts that patches copy from, by their ids."""

    def reorder(self, rows: Tensor, *, is_same_source: bool = False) -> Cache:
        """The cache of other batch rows, for beam search: int64 (B',).

        Args:
            is_same_source: whether each row keeps its source, so that cross-attention's keys and values stay.
        """
        return Cache(
            tuple((key[rows], value[rows]) for key, value in self.self_attention),
            self.cross if is_same_source else tuple((key[rows], value[rows]) for key, value in self.cross),
            self.attn_mask[rows],
            self.layers,
            {ids: cache.reorder(rows, is_same_source=is_same_source) for ids, cache in self.donors.items()},
        )


@dataclass(frozen=True, slots=True)
class Decoded:
    """The decoder's output for the tokens it was fed."""

    hidden: Tensor
    """(B, T, D), after the last norm and before the output projection."""
    self_attention: tuple[Tensor, ...]
    """Each layer's weights (B, H, T, keys so far); empty without capture."""
    cross: tuple[Tensor, ...]
    """Each layer's weights (B, H, T, S); empty without capture."""
    hidden_states: tuple[Tensor, ...]
    """The residual stream before each layer and after the last, (B, T, D); empty without capture."""
    cache: Cache | None
    """What the next step needs; None when it was not asked for."""
    recorded: Mapping[str, Tensor] = field(default_factory=dict)
    """The activations that were asked for, by name."""


@dataclass(frozen=True, slots=True)
class Output:
    """One teacher-forced pass."""

    logits: Tensor
    """(B, T, V); log-probabilities where the configuration says so."""
    encoder_self: tuple[Tensor, ...]
    decoder_self: tuple[Tensor, ...]
    cross: tuple[Tensor, ...]
    """Per layer (B, H, query, key); empty without capture."""


def _needs_no_mask(real: Tensor) -> bool:
    """Whether nothing is padding, so that a step of decoding needs no mask.

    Not used in training: on a GPU, reading the answer would make each step wait for the device.
    """
    return not torch.is_grad_enabled() and bool(real.all())


def _counted(positions: Tensor | float, real: Tensor) -> Tensor | float:
    """Encodings (1 or B, T, D) given to the real tokens of (B, T) in their order; padding gets zeros."""
    if not isinstance(positions, Tensor):
        return positions
    ranks = (real.cumsum(1) - 1).clamp(min=0).unsqueeze(-1).expand(-1, -1, positions.shape[-1])  # (B, T, D)
    return positions.expand(len(real), -1, -1).gather(1, ranks) * real.unsqueeze(-1)


def _embedding(n_rows: int, width: int) -> nn.Embedding:
    """An embedding without initial weights: ``reset_parameters`` or a checkpoint sets them.

    ``nn.Embedding`` draws initial weights, and on the meta device that imports PyTorch's compiler, which takes 2 s.
    """
    return nn.Embedding.from_pretrained(torch.empty(n_rows, width), freeze=False)


class Stack(nn.Module):
    """The common base of both stacks: embedding, positions, layers, norms."""

    def __init__(self, config: TransformerConfig, embedding: nn.Embedding, *, encoder: bool):
        super().__init__()
        self.embedding = embedding
        self.relative = None
        if config.positions == "relative":
            n_heads = config.n_encoder_heads if encoder else config.n_decoder_heads
            self.relative = RelativeBias(config, n_heads, is_causal=not encoder)
        layer, n_layers = (
            (EncoderLayer, config.n_encoder_layers) if encoder else (DecoderLayer, config.n_decoder_layers)
        )
        order = config.source_position_order if encoder else config.target_position_order
        self.positions = PositionalEncoding(config, order)
        self.embedding_norm = make_norm(config) if config.embedding_norm else None
        self.layers = nn.ModuleList(layer(config, self.relative) for _ in range(n_layers))
        has_final = config.encoder_final_norm if encoder else config.decoder_final_norm
        self.final_norm = make_norm(config) if has_final else None
        self.dropout = Dropout(config.dropout)
        self.scale = config.embedding_factor
        self.skips_padding, self.has_zero_id = config.skip_padding, config.starts_from_zero
        self.pad_id = config.source_pad_id if encoder else config.target_pad_id
        self.begins_with_zeros = not encoder and config.bos_id == config.target_vocab_size
        self.blanks_padding = config.skip_padding and config.zero_padding and encoder

    def embed(
        self, ids: Tensor, start: int, edits: tuple[PositionEdit | None, ...] = (), lengths: tuple[int, ...] = ()
    ) -> Tensor:
        """Embeddings plus positions start…, (B, T) -> (B, T, D); edits and lengths as in PositionalEncoding."""
        x = self.look_up(ids) * self.scale  # (B, T, D)
        if self.begins_with_zeros and start == 0:
            x = torch.cat((torch.zeros_like(x[:, :1]), x[:, 1:]), 1)
        positions = self.positions(start, start + ids.shape[1], edits, lengths)
        x = x + (_counted(positions, ids != self.pad_id) if self.skips_padding else positions)
        x = self.dropout(x) if self.training else x
        x = self.embedding_norm(x) if self.embedding_norm is not None else x
        return x * (ids != self.pad_id).unsqueeze(-1) if self.blanks_padding else x

    def look_up(self, ids: Tensor) -> Tensor:
        """Embeddings of ids, (B, T) -> (B, T, D); zeros for the id past the vocabulary, where it is read."""
        if not self.has_zero_id:
            return self.embedding(ids)
        last = self.embedding.num_embeddings - 1
        return self.embedding(ids.clamp(max=last)) * (ids <= last).unsqueeze(-1)

    def finish(self, x: Tensor) -> Tensor:
        """The stack's last norm, where it has one: (…, D) in and out."""
        return self.final_norm(x) if self.final_norm is not None else x


class Transformer(nn.Module):
    """Encoder, decoder and output projection."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        source = _embedding(config.source_vocab_size, config.d_model)
        target = source if config.tie_embeddings else _embedding(config.target_vocab_size, config.d_model)
        self.encoder = Stack(config, source, encoder=True)
        self.decoder = Stack(config, target, encoder=False)
        self.output = nn.Linear(config.d_model, config.target_vocab_size, bias=config.output_bias)
        self.tie_output()
        if not self.output.weight.is_meta:
            self.reset_parameters()

    @classmethod
    def seeded(cls, config: TransformerConfig, generator: torch.Generator) -> Transformer:
        """A model whose initial weights come from a generator of its own, so that threads do not disturb each other."""
        with torch.device("meta"):
            model = cls(config)
        model.to_empty(device=generator.device)
        model.tie_output()
        model.reset_parameters(generator)
        return model

    def tie_output(self) -> None:
        """Make the output projection the target embedding, where the configuration says so."""
        if self.config.tie_output:
            self.output.weight = self.decoder.embedding.weight

    @torch.no_grad()
    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Xavier-uniform matrices (Glorot & Bengio 2010), embeddings of variance 1/D, biases 0, norms 1."""
        for name, parameter in self.named_parameters():
            if "positions" in name:
                continue
            if "embedding.weight" in name:
                nn.init.normal_(parameter, std=self.config.d_model**-0.5, generator=generator)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter, generator=generator)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)
            else:
                nn.init.ones_(parameter)
        for stack in (self.encoder, self.decoder):
            stack.positions.reset_parameters(generator)

    def encode(
        self,
        source_ids: Tensor,
        *,
        capture: bool = False,
        interventions: Edited = None,
        record: frozenset[str] = NOTHING,
    ) -> Encoded:
        """Run the encoder on int64 (B, S), padded with source_pad_id; ``record`` names the activations to return."""
        edits = Edits(interventions, source_ids.shape[0])
        real = source_ids != self.config.source_pad_id  # (B, S)
        if self.config.starts_from_zero:
            real = real & (source_ids < self.config.source_vocab_size)
        attn_mask = real[:, None, None, :]  # (B, 1, 1, S)
        moved = edits.source_positions
        lengths = tuple(attn_mask.sum(-1).flatten().tolist()) if moved else ()
        donors = {
            ids: self.encode(source_ids.new_tensor([ids]), record=edits.taken("encoder", ids)) for ids in edits.donors()
        }
        taps = edits.taps("encoder", record, {ids: donor.recorded for ids, donor in donors.items()}, real)
        x = tapped(taps and taps.at("encoder"), "embedding", self.encoder.embed(source_ids, 0, moved, lengths))
        attention, states = [], [x]
        for index, layer in enumerate(self.encoder.layers):
            tap = taps.at("encoder", index) if taps else None
            x, weights = layer(x, attn_mask, capture=capture, edit=edits.at("encoder_self", index), tap=tap)
            attention.append(weights)
            states.append(x)
        if not capture:
            attention, states = [], []
        memory = tapped(taps and taps.at("encoder"), "final_norm", self.encoder.finish(x))
        recorded = taps.found if taps else {}
        return Encoded(memory, attn_mask, tuple(attention), tuple(states), recorded, donors)

    def decode(
        self,
        target_ids: Tensor,
        encoded: Encoded,
        *,
        cache: Cache | None = None,
        keep_cache: bool = False,
        capture: bool = False,
        interventions: Edited = None,
        record: frozenset[str] = NOTHING,
    ) -> Decoded:
        """Run the decoder on the tokens it is fed, int64 (B, T); with a cache, on those that are new.

        Args:
            record: names of the activations to return.
        """
        edits = Edits(interventions, target_ids.shape[0])
        known = cache.attn_mask.shape[1] if cache else 0
        donors = self._decode_donors(target_ids, encoded, edits, cache=cache, keep_cache=keep_cache)
        given = {ids: donor.recorded for ids, donor in donors.items()}
        taps = edits.taps("decoder", record, given, encoded.attn_mask[:, 0, 0], first=known)
        real, attn_mask = self.target_mask(target_ids, edits, cache=cache)
        source_mask = None if _needs_no_mask(encoded.attn_mask) else encoded.attn_mask
        x = tapped(taps and taps.at("decoder"), "embedding", self.decoder.embed(target_ids, known))
        self_attention, cross, states, pasts, crosses = [], [], [x], [], []
        is_step = target_ids.shape[1] == 1 and not self.training and not torch.is_grad_enabled()
        is_step = is_step and taps is None
        layers = (cache.layers if cache and is_step else ()) or self.decoder.layers
        blank = {"blank": target_ids == self.config.target_pad_id} if self.config.blank_target_padding else {}
        for index, layer in enumerate(layers):
            cross_edit = edits.at("cross", index)
            if cache:
                keys_values = cache.cross[index]
            else:
                assert isinstance(layer, DecoderLayer)
                cross_tap = taps.at("decoder", index, "cross") if taps else None
                attention, memory = layer.cross_attention, encoded.memory
                if not keep_cache and attention.is_silent(cross_edit, capture=capture, tap=cross_tap):
                    memory = memory[:, :0]
                keys_values = attention.keys_values(memory, cross_tap)
            extra: dict[str, Any] = {} if is_step else dict(blank)
            if taps:
                extra["tap"] = taps.at("decoder", index)
            x, self_weights, cross_weights, past = layer(
                x, keys_values, attn_mask, source_mask,
                past=cache.self_attention[index] if cache else None, capture=capture,
                edits=(edits.at("decoder_self", index), cross_edit), **extra,
            )  # fmt: skip
            self_attention.append(self_weights)
            cross.append(cross_weights)
            states.append(x)
            pasts.append(past)
            crosses.append(keys_values)
        if not capture:
            self_attention, cross, states = [], [], []
        kept = None
        if keep_cache:
            following = cache.layers if cache else self._lay_out()
            caches = {ids: donor.cache for ids, donor in donors.items() if donor.cache is not None}
            kept = Cache(tuple(pasts), tuple(crosses), real, following, caches)
        hidden = tapped(taps and taps.at("decoder"), "final_norm", self.decoder.finish(x))
        recorded = taps.found if taps else {}
        return Decoded(hidden, tuple(self_attention), tuple(cross), tuple(states), kept, recorded)

    def _decode_donors(
        self, target_ids: Tensor, encoded: Encoded, edits: Edits, *, cache: Cache | None, keep_cache: bool
    ) -> dict[tuple[int, ...], Decoded]:
        """The decoder's activations for the same tokens when its source is a text that patches copy from."""
        found = {}
        for ids in edits.donors():
            names = edits.taken("decoder", ids)
            if not names:
                continue
            if ids not in encoded.donors:
                raise InterventionError(
                    "the encoder was run without the text that a patch copies from: encode again with these "
                    "interventions"
                )
            found[ids] = self.decode(
                target_ids, encoded.donors[ids].repeated(len(target_ids)), keep_cache=keep_cache, record=names,
                cache=cache.donors.get(ids) if cache else None,
            )  # fmt: skip
        return found

    def _lay_out(self) -> tuple[OneTokenLayer, ...]:
        """Fast copies of the layers and of the output projection, for the tokens of one translation."""
        one_token_output(self.output)
        return one_token_layers(self.decoder.layers)

    def project(self, hidden: Tensor) -> Tensor:
        """Logits (…, V) of decoder states (…, D); log-probabilities where the configuration says so."""
        is_step = hidden.dim() == 2 and not torch.is_grad_enabled()
        logits = one_token_output(self.output, is_new=False)(hidden) if is_step else self.output(hidden)  # (…, V)
        if self.config.output_scale != 1.0:
            logits = logits * self.config.output_scale
        return logits.log_softmax(-1) if self.config.output_log_softmax else logits

    def forward(
        self, source_ids: Tensor, target_ids: Tensor, *, capture: bool = False, interventions: Edited = None
    ) -> Output:
        """Teacher forcing: source int64 (B, S), and what the decoder is fed, int64 (B, T)."""
        encoded = self.encode(source_ids, capture=capture, interventions=interventions)
        decoded = self.decode(target_ids, encoded, capture=capture, interventions=interventions)
        logits = self.project(decoded.hidden)
        return Output(logits, encoded.attention, decoded.self_attention, decoded.cross)

    def target_mask(
        self, target_ids: Tensor, edits: Edits, *, cache: Cache | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Masks of decoder self-attention for the tokens fed, int64 (B, N).

        Returns:
            Which of the T tokens so far are not padding, bool (B, T), and the attention mask, bool (1 or B, 1, N, T),
            True where a query may attend; None masks nothing.
        """
        if self.config.mask_target_padding:
            real = target_ids != self.config.target_pad_id
        else:
            real = torch.ones_like(target_ids, dtype=torch.bool)
        if cache is not None:
            real = torch.cat((cache.attn_mask, real), 1)
        lifted = edits.lifted(target_ids.device)
        if target_ids.shape[1] == 1 and lifted is None:  # the newest query may attend to every key
            return real, None if _needs_no_mask(real) else real[:, None, None, :]
        attn_mask = causal_mask(target_ids.shape[1], real.shape[1], target_ids.device)[None, None]
        if lifted is not None:
            attn_mask = attn_mask | lifted
        return real, attn_mask & real[:, None, None, :]  # (B, 1, new, T)
