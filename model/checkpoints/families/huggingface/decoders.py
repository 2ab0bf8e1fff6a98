"""The lone decoders of ``transformers`` as our own Transformer, so that they have all of its features.

The library has built the model, and so has settled defaults, old spellings and ties. Here its configuration becomes
our fields and its tensors get our names. Whatever a family has that our layers lack leaves the model to the adapter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.families.huggingface import stack_tables as tables
from model.checkpoints.families.huggingface.parts import ACTIVATIONS
from model.checkpoints.families.renaming import Table
from model.layer_spec import AttentionSpec, LayerSpec, Rotary
from model.nn.rotary import frequencies

Tensors = dict[str, Tensor]
_FIXED_ROPE = ("default", "linear", "llama3", "yarn", "proportional")
"""Rotary positions whose frequencies do not depend on the length of the text."""


class NotOursError(ValueError):
    """A switch of a configuration that our layers do not have."""


@dataclass(frozen=True, slots=True)
class Described:
    """A lone stack under our names."""

    layers: tuple[LayerSpec, ...]
    table: Table
    fields: dict[str, Any] = field(default_factory=dict)
    """Further fields of TransformerConfig."""
    prepared: Callable[[Tensors], Tensors] = dict
    """The library's tensors with fused matrices taken apart."""
    ignored: tuple[str, ...] = ()


def described(kind: str, network: Any) -> Described:
    """A decoder of the library under our names.

    Raises:
        NotOursError: for what our layers do not have.
    """
    return DECODERS[kind](network.config, network)


def _heads(config: Any) -> tuple[int, int, int]:
    """Heads, heads of keys, and width of one."""
    n_heads = config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // n_heads
    return n_heads, getattr(config, "num_key_value_heads", None) or n_heads, width


def _activation(name: str) -> Any:
    if name not in ACTIVATIONS:
        raise NotOursError(f"the activation {name}")
    return ACTIVATIONS[name]


def rotary_of(network: Any, kind: str = "", *, interleaved: bool = False) -> Rotary:
    """The rotary positions that a network computes, from its own frequencies.

    Args:
        kind: of layer, where the layers differ.
    """
    module = next((m for name, m in network.named_modules() if name.rpartition(".")[2] == "rotary_emb"), None)
    if module is None:
        raise NotOursError("rotary positions without frequencies")
    given = network.config.rope_parameters
    given = given[kind] if kind and kind in given else given
    if given.get("rope_type", "default") not in _FIXED_ROPE:
        raise NotOursError(f"rotary positions of the type {given['rope_type']}")
    prefix = f"{kind}_" if hasattr(module, f"{kind}_inv_freq") else ""
    turned = getattr(module, f"{prefix}inv_freq").float().cpu()
    factor = float(getattr(module, f"{prefix}attention_scaling", 1.0))
    plain = Rotary(width=2 * len(turned), base=float(given["rope_theta"]), interleaved=interleaved, factor=factor)
    if torch.equal(frequencies(plain), turned):
        return plain
    return Rotary(width=2 * len(turned), base=plain.base, interleaved=interleaved, factor=factor,
                  frequencies=tuple(turned.tolist()))  # fmt: skip


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
    """Llama and its kin: rotary positions, grouped heads, RMS norms and gated networks, and what each varies."""
    n_heads, key_heads, width = _heads(config)
    kinds = getattr(config, "layer_types", None) if by_kind else None
    windows = _windows(config) if has_windows else [None] * config.num_hidden_layers
    turns = {kind: rotary_of(network, kind, interleaved=interleaved) for kind in set(kinds or [""])}
    without = getattr(config, "no_rope_layers", None) or [1] * config.num_hidden_layers
    biased = any(name.endswith(".bias") for name in network.state_dict() if "attn" in name or "attention" in name)
    general: dict[str, Any] = {
        "d_feed_forward": config.intermediate_size, "activation": _activation(_activation_name(config)),
        "gated_feed_forward": True, "norm_kind": "rms", "norm_epsilon": _epsilon(config),
        "feed_forward_bias": any(name.endswith(".bias") for name in network.state_dict() if ".mlp." in name),
    } | dict(layer or {})  # fmt: skip
    layers = tuple(
        LayerSpec(
            attention=AttentionSpec(**{
                "n_heads": n_heads, "n_key_heads": key_heads, "d_key": width, "d_value": width, "bias": biased,
                "window": windows[i], "rotary": turns[kinds[i] if kinds else ""] if without[i] else None,
            } | dict(attention or {})),
            **general,
        )
        for i in range(config.num_hidden_layers)
    )  # fmt: skip
    if plus_one:
        inner = prepared

        def prepared(given: Tensors) -> Tensors:  # Gemma's norms hold what is added to one
            return {n: t + 1 if n.endswith("norm.weight") else t for n, t in inner(given).items()}

    return Described(layers, table, {"embedding_scale": 1.0} | dict(fields or {}), prepared)


