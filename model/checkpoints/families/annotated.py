"""harvardnlp/annotated-transformer: a state dict, pre-norm with its own LayerNorm, log-probabilities out.

The file does not contain the number of heads, and a wrong number loads without an error, so it is a question.
Descendants use ``nn.LayerNorm`` instead of the original's norm.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from model.checkpoints.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.families.renaming import count_layers, is_same, matrix, rename, rows_of, under
from model.checkpoints.formats.source import Source
from model.checkpoints.hints import Hints
from model.config import ANNOTATED_EPSILON, EPSILON, TransformerConfig

NAME = "annotated"
_ATTENTION = {
    "query.*": "linears.0.*",
    "key.*": "linears.1.*",
    "value.*": "linears.2.*",
    "output.*": "linears.3.*",
}
_OWN_NORM, _LAYER_NORM = {"weight": "a_2", "bias": "b_2"}, {"weight": "weight", "bias": "bias"}
_FEED_FORWARD = {"feed_forward.fc1.*": "feed_forward.w_1.*", "feed_forward.fc2.*": "feed_forward.w_2.*"}


def encoder_layer(norm: Mapping[str, str]) -> dict[str, str]:
    """The table of names of an encoder's layer, with those of the norms."""
    return {
        **under("self_attention", "self_attn", _ATTENTION),
        **under("self_attention_norm", "sublayer.0.norm", norm),
        **_FEED_FORWARD,
        **under("feed_forward_norm", "sublayer.1.norm", norm),
    }


def norm_names(given: Mapping[str, Tensor], norm: str) -> tuple[bool, Mapping[str, str]]:
    """Whether norms are the original's own, and the names of their parts."""
    is_own = f"{norm}.a_2" in given
    return is_own, _OWN_NORM if is_own else _LAYER_NORM


def table(norm: Mapping[str, str]) -> dict[str, str]:
    """The table of names, with those of the norms."""
    decoder_layer = {
        **under("self_attention", "self_attn", _ATTENTION),
        **under("self_attention_norm", "sublayer.0.norm", norm),
        **under("cross_attention", "src_attn", _ATTENTION),
        **under("cross_attention_norm", "sublayer.1.norm", norm),
        **_FEED_FORWARD,
        **under("feed_forward_norm", "sublayer.2.norm", norm),
    }
    return {
        "encoder.embedding.weight": "src_embed.0.lut.weight",
        **under("encoder.layers.{}", "encoder.layers.{}", encoder_layer(norm)),
        **under("encoder.final_norm", "encoder.norm", norm),
        "decoder.embedding.weight": "tgt_embed.0.lut.weight",
        **under("decoder.layers.{}", "decoder.layers.{}", decoder_layer),
        **under("decoder.final_norm", "decoder.norm", norm),
        "output.*": "generator.proj.*",
    }


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    marks = ("src_embed.0.lut.weight", "encoder.layers.0.self_attn.linears.0.weight",
             "decoder.layers.0.self_attn.linears.0.weight")  # fmt: skip
    norm = next((name for name in ("encoder.norm.a_2", "encoder.norm.weight") if name in tensors), None)
    return (*marks, norm) if norm is not None and all(mark in tensors for mark in marks) else ()


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    given, where, answers = source.tensors, source.where, Answers(hints)
    source_size, d_model = matrix(given, "src_embed.0.lut.weight", where=where)
    target_size, _ = matrix(given, "tgt_embed.0.lut.weight", where=where)
    encoder_heads, decoder_heads = answers.heads(d_model)
    likely = {"source_pad_id": 2, "target_pad_id": 2, "bos_id": 0, "eos_id": 1}
    is_own, norm = norm_names(given, "encoder.norm")
    tables = (given.get("src_embed.1.pe"), given.get("tgt_embed.1.pe"))
    config = TransformerConfig(
        source_vocab_size=source_size, target_vocab_size=target_size, d_model=d_model,
        d_feed_forward=matrix(given, "encoder.layers.0.feed_forward.w_1.weight", where=where)[0],
        n_encoder_layers=count_layers(given, r"encoder\.layers\.(\d+)\."),
        n_decoder_layers=count_layers(given, r"decoder\.layers\.(\d+)\."),
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads, norm_kind="annotated" if is_own else "layer",
        norm_epsilon=ANNOTATED_EPSILON if is_own else EPSILON,
        attention_bias=any(name.endswith(".linears.0.bias") for name in given),
        output_bias="generator.proj.bias" in given, output_log_softmax=True,
        tie_embeddings=is_same(given, "src_embed.0.lut.weight", "tgt_embed.0.lut.weight"),
        tie_output=is_same(given, "tgt_embed.0.lut.weight", "generator.proj.weight"),
        max_positions=rows_of(tables[0], 5000),
        source_has_bos=True, **answers.specials(tokenizers, (source_size, target_size), likely),
    )  # fmt: skip
    renamed = rename(table(norm), given, config, where=where, ignored=(r"(src|tgt)_embed\.1\.pe",))
    return Conversion(config, renamed.tensors, renamed.ignored, renamed.filled, tuple(answers.questions),
                      tokenizers.source, tokenizers.target, tables)  # fmt: skip
