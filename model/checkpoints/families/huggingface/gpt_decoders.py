"""GPT-2 and the decoders that came before Llama: learned positions, or ALiBi, or the first rotary ones."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from torch import Tensor

from model.checkpoints.families.huggingface import stack_tables as tables
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
from model.checkpoints.families.tables import by_group
from model.layer_spec import AttentionSpec, LayerSpec, Rotary


def _gpt2(config: Any, network: Any) -> Described:
    n_heads, width, inside = config.n_head, config.n_embd // config.n_head, config.n_inner or 4 * config.n_embd
    scale = width**-0.5 if config.scale_attn_weights else 1.0
    by_layer = getattr(config, "scale_attn_by_inverse_layer_idx", False)
    layers = tuple(
        LayerSpec(
            attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width,
                                    scale=scale / (i + 1) if by_layer else scale),
            d_feed_forward=inside, activation=activation_of(config.activation_function),
            norm_epsilon=config.layer_norm_epsilon,
        )
        for i in range(config.n_layer)
    )  # fmt: skip

    def prepared(tensors: Tensors) -> Tensors:
        turned = ("c_attn.weight", "c_proj.weight", "c_fc.weight")
        return split_fused(
            {n: x.t() if n.endswith(turned) else x for n, x in tensors.items()}, "c_attn", lambda x: x.chunk(3)
        )

    return Described(layers, tables.GPT2, _learned_positions(config.n_positions), prepared)


def _gpt_bigcode(config: Any, network: Any) -> Described:
    """GPT-2 with matrices as (out, in), and one head of keys and values for all queries, or each head's own beside its
    query."""
    gpt2, n_heads = _gpt2(config, network), config.n_head
    if not config.multi_query:
        return replace(gpt2, prepared=lambda tensors: split_fused(tensors, "c_attn", by_head(n_heads)))
    width = config.n_embd // n_heads
    specs = tuple(replace(layer, attention=replace(layer.attention, n_key_heads=1)) for layer in gpt2.layers)
    sizes = [config.n_embd, width, width]
    return replace(
        gpt2, layers=specs, prepared=lambda tensors: split_fused(tensors, "c_attn", lambda x: x.split(sizes))
    )


def _gpt_neo(config: Any, network: Any) -> Described:
    n_heads, width = config.num_heads, config.hidden_size // config.num_heads
    inside = config.intermediate_size or 4 * config.hidden_size
    layers = tuple(
        LayerSpec(
            attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width, scale=1.0,
                                    window=config.window_size if kind == "local" else None),
            d_feed_forward=inside, activation=activation_of(config.activation_function),
            norm_epsilon=config.layer_norm_epsilon,
        )
        for kind in config.attention_layers
    )  # fmt: skip
    return Described(layers, tables.GPT_NEO, _learned_positions(config.max_position_embeddings), ignored=_BUFFERS)


_BUFFERS = (r".*\.attn\.(attention\.)?(bias|masked_bias)", r".*\.embed_positions", r".*\.causal_mask")


def _gptj(config: Any, network: Any, *, table: Table = tables.GPTJ, prepared: Any = dict) -> Described:
    n_heads, width = config.n_head, config.n_embd // config.n_head
    attention = AttentionSpec(
        n_heads=n_heads, d_key=width, d_value=width, bias=False,
        rotary=Rotary(width=config.rotary_dim or width, interleaved=True),
    )  # fmt: skip
    layer = LayerSpec(
        attention=attention, d_feed_forward=config.n_inner or 4 * config.n_embd,
        activation=activation_of(config.activation_function), norm_epsilon=config.layer_norm_epsilon, parallel=True,
    )  # fmt: skip
    return Described((layer,) * config.n_layer, table, {"embedding_scale": 1.0}, prepared, _BUFFERS)


def _codegen(config: Any, network: Any) -> Described:
    def parts(x: Tensor) -> tuple[Tensor, ...]:  # four blocks, each with its queries, values and keys
        query, value, key = x.unflatten(0, (4, 3, -1)).unbind(1)
        return query.flatten(0, 1), key.flatten(0, 1), value.flatten(0, 1)

    return _gptj(
        config, network, table=tables.CODEGEN, prepared=lambda tensors: split_fused(tensors, "qkv_proj", parts)
    )


def _bloom(config: Any, network: Any) -> Described:
    if config.apply_residual_connection_post_layernorm:
        raise NotOursError("a residual stream that is normalised")
    n_heads, width = config.n_head, config.hidden_size // config.n_head
    layer = LayerSpec(
        attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width, slopes=bloom_slopes(n_heads)),
        d_feed_forward=4 * config.hidden_size, activation="gelu_tanh", norm_epsilon=config.layer_norm_epsilon,
    )  # fmt: skip
    return Described((layer,) * config.n_layer, tables.BLOOM, {"embedding_scale": 1.0, "embedding_norm": True},
                     lambda tensors: split_fused(tensors, "query_key_value", by_head(n_heads)))  # fmt: skip


def bloom_slopes(n_heads: int) -> tuple[float, ...]:
    """ALiBi's slopes (Press et al. 2022, section 3): a geometric sequence, filled up from the next one."""
    whole = 2 ** math.floor(math.log2(n_heads))
    base = 2.0 ** (-(2.0 ** -(math.log2(whole) - 3)))
    slopes = [base**power for power in range(1, whole + 1)]
    extra = 2.0 ** (-(2.0 ** -(math.log2(2 * whole) - 3)))
    return tuple(slopes + [extra**power for power in range(1, 1 + 2 * (n_heads - whole), 2)])