def _epsilon(config: Any) -> float:
    for name in ("rms_norm_eps", "layer_norm_eps", "norm_epsilon", "layer_norm_epsilon"):
        if hasattr(config, name):
            return float(getattr(config, name))
    return 1e-5


def _activation_name(config: Any) -> str:
    for name in ("hidden_activation", "hidden_act", "activation_function"):
        if getattr(config, name, None):
            return str(getattr(config, name))
    raise NotOursError("an activation without a name")


def _gemma(config: Any, network: Any, **more: Any) -> Described:
    if getattr(config, "use_bidirectional_attention", None) is True:
        raise NotOursError("attention without a causal mask")
    fields = {
        "embedding_scale": config.hidden_size**0.5,
        "output_cap": getattr(config, "final_logit_softcapping", None),
    }
    return _llama(config, network, plus_one=True, fields=fields, **more)


def _gemma2(config: Any, network: Any, **more: Any) -> Described:
    attention = {"scale": config.query_pre_attn_scalar**-0.5, "cap": getattr(config, "attn_logit_softcapping", None)}
    return _gemma(config, network, table=tables.GEMMA2, layer={"output_norm": True}, has_windows=True,
                  attention=attention | more.pop("attention", {}), **more)  # fmt: skip


def _gemma3(config: Any, network: Any) -> Described:
    return _gemma2(config, network, by_kind=True, attention={"query_norm": "head"})


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
    def prepared(given: Tensors) -> Tensors:  # what each branch writes is scaled, and so are its last weights
        ends = ("o_proj.weight", "o_proj.bias", "down_proj.weight", "down_proj.bias")
        return {name: x * config.residual_multiplier if name.endswith(ends) else x for name, x in given.items()}

    fields = {"embedding_scale": config.embedding_multiplier, "output_scale": 1 / config.logits_scaling}
    return _llama(config, network, fields=fields, attention={"scale": config.attention_multiplier}, prepared=prepared)


def _stablelm(config: Any, network: Any) -> Described:
    if config.qk_layernorm:
        raise NotOursError("norms of queries with a weight for each head")
    table = tables.COHERE if config.use_parallel_residual else tables.LLAMA
    return _llama(config, network, table=table,
                  layer={"norm_kind": "layer", "parallel": config.use_parallel_residual})  # fmt: skip


def _phi3(config: Any, network: Any) -> Described:
    n_heads, key_heads, width = _heads(config)
    sizes = [n_heads * width, key_heads * width, key_heads * width]
    return _llama(config, network, table=tables.PHI3, has_windows=True,
                  prepared=lambda given: _apart(given, "qkv_proj", lambda x: x.split(sizes)))  # fmt: skip


def _phi(config: Any, network: Any) -> Described:
    if config.qk_layernorm and not network.model.layers[0].self_attn.q_layernorm.elementwise_affine:
        raise NotOursError("norms of queries without weights")
    return _llama(config, network, table=tables.PHI,
                  layer={"norm_kind": "layer", "parallel": True, "gated_feed_forward": False},
                  attention={"query_norm": "head" if config.qk_layernorm else ""})  # fmt: skip


def _starcoder2(config: Any, network: Any) -> Described:
    return _llama(config, network, table=tables.STARCODER2, has_windows=True,
                  layer={"norm_kind": "layer", "gated_feed_forward": False})  # fmt: skip


def _persimmon(config: Any, network: Any) -> Described:
    n_heads = config.num_attention_heads
    return _llama(config, network, table=tables.PERSIMMON,
                  layer={"norm_kind": "layer", "gated_feed_forward": False},
                  attention={"query_norm": "head" if config.qk_layernorm else "", "n_key_heads": n_heads},
                  prepared=lambda given: _apart(given, "query_key_value", _by_head(n_heads)))  # fmt: skip


def _gpt_neox(config: Any, network: Any) -> Described:
    n_heads = config.num_attention_heads
    return _llama(
        config, network, table=tables.GPT_NEOX,
        layer={"norm_kind": "layer", "gated_feed_forward": False, "parallel": config.use_parallel_residual},
        prepared=lambda given: _apart(given, "query_key_value", _by_head(n_heads)),
    )  # fmt: skip


