"""The peers of our model at its own size: ``torch.nn.Transformer`` to train, Hugging Face's MarianMT to decode."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor, nn
from transformers import MarianConfig, MarianMTModel
from transformers.utils import logging

from model.config import TransformerConfig
from model.nn.positional import sinusoidal

warnings.filterwarnings("ignore", message="enable_nested_tensor")  # a speed hint that does not apply here
logging.set_verbosity_error()


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


def marian(config: TransformerConfig) -> MarianMTModel:
    """Random weights; attention is computed explicitly because a fused kernel does not return it."""
    sizes = MarianConfig(
        vocab_size=config.target_vocab_size, d_model=config.d_model, encoder_layers=config.n_encoder_layers,
        decoder_layers=config.n_decoder_layers, encoder_attention_heads=config.n_encoder_heads,
        decoder_attention_heads=config.n_decoder_heads, encoder_ffn_dim=config.d_feed_forward,
        decoder_ffn_dim=config.d_feed_forward, activation_function=config.activation, max_position_embeddings=512,
        pad_token_id=0, bos_token_id=2, eos_token_id=3, decoder_start_token_id=2, forced_eos_token_id=None,
    )  # fmt: skip
    sizes._attn_implementation = "eager"
    return MarianMTModel(sizes).eval()


@torch.inference_mode()
def generate(peer: Any, source: Tensor, *, length: int, beams: int) -> object:
    """Decode exactly ``length`` new tokens, with all attention returned."""
    return peer.generate(
        source, attention_mask=torch.ones_like(source), num_beams=beams, do_sample=False, min_new_tokens=length,
        max_new_tokens=length, output_attentions=True, return_dict_in_generate=True,
    )  # fmt: skip
