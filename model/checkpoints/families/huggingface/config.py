"""Rebuilds an untrusted config.json from the fields that decide what a model computes, each checked against the limits.

The library reads many more fields: some load code, some make it allocate (``num_labels`` makes that many names). It is
given only the fields listed here.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from model.checkpoints.basis.errors import CheckpointError, LimitError
from model.checkpoints.basis.limits import limits
from model.config import ConfigError

_LAYERS = ("encoder_layers", "decoder_layers", "num_layers", "num_decoder_layers", "num_hidden_layers", "n_layer",
           "n_layers", "num_sparse_encoder_layers", "num_sparse_decoder_layers", "num_hidden_groups",
           "inner_group_num", "encoder_sparse_step", "decoder_sparse_step", "first_k_dense_replace",
           "no_rope_layer_interval", "max_window_layers",
           "num_ln_in_parallel_attn", "expansion_ratio", "num_conv_layers")  # fmt: skip
_WIDTHS = ("d_model", "hidden_size", "n_embd", "dim", "d_ff", "encoder_ffn_dim", "decoder_ffn_dim", "intermediate_size",
           "hidden_dim", "n_inner", "d_kv", "embedding_size", "ffn_dim", "ffn_hidden_size", "head_dim", "emb_dim",
           "word_embed_proj_dim", "moe_intermediate_size", "shared_expert_intermediate_size",
           "kv_lora_rank", "q_lora_rank", "qk_rope_head_dim",
           "qk_nope_head_dim", "qk_head_dim", "v_head_dim", "rotary_dim", "cross_attention_hidden_size",
           "pooler_hidden_size", "prompt_length", "prompt_mid_dim", "num_channels", "embed_dim",
           "pooler_output_size", "num_mel_bins", "conv_channels", "input_feat_per_channel", "input_channels",
           "encoder_stride")  # fmt: skip
_HEADS = ("encoder_attention_heads", "decoder_attention_heads", "num_heads", "num_attention_heads", "n_head",
          "n_heads", "num_key_value_heads", "num_kv_heads", "attention_heads", "num_experts", "num_local_experts",
          "n_routed_experts", "n_shared_experts", "num_experts_per_tok", "n_group", "topk_group")  # fmt: skip
_VOCABULARIES = ("vocab_size", "decoder_vocab_size", "type_vocab_size", "src_vocab_size", "tgt_vocab_size",
                 "n_langs", "task_type_vocab_size")  # fmt: skip
_POSITIONS = ("max_position_embeddings", "n_positions", "n_ctx", "relative_attention_num_buckets",
              "relative_attention_max_distance", "sliding_window", "window_size", "local_attention",
              "expert_capacity", "original_max_position_embeddings", "max_seq_len",
              "max_encoder_position_embeddings", "max_decoder_position_embeddings", "local_radius",
              "global_block_size", "block_size", "num_random_blocks", "max_source_positions",
              "max_target_positions")  # fmt: skip
_TABLES = (
    *_POSITIONS[:3],
    "max_encoder_position_embeddings",
    "max_decoder_position_embeddings",
    "max_source_positions",
    "max_target_positions",
)
"""The positions for which the library allocates a table."""
MORE_ENDS = "more_eos_token_ids"
"""Our name for all but the first of several end tokens."""
_IDS = ("pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id", "forced_bos_token_id",
        "forced_eos_token_id", "unk_token_id", "sep_token_id", "cls_token_id", "mask_token_id")  # fmt: skip
_SHARES = ("dropout", "attention_dropout", "activation_dropout", "classifier_dropout", "classif_dropout",
           "hidden_dropout_prob", "attention_probs_dropout_prob", "dropout_rate", "resid_pdrop", "embd_pdrop",
           "attn_pdrop", "seq_classif_dropout", "qa_dropout", "encoder_layerdrop", "decoder_layerdrop",
           "summary_last_dropout", "summary_first_dropout", "layerdrop", "hidden_dropout", "embed_dropout",
           "resid_dropout", "embedding_dropout", "mlp_dropout", "pooler_dropout", "classifier_dropout_prob",
           "residual_dropout", "embd_dropout", "ffn_dropout", "moe_token_dropout", "emb_pdrop", "drop_path_rate",
           "layer_scale_init_value")  # fmt: skip
_NUMBERS = ("layer_norm_epsilon", "layer_norm_eps", "initializer_factor", "initializer_range", "init_std",
            "rms_norm_eps", "norm_eps", "norm_epsilon", "layernorm_epsilon", "rope_theta", "rotary_emb_base",
            "rope_local_base_freq", "global_rope_theta", "local_rope_theta", "rotary_pct", "partial_rotary_factor",
            "router_jitter_noise", "moe_eval_capacity_token_fraction", "embedding_multiplier", "residual_multiplier",
            "attention_multiplier", "logits_scaling", "logit_scale", "routed_scaling_factor", "final_logit_softcapping",
            "attn_logit_softcapping", "query_pre_attn_scalar", "clip_qkv", "softmax_scale", "mlp_ratio")  # fmt: skip
_FLAGS = ("scale_embedding", "tie_word_embeddings", "tie_encoder_decoder", "share_encoder_decoder_embeddings",
          "static_position_embeddings", "normalize_before", "normalize_embedding", "add_final_layer_norm",
          "add_bias_logits", "is_encoder_decoder", "is_decoder", "is_gated_act", "scale_attn_weights",
          "scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "scale_decoder_outputs", "sinusoidal_pos_embds",
          "add_cross_attention", "extra_pos_embeddings", "attention_bias", "mlp_bias", "qkv_bias", "use_qkv_bias",
          "learned_pos_emb", "bias", "use_bias", "qk_layernorm", "use_qk_norm", "norm_bias", "decoder_bias",
          "rope_interleave", "norm_topk_prob",
          "use_sliding_window", "use_bidirectional_attention", "use_parallel_residual", "do_layer_norm_before",
          "_remove_final_layer_norm", "enable_bias", "layer_norm_elementwise_affine",
          "apply_residual_connection_post_layernorm", "slow_but_exact", "relative_attention", "position_biased_input",
          "share_att_key", "legacy", "gelu_activation", "sinusoidal_embeddings", "causal", "asm",
          "use_lang_emb", "is_encoder", "pre_norm", "router_bias", "router_ignore_padding_tokens",
          "normalize_router_prob_before_dropping", "batch_prioritized_routing", "multi_query", "alibi", "parallel_attn",
          "new_decoder_architecture", "rotary_value", "use_prompt", "use_task_id", "attention_softmax_in_fp32",
          "scale_attention_softmax_in_fp32", "no_bias", "use_mems_eval", "is_causal", "use_mask_token",
          "use_absolute_position_embeddings", "use_relative_position_bias", "use_shared_relative_position_bias",
          "use_mean_pooling", "use_absolute_embeddings", "use_learned_position_embeddings",
          "layernorm_embedding")  # fmt: skip
_WORDS = ("model_type", "activation_function", "hidden_act", "activation", "feed_forward_proj", "dense_act_fn",
          "position_embedding_type", "hidden_activation", "router_dtype", "second_expert_policy", "conv_act",
          "norm_rel_ebd", "encoder_attention_type", "attention_type", "pooler_act")  # fmt: skip
_PLAIN = ("rope_parameters", "rope_scaling", "layer_types", "no_rope_layers", "attention_types", "attention_layers",
          "pos_att_type", "attn_config", "global_attn_every_n_layers", "sliding_window_pattern",
          "_sliding_window_pattern", "max_relative_positions", "position_buckets", "conv_kernel_size", "pad_index",
          "bos_index", "eos_index", "unk_index", "mask_index", "lang_id", "mlp_layer_types", "mlp_only_layers",
          "attention_window")  # fmt: skip
"""Fields whose values are of several kinds, or lists and tables of plain values."""
_SIDES = ("image_size", "patch_size")
_LISTED = ("depths", "num_heads", "conv_kernel_sizes", *_SIDES)
"""Fields that hold a count, or one for each stage, layer or side."""
_PARTS = ("encoder", "decoder")
"""Configurations within a configuration."""
_NULLABLE = frozenset({"n_inner", "decoder_vocab_size", *_IDS, *_SHARES})
_NONE_MEANS = frozenset({"head_dim", "num_key_value_heads", "sliding_window", "q_lora_rank", "rotary_dim",
                         "num_kv_heads", "num_ln_in_parallel_attn", "cross_attention_hidden_size",
                         "final_logit_softcapping", "ffn_hidden_size",
                         "attn_logit_softcapping", "logit_scale", "use_bidirectional_attention", "clip_qkv",
                         "softmax_scale", "intermediate_size", "original_max_position_embeddings"})  # fmt: skip
"""Fields in which null is a value, and not the default."""
_WITHOUT_TABLE = frozenset({
    "bloom", "cohere", "deepseek_v3", "falcon", "gemma", "gemma2", "gemma3_text", "gpt_neox", "granite", "llama",
    "mistral", "mixtral", "modernbert", "mpt", "olmo", "olmo2", "olmoe", "persimmon", "phi", "phi3", "qwen2",
    "qwen2_moe", "qwen3", "qwen3_moe", "smollm3",
    "stablelm", "starcoder2", "t5_gemma_module",
})  # fmt: skip
"""Types that compute their positions, so that their number allocates nothing."""
_MOST_STAGES = 8
_MOST_SIDE = 4096
_MOST_ITEMS = 1000
_LARGEST = 10_000_000


def allowed_fields(described: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a configuration that are passed to the library.

    Raises:
        LimitError: when a number, or a product of two, is too large.
        CheckpointError: when a value is of the wrong kind.
    """
    bounds = limits()
    has_table = described.get("model_type") not in _WITHOUT_TABLE
    most_positions = bounds.max_positions if has_table else _LARGEST
    checked: dict[str, Any] = {name: None for name in _NONE_MEANS if name in described and described[name] is None}
    described = {name: value for name, value in described.items() if name not in checked}
    listed = {name: value for name in _LISTED if isinstance(value := described.get(name), list | tuple)}
    described = {name: value for name, value in described.items() if name not in listed}
    for name, values in listed.items():
        if len(values) > _MOST_STAGES:
            raise LimitError(f"{name} in config.json must have at most {_MOST_STAGES} numbers")
        checked[name] = [_count(name, value, _most_listed(name)) for value in values]
    checked |= {name: _count(name, described[name], _most_listed(name)) for name in _present(described, _SIDES)}
    checked |= {name: allowed_fields(part) for name in _PARTS if isinstance(part := described.get(name), dict)}
    checked |= {name: _plain(name, described[name]) for name in _PLAIN if name in described}
    for names, most in ((_LAYERS, bounds.max_layers), (_WIDTHS, bounds.max_width), (_HEADS, bounds.max_heads),
                        (_VOCABULARIES, bounds.max_vocabulary), (_POSITIONS, most_positions)):  # fmt: skip
        for name in _present(described, names):
            checked[name] = _count(name, described[name], most)
    for name in _present(described, _IDS):
        value = described[name]
        if isinstance(value, list) and name == "eos_token_id" and value:
            value, *more = value
            checked[MORE_ENDS] = [_id(name, index) for index in more]
        if isinstance(value, int | float):
            checked[name] = _id(name, value)
    for name in _present(described, (*_SHARES, *_NUMBERS)):
        checked[name] = _number(name, described[name], 1.0 if name in _SHARES else _LARGEST)
    for name in _present(described, _FLAGS):
        if not isinstance(described[name], bool):
            raise CheckpointError(f"{name} ({_format_value(described[name])}) in config.json must be true or false")
        checked[name] = described[name]
    for name in _present(described, _WORDS):
        if not isinstance(described[name], str) or len(described[name]) > 40:
            raise CheckpointError(f"{name} ({_format_value(described[name])}) in config.json must be a short name")
        checked[name] = described[name]
    if has_table:
        _check_products(checked)
    return checked