def _gpt2(config: Any, network: Any, *, table: Table = tables.GPT2) -> Described:
    n_heads, width, inside = config.n_head, config.n_embd // config.n_head, config.n_inner or 4 * config.n_embd
    scale = width**-0.5 if config.scale_attn_weights else 1.0
    by_layer = getattr(config, "scale_attn_by_inverse_layer_idx", False)
    layers = tuple(
        LayerSpec(
            attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width,
                                    scale=scale / (i + 1) if by_layer else scale),
            d_feed_forward=inside, activation=_activation(config.activation_function),
            norm_epsilon=config.layer_norm_epsilon,
        )
        for i in range(config.n_layer)
    )  # fmt: skip

    def prepared(given: Tensors) -> Tensors:
        turned = ("c_attn.weight", "c_proj.weight", "c_fc.weight")
        return _apart({n: x.t() if n.endswith(turned) else x for n, x in given.items()}, "c_attn", lambda x: x.chunk(3))

    return Described(layers, table, _learned(config.n_positions), prepared)


def _gpt_neo(config: Any, network: Any) -> Described:
    n_heads, width = config.num_heads, config.hidden_size // config.num_heads
    inside = config.intermediate_size or 4 * config.hidden_size
    layers = tuple(
        LayerSpec(
            attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width, scale=1.0,
                                    window=config.window_size if kind == "local" else None),
            d_feed_forward=inside, activation=_activation(config.activation_function),
            norm_epsilon=config.layer_norm_epsilon,
        )
        for kind in config.attention_layers
    )  # fmt: skip
    return Described(layers, tables.GPT_NEO, _learned(config.max_position_embeddings), ignored=_BUFFERS)


_BUFFERS = (r".*\.attn\.(attention\.)?(bias|masked_bias)", r".*\.embed_positions", r".*\.causal_mask")


def _gptj(config: Any, network: Any, *, table: Table = tables.GPTJ, prepared: Any = dict) -> Described:
    n_heads, width = config.n_head, config.n_embd // config.n_head
    attention = AttentionSpec(
        n_heads=n_heads, d_key=width, d_value=width, bias=False,
        rotary=Rotary(width=config.rotary_dim or width, interleaved=True),
    )  # fmt: skip
    layer = LayerSpec(
        attention=attention, d_feed_forward=config.n_inner or 4 * config.n_embd,
        activation=_activation(config.activation_function), norm_epsilon=config.layer_norm_epsilon, parallel=True,
    )  # fmt: skip
    return Described((layer,) * config.n_layer, table, {"embedding_scale": 1.0}, prepared, _BUFFERS)


def _codegen(config: Any, network: Any) -> Described:
    def parts(x: Tensor) -> tuple[Tensor, ...]:  # four blocks, each with its queries, values and keys
        query, value, key = x.unflatten(0, (4, 3, -1)).unbind(1)
        return query.flatten(0, 1), key.flatten(0, 1), value.flatten(0, 1)

    return _gptj(config, network, table=tables.CODEGEN, prepared=lambda given: _apart(given, "qkv_proj", parts))


def _bloom(config: Any, network: Any) -> Described:
    if config.apply_residual_connection_post_layernorm:
        raise NotOursError("a residual stream that is normalised")
    n_heads, width = config.n_head, config.hidden_size // config.n_head
    layer = LayerSpec(
        attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width, slopes=bloom_slopes(n_heads)),
        d_feed_forward=4 * config.hidden_size, activation="gelu_tanh", norm_epsilon=config.layer_norm_epsilon,
    )  # fmt: skip
    return Described((layer,) * config.n_layer, tables.BLOOM, {"embedding_scale": 1.0, "embedding_norm": True},
                     lambda given: _apart(given, "query_key_value", _by_head(n_heads)))  # fmt: skip


def bloom_slopes(n_heads: int) -> tuple[float, ...]:
    """ALiBi's slopes (Press et al. 2022, section 3): a geometric sequence, filled up from the next one."""
    whole = 2 ** math.floor(math.log2(n_heads))
    base = 2.0 ** (-(2.0 ** -(math.log2(whole) - 3)))
    found = [base**power for power in range(1, whole + 1)]
    extra = 2.0 ** (-(2.0 ** -(math.log2(2 * whole) - 3)))
    return tuple(found + [extra**power for power in range(1, 1 + 2 * (n_heads - whole), 2)])


