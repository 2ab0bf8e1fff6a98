"""Aladdin Persson's "Transformer from scratch": one projection of a head's width that all heads of a layer share.

``Linear(head_dim, head_dim)`` is applied to each head's part of the embedding, so it is read as a block-diagonal
matrix, and it tells the number of heads. Scores are divided by √embedding, not by √head; embeddings are not scaled;
positions are learned; the target's padding is not masked. Later copies project with ``Linear(embed, embed)``.

Some copies fill masks with 1e-20 or -1e-20 in place of -1e20, which hides nothing. The file does not tell; such a model
is a question and is refused, because rows would read tokens that come after them.
"""

from __future__ import annotations

import re

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import TensorsError
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families.renaming import cut_alike, matrix
from model.checkpoints.families.tables import POST_NORM, from_table, infer_config_from_shapes, layout
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "aladdin"
_PROJECTIONS, _NETWORK = ("queries", "keys", "values", "fc_out"), ("feed_forward.0", "feed_forward.2")
TABLE = {
    **{f"{side}.{ours}": f"{side}.{theirs}.weight" for side in ("encoder", "decoder")
       for ours, theirs in (("embedding.weight", "word_embedding"), ("positions.table", "position_embedding"))},
    "output.*": "decoder.fc_out.*",
    **layout("encoder", "encoder.layers.{}", _PROJECTIONS, ("attention",), _NETWORK, ("norm1", "norm2")),
    **layout("decoder", "decoder.layers.{}", _PROJECTIONS, ("attention", "transformer_block.attention"),
             tuple(f"transformer_block.{name}" for name in _NETWORK),
             ("norm", "transformer_block.norm1", "transformer_block.norm2")),
}  # fmt: skip
_FIRST = "encoder.layers.0.attention.queries.weight"
MARKS = ("encoder.word_embedding.weight", _FIRST, "decoder.layers.0.transformer_block.attention.queries.weight")
_PROJECTION = re.compile(r"attention\.(queries|keys|values)\.(weight|bias)\Z")


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer.

    Raises:
        TensorsError: when the projections' width does not divide the embedding's.
    """
    where, answers = source.where, Answers(hints)
    shapes = infer_config_from_shapes(TABLE, source.tensors, where=where)
    d_model, width = shapes["d_model"], matrix(source.tensors, _FIRST, where=where)[0]
    if d_model % width:
        raise TensorsError(where, misshapen=(f"{_FIRST} is {width} wide, which does not divide {d_model}",))
    n_shared = d_model // width
    heads = (n_shared, n_shared) if n_shared > 1 else answers.heads(d_model)
    answers.hiding_masks()
    tensors = {name: _for_all(tensor, n_shared) if n_shared > 1 and _PROJECTION.search(name) else tensor
             for name, tensor in source.tensors.items()}  # fmt: skip
    n_rows = cut_alike(tensors, [f"{side}.position_embedding.weight" for side in ("encoder", "decoder")])
    config = TransformerConfig(
        **shapes, **POST_NORM,
        n_encoder_heads=heads[0], n_decoder_heads=heads[1], score_scale=d_model**-0.5, embedding_scale=1.0,
        attention_bias=any(re.search(r"attention\.\w+\.bias", name) for name in tensors),
        positions="learned", max_positions=n_rows or 100, mask_target_padding=False, source_has_bos=True,
        **answers.specials(tokenizers, shapes, pads=(0, 0), bos=1, eos=2),
    )  # fmt: skip
    return from_table(tensors, TABLE, config, answers, tokenizers, where=where, fill=True)


def _for_all(tensor: Tensor, n_heads: int) -> Tensor:
    """A projection that all heads share, for the whole width: blocks on the diagonal, or a bias repeated."""
    return torch.block_diag(*[tensor] * n_heads) if tensor.dim() == 2 else tensor.repeat(n_heads)