@contextmanager
def contradictions_explained() -> Iterator[None]:
    """Turn ConfigError into CheckpointError: a config.json contradicts itself."""
    try:
        yield
    except ConfigError as error:
        raise CheckpointError(
            f"config.json contradicts itself ({error}): give the one saved with these weights"
        ) from error


def _most_listed(name: str) -> int:
    return limits().max_layers if name == "depths" else limits().max_heads if name == "num_heads" else _MOST_SIDE


def check_token_ids(ids: Mapping[str, Any], where: str) -> None:
    """Check that each value is a token's id, or a list of them for the end of a text, and say of which file it is.

    Raises:
        CheckpointError: for another value.
    """
    for name, value in ids.items():
        for index in value if isinstance(value, list) and name == "eos_token_id" else (value,):
            _id(name, index, where)


def _present(described: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in described and not (described[name] is None and name in _NULLABLE)]


def _count(name: str, value: object, most: int) -> int:
    if type(value) is not int or value < 0:
        raise CheckpointError(f"{name} ({_format_value(value)}) in config.json must be a whole number")
    if value > most:
        raise LimitError(
            f"{name} ({_format_value(value)}) in config.json must be at most {most:,} on this installation"
        )
    return value


def _id(name: str, value: object, where: str = "config.json") -> int:
    if type(value) is not int or abs(value) > _LARGEST:
        raise CheckpointError(f"{name} ({_format_value(value)}) in {where} must be a token's id, at most {_LARGEST:,}")
    return value


