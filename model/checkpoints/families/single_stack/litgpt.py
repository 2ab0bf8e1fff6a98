"""lit-gpt and LitGPT: ``lit_model.pth`` with ``model_config.yaml`` (``lit_config.json`` in its first releases)."""

import math
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.families.renaming import matrix, recognise_by_names
from model.checkpoints.families.single_stack.common import ids_of, single_stack
from model.checkpoints.families.single_stack.llama import llama3_frequencies
from model.checkpoints.families.tables import FUSED, by_group, infer_config_from_shapes, layout
from model.checkpoints.formats.settings import flag_of, number_of
from model.checkpoints.formats.source import Source, read_json
from model.config import TransformerConfig
from model.layer_spec import AttentionSpec, LayerSpec, Rotary, fields_of_layers
from model.nn.rotary import frequencies, with_turns

NAME = "litgpt"
CONFIGS = ("model_config.yaml", "lit_config.json")
_REFUSED = {
    "n_expert": "a mixture of experts", "latent_attention": "latent attention",
    "rope_indices": "rotary positions of two kinds",
}  # fmt: skip
_WORDS = ("transformer.h.0.attn.proj.weight", "transformer.wte.weight")
recognise = recognise_by_names(*((f"transformer.h.0.attn.{name}.weight", *_WORDS) for name in ("qkv", "attn")))


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    where, settings = source.where, _settings(source)
    for name, what in _REFUSED.items():
        if settings.get(name):
            raise CheckpointError(
                f"{where} has {what} ({name}), which is not read here: save its attention as a file instead "
                "(docs/attention-files.md)"
            )
    size, d_model = matrix(source.tensors, "transformer.wte.weight", where=where)
    stack = _layers(settings, d_model)
    attention = stack[0].attention
    tensors = _apart(source.tensors, attention, where)
    if settings.get("norm_class_name") == "RMSNorm" and str(settings.get("name", "")).lower().startswith("gemma"):
        # Gemma adds one to the stored weights of its norms
        tensors = {n: x + 1 if "norm" in n or ".ln_f." in n else x for n, x in tensors.items()}
    cap, names = settings.get("final_logit_softcapping"), _table(settings, stack[0])
    fields: dict[str, Any] = {
        **infer_config_from_shapes(names, tensors, where=where), **fields_of_layers(stack, is_decoder=True),
        "encoder_final_norm": False, "positions": "none",
        "embedding_scale": d_model**0.5 if flag_of(settings, "scale_embeddings") else 1.0,
        "max_positions": number_of(settings, "block_size", 2048, least=1), "mask_target_padding": False,
        "output_cap": float(cap) if cap else None,
        **ids_of(answers, tokenizers.source, size),
    }  # fmt: skip
    config = TransformerConfig(**fields)
    return single_stack(source, tensors, names, config, answers, tokenizers)


def _settings(source: Source) -> dict[str, Any]:
    """The configuration beside the weights.

    Raises:
        CheckpointError: when it is not there.
    """
    from model.checkpoints.formats.plain_yaml import read_yaml  # PyYAML is optional for the library

    name = next((name for name in CONFIGS if name in source.files), None)
    if name is None:
        raise CheckpointError(
            f"{source.where} is a LitGPT checkpoint without its configuration: give its folder, with {CONFIGS[0]} in it"
        )
    path = source.files[name]
    settings = read_json(path) if path.suffix == ".json" else read_yaml(path)
    return {str(key): value for key, value in settings.items()} if isinstance(settings, dict) else {}