def _falcon(config: Any, network: Any) -> Described:
    if config.alibi:
        raise NotOursError("ALiBi that is rounded to bfloat16")
    n_heads, _, width = heads_of(config)
    is_new = config.new_decoder_architecture
    is_parallel, has_two = is_new or config.parallel_attn, is_new and config.num_ln_in_parallel_attn == 2
    key_heads = config.num_kv_heads if is_new else 1 if config.multi_query else n_heads
    layer = LayerSpec(
        attention=AttentionSpec(n_heads=n_heads, n_key_heads=key_heads, d_key=width, d_value=width, bias=config.bias,
                                rotary=rotary_of(network)),
        d_feed_forward=config.ffn_hidden_size, activation=activation_of(config.activation),
        feed_forward_bias=config.bias, norm_epsilon=config.layer_norm_epsilon, parallel=is_parallel,
    )  # fmt: skip
    table = tables.FALCON_NEW if has_two else tables.FALCON if is_parallel else tables.FALCON_IN_TURN

    def prepared(tensors: Tensors) -> Tensors:
        return split_fused(tensors, "query_key_value", lambda x: by_group(x, key_heads, width))

    return Described((layer,) * config.num_hidden_layers, table, {"embedding_scale": 1.0}, prepared)


def _mpt(config: Any, network: Any) -> Described:
    described = config.attn_config
    if not described.alibi or described.clip_qkv is not None or described.qk_ln or described.prefix_lm:
        raise NotOursError("its kind of attention")
    n_heads, width = config.n_heads, config.d_model // config.n_heads
    whole = 2 ** math.ceil(math.log2(n_heads))
    slopes = [2.0 ** -(power * 8 / whole) for power in range(1, whole + 1)]
    if whole != n_heads:
        slopes = [*slopes[1::2], *slopes[::2]][:n_heads]
    layer = LayerSpec(
        attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width, bias=False, slopes=tuple(slopes),
                                scale=described.softmax_scale),
        d_feed_forward=config.expansion_ratio * config.d_model, activation="gelu", feed_forward_bias=False,
        norm_epsilon=config.layer_norm_epsilon,
    )  # fmt: skip
    return Described((layer,) * config.n_layers, tables.MPT, {"embedding_scale": 1.0},
                     lambda tensors: split_fused(tensors, "Wqkv", lambda x: x.chunk(3)))  # fmt: skip


def _opt(config: Any, network: Any) -> Described:
    if config.word_embed_proj_dim != config.hidden_size:
        raise NotOursError("embeddings of another width")
    pre = config.do_layer_norm_before
    return Described(
        _fairseq_layers(config, config.ffn_dim, norm_place="pre" if pre else "post"), tables.OPT,
        _learned_positions(config.max_position_embeddings + 2, offset=2)
        | {"decoder_final_norm": pre and not config._remove_final_layer_norm},
    )  # fmt: skip


def _biogpt(config: Any, network: Any) -> Described:
    scale = config.hidden_size**0.5 if config.scale_embedding else 1.0
    return Described(
        _fairseq_layers(config, config.intermediate_size, norm_epsilon=1e-5), tables.BIOGPT,
        _learned_positions(config.max_position_embeddings + 2, offset=2) | {"embedding_scale": scale},
    )  # fmt: skip


def _xglm(config: Any, network: Any) -> Described:
    scale = config.d_model**0.5 if config.scale_embedding else 1.0
    fields = _learned_positions(config.max_position_embeddings + 2, offset=2)
    return Described(_fairseq_layers(config, config.ffn_dim), tables.XGLM,
                     fields | {"positions": "tensor2tensor", "embedding_scale": scale})  # fmt: skip


def _fairseq_layers(config: Any, inside: int, **more: Any) -> tuple[LayerSpec, ...]:
    n_heads, _, width = heads_of(config)
    activation = activation_of(getattr(config, "activation_function", None) or config.hidden_act)
    attention = AttentionSpec(n_heads=n_heads, d_key=width, d_value=width)
    layer = LayerSpec(attention=attention, d_feed_forward=inside, activation=activation, **more)
    return (layer,) * config.num_hidden_layers


def _learned_positions(rows: int, *, offset: int = 0) -> dict[str, Any]:
    return {"positions": "learned", "max_positions": rows, "position_offset": offset, "embedding_scale": 1.0}


GPT_DECODERS: dict[str, Callable[[Any, Any], Described]] = {
    "gpt2": _gpt2, "gpt_neo": _gpt_neo, "gptj": _gptj, "codegen": _codegen, "opt": _opt, "biogpt": _biogpt,
    "bloom": _bloom, "mpt": _mpt, "falcon": _falcon, "gpt_bigcode": _gpt_bigcode, "xglm": _xglm,
}  # fmt: skip
