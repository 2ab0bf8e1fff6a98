"""The encoder-decoders of ``transformers`` as our Transformer, so that they have all of its features.

``ties`` or the library has already tied the weights; this module renames the tensors. A model that our
Transformer cannot express is run by the library, behind the adapter.
"""

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.assembly import assemble
from model.checkpoints.basis.errors import UnshownError
from model.checkpoints.families import fairseq
from model.checkpoints.families.huggingface.config import contradictions_explained
from model.checkpoints.families.renaming import rename
from model.checkpoints.families.tables import layout
from model.config import Activation, TransformerConfig
from model.layer_spec import fields_of_layers
from model.nn.transformer import Transformer

ACTIVATIONS: dict[str, Activation] = {
    "relu": "relu", "gelu": "gelu", "gelu_python": "gelu", "gelu_new": "gelu_tanh", "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh", "quick_gelu": "gelu_sigmoid", "silu": "silu", "swish": "silu",
    "relu2": "relu_squared",
}  # fmt: skip
_BART = {**fairseq.TABLE, "output.bias": "final_logits_bias"}
"""BART and its kin have fairseq's names."""
_T5_PROJECTIONS, _T5_SELF, _T5_CROSS = ("q", "k", "v", "o"), "layer.0.SelfAttention", "layer.1.EncDecAttention"
_T5_ENCODER, _T5_DECODER = (
    tuple(f"layer.{last}.DenseReluDense.{name}" for name in ("wi_0", "wo", "wi_1")) for last in (1, 2))  # fmt: skip
T5 = {
    **{f"{side}.{ours}": f"{side}.{stored}" for side in ("encoder", "decoder") for ours, stored in (
        ("embedding.weight", "embed_tokens.weight"), ("final_norm.weight", "final_layer_norm.weight"),
        ("relative.weight", f"block.0.{_T5_SELF}.relative_attention_bias.weight"),
        ("layers.{}.self_attention.relative.weight", f"block.{{}}.{_T5_SELF}.relative_attention_bias.weight"))},
    "output.weight": "lm_head.weight",
    **layout("encoder", "encoder.block.{}", _T5_PROJECTIONS, (_T5_SELF,), _T5_ENCODER,
             ("layer.0.layer_norm", "layer.1.layer_norm")),
    **layout("decoder", "decoder.block.{}", _T5_PROJECTIONS, (_T5_SELF, _T5_CROSS), _T5_DECODER,
             ("layer.0.layer_norm", "layer.1.layer_norm", "layer.2.layer_norm")),
}  # fmt: skip
_T5_KINDS = ("t5", "mt5", "umt5", "longt5")
_ROWS_BEFORE = 2
"""Rows of a table of positions that the library adds before those of its configuration."""
_NORM_FIRST = ("mbart", "m2m_100", "pegasus", "blenderbot", "bigbird_pegasus")
_NORM_OF_EMBEDDINGS = ("bart", "mbart", "plbart", "mvp", "led")
_COMPUTED = ("marian", "pegasus", "fsmt")
"""Kinds whose tables of positions are sinusoids that the library holds as weights."""
OURS = frozenset({*_NORM_FIRST, *_NORM_OF_EMBEDDINGS, *_COMPUTED, *_T5_KINDS})
"""Kinds that become our Transformer."""


_OF_BLOCKS = re.compile(r"(?<=\d\.)self_attn\.(?:(?:longformer_self_attn|self)\.(query|key|value)|output)(?=\.)")
"""LED's and BigBird's names of the encoder's projections."""
_GLOBAL = re.compile(r"\.(query|key|value)_global\.")
"""LED's projections for tokens that a caller may let see everything; ``generate`` names none of its own accord."""


def as_transformer(
    kind: str, config: Any, tensors: Mapping[str, Tensor], usual: TransformerConfig, where: str
) -> Transformer | None:
    """The same model as our Transformer; None if it has a feature that ours lacks.

    Args:
        config: of the library.
        tensors: under every name that the library's modules have; a shared tensor is one object under several names.
        usual: the fields that all kinds have in common.

    Raises:
        CheckpointError: when the configuration contradicts itself.
    """
    if kind not in OURS or getattr(config, "use_prompt", False):
        return None
    activation = ACTIVATIONS.get(config.dense_act_fn if kind in _T5_KINDS else config.activation_function)
    if activation is None:
        return None
    if kind == "longt5" and config.encoder_attention_type != "local":
        raise UnshownError(
            "a longt5 model cannot be shown, because it attends to summaries of blocks too (transient-global), "
            "which are no tokens: save its attention as a file instead (docs/attention-files.md)"
        )
    named = _t5_tensors(tensors) if kind in _T5_KINDS else _bart_tensors(tensors)
    if kind == "bigbird_pegasus":  # whose last norms have the name of BART's first
        named = {name.replace(".layernorm_embedding.", ".layer_norm."): tensor for name, tensor in named.items()}
    tied = _tied_fields(named, kind in _T5_KINDS)
    described = _t5_fields(config) if kind in _T5_KINDS else _bart_fields(kind, config, named)
    with contradictions_explained():
        ours = dataclasses.replace(usual, **tied | described | {"activation": activation})
        ours = _with_tables_of_layers(ours) if kind == "umt5" else ours
    tables: tuple[Tensor | None, Tensor | None] = (None, None)
    if kind in _COMPUTED:
        tables = named.pop("encoder.embed_positions.weight"), named.pop("decoder.embed_positions.weight")
    for name in ("encoder.embed_positions.weight", "decoder.embed_positions.weight"):
        if kind in ("led", "bigbird_pegasus"):
            named[name] = named[name][: ours.max_positions]
    renamed = rename(T5 if kind in _T5_KINDS else _BART, named, ours, where=where)
    return assemble(ours, renamed.tensors, where=where, tables=tables)


