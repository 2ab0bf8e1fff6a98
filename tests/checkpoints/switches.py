"""Seeded configurations of the architectures: every switch that a configuration has, drawn at random.

``python -m benchmarks.architectures --switches 6`` compares many with the library; test_architectures.py a few.
"""

import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import transformers

import model
from tests.checkpoints.architectures import ARCHITECTURES, SOURCE, TARGET, Architecture, differences, run_original, save

_YES_NO = (True, False)
_ROTARY: tuple[dict[str, Any], ...] = (
    {"rope_type": "default", "rope_theta": 500.0},
    {"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.0},
    {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0, "original_max_position_embeddings": 64},
    {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 16},
    {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
     "original_max_position_embeddings": 32},
)  # fmt: skip
_ACTIVATIONS = ("gelu", "relu", "silu", "gelu_new")
SWITCHES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(
        ("tie_word_embeddings", "attention_bias", "mlp_bias", "qkv_bias", "use_bias", "bias", "scale_embedding",
         "do_layer_norm_before", "use_parallel_residual", "parallel_attn",
         "alibi", "multi_query", "new_decoder_architecture", "qk_layernorm", "use_qk_norm", "norm_topk_prob",
         "scale_attn_weights", "scale_attn_by_inverse_layer_idx", "enable_bias",
         "apply_residual_connection_post_layernorm", "decoder_bias", "norm_bias", "position_biased_input",
         "share_att_key", "relative_attention", "sinusoidal_embeddings", "rope_interleave"),
        _YES_NO,
    ),
    **dict.fromkeys(("hidden_act", "activation_function", "hidden_activation"), _ACTIVATIONS),
    "feed_forward_proj": ("relu", "gated-gelu", "gated-silu"),
    "num_key_value_heads": (1, 2, 4), "num_experts_per_tok": (1, 2, 3), "type_vocab_size": (1, 2),
    "sliding_window": (None, 2, 5), "rotary_dim": (2, 4),
    "final_logit_softcapping": (None, 2.0), "attn_logit_softcapping": (None, 1.0),
    "rope_parameters": _ROTARY, "logit_scale": (0.5, 2.0), "clip_qkv": (None, 0.5),
    "encoder_layers": (1, 3), "decoder_layers": (1, 3), "num_hidden_layers": (2, 3), "n_layer": (1, 3),
    "relative_attention_num_buckets": (4, 8), "relative_attention_max_distance": (20, 40),
    "residual_multiplier": (0.5, 1.0), "embedding_multiplier": (1.0, 3.0), "attention_multiplier": (0.2, 1.0),
}  # fmt: skip
"""By field, the values that are drawn; a field of another name means nothing to any of the classes."""
_DRAWN = 0.6
"""How often a switch is drawn at all; otherwise it stays as the architecture has it."""
_LISTED_BY_LAYER = ("layer_types", "mlp_layer_types", "no_rope_layers", "mlp_only_layers", "attention_types")


def vary(name: str, seed: int) -> Architecture:
    """An architecture with switches drawn by a seed; those that its configuration does not have stay out."""
    base = ARCHITECTURES[name]
    if base.class_name == "EncoderDecoderModel":
        return base
    draw = random.Random(f"{name} {seed}")
    known = getattr(transformers, base.class_name).config_class(**base.fields)
    fields = dict(base.fields)
    has_lists = any(field in fields for field in _LISTED_BY_LAYER)
    for field, values in SWITCHES.items():
        is_known = hasattr(known, field) and not (has_lists and field in ("num_hidden_layers", "sliding_window"))
        if draw.random() < _DRAWN and is_known:
            fields[field] = deepcopy(draw.choice(values))  # the library adds to a table of rotary positions
    return Architecture(base.class_name, base.shape, fields, base.kind)


def largest_difference(name: str, seed: int, folder: Path) -> float | None:
    """The largest difference from the library's eager code, of attention and logits; None where the library itself
    does not build or run this configuration. Where logits are larger than 1 it is a share of the largest, because what
    float32 rounds off grows with them.

    Raises:
        CheckpointError: when we refuse what the library runs.
    """
    architecture = vary(name, seed)
    try:
        expected = run_original(save(architecture, folder), architecture)
    except Exception:  # the library raises whatever two switches lead to that do not go together
        return None
    gaps = differences(model.attend(model.load(folder), SOURCE.numpy(), TARGET.numpy()), expected)
    return max(apart / max(1.0, float(np.abs(expected[kind]).max())) for kind, apart in gaps.items())
