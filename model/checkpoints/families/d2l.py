"""Dive into Deep Learning (the book's code and the d2l package): a state dict of ``Seq2Seq``, post-norm.

Its decoder is causal in training. At inference it is fed token by token, each time at position 0. By default positions
advance here as in training; with ``original_positions=True`` they stay at 0.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from model.checkpoints.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.families.renaming import count_layers, is_same, matrix, rename, under
from model.checkpoints.formats.source import Source
from model.checkpoints.hints import Hints
from model.config import TransformerConfig

NAME = "d2l"
MAX_POSITIONS = 1000
_ATTENTION = {"query.*": "W_q.*", "key.*": "W_k.*", "value.*": "W_v.*", "output.*": "W_o.*"}
_FEED_FORWARD = {"feed_forward.fc1.*": "ffn.dense1.*", "feed_forward.fc2.*": "ffn.dense2.*"}
_ENCODER_LAYER = {
    **under("self_attention", "attention", _ATTENTION),
    "self_attention_norm.*": "addnorm1.ln.*",
    **_FEED_FORWARD,
    "feed_forward_norm.*": "addnorm2.ln.*",
}
_DECODER_LAYER = {
    **under("self_attention", "attention1", _ATTENTION),
    "self_attention_norm.*": "addnorm1.ln.*",
    **under("cross_attention", "attention2", _ATTENTION),
    "cross_attention_norm.*": "addnorm2.ln.*",
    **_FEED_FORWARD,
    "feed_forward_norm.*": "addnorm3.ln.*",
}
TABLE = {
    "encoder.embedding.weight": "encoder.embedding.weight",
    **under("encoder.layers.{}", "encoder.blks.block{}", _ENCODER_LAYER),
    "decoder.embedding.weight": "decoder.embedding.weight",
    **under("decoder.layers.{}", "decoder.blks.block{}", _DECODER_LAYER),
    "output.*": "decoder.dense.*",
}


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    marks = ("encoder.blks.block0.attention.W_q.weight", "decoder.blks.block0.attention1.W_q.weight",
             "decoder.dense.weight")  # fmt: skip
    return marks if all(mark in tensors for mark in marks) else ()


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    given, where, answers = source.tensors, source.where, Answers(hints)
    source_size, d_model = matrix(given, "encoder.embedding.weight", where=where)
    target_size, _ = matrix(given, "decoder.embedding.weight", where=where)
    encoder_heads, decoder_heads = answers.heads(d_model, likely=4)
    likely = {"source_pad_id": 0, "target_pad_id": 0, "bos_id": 1, "eos_id": 2}
    as_predicted = answers.ask("original_positions", False, choices=(False, True))
    config = TransformerConfig(
        source_vocab_size=source_size, target_vocab_size=target_size, d_model=d_model,
        d_feed_forward=matrix(given, "encoder.blks.block0.ffn.dense1.weight", where=where)[0],
        n_encoder_layers=count_layers(given, r"encoder\.blks\.block(\d+)\."),
        n_decoder_layers=count_layers(given, r"decoder\.blks\.block(\d+)\."),
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        encoder_norm_first=False, decoder_norm_first=False, encoder_final_norm=False, decoder_final_norm=False,
        attention_bias=any(".W_q.bias" in name for name in given), output_bias="decoder.dense.bias" in given,
        tie_embeddings=is_same(given, "encoder.embedding.weight", "decoder.embedding.weight"),
        tie_output=is_same(given, "decoder.embedding.weight", "decoder.dense.weight"),
        max_positions=MAX_POSITIONS, mask_target_padding=False,
        target_position_order=(0,) * MAX_POSITIONS if as_predicted else None,
        **answers.specials(tokenizers, (source_size, target_size), likely),
    )  # fmt: skip
    renamed = rename(TABLE, given, config, where=where, fill=True)
    table = positions(d_model) if d_model % 2 == 0 else None
    return Conversion(config, renamed.tensors, renamed.ignored, renamed.filled, tuple(answers.questions),
                      tokenizers.source, tokenizers.target, (table, table))  # fmt: skip


def positions(d_model: int) -> Tensor:
    """The book's table, computed in the book's order of operations so that it is equal to the bit, (P, D)."""
    angle = torch.arange(MAX_POSITIONS, dtype=torch.float32).reshape(-1, 1) / torch.pow(
        10000, torch.arange(0, d_model, 2, dtype=torch.float32) / d_model
    )
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1)