def _mpt(config: Any, network: Any) -> Described:
    given = config.attn_config
    if not given.alibi or given.clip_qkv is not None or given.qk_ln or given.prefix_lm:
        raise NotOursError("its kind of attention")
    n_heads, width = config.n_heads, config.d_model // config.n_heads
    whole = 2 ** math.ceil(math.log2(n_heads))
    slopes = [2.0 ** -(power * 8 / whole) for power in range(1, whole + 1)]
    if whole != n_heads:
        slopes = [*slopes[1::2], *slopes[::2]][:n_heads]
    layer = LayerSpec(
        attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width, bias=False, slopes=tuple(slopes),
                                scale=given.softmax_scale),
        d_feed_forward=config.expansion_ratio * config.d_model, activation="gelu", feed_forward_bias=False,
        norm_epsilon=config.layer_norm_epsilon,
    )  # fmt: skip
    return Described((layer,) * config.n_layers, tables.MPT, {"embedding_scale": 1.0},
                     lambda given: _apart(given, "Wqkv", lambda x: x.chunk(3)))  # fmt: skip


def _opt(config: Any, network: Any) -> Described:
    if config.word_embed_proj_dim != config.hidden_size:
        raise NotOursError("embeddings of another width")
    pre = config.do_layer_norm_before
    return Described(
        _fairseq_layers(config, config.ffn_dim, norm_place="pre" if pre else "post"), tables.OPT,
        _learned(config.max_position_embeddings + 2, offset=2)
        | {"decoder_final_norm": pre and not config._remove_final_layer_norm},
    )  # fmt: skip


def _biogpt(config: Any, network: Any) -> Described:
    scale = config.hidden_size**0.5 if config.scale_embedding else 1.0
    return Described(
        _fairseq_layers(config, config.intermediate_size, norm_epsilon=1e-5), tables.BIOGPT,
        _learned(config.max_position_embeddings + 2, offset=2) | {"embedding_scale": scale},
    )  # fmt: skip


def _fairseq_layers(config: Any, inside: int, **more: Any) -> tuple[LayerSpec, ...]:
    n_heads, _, width = _heads(config)
    activation = _activation(getattr(config, "activation_function", None) or config.hidden_act)
    attention = AttentionSpec(n_heads=n_heads, d_key=width, d_value=width)
    layer = LayerSpec(attention=attention, d_feed_forward=inside, activation=activation, **more)
    return (layer,) * config.num_hidden_layers


def _learned(rows: int, *, offset: int = 0) -> dict[str, Any]:
    return {"positions": "learned", "max_positions": rows, "position_offset": offset, "embedding_scale": 1.0}


def _apart(given: Mapping[str, Tensor], name: str, split: Callable[[Tensor], tuple[Tensor, ...]]) -> Tensors:
    """Each fused matrix or bias of this name as three under ``fused``: queries', keys' and values'."""
    found: Tensors = {}
    for key, tensor in given.items():
        place, _, end = key.rpartition(f".{name}.")
        if place:
            found |= {f"{place}.fused.{side}.{end}": part
                      for side, part in zip(("query", "key", "value"), split(tensor), strict=True)}  # fmt: skip
        else:
            found[key] = tensor
    return found


def _by_head(n_heads: int) -> Callable[[Tensor], tuple[Tensor, ...]]:
    """A fused matrix in which each head's query, key and value stand together."""

    def split(x: Tensor) -> tuple[Tensor, ...]:
        return tuple(part.flatten(0, 1) for part in x.unflatten(0, (n_heads, 3, -1)).unbind(1))

    return split


def _windowed(config: Any, network: Any) -> Described:
    return _llama(config, network, has_windows=True)


def _qwen3(config: Any, network: Any) -> Described:
    return _llama(config, network, has_windows=True, attention={"query_norm": "head"})


def _olmo2(config: Any, network: Any) -> Described:
    return _llama(config, network, table=tables.OLMO2, attention={"query_norm": "whole"},
                  layer={"norm_place": "none", "output_norm": True})  # fmt: skip


DECODERS: dict[str, Callable[[Any, Any], Described]] = {
    "gpt2": _gpt2, "gpt_neo": _gpt_neo, "gptj": _gptj, "codegen": _codegen, "gpt_neox": _gpt_neox, "opt": _opt,
    "biogpt": _biogpt, "bloom": _bloom, "mpt": _mpt, "llama": _llama, "mistral": _windowed, "qwen2": _windowed,
    "qwen3": _qwen3, "smollm3": _windowed, "gemma": _gemma, "gemma2": _gemma2, "gemma3_text": _gemma3, "olmo": _olmo,
    "olmo2": _olmo2, "phi": _phi, "phi3": _phi3, "cohere": _cohere, "granite": _granite, "stablelm": _stablelm,
    "starcoder2": _starcoder2, "persimmon": _persimmon,
}  # fmt: skip
