"""The decoder-only models of ``transformers`` as our Transformer, so that they have all of its features.

Encoder-decoders made of their layers are here too. Those whose layers are all alike, BART's and T5's kin, are described
by the fields of a configuration (``parts``).

The library has built the model, and so has settled defaults, old spellings and ties. Here its configuration becomes
our fields and its tensors get our names. Whatever a family has that our layers lack leaves the model to the adapter.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from model.checkpoints.families.huggingface import stack_tables as tables
from model.checkpoints.families.huggingface.gpt_decoders import GPT_DECODERS
from model.checkpoints.families.huggingface.stack_description import (
    Described,
    NotOursError,
    Tensors,
    activation_of,
    by_head,
    heads_of,
    rotary_of,
    split_fused,
)
from model.checkpoints.families.renaming import Table
from model.layer_spec import AttentionSpec, LayerSpec

_EPSILONS = ("rms_norm_eps", "layer_norm_eps", "norm_epsilon", "layer_norm_epsilon")
_ACTIVATIONS = ("hidden_activation", "hidden_act", "activation_function")
"""The fields of the library's configurations for a norm's epsilon and an activation; the first counts."""


def _windows(config: Any) -> list[int | None]:
    """The window of each layer."""
    size, kinds = getattr(config, "sliding_window", None), getattr(config, "layer_types", None)
    if kinds is None:
        return [size] * config.num_hidden_layers
    return [size if kind == "sliding_attention" else None for kind in kinds]


def _llama(
    config: Any,
    network: Any,
    *,
    table: Table = tables.LLAMA,
    plus_one: bool = False,
    layer: Mapping[str, Any] | None = None,
    attention: Mapping[str, Any] | None = None,
    fields: Mapping[str, Any] | None = None,
    prepared: Callable[[Tensors], Tensors] = dict,
    has_windows: bool = False,
    by_kind: bool = False,
    interleaved: bool = False,
) -> Described:
    """Llama and similar models: rotary positions, grouped heads, RMS norms and gated networks, with variants."""
    n_heads, key_heads, width = heads_of(config)
    kinds = getattr(config, "layer_types", None) if by_kind else None
    windows = _windows(config) if has_windows else [None] * config.num_hidden_layers
    turns = {kind: rotary_of(network, kind, interleaved=interleaved) for kind in set(kinds or [""])}
    without = getattr(config, "no_rope_layers", None) or [1] * config.num_hidden_layers
    biased = any(name.endswith(".bias") for name in network.state_dict() if "attn" in name or "attention" in name)
    general: dict[str, Any] = {
        "d_feed_forward": config.intermediate_size, "gated_feed_forward": True, "norm_kind": "rms",
        "activation": activation_of(next(filter(None, (getattr(config, name, None) for name in _ACTIVATIONS)), "")),
        "norm_epsilon": next((float(getattr(config, name)) for name in _EPSILONS if hasattr(config, name)), 1e-5),
        "feed_forward_bias": any(name.endswith(".bias") for name in network.state_dict() if ".mlp." in name),
    } | dict(layer or {})  # fmt: skip
    sizes: dict[str, Any] = {
        "n_heads": n_heads, "n_key_heads": key_heads, "d_key": width, "d_value": width, "bias": biased
    }  # fmt: skip
    layers = tuple(
        LayerSpec(
            attention=AttentionSpec(**sizes | {
                "window": windows[i], "rotary": turns[kinds[i] if kinds else ""] if without[i] else None,
            } | dict(attention or {})),
            **general,
        )
        for i in range(config.num_hidden_layers)
    )  # fmt: skip

    def with_whole_norms(tensors: Tensors) -> Tensors:  # Gemma adds one to the stored weights of its norms
        return {n: t + 1 if n.endswith("norm.weight") else t for n, t in prepared(tensors).items()}

    fitted = with_whole_norms if plus_one else prepared
    return Described(layers, table, {"embedding_scale": 1.0} | dict(fields or {}), fitted)


def _gemma(config: Any, network: Any, **more: Any) -> Described:
    if getattr(config, "use_bidirectional_attention", None) is True:
        raise NotOursError("attention without a causal mask")
    fields = {
        "embedding_scale": config.hidden_size**0.5,
        "output_cap": getattr(config, "final_logit_softcapping", None),
    }
    return _llama(config, network, plus_one=True, fields=fields, **more)


def _gemma2(config: Any, network: Any, **more: Any) -> Described:
    """Gemma 2, and each stack of T5Gemma: windows per layer, soft-capped scores, and a norm after each sublayer."""
    attention = {"scale": config.query_pre_attn_scalar**-0.5, "cap": getattr(config, "attn_logit_softcapping", None)}
    return _gemma(config, network, table=tables.GEMMA2, layer={"output_norm": True}, has_windows=True,
                  attention=attention | more.pop("attention", {}), **more)  # fmt: skip


def _olmo(config: Any, network: Any) -> Described:
    if config.clip_qkv is not None:
        raise NotOursError("clipped queries, keys and values")
    return _llama(config, network, layer={"norm_kind": "layer", "norm_epsilon": 1e-5})


def _cohere(config: Any, network: Any) -> Described:
    if config.use_qk_norm:
        raise NotOursError("norms of queries with a weight for each head")
    return _llama(config, network, table=tables.COHERE, layer={"norm_kind": "layer", "parallel": True},
                  fields={"output_scale": config.logit_scale}, interleaved=True)  # fmt: skip


def _granite(config: Any, network: Any) -> Described:
    def prepared(tensors: Tensors) -> Tensors:  # what each branch writes is scaled, and so are its last weights
        ends = ("o_proj.weight", "o_proj.bias", "down_proj.weight", "down_proj.bias")
        return {name: x * config.residual_multiplier if name.endswith(ends) else x for name, x in tensors.items()}

    fields = {"embedding_scale": config.embedding_multiplier, "output_scale": 1 / config.logits_scaling}
    return _llama(config, network, fields=fields, attention={"scale": config.attention_multiplier}, prepared=prepared)


def _stablelm(config: Any, network: Any) -> Described:
    if config.qk_layernorm:
        raise NotOursError("norms of queries with a weight for each head")
    table = tables.COHERE if config.use_parallel_residual else tables.LLAMA
    return _llama(config, network, table=table,
                  layer={"norm_kind": "layer", "parallel": config.use_parallel_residual})  # fmt: skip


def _phi3(config: Any, network: Any) -> Described:
    n_heads, key_heads, width = heads_of(config)
    sizes = [n_heads * width, key_heads * width, key_heads * width]
    return _llama(config, network, table=tables.PHI3, has_windows=True,
                  prepared=lambda tensors: split_fused(tensors, "qkv_proj", lambda x: x.split(sizes)))  # fmt: skip


def _phi(config: Any, network: Any) -> Described:
    if config.qk_layernorm and not network.model.layers[0].self_attn.q_layernorm.elementwise_affine:
        raise NotOursError("norms of queries without weights")
    return _llama(config, network, table=tables.PHI,
                  layer={"norm_kind": "layer", "parallel": True, "gated_feed_forward": False},
                  attention={"query_norm": "head" if config.qk_layernorm else ""})  # fmt: skip


def _persimmon(config: Any, network: Any) -> Described:
    n_heads = config.num_attention_heads
    return _llama(config, network, table=tables.PERSIMMON,
                  layer={"norm_kind": "layer", "gated_feed_forward": False},
                  attention={"query_norm": "head" if config.qk_layernorm else "", "n_key_heads": n_heads},
                  prepared=lambda tensors: split_fused(tensors, "query_key_value", by_head(n_heads)))  # fmt: skip


def _gpt_neox(config: Any, network: Any) -> Described:
    n_heads = config.num_attention_heads
    return _llama(
        config, network, table=tables.GPT_NEOX,
        layer={"norm_kind": "layer", "gated_feed_forward": False, "parallel": config.use_parallel_residual},
        prepared=lambda tensors: split_fused(tensors, "query_key_value", by_head(n_heads)),
    )  # fmt: skip


_WINDOWED = partial(_llama, has_windows=True)
DECODERS: dict[str, Callable[[Any, Any], Described]] = {
    **GPT_DECODERS, "gpt_neox": _gpt_neox, "llama": _llama, "mistral": _WINDOWED, "qwen2": _WINDOWED,
    "qwen3": partial(_WINDOWED, attention={"query_norm": "head"}), "smollm3": _WINDOWED, "gemma": _gemma,
    "gemma2": _gemma2, "gemma3_text": partial(_gemma2, by_kind=True, attention={"query_norm": "head", "cap": None}),
    "olmo": _olmo, "olmo2": partial(_llama, table=tables.OLMO2, attention={"query_norm": "whole"},
                                    layer={"norm_place": "none", "output_norm": True}),
    "phi": _phi, "phi3": _phi3, "cohere": _cohere, "granite": _granite, "stablelm": _stablelm,
    "starcoder2": partial(_WINDOWED, table=tables.STARCODER2,
                          layer={"norm_kind": "layer", "gated_feed_forward": False}),
    "persimmon": _persimmon,
}  # fmt: skip
"""Each type by the function that describes it; gemma3 caps no scores."""


def _t5gemma(config: Any, network: Any) -> Described:
    """Two stacks of Gemma 2; cross-attention has neither rotary positions nor windows."""
    if config.encoder.hidden_size != config.decoder.hidden_size:
        raise NotOursError("stacks of different widths")
    encoder, decoder = (_gemma2(part.config, part) for part in (network.model.encoder, network.model.decoder))
    source, target = (part.embed_tokens.weight for part in (network.model.encoder, network.model.decoder))

    def seen_both_ways(window: int | None) -> int | None:  # the library counts the last token in, in an encoder
        return None if window is None else window + 1

    layers = (
        *(replace(layer, attention=replace(layer.attention, window=seen_both_ways(layer.attention.window)))
          for layer in encoder.layers),
        *(replace(layer, cross=replace(layer.attention, rotary=None, window=None)) for layer in decoder.layers),
    )  # fmt: skip
    return replace(decoder, layers=layers, table=tables.T5GEMMA, fields=decoder.fields | {
        "encoder_final_norm": True, "source_vocab_size": len(source), "target_vocab_size": len(target),
        "tie_embeddings": source.data_ptr() == target.data_ptr(),
        "tie_output": network.lm_head.out_proj.weight.data_ptr() == target.data_ptr(),
        "dropout": config.dropout_rate, "attention_dropout": config.attention_dropout,
        "feed_forward_dropout": config.dropout_rate,
    })  # fmt: skip


ENCODER_DECODERS: dict[str, Callable[[Any, Any], Described]] = {"t5gemma": _t5gemma}
