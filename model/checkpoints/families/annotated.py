"""harvardnlp/annotated-transformer: a state dict, pre-norm with its own LayerNorm, log-probabilities out.

The file does not contain the number of heads, and a wrong number loads without an error, so it is a question.
Descendants use ``nn.LayerNorm`` instead of the original's norm.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families.renaming import first_complete, prefixed, rows_of
from model.checkpoints.families.tables import from_table, infer_config_from_shapes, layout
from model.checkpoints.formats.source import Source
from model.config import ANNOTATED_EPSILON, EPSILON, TransformerConfig

NAME = "annotated"
_PROJECTIONS = ("linears.0", "linears.1", "linears.2", "linears.3")
_NETWORK = ("feed_forward.w_1", "feed_forward.w_2")
_NORMS = ("sublayer.0.norm", "sublayer.1.norm", "sublayer.2.norm")
_A_2_NORM, _LAYER_NORM = {"weight": "a_2", "bias": "b_2"}, {"weight": "weight", "bias": "bias"}


def encoder_layers(side: str, place: str, norm: Mapping[str, str]) -> dict[str, str]:
    """The table of names of an encoder's layers, or of a decoder's made of them, with those of the norms."""
    return layout(side, place, _PROJECTIONS, ("self_attn",), _NETWORK, _NORMS[:2], norm=norm)


def norm_names(tensors: Mapping[str, Tensor], norm: str) -> tuple[bool, Mapping[str, str]]:
    """Whether norms are the original's own, and the names of their parts."""
    has_a_2 = f"{norm}.a_2" in tensors
    return has_a_2, _A_2_NORM if has_a_2 else _LAYER_NORM


def table(norm: Mapping[str, str]) -> dict[str, str]:
    """The table of names, with those of the norms."""
    return {
        "encoder.embedding.weight": "src_embed.0.lut.weight", "decoder.embedding.weight": "tgt_embed.0.lut.weight",
        "output.*": "generator.proj.*", **encoder_layers("encoder", "encoder.layers.{}", norm),
        **layout("decoder", "decoder.layers.{}", _PROJECTIONS, ("self_attn", "src_attn"), _NETWORK, _NORMS, norm=norm),
        **prefixed("encoder.final_norm", "encoder.norm", norm), **prefixed("decoder.final_norm", "decoder.norm", norm),
    }  # fmt: skip


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    marks = ("src_embed.0.lut.weight", "encoder.layers.0.self_attn.linears.0.weight",
             "decoder.layers.0.self_attn.linears.0.weight")  # fmt: skip
    return first_complete(tensors, *((*marks, norm) for norm in ("encoder.norm.a_2", "encoder.norm.weight")))


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    tensors, where, answers = source.tensors, source.where, Answers(hints)
    has_a_2, norm = norm_names(tensors, "encoder.norm")
    shapes = infer_config_from_shapes(names := table(norm), tensors, where=where)
    encoder_heads, decoder_heads = answers.heads(shapes["d_model"])
    tables = (tensors.get("src_embed.1.pe"), tensors.get("tgt_embed.1.pe"))
    config = TransformerConfig(
        **shapes,
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads, norm_kind="annotated" if has_a_2 else "layer",
        norm_epsilon=ANNOTATED_EPSILON if has_a_2 else EPSILON,
        attention_bias=any(name.endswith(".linears.0.bias") for name in tensors),
        output_log_softmax=True, max_positions=rows_of(tables[0], 5000),
        source_has_bos=True, **answers.specials(tokenizers, shapes, pads=(2, 2), bos=0, eos=1),
    )  # fmt: skip
    return from_table(tensors, names, config, answers, tokenizers, where=where, tables=tables,
                     ignored=(r"(src|tgt)_embed\.1\.pe",))  # fmt: skip
