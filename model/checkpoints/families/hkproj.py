"""hkproj/pytorch-transformer: {epoch, model_state_dict, …}, pre-norm with its own LayerNorm, tokenizer_xx.json beside.

Early versions of it have norms of one number each, which holds for the whole width, and give log-probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families.renaming import prefixed, rows_of
from model.checkpoints.families.tables import from_table, infer_config_from_shapes, layout
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "hkproj"
MARKS = ("encoder.layers.0.self_attention_block.w_q.weight", "decoder.layers.0.cross_attention_block.w_q.weight",
         "projection_layer.proj.weight")  # fmt: skip
_PROJECTIONS, _NORM = ("w_q", "w_k", "w_v", "w_o"), {"weight": "alpha", "bias": "bias"}
_NETWORK = ("feed_forward_block.linear_1", "feed_forward_block.linear_2")
_NORMS = tuple(f"residual_connections.{place}.norm" for place in range(3))
TABLE = {
    "encoder.embedding.weight": "src_embed.embedding.weight", "decoder.embedding.weight": "tgt_embed.embedding.weight",
    "output.*": "projection_layer.proj.*",
    **layout("encoder", "encoder.layers.{}", _PROJECTIONS, ("self_attention_block",), _NETWORK, _NORMS[:2], norm=_NORM),
    **layout("decoder", "decoder.layers.{}", _PROJECTIONS, ("self_attention_block", "cross_attention_block"), _NETWORK,
             _NORMS, norm=_NORM),
    **prefixed("encoder.final_norm", "encoder.norm", _NORM), **prefixed("decoder.final_norm", "decoder.norm", _NORM),
}  # fmt: skip


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    tensors, where, answers = source.tensors, source.where, Answers(hints)
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    encoder_heads, decoder_heads = answers.heads(d_model := shapes["d_model"])
    tables = (tensors.get("src_pos.pe"), tensors.get("tgt_pos.pe"))
    is_early = any(_is_scalar_norm(name, tensor) for name, tensor in tensors.items()) and d_model > 1
    config = TransformerConfig(
        **shapes,
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads, norm_kind="annotated", norm_epsilon=1e-6,
        attention_bias=any(name.endswith("_block.w_q.bias") for name in tensors),
        output_log_softmax=is_early, max_positions=rows_of(tables[0], 5000),
        source_has_bos=True, **answers.specials(tokenizers, shapes, pads=(1, 1), bos=2, eos=3),
    )  # fmt: skip
    return from_table(_widened(tensors, d_model), TABLE, config, answers, tokenizers, where=where,
                     ignored=(r"(src|tgt)_pos\.pe",), tables=tables)  # fmt: skip


def _widened(tensors: Mapping[str, Tensor], d_model: int) -> dict[str, Tensor]:
    """The tensors with every norm of one number as wide as the model."""
    return {
        name: tensor.repeat(d_model) if _is_scalar_norm(name, tensor) else tensor for name, tensor in tensors.items()
    }


def _is_scalar_norm(name: str, tensor: Tensor) -> bool:
    return name.endswith(("norm.alpha", "norm.bias")) and tuple(tensor.shape) == (1,)