def _number(name: str, value: object, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise CheckpointError(f"{name} ({_format_value(value)}) in config.json must be between 0 and {most:,.0f}")
    return value


def _plain(name: str, value: object, depth: int = 0) -> Any:
    """A value made of a few plain values, unchanged.

    Raises:
        CheckpointError: for anything else.
    """
    if value is None or isinstance(value, bool) or (isinstance(value, int | float) and abs(value) <= _LARGEST):
        return value
    if isinstance(value, str) and len(value) <= 40:
        return value
    if isinstance(value, list | tuple) and len(value) <= _MOST_ITEMS and depth < 4:
        return [_plain(name, item, depth + 1) for item in value]
    if isinstance(value, dict) and len(value) <= 40 and depth < 2:
        return {str(key)[:40]: _plain(name, item, depth + 1) for key, item in value.items()}
    raise CheckpointError(f"{name} ({_format_value(value)}) in config.json must be plain numbers and names")


def _check_products(settings: Mapping[str, Any]) -> None:
    """Check the size of the tables that the library computes before it reads any weights."""
    length = max((settings[name] for name in _TABLES if name in settings), default=0)
    width = max((settings[name] for name in ("d_model", "hidden_size", "n_embd", "dim") if name in settings), default=0)
    if length * width > limits().max_table:
        raise LimitError(
            f"positions × width ({length:,} × {width:,}) must be at most {limits().max_table:,} on this installation"
        )


def _format_value(value: object) -> str:
    """A value as text for a message: Python refuses to print an integer of thousands of digits."""
    if isinstance(value, int) and value.bit_length() > 128:
        return "a number of more than 38 digits"
    return f"{value!r:.40}"
