"""The kinds of models of the matrix: tiny, random, in double precision, so that no difference is one of rounding."""

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import torch
import transformers

import model
from model.checkpoints.families.huggingface.adapter import HuggingFaceModel
from model.checkpoints.families.huggingface.network import _configuration
from model.checkpoints.families.huggingface.parts import as_transformer
from model.interventions import KINDS as ATTENTION
from model.layer_spec import AttentionSpec, LayerSpec, Rotary, fields_of_layers
from model.picture import Picture
from tests.checkpoint import tiny_bundle
from tests.tiny import heterogeneous_stacks

_ROTARY = LayerSpec(
    attention=AttentionSpec(n_heads=2, n_key_heads=1, d_key=8, d_value=8, rotary=Rotary(width=8), window=4),
    d_feed_forward=32, gated_feed_forward=True, activation="silu", norm_kind="rms",
)  # fmt: skip
_POST = {"encoder_norm_first": False, "decoder_norm_first": False}
STRIPS = model.PictureSource(height=8, width=32, strip=4, right=0)
VARIANTS: dict[str, dict[str, Any]] = {
    "own": {},
    "picture": {"picture": STRIPS, "source_vocab_size": 257, "source_pad_id": 256, "source_has_eos": False},
    "post-norm": _POST | {"positions": "learned", "position_offset": 2, "output_bias": True},
    "relative": {"positions": "relative", "norm_kind": "rms", "score_scale": 1.0, "relative_buckets": 8,
                 "relative_distance": 10, "gated_feed_forward": True},
    "rotary grouped windowed capped": heterogeneous_stacks() | {"output_cap": 5.0},
    "log-probabilities": {"output_log_softmax": True, "output_scale": 0.5, "bos_id": 0, "mask_target_padding": False},
    "decoder-only": {"n_encoder_layers": 0},
    "decoder-only rotary": fields_of_layers([_ROTARY, dataclasses.replace(_ROTARY, parallel=True)], is_decoder=True)
                           | {"positions": "none"},
    "encoder-only": {"n_decoder_layers": 0, "masked_head": True},
    "encoder-only rotary": fields_of_layers([_ROTARY, dataclasses.replace(_ROTARY, norm_place="post")],
                                            is_decoder=False) | {"positions": "none", "plain_head": True},
}  # fmt: skip
NAMES = (*VARIANTS, "adapter")


@cache
def bundle_of(kind: str) -> model.Bundle:
    """One kind of model."""
    if kind == "adapter":
        return _bart()[0]
    is_single_stack = VARIANTS[kind].get("n_encoder_layers", 1) == 0 or VARIANTS[kind].get("n_decoder_layers", 1) == 0
    tied: dict[str, Any] = {"tie_embeddings": True} if is_single_stack else {}
    bundle = tiny_bundle(seed=11, **VARIANTS[kind], **tied)
    if kind == "picture":
        bundle = dataclasses.replace(bundle, source_tokenizer=None)
    bundle.model.to(torch.float64)
    return bundle


@cache
def picture_of(ids: tuple[int, ...]) -> Picture:
    """A picture with a strip of random ink for each number."""
    pixels = np.zeros((STRIPS.height, STRIPS.strip * len(ids)), np.uint8)
    for place, seed in enumerate(ids):
        ink = np.random.default_rng(seed).integers(1, 16, (4, STRIPS.strip - 1))
        pixels[2:-2, STRIPS.strip * place + 1 : STRIPS.strip * (place + 1)] = 17 * ink
    return Picture(pixels).prepared(STRIPS)


def source_of(kind: str, ids: tuple[int, ...]) -> tuple[Any, ...]:
    """What the encoder reads: ids, or the strips of a picture."""
    return picture_of(ids).strips(STRIPS) if kind == "picture" else ids


def twin_of(kind: str) -> model.Bundle:
    """Our own Transformer with the same weights, whose modules plain hooks can change."""
    return _bart()[1] if kind == "adapter" else bundle_of(kind)


@cache
def _bart() -> tuple[model.Bundle, model.Bundle]:
    torch.manual_seed(5)
    eager: dict[str, Any] = {"attn_implementation": "eager"}
    config = transformers.BartConfig(
        vocab_size=20, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=64, pad_token_id=0,
        bos_token_id=2, eos_token_id=3, decoder_start_token_id=2, init_std=0.4, forced_eos_token_id=None,
        **eager,
    )  # fmt: skip
    network = transformers.BartForConditionalGeneration(config).double().eval()
    usual = _configuration(config, None)
    ours = as_transformer("bart", config, network.state_dict(), usual, "matrix")
    assert ours is not None
    adapted = HuggingFaceModel(network, usual, ATTENTION)
    first, second = (
        dataclasses.replace(tiny_bundle(), name=name, model=made.double().eval(), config=made.config, fingerprint=name)
        for name, made in (("adapter", adapted), ("twin", ours))
    )
    return first, second
