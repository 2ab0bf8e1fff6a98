"""Rebuilds an untrusted config.json from the fields that decide what a model computes, each checked against the limits.

The library reads many more fields: some load code, some make it allocate (``num_labels`` makes that many names). It is
given only the fields listed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.checkpoints.errors import CheckpointError, LimitError
from model.checkpoints.limits import limits

_LAYERS = ("encoder_layers", "decoder_layers", "num_layers", "num_decoder_layers", "num_hidden_layers", "n_layer",
           "n_layers")  # fmt: skip
_WIDTHS = ("d_model", "hidden_size", "n_embd", "dim", "d_ff", "encoder_ffn_dim", "decoder_ffn_dim", "intermediate_size",
           "hidden_dim", "n_inner", "d_kv", "embedding_size")  # fmt: skip
_HEADS = ("encoder_attention_heads", "decoder_attention_heads", "num_heads", "num_attention_heads", "n_head", "n_heads")
_VOCABULARIES = ("vocab_size", "decoder_vocab_size", "type_vocab_size")
_POSITIONS = ("max_position_embeddings", "n_positions", "n_ctx", "relative_attention_num_buckets",
              "relative_attention_max_distance")  # fmt: skip
_IDS = ("pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id", "forced_bos_token_id",
        "forced_eos_token_id", "unk_token_id", "sep_token_id", "cls_token_id", "mask_token_id")  # fmt: skip
_SHARES = ("dropout", "attention_dropout", "activation_dropout", "classifier_dropout", "classif_dropout",
           "hidden_dropout_prob", "attention_probs_dropout_prob", "dropout_rate", "resid_pdrop", "embd_pdrop",
           "attn_pdrop", "seq_classif_dropout", "qa_dropout", "encoder_layerdrop", "decoder_layerdrop",
           "summary_last_dropout", "summary_first_dropout", "layerdrop")  # fmt: skip
_NUMBERS = ("layer_norm_epsilon", "layer_norm_eps", "initializer_factor", "initializer_range", "init_std")
_FLAGS = ("scale_embedding", "tie_word_embeddings", "tie_encoder_decoder", "share_encoder_decoder_embeddings",
          "static_position_embeddings", "normalize_before", "normalize_embedding", "add_final_layer_norm",
          "add_bias_logits", "is_encoder_decoder", "is_decoder", "is_gated_act", "scale_attn_weights",
          "scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "scale_decoder_outputs", "sinusoidal_pos_embds",
          "add_cross_attention", "extra_pos_embeddings")  # fmt: skip
_WORDS = ("model_type", "activation_function", "hidden_act", "activation", "feed_forward_proj", "dense_act_fn",
          "position_embedding_type")  # fmt: skip
_NULLABLE = frozenset({"n_inner", "decoder_vocab_size", *_IDS, *_SHARES})
_LARGEST = 10_000_000


def allowed(described: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a configuration that the library is given.

    Raises:
        LimitError: when a number, or a product of two, is too large.
        CheckpointError: when a value is of the wrong kind.
    """
    bounds, found = limits(), {}
    for names, most in ((_LAYERS, bounds.max_layers), (_WIDTHS, bounds.max_width), (_HEADS, bounds.max_heads),
                        (_VOCABULARIES, bounds.max_vocabulary), (_POSITIONS, bounds.max_positions)):  # fmt: skip
        for name in _present(described, names):
            found[name] = _count(name, described[name], most)
    for name in _present(described, _IDS):
        if isinstance(described[name], int | float) and type(described[name]) is not list:
            found[name] = _id(name, described[name])
    for name in _present(described, (*_SHARES, *_NUMBERS)):
        found[name] = _number(name, described[name], 1.0 if name in _SHARES else _LARGEST)
    for name in _present(described, _FLAGS):
        if not isinstance(described[name], bool):
            raise CheckpointError(f"{name} ({_shown(described[name])}) in config.json must be true or false")
        found[name] = described[name]
    for name in _present(described, _WORDS):
        if not isinstance(described[name], str) or len(described[name]) > 40:
            raise CheckpointError(f"{name} ({_shown(described[name])}) in config.json must be a short name")
        found[name] = described[name]
    _check_products(found)
    return found


def _present(described: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in described and not (described[name] is None and name in _NULLABLE)]


def _count(name: str, value: object, most: int) -> int:
    if type(value) is not int or value < 0:
        raise CheckpointError(f"{name} ({_shown(value)}) in config.json must be a whole number")
    if value > most:
        raise LimitError(f"{name} ({_shown(value)}) in config.json must be at most {most:,} on this installation")
    return value


def _id(name: str, value: object) -> int:
    if type(value) is not int or abs(value) > _LARGEST:
        raise CheckpointError(f"{name} ({_shown(value)}) in config.json must be a token's id, at most {_LARGEST:,}")
    return value


def _number(name: str, value: object, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise CheckpointError(f"{name} ({_shown(value)}) in config.json must be between 0 and {most:,.0f}")
    return value


def _check_products(found: Mapping[str, Any]) -> None:
    """Check the size of tables that the library computes before it reads any weight."""
    length = max((found[name] for name in _POSITIONS[:3] if name in found), default=0)
    width = max((found[name] for name in ("d_model", "hidden_size", "n_embd", "dim") if name in found), default=0)
    if length * width > limits().max_table:
        raise LimitError(
            f"positions × width ({length:,} × {width:,}) must be at most {limits().max_table:,} on this installation"
        )


def _shown(value: object) -> str:
    """A value for a message: an integer of thousands of digits cannot be written out."""
    if isinstance(value, int) and value.bit_length() > 128:
        return "a number of more than 38 digits"
    return f"{value!r:.40}"
