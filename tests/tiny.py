"""Seeded tiny models for tests: no network, no shipped weights."""

import dataclasses
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.config import TransformerConfig
from model.layer_spec import AttentionSpec, LayerSpec, Rotary, fields_of_layers
from model.nn.transformer import Transformer
from model.trace import Floats

POST_NORM: dict[str, Any] = {"encoder_norm_first": False, "decoder_norm_first": False}
T5: dict[str, Any] = {"positions": "relative", "norm_kind": "rms", "gated_feed_forward": True, "score_scale": 1.0,
                      "attention_bias": False, "feed_forward_bias": False}  # fmt: skip


def tiny_config(**changes: Any) -> TransformerConfig:
    """Two layers and two heads on each side, 16 wide, 20 pieces; fields can be changed by name."""
    fields: dict[str, Any] = {
        "source_vocab_size": 20,
        "target_vocab_size": 20,
        "d_model": 16,
        "d_feed_forward": 32,
        "n_encoder_layers": 2,
        "n_decoder_layers": 2,
        "n_encoder_heads": 2,
        "n_decoder_heads": 2,
        "max_positions": 64,
    }
    return TransformerConfig(**fields | changes)


def heterogeneous_stacks(**changes: Any) -> dict[str, Any]:
    """Two different layers per stack, as wide as the tiny model's: rotary positions and ALiBi, grouped heads, windows,
    capped scores, query norms, post-norms of sublayers and of the sum. Fields of the layers can be changed."""
    rotary = AttentionSpec(n_heads=2, n_key_heads=1, d_key=8, d_value=8, bias=False, rotary=Rotary(width=6), window=3)
    plain = AttentionSpec(n_heads=2, d_key=8, d_value=8)
    cross = dataclasses.replace(plain, n_key_heads=1, scale=0.3, cap=4.0)
    gated = LayerSpec(attention=rotary, d_feed_forward=32, activation="silu", gated_feed_forward=True,
                      feed_forward_bias=False, norm_kind="rms", output_norm=True)  # fmt: skip
    post_norm = LayerSpec(attention=dataclasses.replace(plain, slopes=(0.5, 0.1), cap=5.0), d_feed_forward=32,
                      activation="gelu", norm_place="post", residual_scale=1.5)  # fmt: skip
    query_norm = dataclasses.replace(rotary, query_norm="head", window=2)
    layers = (
        gated, post_norm, dataclasses.replace(gated, attention=query_norm, cross=cross),
        dataclasses.replace(post_norm, attention=plain, cross=dataclasses.replace(plain, query_norm="whole")),
    )  # fmt: skip
    changed = [dataclasses.replace(layer, **changes) for layer in layers]
    return fields_of_layers(changed, is_decoder=False) | {"positions": "none"}


def tiny_model(seed: int = 0, **changes: Any) -> Transformer:
    """A model in eval mode whose every parameter is random, biases and norms included."""
    generator = torch.Generator().manual_seed(seed)
    model = Transformer(tiny_config(**changes)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.3)
        for name, parameter in model.named_parameters():
            if "norm" in name and name.endswith("weight"):
                parameter.add_(1.0)
    return model


def bundle_of_ids(seed: int = 0, **changes: Any) -> Bundle:
    """A tiny model without a vocabulary; texts are ids, such as "#5 #6"."""
    model = tiny_model(seed, **changes)
    return Bundle("tiny", model, model.config, None, None, fingerprint=f"{seed} {changes}")


def tiny_batch(seed: int = 0) -> tuple[Tensor, Tensor]:
    """Source (3, 6) and target (3, 5) ids, padded with 0: lengths 6, 4, 1 and 5, 2, 3."""
    generator = torch.Generator().manual_seed(seed)
    source = torch.randint(4, 20, (3, 6), generator=generator)
    target = torch.randint(4, 20, (3, 5), generator=generator)
    target[:, 0] = 2
    for ids, lengths in ((source, (6, 4, 1)), (target, (5, 2, 3))):
        for row, length in zip(ids, lengths, strict=True):
            row[length:] = 0
    return source, target


def random_rows(*shape: int, seed: int = 0, is_causal: bool = False) -> Floats:
    """Attention weights of this shape whose rows sum to 1; causal ones without weight on later keys."""
    raw = np.random.default_rng(seed).random(shape)
    raw = np.tril(raw) if is_causal else raw
    return (raw / raw.sum(-1, keepdims=True)).astype(np.float32)
