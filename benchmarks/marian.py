"""Hugging Face's MarianMT at the size of a given configuration: the peer of our decoding."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from transformers import MarianConfig, MarianMTModel
from transformers.utils import logging

from model.config import TransformerConfig

logging.set_verbosity_error()


def marian(config: TransformerConfig) -> MarianMTModel:
    """Random weights; attention is computed explicitly because a fused kernel does not return it."""
    sizes = MarianConfig(
        vocab_size=config.target_vocab_size,
        d_model=config.d_model,
        encoder_layers=config.n_encoder_layers,
        decoder_layers=config.n_decoder_layers,
        encoder_attention_heads=config.n_encoder_heads,
        decoder_attention_heads=config.n_decoder_heads,
        encoder_ffn_dim=config.d_feed_forward,
        decoder_ffn_dim=config.d_feed_forward,
        activation_function=config.activation,
        max_position_embeddings=512,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
        decoder_start_token_id=2,
        forced_eos_token_id=None,
    )
    sizes._attn_implementation = "eager"
    return MarianMTModel(sizes).eval()


def generate(peer: Any, source: Tensor, *, length: int, beams: int, attention: bool = True) -> object:
    """Decode exactly ``length`` new tokens, with all attention returned."""
    with torch.inference_mode():
        return peer.generate(
            source,
            attention_mask=torch.ones_like(source),
            num_beams=beams,
            do_sample=False,
            min_new_tokens=length,
            max_new_tokens=length,
            output_attentions=attention,
            return_dict_in_generate=True,
        )
