"""graykode/nlp-tutorial 5-1 and its many descendants: a state dict, post-norm, embeddings not scaled.

The original reads its position table in an odd order (source 1, 2, 3, 4, 0; target 5, 1, 2, 3, 4). Descendants
have Linear layers in place of 1×1 convolutions, a buffer of positions in place of a table, projections without
biases, and norms created in each pass, which are the identity.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.report import Evidence
from model.checkpoints.families.renaming import matrix
from model.checkpoints.families.tables import (
    POST_NORM,
    both_stacks,
    from_table,
    infer_config_from_shapes,
    is_sinusoidal,
)
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "graykode"
MARKS = ("encoder.src_emb.weight", "encoder.layers.0.enc_self_attn.W_Q.weight",
         "decoder.layers.0.dec_enc_attn.W_Q.weight")  # fmt: skip
_EXPAND = ("conv1", "fc.0", "fc1", "linear1", "w_1", "l1")
_CONTRACT = ("conv2", "fc.2", "fc2", "linear2", "w_2", "l2")
_OUTPUT = ("linear", "fc", "W_O", "out", "proj")
_PROJECTION = ("projection", "fc", "generator", "proj")
SOURCE_ORDER, TARGET_ORDER = (1, 2, 3, 4, 0), (5, 1, 2, 3, 4)


def table(names: Mapping[str, Tensor]) -> dict[str, str]:
    """The table of names, with the names that this variant uses."""
    layer = "encoder.layers.0"
    out = _first(names, f"{layer}.enc_self_attn.{{}}.weight", _OUTPUT)
    expand = _first(names, f"{layer}.pos_ffn.{{}}.weight", _EXPAND)
    contract = _first(names, f"{layer}.pos_ffn.{{}}.weight", _CONTRACT)
    norms = ("dec_self_attn.layer_norm", "dec_enc_attn.layer_norm", "pos_ffn.layer_norm")
    return {
        "encoder.embedding.weight": "encoder.src_emb.weight", "decoder.embedding.weight": "decoder.tgt_emb.weight",
        "output.*": f"{_first(names, '{}.weight', _PROJECTION)}.*",
        **both_stacks("layers.{}", ("W_Q", "W_K", "W_V", out), ("enc_self_attn", "dec_self_attn", "dec_enc_attn"),
                      (f"pos_ffn.{expand}", f"pos_ffn.{contract}"), ("enc_self_attn.layer_norm", norms[-1]), norms),
    }  # fmt: skip


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where = source.tensors, source.where
    names, hints = table(tensors), answers.hints
    shapes = infer_config_from_shapes(names, tensors, where=where)
    key_width, _ = matrix(tensors, "encoder.layers.0.enc_self_attn.W_Q.weight", where=where)
    value_width, _ = matrix(tensors, "encoder.layers.0.enc_self_attn.W_V.weight", where=where)
    encoder_heads, decoder_heads = answers.heads(gcd(key_width, value_width), narrowest=min(key_width, value_width))
    read = _read_positions(tensors, shapes["d_model"], answers)
    last = shapes["target_vocab_size"] - 1
    config = TransformerConfig(
        **shapes, **POST_NORM,
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        d_key=key_width // encoder_heads, d_value=value_width // encoder_heads,
        embedding_scale=1.0 if hints.embedding_scale is None else hints.embedding_scale,
        attention_bias=any(".bias" in name and "_attn.W_" in name for name in tensors),
        feed_forward_bias=any(".bias" in name and ".pos_ffn." in name and "norm" not in name for name in tensors),
        source_has_bos=bool(hints.source_has_bos), source_has_eos=bool(hints.source_has_eos),
        **read.fields, **answers.specials(tokenizers, shapes, pads=(0, 0), bos=last - 1, eos=last),
    )  # fmt: skip
    learned = {}
    if config.positions == "learned":
        learned = {f"{side}.positions.table": f"{side}.pos_emb.weight" for side in ("encoder", "decoder")}
    ignored = () if learned else (r"(encoder|decoder)\.pos_emb\.(weight|pe)",)
    return from_table(tensors, names | learned, config, answers, tokenizers, where=where, ignored=ignored, fill=True,
                     tables=read.tables)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Positions:
    fields: dict[str, Any]
    tables: tuple[Tensor | None, Tensor | None]


def _read_positions(tensors: Mapping[str, Tensor], d_model: int, answers: Answers) -> _Positions:
    """The kind of positions: a sinusoidal buffer, a table in the original's order, or a learned table."""
    tables = tuple(_table(tensors, side, d_model) for side in ("encoder", "decoder"))
    rows = [table.shape[0] for table in tables if table is not None]
    longest = max([*rows, 6])
    is_embedding = "encoder.pos_emb.weight" in tensors
    evidence = (Evidence("position_rows", (("rows", rows[0] if rows else 0),)),)
    as_original = answers.ask(
        "original_positions", is_embedding and rows == [6, 6], choices=(True, False), evidence=evidence
    )
    orders = {"source_position_order": SOURCE_ORDER, "target_position_order": TARGET_ORDER} if as_original else {}
    if is_embedding and not all(table is not None and is_sinusoidal(table) for table in tables):
        return _Positions({"positions": "learned", "max_positions": min([*rows, longest]), **orders}, (None, None))
    return _Positions({"max_positions": longest, **orders}, (tables[0], tables[1]))


def _table(tensors: Mapping[str, Tensor], side: str, d_model: int) -> Tensor | None:
    rows = tensors.get(f"{side}.pos_emb.weight", tensors.get(f"{side}.pos_emb.pe"))
    if rows is None or rows.dim() < 2 or rows.shape[-1] != d_model or rows.numel() == 0:
        return None
    return rows.reshape(-1, d_model)  # (P, D)


def _first(names: Mapping[str, Tensor], pattern: str, words: tuple[str, ...]) -> str:
    """The first of these words that gives the name of a tensor in the pattern; otherwise the original's."""
    return next((word for word in words if pattern.format(word) in names), words[0])