def _with_tables_of_layers(config: TransformerConfig) -> TransformerConfig:
    """T5 with a separate table of relative positions in each layer."""
    layers = (
        dataclasses.replace(layer, attention=dataclasses.replace(layer.attention, relative=True))
        for encoder in (True, False) for layer in config.layers(encoder=encoder)
    )  # fmt: skip
    return dataclasses.replace(config, **fields_of_layers(tuple(layers), is_decoder=False))


def _bart_tensors(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors without duplicates, under fairseq's names, with the output's bias as a vector."""
    renamed = {_OF_BLOCKS.sub(_plain, re.sub(r"^(model|led)\.", "", name)): x for name, x in tensors.items()
             if not _GLOBAL.search(name)}  # fmt: skip
    renamed.pop("shared.weight", None)
    if "lm_head.weight" in renamed:
        renamed["decoder.output_projection.weight"] = renamed.pop("lm_head.weight")
    bias = renamed.get("final_logits_bias")
    return renamed if bias is None else renamed | {"final_logits_bias": bias.reshape(-1)}


def _t5_tensors(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors without duplicates; the first matrix of an ungated network is named like that of a gated one."""
    renamed = {name.replace(".wi.", ".wi_0.").replace(".LocalSelfAttention.", ".SelfAttention."): tensor
             for name, tensor in tensors.items()}  # fmt: skip
    renamed.pop("shared.weight", None)
    return renamed


def _plain(match: re.Match[str]) -> str:
    """BART's name of a projection of an encoder that computes in blocks."""
    return {"query": "self_attn.q_proj", "key": "self_attn.k_proj", "value": "self_attn.v_proj"}.get(
        match[1], "self_attn.out_proj"
    )


def _tied_fields(tensors: Mapping[str, Tensor], is_t5: bool) -> dict[str, Any]:
    output = tensors["lm_head.weight" if is_t5 else "decoder.output_projection.weight"]
    source, target = (tensors[f"{side}.embed_tokens.weight"] for side in ("encoder", "decoder"))
    return {
        "tie_embeddings": source.data_ptr() == target.data_ptr(),
        "tie_output": target.data_ptr() == output.data_ptr(),
    }


def _bart_fields(kind: str, config: Any, tensors: Mapping[str, Tensor]) -> dict[str, Any]:
    is_pre = kind in _NORM_FIRST
    rows = _rows(kind, config)
    positions: dict[str, Any] = {"positions": "halves", "max_positions": rows}
    if kind in ("m2m_100", "fsmt"):
        positions = {"positions": "tensor2tensor", "max_positions": rows + _ROWS_BEFORE, "skip_padding": True,
                     "position_offset": config.pad_token_id + 1, "zero_padding": False,
                     "mask_target_padding": kind == "fsmt"}  # fmt: skip
    elif kind not in _COMPUTED:
        before = 0 if kind in ("blenderbot", "led", "bigbird_pegasus") else _ROWS_BEFORE
        positions = {"positions": "learned", "max_positions": rows + before, "position_offset": before}
    return positions | {
        "encoder_norm_first": is_pre, "decoder_norm_first": is_pre,
        "encoder_final_norm": is_pre, "decoder_final_norm": is_pre,
        "embedding_norm": kind in _NORM_OF_EMBEDDINGS,
        "output_bias": "final_logits_bias" in tensors, "d_key": None, "d_value": None,
        "embedding_scale": config.d_model**0.5 if getattr(config, "scale_embedding", False) else 1.0,
        "encoder_window": _window(config) if kind == "led" else None,
        "attention_bias": getattr(config, "use_bias", True),
        "dropout": config.dropout, "attention_dropout": config.attention_dropout,
        "feed_forward_dropout": config.activation_dropout,
    }  # fmt: skip


def _rows(kind: str, config: Any) -> int:
    """Positions of both stacks; those of BigBird up to which it computes every pair."""
    if kind == "led":
        return min(config.max_encoder_position_embeddings, config.max_decoder_position_embeddings)
    if kind == "bigbird_pegasus" and config.attention_type == "block_sparse":
        return min(config.max_position_embeddings, (5 + 2 * config.num_random_blocks) * config.block_size)
    return config.max_position_embeddings


def _window(config: Any) -> int:
    """Tokens on one side of LED's window, including the token itself.

    Raises:
        UnshownError: when the layers' windows differ.
    """
    windows = config.attention_window
    sizes = set(windows) if isinstance(windows, list | tuple) else {windows}
    if len(sizes) != 1 or not isinstance(size := sizes.pop(), int):
        raise UnshownError("a led model whose layers have windows of several widths cannot be shown: save its "
                           "attention as a file instead (docs/attention-files.md)")  # fmt: skip
    return size // 2 + 1


def _t5_fields(config: Any) -> dict[str, Any]:
    is_scaled = getattr(config, "scale_decoder_outputs", config.model_type == "umt5" and config.tie_word_embeddings)
    return {
        "positions": "relative", "relative_buckets": config.relative_attention_num_buckets,
        "relative_distance": config.relative_attention_max_distance, "score_scale": 1.0, "embedding_scale": 1.0,
        "norm_kind": "rms", "norm_epsilon": config.layer_norm_epsilon, "gated_feed_forward": config.is_gated_act,
        "attention_bias": False, "feed_forward_bias": False,
        "encoder_window": config.local_radius + 1 if hasattr(config, "local_radius") else None,
        "output_scale": config.d_model**-0.5 if is_scaled else 1.0,
        "dropout": config.dropout_rate, "attention_dropout": config.dropout_rate,
        "feed_forward_dropout": config.dropout_rate,
    }  # fmt: skip
