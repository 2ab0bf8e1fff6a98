"""``torch.nn.Transformer`` with embeddings, positions and output layer: the plain model that ours is compared with."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.nn.positional import sinusoidal

warnings.filterwarnings("ignore", message="enable_nested_tensor")  # a speed hint that does not apply here


class PlainTransformer(nn.Module):
    """A model around ``torch.nn.Transformer`` with a TransformerConfig's sizes, tied weights, pre-norm and dropout."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.source_vocab_size, config.d_model)
        nn.init.normal_(self.embedding.weight, std=config.d_model**-0.5)
        self.inner = nn.Transformer(
            config.d_model, config.n_encoder_heads, config.n_encoder_layers, config.n_decoder_layers,
            config.d_feed_forward, config.dropout, batch_first=True, norm_first=config.encoder_norm_first,
        )  # fmt: skip
        # Our model has dropout on embeddings and sublayers only; torch's also has it inside attention and feed-forward.
        for module in self.inner.modules():
            if isinstance(module, nn.MultiheadAttention):
                module.dropout = 0.0
            elif isinstance(module, nn.TransformerEncoderLayer | nn.TransformerDecoderLayer):
                setattr(module, "dropout", nn.Identity())  # noqa: B010
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer("table", sinusoidal(config.max_positions, config.d_model))

    def embed(self, ids: Tensor) -> Tensor:
        """(B, T) -> (B, T, D)"""
        table: Tensor = self.table  # type: ignore[assignment]
        return self.dropout(self.embedding(ids) * self.config.d_model**0.5 + table[: ids.shape[1]])

    def forward(self, source: Tensor, fed: Tensor) -> Tensor:
        """Logits (B, T, V)."""
        future = torch.ones(fed.shape[1], fed.shape[1], dtype=torch.bool, device=fed.device).triu(1)
        hidden = self.inner(
            self.embed(source), self.embed(fed), tgt_mask=future, tgt_is_causal=True,
            src_key_padding_mask=source == 0, tgt_key_padding_mask=fed == 0, memory_key_padding_mask=source == 0,
        )  # fmt: skip
        return hidden @ self.embedding.weight.T