def _layers(settings: Mapping[str, Any], d_model: int) -> tuple[LayerSpec, ...]:
    n_layers, n_heads = number_of(settings, "n_layer", 16, least=1), number_of(settings, "n_head", 32, least=1)
    width = number_of(settings, "head_size", d_model // n_heads, least=1)
    window = number_of(settings, "sliding_window_size", 0)
    near = settings.get("sliding_window_indices") or [1] * n_layers
    kind, network = settings.get("norm_class_name", "LayerNorm"), settings.get("mlp_class_name", "GptNeoxMLP")
    approximate = settings.get("gelu_approximate") == "tanh"
    has_bias = bool(settings.get("bias", True))
    spec = _attention(settings, n_heads, width, has_bias or flag_of(settings, "attn_bias"))
    general: dict[str, Any] = {
        "d_feed_forward": number_of(settings, "intermediate_size", 4 * d_model, least=1),
        "activation": "silu" if network == "LLaMAMLP" else "gelu_tanh" if approximate else "gelu",
        "gated_feed_forward": network != "GptNeoxMLP", "feed_forward_bias": has_bias,
        "norm_kind": "rms" if kind == "RMSNorm" else "layer", "norm_epsilon": float(settings.get("norm_eps", 1e-5)),
        "norm_place": "pre" if settings.get("norm_1", True) else "none",
        "output_norm": flag_of(settings, "post_attention_norm"),
        "parallel": bool(settings.get("parallel_residual", True)),
    }  # fmt: skip
    return tuple(
        LayerSpec(attention=AttentionSpec(**spec, window=window if window and near[i] else None), **general)
        for i in range(n_layers)
    )


def _attention(settings: Mapping[str, Any], n_heads: int, width: int, bias: bool) -> dict[str, Any]:
    scalar, cap = settings.get("attention_scores_scalar"), settings.get("attention_logit_softcapping")
    adjusted = settings.get("rope_adjustments") or {}
    both = adjusted.get("mscale_all_dim") and adjusted.get("factor")
    of_yarn = 0.1 * both * math.log(adjusted["factor"]) + 1.0 if both and adjusted["factor"] > 1 else 1.0
    scale = (scalar or width) ** -0.5 * of_yarn**2
    turned = int(float(settings.get("rotary_percentage", 0.25)) * width)
    whole_norm = settings.get("norm_qk_type") == "olmo2"
    return {
        "n_heads": n_heads, "n_key_heads": number_of(settings, "n_query_groups", n_heads, least=1), "d_key": width,
        "d_value": width, "bias": bias, "scale": scale, "cap": float(cap) if cap else None,
        "rotary": _rotary(settings, adjusted, turned) if turned >= 2 else None,
        "query_norm": ("whole" if whole_norm else "head") if flag_of(settings, "norm_qk") else "",
    }  # fmt: skip


def _rotary(settings: Mapping[str, Any], adjusted: Mapping[str, Any], width: int) -> Rotary:
    if width % 2 or "beta_fast" in adjusted or "beta_slow" in adjusted:
        raise CheckpointError("rotary positions of this kind (YaRN, or an odd width) are not read from LitGPT: save "
                              "the model for transformers with litgpt convert_from_litgpt")  # fmt: skip
    plain = Rotary(width=width, base=float(settings.get("rope_base", 10_000)),
                   interleaved=flag_of(settings, "rope_interleave"))  # fmt: skip
    turns = frequencies(plain) / float(settings.get("rope_condense_ratio", 1))
    if "original_max_seq_len" in adjusted:
        names = ("factor", "low_freq_factor", "high_freq_factor", "original_max_seq_len")
        turns = llama3_frequencies(turns, *(float(adjusted[name]) for name in names))
    elif adjusted:
        turns = turns / float(adjusted["factor"])
    return with_turns(plain, turns)


def _apart(tensors: Mapping[str, Tensor], spec: AttentionSpec, where: str) -> dict[str, Tensor]:
    """Queries, keys and values apart: one after the other, or in older files group by group."""
    separate = {}
    sizes = [spec.n_heads * spec.d_key, spec.key_heads * spec.d_key, spec.key_heads * spec.d_value]
    for name, tensor in tensors.items():
        place, _, end = name.rpartition(".")
        if not place.endswith((".attn.qkv", ".attn.attn")):
            separate[name] = tensor
            continue
        if len(tensor) != sum(sizes):
            raise CheckpointError(f"{name} of {where} has {len(tensor)} rows, and its configuration says {sum(sizes)}: "
                                  "give the configuration that was saved with these weights")  # fmt: skip
        if place.endswith(".attn.attn"):
            parts = by_group(tensor, spec.key_heads, spec.d_key)
        else:
            parts = tuple(tensor.split(sizes))
        around = place.rpartition(".")[0]
        separate |= {f"{around}.{side}.{end}": part for side, part in zip(FUSED, parts, strict=True)}
    return separate


def _table(settings: Mapping[str, Any], layer: LayerSpec) -> dict[str, str]:
    network = ("fc_1", "proj", "fc_2") if layer.gated_feed_forward else ("fc", "proj")
    return {
        "decoder.embedding.weight": "transformer.wte.weight", "decoder.final_norm.*": "transformer.ln_f.*",
        "output.*": "lm_head.*",
        **layout("decoder", "transformer.h.{}", (*FUSED, "proj"), ("attn",), tuple(f"mlp.{name}" for name in network),
                 ("norm_1", "norm_1" if flag_of(settings, "shared_attention_norm") else "norm_2"),
                 query_norms=("norm_q", "norm_k"), output_norms=("post_attention_norm", "post_mlp_norm")),
    }  # fmt: skip
