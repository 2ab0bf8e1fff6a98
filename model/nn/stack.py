"""The common base of the encoder and the decoder: embedding, positions, layers and the last norm."""

import dataclasses

import torch
from torch import Tensor, nn

from model.config import GREY_LEVELS, TransformerConfig
from model.interventions import PositionEdit
from model.nn.dropout import Dropout
from model.nn.layers import DecoderLayer, EncoderLayer
from model.nn.norms import make_norm
from model.nn.positional import PositionalEncoding
from model.nn.relative import RelativeBias


class StripProjection(nn.Linear):
    """The embedding of a picture's strips: from P pixels to D numbers (Dosovitskiy et al. 2021)."""

    def forward(self, input: Tensor) -> Tensor:
        """Pixels from 0 to 255, int64 (B, S, P) -> (B, S, D)."""
        return super().forward(input.to(self.weight.dtype) / (GREY_LEVELS - 1))


def _assign_positions(positions: Tensor | float, real: Tensor) -> Tensor | float:
    """Encodings (1 or B, T, D) assigned in order to the real tokens of (B, T); padding gets zeros."""
    if not isinstance(positions, Tensor):
        return positions
    ranks = (real.cumsum(1) - 1).clamp(min=0).unsqueeze(-1).expand(-1, -1, positions.shape[-1])  # (B, T, D)
    return positions.expand(len(real), -1, -1).gather(1, ranks) * real.unsqueeze(-1)


def embedding_of(n_rows: int, width: int) -> nn.Embedding:
    """An embedding without initial weights: ``reset_parameters`` or a checkpoint sets them.

    ``nn.Embedding`` draws initial weights, and on the meta device that imports PyTorch's compiler, which takes 2 s.
    """
    return nn.Embedding.from_pretrained(torch.empty(n_rows, width), freeze=False)


def source_embedding(config: TransformerConfig) -> nn.Embedding | StripProjection:
    """The encoder's embedding: a table, or a linear layer over a strip's pixels."""
    if config.picture is not None:
        return StripProjection(config.picture.n_pixels, config.d_model)
    return embedding_of(config.source_vocab_size, config.embedding_width)


class Stack(nn.Module):
    """The encoder or the decoder without its masks: embedding, positions, layers, norms.

    The missing stack of a decoder-only or encoder-only model has no layers and no weights.
    """

    embedding: nn.Embedding | StripProjection

    def __init__(self, config: TransformerConfig, embedding: nn.Embedding | StripProjection, *, encoder: bool):
        super().__init__()
        specs = config.layers(encoder=encoder)
        self.is_absent, self.d_model = not specs, config.d_model
        if self.is_absent:
            config = dataclasses.replace(config, positions="none", adds_relative=False, token_types=0,
                                         separator_id=None, embedding_norm=False, d_embedding=None)  # fmt: skip
        else:
            self.embedding = embedding
        self.relative = None
        is_relative = config.positions == "relative" or config.adds_relative
        if is_relative and not all(spec.attention.relative for spec in specs):
            n_heads = config.n_encoder_heads if encoder else config.n_decoder_heads
            self.relative = RelativeBias(config, n_heads, is_causal=not encoder)
        order = config.source_position_order if encoder else config.target_position_order
        self.positions = PositionalEncoding(config, order)
        width, kind, epsilon = config.embedding_width, config.norm_kind, config.norm_epsilon
        if specs and not config.is_single_stack:  # encoder and decoder may have different kinds of norms
            kind, epsilon = specs[0].norm_kind, specs[0].norm_epsilon
        self.token_types = nn.Parameter(torch.empty(config.token_types, width)) if config.token_types else None
        self.embedding_norm = make_norm(kind, width, epsilon) if config.embedding_norm else None
        self.embedding_projection = None if config.d_embedding is None else nn.Linear(width, config.d_model)
        make = EncoderLayer if encoder else DecoderLayer
        if config.shares_layers and specs:
            self.layers = nn.ModuleList([make(config, specs[0], self.relative)] * len(specs))
        else:
            self.layers = nn.ModuleList(make(config, spec, self.relative) for spec in specs)
        has_final = (config.encoder_final_norm if encoder else config.decoder_final_norm) and not self.is_absent
        self.final_norm = make_norm(kind, config.d_model, epsilon) if has_final else None
        self.dropout = Dropout(config.dropout)
        self.reads_strips = encoder and config.picture is not None
        self.scale = 1.0 if self.reads_strips else config.embedding_factor
        self.skips_padding, self.has_zero_id = config.skip_padding, config.starts_from_zero
        self.separator_id = config.separator_id
        self.pad_id = config.source_pad_id if encoder else config.target_pad_id
        self.begins_with_zeros = (
            not encoder and not config.is_single_stack and config.bos_id == config.target_vocab_size
        )
        self.blanks_padding = config.skip_padding and config.zero_padding and encoder

    def embed(
        self,
        ids: Tensor,
        start: int,
        edits: tuple[PositionEdit | None, ...] = (),
        lengths: tuple[int, ...] = (),
        *,
        tokens: Tensor | None = None,
    ) -> Tensor:
        """Embeddings plus positions start…, (B, T) or strips (B, T, P) -> (B, T, D); edits as in PositionalEncoding.

        Args:
            tokens: embeddings (B, T, D) that replace those of the ids.
        """
        x = (self.look_up(ids) if tokens is None else tokens) * self.scale  # (B, T, D)
        if self.begins_with_zeros and start == 0:
            x = torch.cat((torch.zeros_like(x[:, :1]), x[:, 1:]), 1)
        positions = self.positions(start, start + ids.shape[1], edits, lengths)
        x = x + (_assign_positions(positions, ids != self.pad_id) if self.skips_padding else positions)
        x = x if self.token_types is None else x + self._type_of(ids, self.token_types)
        x = self.dropout(x) if self.training else x
        x = self.embedding_norm(x) if self.embedding_norm is not None else x
        x = x if self.embedding_projection is None else self.embedding_projection(x)
        return x * (ids != self.pad_id).unsqueeze(-1) if self.blanks_padding else x

    def _type_of(self, ids: Tensor, types: Tensor) -> Tensor:
        """The token-type vector: the first (D,), or (B, T, D) if the config has a separator between two texts."""
        if self.separator_id is None:
            return types[0]
        ends = ids == self.separator_id
        is_second = (ends.cumsum(1) > ends.long()) & (ids != self.pad_id)
        return types[is_second.long()]

    def look_up(self, ids: Tensor) -> Tensor:
        """Embeddings of ids, (B, T) -> (B, T, D); zeros for the id past the vocabulary (``starts_from_zero``)."""
        if self.is_absent:
            return torch.zeros(*ids.shape, self.d_model, device=ids.device)
        if not self.has_zero_id:
            return self.embedding(ids)
        assert isinstance(self.embedding, nn.Embedding)
        last = self.embedding.num_embeddings - 1
        return self.embedding(ids.clamp(max=last)) * (ids <= last).unsqueeze(-1)

    def finish(self, x: Tensor) -> Tensor:
        """The stack's final norm, if it has one: (…, D) in and out."""
        return self.final_norm(x) if self.final_norm is not None else x
