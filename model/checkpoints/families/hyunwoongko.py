"""hyunwoongko/transformer: a bare state dict, post-norm, embeddings not scaled.

Its target mask hides padded queries, where others hide padded keys, so the rows of padding are uniform. Before 8
December 2022 its masks filled with -1e-12, which hid nothing, and its norms divided by another number: those versions
are not supported.
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

NAME = "hyunwoongko"
MAX_POSITIONS = 1024
_ATTENTION = {"query.*": "w_q.*", "key.*": "w_k.*", "value.*": "w_v.*", "output.*": "w_concat.*"}
_NORM = {"weight": "gamma", "bias": "beta"}
_FEED_FORWARD = {"feed_forward.fc1.*": "ffn.linear1.*", "feed_forward.fc2.*": "ffn.linear2.*"}
_ENCODER_LAYER = {
    **under("self_attention", "attention", _ATTENTION),
    **under("self_attention_norm", "norm1", _NORM),
    **_FEED_FORWARD,
    **under("feed_forward_norm", "norm2", _NORM),
}
_DECODER_LAYER = {
    **under("self_attention", "self_attention", _ATTENTION),
    **under("self_attention_norm", "norm1", _NORM),
    **under("cross_attention", "enc_dec_attention", _ATTENTION),
    **under("cross_attention_norm", "norm2", _NORM),
    **_FEED_FORWARD,
    **under("feed_forward_norm", "norm3", _NORM),
}
TABLE = {
    "encoder.embedding.weight": "encoder.emb.tok_emb.weight",
    **under("encoder.layers.{}", "encoder.layers.{}", _ENCODER_LAYER),
    "decoder.embedding.weight": "decoder.emb.tok_emb.weight",
    **under("decoder.layers.{}", "decoder.layers.{}", _DECODER_LAYER),
    "output.*": "decoder.linear.*",
}

_CHANGE = "67ccbb0 (2022-12-08)"
"""Older code had the same names and shapes, and computed something else."""


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    marks = ("encoder.emb.tok_emb.weight", "encoder.layers.0.attention.w_concat.weight",
             "decoder.layers.0.enc_dec_attention.w_q.weight")  # fmt: skip
    return marks if all(mark in tensors for mark in marks) else ()


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    given, where, answers = source.tensors, source.where, Answers(hints)
    answers.recent_code(_CHANGE)
    source_size, d_model = matrix(given, "encoder.emb.tok_emb.weight", where=where)
    target_size, _ = matrix(given, "decoder.emb.tok_emb.weight", where=where)
    encoder_heads, decoder_heads = answers.heads(d_model)
    likely = {"source_pad_id": 1, "target_pad_id": 1, "bos_id": 2, "eos_id": 3}
    config = TransformerConfig(
        source_vocab_size=source_size, target_vocab_size=target_size, d_model=d_model,
        d_feed_forward=matrix(given, "encoder.layers.0.ffn.linear1.weight", where=where)[0],
        n_encoder_layers=count_layers(given, r"encoder\.layers\.(\d+)\."),
        n_decoder_layers=count_layers(given, r"decoder\.layers\.(\d+)\."),
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        encoder_norm_first=False, decoder_norm_first=False, encoder_final_norm=False, decoder_final_norm=False,
        norm_epsilon=1e-12, embedding_scale=1.0, output_bias="decoder.linear.bias" in given,
        tie_embeddings=is_same(given, "encoder.emb.tok_emb.weight", "decoder.emb.tok_emb.weight"),
        tie_output=is_same(given, "decoder.emb.tok_emb.weight", "decoder.linear.weight"),
        max_positions=MAX_POSITIONS, mask_target_padding=False, blank_target_padding=True, source_has_bos=True,
        **answers.specials(tokenizers, (source_size, target_size), likely),
    )  # fmt: skip
    renamed = rename(TABLE, given, config, where=where, ignored=(r"(encoder|decoder)\.emb\.pos_emb\.encoding",))
    table = positions(d_model) if d_model % 2 == 0 else None
    return Conversion(config, renamed.tensors, renamed.ignored, renamed.filled, tuple(answers.questions),
                      tokenizers.source, tokenizers.target, (table, table))  # fmt: skip


def positions(d_model: int) -> Tensor:
    """The original's table, computed in its order of operations so that it is equal to the bit, (P, D)."""
    place = torch.arange(MAX_POSITIONS).float().unsqueeze(1)
    angle = place / 10000 ** (torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1)
