"""Dive into Deep Learning (the book's code and the d2l package): a state dict of ``Seq2Seq``, post-norm.

Its decoder is causal in training. At inference it is fed token by token, each time at position 0. By default positions
advance here as in training; with ``original_positions=True`` they stay at 0.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families.tables import POST_NORM, from_table, infer_config_from_shapes, layout
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "d2l"
MARKS = ("encoder.blks.block0.attention.W_q.weight", "decoder.blks.block0.attention1.W_q.weight",
         "decoder.dense.weight")  # fmt: skip
MAX_POSITIONS = 1000
_PROJECTIONS, _NETWORK = ("W_q", "W_k", "W_v", "W_o"), ("ffn.dense1", "ffn.dense2")
_NORMS = ("addnorm1.ln", "addnorm2.ln", "addnorm3.ln")
TABLE = {
    "encoder.embedding.weight": "encoder.embedding.weight", "decoder.embedding.weight": "decoder.embedding.weight",
    "output.*": "decoder.dense.*",
    **layout("encoder", "encoder.blks.block{}", _PROJECTIONS, ("attention",), _NETWORK, _NORMS[:2]),
    **layout("decoder", "decoder.blks.block{}", _PROJECTIONS, ("attention1", "attention2"), _NETWORK, _NORMS),
}  # fmt: skip


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    tensors, where, answers = source.tensors, source.where, Answers(hints)
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    encoder_heads, decoder_heads = answers.heads(d_model := shapes["d_model"], likely=4)
    as_predicted = answers.ask("original_positions", False, choices=(False, True))
    config = TransformerConfig(
        **shapes, **POST_NORM,
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        attention_bias=any(".W_q.bias" in name for name in tensors),
        max_positions=MAX_POSITIONS, mask_target_padding=False,
        target_position_order=(0,) * MAX_POSITIONS if as_predicted else None,
        **answers.specials(tokenizers, shapes, pads=(0, 0), bos=1, eos=2),
    )  # fmt: skip
    table = positions(d_model) if d_model % 2 == 0 else None
    return from_table(tensors, TABLE, config, answers, tokenizers, where=where, fill=True, tables=(table, table))


def positions(d_model: int) -> Tensor:
    """The book's table, computed in the book's order of operations so that it is equal to the bit, (P, D)."""
    angle = torch.arange(MAX_POSITIONS, dtype=torch.float32).reshape(-1, 1) / torch.pow(
        10000, torch.arange(0, d_model, 2, dtype=torch.float32) / d_model
    )
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1)
