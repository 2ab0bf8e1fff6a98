"""hyunwoongko/transformer: a bare state dict, post-norm, embeddings not scaled.

Its target mask hides padded queries, where others hide padded keys, so the rows of padding are uniform. Before 8
December 2022 its masks filled with -1e-12, which hid nothing, and its norms divided by another number: those versions
are not supported.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families.tables import POST_NORM, from_table, infer_config_from_shapes, layout
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "hyunwoongko"
MARKS = ("encoder.emb.tok_emb.weight", "encoder.layers.0.attention.w_concat.weight",
         "decoder.layers.0.enc_dec_attention.w_q.weight")  # fmt: skip
MAX_POSITIONS = 1024
_PROJECTIONS, _NETWORK = ("w_q", "w_k", "w_v", "w_concat"), ("ffn.linear1", "ffn.linear2")
_NORMS, _NORM = ("norm1", "norm2", "norm3"), {"weight": "gamma", "bias": "beta"}
TABLE = {
    "encoder.embedding.weight": "encoder.emb.tok_emb.weight", "decoder.embedding.weight": "decoder.emb.tok_emb.weight",
    "output.*": "decoder.linear.*",
    **layout("encoder", "encoder.layers.{}", _PROJECTIONS, ("attention",), _NETWORK, _NORMS[:2], norm=_NORM),
    **layout("decoder", "decoder.layers.{}", _PROJECTIONS, ("self_attention", "enc_dec_attention"), _NETWORK, _NORMS,
             norm=_NORM),
}  # fmt: skip

_CHANGE = "67ccbb0 (2022-12-08)"
"""Older code had the same names and shapes, and computed something else."""


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    tensors, where, answers = source.tensors, source.where, Answers(hints)
    answers.recent_code(_CHANGE)
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    encoder_heads, decoder_heads = answers.heads(d_model := shapes["d_model"])
    config = TransformerConfig(
        **shapes, **POST_NORM,
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        norm_epsilon=1e-12, embedding_scale=1.0, max_positions=MAX_POSITIONS, mask_target_padding=False,
        blank_target_padding=True, source_has_bos=True,
        **answers.specials(tokenizers, shapes, pads=(1, 1), bos=2, eos=3),
    )  # fmt: skip
    table = positions(d_model) if d_model % 2 == 0 else None
    return from_table(tensors, TABLE, config, answers, tokenizers, where=where, tables=(table, table),
                     ignored=(r"(encoder|decoder)\.emb\.pos_emb\.encoding",))  # fmt: skip


def positions(d_model: int) -> Tensor:
    """The original's table, computed in its order of operations so that it is equal to the bit, (P, D)."""
    place = torch.arange(MAX_POSITIONS).float().unsqueeze(1)
    angle = place / 10000 ** (torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1)
