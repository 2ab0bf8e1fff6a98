"""The encoder-only models of ``transformers`` as our Transformer, with the head for hidden tokens where a file has
it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.families.huggingface.parts import T5
from model.checkpoints.families.huggingface.stack_description import (
    Described,
    NotOursError,
    Tensors,
    activation_of,
    rotary_of,
)
from model.checkpoints.families.renaming import Table
from model.checkpoints.families.tables import layout
from model.layer_spec import AttentionSpec, LayerSpec, Rotary
from model.nn.positional import computed_rows

MASKED = {
    "albert": "AlbertForMaskedLM", "bert": "BertForMaskedLM", "camembert": "CamembertForMaskedLM",
    "distilbert": "DistilBertForMaskedLM", "electra": "ElectraForMaskedLM", "ernie": "ErnieForMaskedLM",
    "modernbert": "ModernBertForMaskedLM", "mpnet": "MPNetForMaskedLM", "roberta": "RobertaForMaskedLM",
    "roformer": "RoFormerForMaskedLM", "xlm-roberta": "XLMRobertaForMaskedLM",
}  # fmt: skip
"""The class of each kind that has a head for hidden tokens."""
_ROBERTA_HEAD = ("lm_head.dense", "lm_head.layer_norm", "lm_head.decoder")
_BERT_HEAD = ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.decoder")
_HEADS = {
    "albert": ("predictions.dense", "predictions.LayerNorm", "predictions.decoder"),
    "bert": _BERT_HEAD, "ernie": _BERT_HEAD, "roformer": _BERT_HEAD, "camembert": _ROBERTA_HEAD,
    "roberta": _ROBERTA_HEAD, "xlm-roberta": _ROBERTA_HEAD, "mpnet": _ROBERTA_HEAD,
    "distilbert": ("vocab_transform", "vocab_layer_norm", "vocab_projector"),
    "electra": ("generator_predictions.dense", "generator_predictions.LayerNorm", "generator_lm_head"),
    "modernbert": ("head.dense", "head.norm", "decoder"),
}  # fmt: skip
_SPARE_BIASES = (r"cls\.predictions\.bias", r"lm_head\.bias", r"predictions\.bias", r"embeddings\.position_ids",
                 r".*task_type_embeddings\.weight", r"pooler\..*", r"encoder\.embed_tokens\.weight",
                 r"encoder\.embed_positions\.weight")  # fmt: skip


def has_masked_head(kind: str, names: Mapping[str, Any]) -> bool:
    """Whether a file has a head for masked language modelling."""
    if kind not in _HEADS:
        return False
    transform = _HEADS[kind][0]
    classifies = kind == "modernbert" and any(name.startswith("classifier.") for name in names)  # with the same layer
    return not classifies and f"{transform}.weight" in names


def with_head(description: Described, kind: str, network: Any) -> Described:
    """An encoder with its masked-language-modelling head, if it has one, with names without the body's prefix."""
    prefix = f"{network.base_model_prefix}."

    def prepared(tensors: Tensors) -> Tensors:
        return description.prepared({name.removeprefix(prefix): tensor for name, tensor in tensors.items()})

    table, fields = dict(description.table), dict(description.fields)
    if type(network).__name__ == MASKED.get(kind):
        transform, norm, output = _HEADS[kind]
        table |= {"head.fc.*": f"{transform}.*", "head.norm.*": f"{norm}.*", "output.*": f"{output}.*"}
        fields |= {"masked_head": True, "output_bias": True}
    return Described(description.layers, table, fields, prepared, _SPARE_BIASES)


