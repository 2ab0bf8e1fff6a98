"""x-transformers' ``TransformerWrapper`` around a ``Decoder`` or an ``Encoder``: sublayers in one flat list, attention
and feed-forward in turn. Whether tokens see those after them leaves no trace in the names."""

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import TensorsError, unsupported_error
from model.checkpoints.families.huggingface.gpt_decoders import bloom_slopes
from model.checkpoints.families.renaming import count_layers, first_complete, is_same, matrix, with_prefixes
from model.checkpoints.families.single_stack.common import ids_of, is_causal, shared_heads, single_stack
from model.checkpoints.families.xtransformers import (
    UNSEEN,
    final_norm,
    last_of_network,
    norms_as_applied,
    refuse_variants,
    sublayers,
)
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig
from model.layer_spec import AttentionSpec, LayerSpec, Rotary, fields_of_layers
from model.nn.rotary import with_turns

NAME = "xtransformers_alone"
_BODY = "attn_layers"
_FIRST = f"{_BODY}.layers.0.1.to_q.weight"
_GENERATING = ("autoregressive",)
"""What ``AutoregressiveWrapper`` says by the ``net.`` before every name."""
_TINY = 1e-24
"""Their RMS norm divides by the length itself, without an epsilon."""
_REFUSED = {
    r"\.ff\.1\.(gamma|weight)": "a norm inside the feed-forward network (ff_post_act_ln)",
    r"\.to_v_gate|\.to_out\.0\.": "gated attention",
    r"rel_pos\.(?!slopes)|(^|\.)pos_emb\.(scale|inv_freq)": "positions that are neither learned, rotary nor ALiBi",
    r"\.(q|k)_?(norm|scale)|qk_norm": "normalised queries and keys (attn_qk_norm)",
    r"mem_[kv]|memory_tokens|\.null_kv": "memory tokens",
    r"layers\.\d+\.2\.": "residuals with weights of their own",
    r"hyper_conn|layer_integrat|skip_combine|\.value_residual": "connections between distant layers",
    r"rotary_pos_emb\.scale\Z": "rotary positions that decay (rotary_xpos)",
}  # fmt: skip


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    return first_complete(_plain_names(tensors), (_FIRST, "token_emb.emb.weight"))


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    where, tensors = source.where, norms_as_applied(_plain_names(source.tensors), answers)
    refuse_variants(tensors, _REFUSED, where)
    size, width = matrix(tensors, "token_emb.emb.weight", where=where)
    d_model = matrix(tensors, _FIRST, where=where)[1]
    output = matrix(tensors, "to_logits.weight", where=where)[0] if "to_logits.weight" in tensors else size
    predicts = output == size
    causal = is_causal(answers, source, _GENERATING if source.around == "net." else (), predicts=predicts)
    layer = _layer(tensors, answers, where)
    positions = tensors.get("pos_emb.emb.weight")
    n_layers = _n_layers(tensors, where)
    side = "decoder" if causal else "encoder"
    has_final = bool(final_norm(tensors, _BODY))
    tensors |= {} if positions is None else {"pos_emb.emb.weight": positions.float() * width**-0.5}
    tensors = _project_embeddings(tensors, where)
    fields: dict[str, Any] = {
        **fields_of_layers((layer,) * n_layers, is_decoder=causal), "source_vocab_size": size,
        "target_vocab_size": size, "d_model": d_model, "embedding_scale": 1.0,
        "embedding_norm": any(name.startswith("post_emb_norm.") for name in tensors),
        "encoder_final_norm": has_final and not causal, "decoder_final_norm": has_final and causal,
        "positions": "none" if positions is None else "learned",
        "max_positions": 5000 if positions is None else len(positions), "mask_target_padding": False,
        "output_bias": predicts and "to_logits.bias" in tensors, "tie_embeddings": False,
        "plain_head": predicts and not causal, "output_scale": _output_scale(tensors, d_model, answers),
        "tie_output": is_same(tensors, "token_emb.emb.weight", "to_logits.weight"),
        **ids_of(answers, tokenizers.source, size, **({} if causal else {"pad": 0})),
    }  # fmt: skip
    config = TransformerConfig(**fields)
    ignored = (r"attn_layers\.rotary_pos_emb\..*", r"attn_layers\.rel_pos\.slopes",
               *(() if predicts else (r"to_logits\..*",)))  # fmt: skip
    return single_stack(source, tensors, _table(tensors, layer, side), config, answers, tokenizers, ignored=ignored,
                assumed=tuple(setting for setting in UNSEEN if not setting.startswith("alibi")))  # fmt: skip


