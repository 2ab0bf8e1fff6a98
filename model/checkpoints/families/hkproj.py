"""hkproj/pytorch-transformer: {epoch, model_state_dict, …}, pre-norm with its own LayerNorm, tokenizer_xx.json beside.

Early versions of it have norms of one number each, which holds for the whole width, and give log-probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from model.checkpoints.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.families.renaming import count_layers, is_same, matrix, rename, under
from model.checkpoints.formats.source import Source
from model.checkpoints.hints import Hints
from model.config import TransformerConfig

NAME = "hkproj"
_ATTENTION = {"query.*": "w_q.*", "key.*": "w_k.*", "value.*": "w_v.*", "output.*": "w_o.*"}
_NORM = {"weight": "alpha", "bias": "bias"}
_FEED_FORWARD = {
    "feed_forward.fc1.*": "feed_forward_block.linear_1.*",
    "feed_forward.fc2.*": "feed_forward_block.linear_2.*",
}
_ENCODER_LAYER = {
    **under("self_attention", "self_attention_block", _ATTENTION),
    **under("self_attention_norm", "residual_connections.0.norm", _NORM),
    **_FEED_FORWARD,
    **under("feed_forward_norm", "residual_connections.1.norm", _NORM),
}
_DECODER_LAYER = {
    **under("self_attention", "self_attention_block", _ATTENTION),
    **under("self_attention_norm", "residual_connections.0.norm", _NORM),
    **under("cross_attention", "cross_attention_block", _ATTENTION),
    **under("cross_attention_norm", "residual_connections.1.norm", _NORM),
    **_FEED_FORWARD,
    **under("feed_forward_norm", "residual_connections.2.norm", _NORM),
}
TABLE = {
    "encoder.embedding.weight": "src_embed.embedding.weight",
    **under("encoder.layers.{}", "encoder.layers.{}", _ENCODER_LAYER),
    **under("encoder.final_norm", "encoder.norm", _NORM),
    "decoder.embedding.weight": "tgt_embed.embedding.weight",
    **under("decoder.layers.{}", "decoder.layers.{}", _DECODER_LAYER),
    **under("decoder.final_norm", "decoder.norm", _NORM),
    "output.*": "projection_layer.proj.*",
}


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    marks = ("encoder.layers.0.self_attention_block.w_q.weight", "decoder.layers.0.cross_attention_block.w_q.weight",
             "projection_layer.proj.weight")  # fmt: skip
    return marks if all(mark in tensors for mark in marks) else ()


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    given, where, answers = source.tensors, source.where, Answers(hints)
    source_size, d_model = matrix(given, "src_embed.embedding.weight", where=where)
    target_size, _ = matrix(given, "tgt_embed.embedding.weight", where=where)
    encoder_heads, decoder_heads = answers.heads(d_model)
    likely = {"source_pad_id": 1, "target_pad_id": 1, "bos_id": 2, "eos_id": 3}
    tables = (given.get("src_pos.pe"), given.get("tgt_pos.pe"))
    is_early = any(_is_scalar_norm(name, tensor) for name, tensor in given.items()) and d_model > 1
    config = TransformerConfig(
        source_vocab_size=source_size, target_vocab_size=target_size, d_model=d_model,
        d_feed_forward=matrix(given, "encoder.layers.0.feed_forward_block.linear_1.weight", where=where)[0],
        n_encoder_layers=count_layers(given, r"encoder\.layers\.(\d+)\."),
        n_decoder_layers=count_layers(given, r"decoder\.layers\.(\d+)\."),
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads, norm_kind="annotated", norm_epsilon=1e-6,
        attention_bias=any(name.endswith("_block.w_q.bias") for name in given),
        output_bias="projection_layer.proj.bias" in given, output_log_softmax=is_early,
        tie_embeddings=is_same(given, "src_embed.embedding.weight", "tgt_embed.embedding.weight"),
        tie_output=is_same(given, "tgt_embed.embedding.weight", "projection_layer.proj.weight"),
        max_positions=tables[0].shape[-2] if tables[0] is not None and tables[0].dim() > 1 else 5000,
        source_has_bos=True, **answers.specials(tokenizers, (source_size, target_size), likely),
    )  # fmt: skip
    renamed = rename(TABLE, _widened(given, d_model), config, where=where, ignored=(r"(src|tgt)_pos\.pe",))
    return Conversion(config, renamed.tensors, renamed.ignored, renamed.filled, tuple(answers.questions),
                      tokenizers.source, tokenizers.target, tables)  # fmt: skip


def _widened(given: Mapping[str, Tensor], d_model: int) -> dict[str, Tensor]:
    """The tensors with every norm of one number as wide as the model."""
    return {name: tensor.repeat(d_model) if _is_scalar_norm(name, tensor) else tensor for name, tensor in given.items()}


def _is_scalar_norm(name: str, tensor: Tensor) -> bool:
    return name.endswith(("norm.alpha", "norm.bias")) and tuple(tensor.shape) == (1,)