_EMBEDDINGS = {
    "encoder.embedding.weight": "embeddings.word_embeddings.weight",
    "encoder.positions.table": "embeddings.position_embeddings.weight",
    "encoder.token_types": "embeddings.token_type_embeddings.weight",
    "encoder.embedding_norm.*": "embeddings.LayerNorm.*",
    "encoder.embedding_projection.*": "embeddings_project.*",
}
_WIDE = ("intermediate.dense", "output.dense")
BERT = _EMBEDDINGS | layout(
    "encoder", "encoder.layer.{}", ("self.query", "self.key", "self.value", "output.dense"), ("attention",), _WIDE,
    ("attention.output.LayerNorm", "output.LayerNorm"),
)  # fmt: skip
DISTILBERT = _EMBEDDINGS | layout(
    "encoder", "transformer.layer.{}", ("q_lin", "k_lin", "v_lin", "out_lin"), ("attention",), ("ffn.lin1", "ffn.lin2"),
    ("sa_layer_norm", "output_layer_norm"),
)  # fmt: skip
MPNET = _EMBEDDINGS | layout(
    "encoder", "encoder.layer.{}", ("q", "k", "v", "o"), ("attention.attn",), _WIDE,
    ("attention.LayerNorm", "output.LayerNorm"),
) | {"encoder.relative.weight": "encoder.relative_attention_bias.weight"}  # fmt: skip
ALBERT = _EMBEDDINGS | layout(
    "encoder", "encoder.albert_layer_groups.0.albert_layers.0", ("query", "key", "value", "dense"), ("attention",),
    ("ffn", "ffn_output"), ("attention.LayerNorm", "full_layer_layer_norm"),
) | {"encoder.embedding_projection.*": "encoder.embedding_hidden_mapping_in.*"}  # fmt: skip
MODERNBERT = layout(
    "encoder", "layers.{}", ("Wqkv[0/3]", "Wqkv[1/3]", "Wqkv[2/3]", "Wo"), ("attn",),
    ("mlp.Wi[0/2]", "mlp.Wo", "mlp.Wi[1/2]"), ("attn_norm", "mlp_norm"),
) | {
    "encoder.embedding.weight": "embeddings.tok_embeddings.weight", "encoder.embedding_norm.*": "embeddings.norm.*",
    "encoder.final_norm.*": "final_norm.*",
}  # fmt: skip


def _bert(config: Any, _: Any, *, table: Table = BERT, **more: Any) -> Described:
    n_heads = config.num_attention_heads
    if getattr(config, "is_decoder", False) or getattr(config, "use_task_id", False):
        raise NotOursError("a decoder's mask, or tasks")
    width = config.hidden_size // n_heads
    layer = LayerSpec(
        attention=AttentionSpec(n_heads=n_heads, d_key=width, d_value=width),
        d_feed_forward=getattr(config, "intermediate_size", None) or config.hidden_dim,
        activation=activation_of(getattr(config, "hidden_act", None) or config.activation), norm_place="post",
        norm_epsilon=getattr(config, "layer_norm_eps", 1e-12),
    )  # fmt: skip
    width, n_types = (
        getattr(config, "embedding_size", None) or config.hidden_size,
        getattr(config, "type_vocab_size", 0),
    )
    fields = {
        "positions": "learned", "max_positions": config.max_position_embeddings, "embedding_norm": True,
        "encoder_final_norm": False, "embedding_scale": 1.0, "token_types": n_types,
        "separator_id": getattr(config, "sep_token_id", None) if n_types > 1 else None,
        "d_embedding": None if width == config.hidden_size else width,
    }  # fmt: skip
    return Described((layer,) * config.num_hidden_layers, table, fields | more)


def _roberta(config: Any, network: Any, *, table: Table = BERT, **more: Any) -> Described:
    """Positions count the tokens that are not padding, starting at the row after the padding id."""
    pad = network.get_input_embeddings().padding_idx
    counted = {"skip_padding": True, "zero_padding": False, "position_offset": pad + 1, "separator_id": None}
    return _bert(config, network, table=table, **counted | more)


def _mpnet(config: Any, network: Any) -> Described:
    return _roberta(config, network, table=MPNET, token_types=0, adds_relative=True,
                    relative_buckets=config.relative_attention_num_buckets, relative_distance=128)  # fmt: skip