def _plain_names(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Names without the module that generates (``net.``)."""
    return {name.removeprefix("net."): tensor for name, tensor in tensors.items()}


def _project_embeddings(tensors: dict[str, Tensor], where: str) -> dict[str, Tensor]:
    """Embeddings and positions of a smaller width (emb_dim) brought to the model's, which is one matrix for both."""
    if "project_emb.weight" not in tensors:
        return tensors
    if any(name.startswith("post_emb_norm.") for name in tensors):
        raise unsupported_error(
            f"{where} has a norm between embeddings and their projection (post_emb_norm with emb_dim)"
        )
    weight, bias = (tensors.pop(f"project_emb.{part}").float() for part in ("weight", "bias"))
    widened = tensors | {"token_emb.emb.weight": tensors["token_emb.emb.weight"].float() @ weight.t() + bias}
    if "pos_emb.emb.weight" in tensors:
        widened["pos_emb.emb.weight"] = tensors["pos_emb.emb.weight"] @ weight.t()
    return widened


def _output_scale(tensors: Mapping[str, Tensor], d_model: int, answers: Answers) -> float:
    """The factor on logits where the output is tied to the embedding: d^-0.5 in newer releases, 1 in older."""
    if "to_logits.weight" in tensors:
        return 1.0
    return float(answers.ask("output_scale", d_model**-0.5, choices=(d_model**-0.5, 1.0)))


def _n_layers(tensors: Mapping[str, Tensor], where: str) -> int:
    n_sublayers = count_layers(tensors, re.escape(_BODY) + r"\.layers\.(\d+)\.")
    crossed = f"{_BODY}.layers.1.1.to_q.weight"
    if n_sublayers % 2 or crossed in tensors:
        raise TensorsError(where, missing=(f"{_BODY}.layers.{n_sublayers}",))
    return n_sublayers // 2


def _part(tensors: Mapping[str, Tensor]) -> str:
    """The name of a norm's weight: ``gamma`` of their LayerNorm, ``g`` of RMSNorm, ``weight`` in older code."""
    names = [name.rpartition(".")[2] for name in tensors if re.search(r"layers\.0\.0\.\d\.\w+\Z", name)]
    return next((name for name in ("gamma", "g", "weight") if name in names), "gamma")


def _layer(tensors: Mapping[str, Tensor], answers: Answers, where: str) -> LayerSpec:
    if not any(re.search(r"layers\.\d+\.0\.\d\.(gamma|g|weight)\Z", name) for name in tensors):
        raise unsupported_error(f"the norms of {where} have no weights (use_simple_rmsnorm)")
    queries = matrix(tensors, _FIRST, where=where)[0]
    keys, values = (matrix(tensors, f"{_BODY}.layers.0.1.to_{name}.weight", where=where)[0] for name in "kv")
    n_heads = shared_heads(answers, queries, keys)
    width = queries // n_heads
    part = _part(tensors)
    norms = [f"{_BODY}.layers.0.0.{place}.{part}" in tensors for place in range(3)]
    kind = "rms" if part == "g" else "layer"
    if kind == "rms" and tensors[f"{_BODY}.layers.0.0.{norms.index(True)}.g"].numel() == 1:
        raise unsupported_error(f"{where} has ScaleNorm (use_scalenorm)")
    gated = f"{_BODY}.layers.1.1.ff.0.proj.weight" in tensors
    inner = f"{_BODY}.layers.1.1.ff.0.{'proj' if gated else '0'}"
    turned = tensors.get(f"{_BODY}.rotary_pos_emb.inv_freq")
    return LayerSpec(
        attention=AttentionSpec(
            n_heads=n_heads, n_key_heads=keys // width, d_key=width, d_value=values // (keys // width), bias=False,
            rotary=None if turned is None else with_turns(Rotary(width=2 * len(turned), interleaved=True), turned),
            slopes=_slopes(tensors, n_heads, answers),
        ),
        d_feed_forward=matrix(tensors, f"{inner}.weight", where=where)[0] // (2 if gated else 1),
        activation=answers.ask("activation", "gelu", choices=("gelu", "silu", "relu", "relu_squared")),
        gated_feed_forward=gated, feed_forward_bias=f"{inner}.bias" in tensors,
        norm_kind=kind, norm_epsilon=_TINY if kind == "rms" else 1e-5,
        norm_place="pre" if norms[0] else "post", output_norm=norms[0] and norms[1],
    )  # fmt: skip


def _slopes(tensors: Mapping[str, Tensor], n_heads: int, answers: Answers) -> tuple[float, ...]:
    """ALiBi's slopes, which only older code stores; a model without any other positions most likely has them."""
    stored = tensors.get(f"{_BODY}.rel_pos.slopes")
    if stored is not None:
        return tuple(stored.reshape(-1).tolist())
    if f"{_BODY}.rotary_pos_emb.inv_freq" in tensors:
        return ()
    lacks = "pos_emb.emb.weight" not in tensors
    return bloom_slopes(n_heads) if answers.ask("alibi", lacks, choices=(False, True), is_close=lacks) else ()


def _table(tensors: Mapping[str, Tensor], layer: LayerSpec, side: str) -> dict[str, str]:
    part = _part(tensors)
    norm = {"weight": part, "bias": "bias" if part == "weight" else "beta"}
    network: dict[str, str] = {"fc2.*": f"ff.{last_of_network(tensors)}.*"}
    if layer.gated_feed_forward:  # the activation is on the second half
        network |= {"fc1.*": "ff.0.proj.*[1/2]", "gate.*": "ff.0.proj.*[0/2]"}
    else:
        network["fc1.*"] = "ff.0.0.*"
    table: dict[str, Any] = {
        f"{side}.embedding.weight": "token_emb.emb.weight", f"{side}.positions.table": "pos_emb.emb.weight",
        "output.*": "to_logits.*",
    }  # fmt: skip
    table |= sublayers(side, _BODY, ("self_attention", "feed_forward"), network, norm,
                       norm_place=0 if layer.norm_place == "pre" else 2)  # fmt: skip
    table |= with_prefixes(f"{side}.embedding_norm", "post_emb_norm", norm)
    return table | with_prefixes(f"{side}.final_norm", final_norm(tensors, _BODY), norm)