def _roformer(config: Any, network: Any) -> Described:
    """BERT with rotary positions that rotate adjacent pairs."""
    if config.rotary_value:
        raise NotOursError("values that are turned")
    table = network.base_model.encoder.embed_positions.weight.float()  # sines, then cosines, which a file may hold
    if not torch.allclose(table, computed_rows("halves", *table.shape).to(table), atol=2e-3):
        raise NotOursError("rotary positions of its own")
    bert = _bert(config, network, positions="none")
    spec = bert.layers[0].attention
    layer = replace(bert.layers[0], attention=replace(spec, rotary=Rotary(width=spec.d_key, interleaved=True)))
    return replace(bert, layers=(layer,) * len(bert.layers))


def _albert(config: Any, network: Any) -> Described:
    if config.num_hidden_groups != 1 or config.inner_group_num != 1:
        raise NotOursError("several groups of shared layers")
    return _bert(config, network, table=ALBERT, shares_layers=True, d_embedding=config.embedding_size)


def _modernbert(config: Any, network: Any) -> Described:
    n_heads = config.num_attention_heads
    width = config.hidden_size // n_heads
    turns = {kind: rotary_of(network, kind) for kind in set(config.layer_types)}
    layers = tuple(
        LayerSpec(
            attention=AttentionSpec(
                n_heads=n_heads, d_key=width, d_value=width, bias=config.attention_bias, rotary=turns[kind],
                window=config.local_attention // 2 + 1 if kind == "sliding_attention" else None,
            ),
            d_feed_forward=config.intermediate_size, activation=activation_of(config.hidden_activation),
            gated_feed_forward=True, feed_forward_bias=config.mlp_bias, norm_epsilon=config.norm_eps, first_norm=i > 0,
        )
        for i, kind in enumerate(config.layer_types)
    )  # fmt: skip
    return Described(layers, MODERNBERT, {"embedding_norm": True, "encoder_final_norm": True, "embedding_scale": 1.0})


def _t5(config: Any, _: Any) -> Described:
    layer = LayerSpec(
        attention=AttentionSpec(
            n_heads=config.num_heads, d_key=config.d_kv, d_value=config.d_kv, bias=False, scale=1.0,
            relative=config.model_type == "umt5",
        ),
        d_feed_forward=config.d_ff, activation=activation_of(config.dense_act_fn),
        gated_feed_forward=config.is_gated_act, feed_forward_bias=False, norm_kind="rms",
        norm_epsilon=config.layer_norm_epsilon,
    )  # fmt: skip
    fields = {
        "positions": "relative", "relative_buckets": config.relative_attention_num_buckets,
        "relative_distance": config.relative_attention_max_distance, "embedding_scale": 1.0, "encoder_final_norm": True,
    }  # fmt: skip

    def prepared(stored: Tensors) -> Tensors:
        tensors = {f"encoder.{name}" if name.startswith(("block.", "final", "embed")) else name: tensor
                 for name, tensor in stored.items()}  # fmt: skip
        tensors = {name.replace(".wi.", ".wi_0."): tensor for name, tensor in tensors.items()}
        shared: Tensor | None = tensors.pop("shared.weight", None)
        return tensors if shared is None else tensors | {"encoder.embed_tokens.weight": shared}

    return Described((layer,) * config.num_layers, T5, fields, prepared)


ENCODERS: dict[str, Callable[[Any, Any], Described]] = {
    "bert": _bert, "ernie": _bert, "electra": _bert, "roberta": _roberta, "xlm-roberta": _roberta,
    "camembert": _roberta, "mpnet": _mpnet, "roformer": _roformer,
    "distilbert": partial(_bert, table=DISTILBERT, token_types=0), "albert": _albert, "modernbert": _modernbert,
    "t5": _t5, "mt5": _t5, "umt5": _t5,
}  # fmt: skip
