"""OpenNMT-py 2 and 3: {model, generator, vocab, opt}; pre-norm, the vocabularies inside the file.

The source is read without begin or end token. Variants with other attention or another feed-forward are refused with
the name of their setting.
"""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError, unsupported_error
from model.checkpoints.families.tables import (
    activation_named,
    check_heads,
    from_table,
    infer_config_from_shapes,
    layout,
    refuse_settings,
    sizes_of,
)
from model.checkpoints.formats.settings import number_of, plain_value
from model.checkpoints.formats.source import Source
from model.checkpoints.vocabularies.toolkits import with_pieces
from model.config import Activation, TransformerConfig
from model.text.tokenizer import Tokenizer

NAME = "opennmt"
_PROJECTIONS = ("linear_query", "linear_keys", "linear_values", "final_linear")
_NETWORK, _LAST = ("feed_forward.w_1", "feed_forward.w_2"), "feed_forward.layer_norm"
_SOURCE = "encoder.embeddings.make_embedding.emb_luts.0.weight"
MARKS = ("encoder.transformer.0.self_attn.linear_keys.weight",
         "decoder.transformer_layers.0.context_attn.linear_keys.weight", _SOURCE)  # fmt: skip
_TARGET = "decoder.embeddings.make_embedding.emb_luts.0.weight"
_POSITIONS = tuple(f"{side}.embeddings.make_embedding.pe.pe" for side in ("encoder", "decoder"))
TABLE = {
    "encoder.embedding.weight": _SOURCE, "decoder.embedding.weight": _TARGET,
    "encoder.final_norm.*": "encoder.layer_norm.*", "decoder.final_norm.*": "decoder.layer_norm.*",
    **layout("encoder", "encoder.transformer.{}", _PROJECTIONS, ("self_attn",), _NETWORK, ("layer_norm", _LAST)),
    **layout("decoder", "decoder.transformer_layers.{}", _PROJECTIONS, ("self_attn", "context_attn"), _NETWORK,
             ("layer_norm_1", "layer_norm_2", _LAST)),
}  # fmt: skip
_ACTIVATIONS: dict[str, Activation] = {"relu": "relu", "gelu": "gelu", "silu": "silu"}
_PLAIN: dict[str, tuple[Any, ...]] = {
    "max_relative_positions": (0,), "num_kv": (0,), "multiquery": (False,), "parallel_residual": (False,),
    "layer_norm": ("standard",),
    "copy_attn": (False,), "self_attn_type": ("scaled-dot", "scaled-dot-flash"), "n_src_feats": (0,),
    "sliding_window": (0,), "num_experts": (0,), "aan_useffn": (False,), "feat_merge": ("concat", "sum", "mlp"),
}  # fmt: skip
"""Settings and the values under which the model is the ordinary one."""
_UNSEEN = ("max_relative_positions=0", "norm_eps=1e-06", "position_encoding_type=SinusoidalInterleaved",
           "parallel_residual=False", "sliding_window=0")  # fmt: skip
"""What ``opt`` tells and the tensors do not."""
_GATED = (".feed_forward.w_3.", ".feed_forward.gate.")


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where = source.tensors, source.where
    settings = plain_value(source.beside.get("opt")) or {}
    _refuse(tensors, settings, where)
    generator = next(
        (name for name in ("generator.0.weight", "generator.weight") if name in tensors), "generator.weight"
    )
    names = TABLE | {"output.*": generator.replace("weight", "*")}
    shapes = infer_config_from_shapes(names, tensors, where=where)
    d_model = shapes["d_model"]
    tokenizers = _tokenizers(source, tokenizers, sizes_of(shapes))
    known = number_of(settings, "heads", 0, least=1)
    heads = check_heads("heads ({}) in opt", known, d_model) if known else answers.heads(d_model)[0]
    usual = "relu" if settings else answers.ask("activation", "relu")  # older files have no such setting
    activation = settings.get("pos_ffn_activation_fn") or usual
    tables = (tensors.get(_POSITIONS[0]), tensors.get(_POSITIONS[1]))
    is_concatenated = settings.get("position_encoding_type") == "SinusoidalConcat"
    first = "encoder.transformer.0"
    specials = answers.specials(tokenizers, shapes, pads=(1, 1), bos=2, eos=3) | _start(source, tokenizers, answers)
    config = TransformerConfig(
        **shapes,
        n_encoder_heads=heads, n_decoder_heads=heads, norm_epsilon=_epsilon(settings),
        attention_bias=f"{first}.self_attn.linear_keys.bias" in tensors,
        feed_forward_bias=f"{first}.feed_forward.w_1.bias" in tensors,
        activation=activation_named(activation, _ACTIVATIONS, where),
        embedding_scale=1.0 if tables[0] is None else d_model**0.5,
        positions="none" if tables[0] is None else "tensor2tensor" if is_concatenated else "interleaved",
        max_positions=5000 if tables[0] is None or tables[0].dim() < 2 else len(tables[0]),
        source_has_eos=False, **specials,
    )  # fmt: skip
    return from_table(tensors, names, config, answers, tokenizers, where=where, ignored=_POSITIONS, tables=tables,
                     assumed=() if settings else _UNSEEN)  # fmt: skip


def _refuse(tensors: Mapping[str, Tensor], settings: Mapping[str, Any], where: str) -> None:
    refuse_settings(settings, _PLAIN, where)
    gated = next((name for name in tensors for part in _GATED if part in name), None)
    if gated is not None:
        raise unsupported_error(f"{where} has a gated feed-forward network ({gated[:80]})")


def _epsilon(settings: Mapping[str, Any]) -> float:
    value = settings.get("norm_eps", 1e-6)
    if not isinstance(value, float) or not 0 < value <= 1:
        raise CheckpointError(f"norm_eps in opt is {value!r:.40}, but must be in (0, 1]: the settings are damaged")
    return value


def _tokenizers(source: Source, tokenizers: Tokenizers, sizes: tuple[int, int]) -> Tokenizers:
    """The vocabularies inside the file: lists in version 3, torchtext's fields in version 2."""
    held = plain_value(source.beside.get("vocab"))
    sides: list[Tokenizer | None] = [tokenizers.source, tokenizers.target]
    for index, (side, name, size) in enumerate(zip(("src", "tgt"), ("source", "target"), sizes, strict=True)):
        tokens = _tokens(held.get(side), size) if isinstance(held, dict) else None
        if tokens is not None and sides[index] is None:
            sides[index] = with_pieces(tokens, source.files, name)
    return Tokenizers(*sides)


def _start(source: Source, tokenizers: Tokenizers, answers: Answers) -> dict[str, Any]:
    """The token that the decoder begins with, if the file names one that is not the usual one."""
    held = plain_value(source.beside.get("vocab"))
    token = held.get("decoder_start_token") if isinstance(held, dict) else None
    tokens: tuple[str, ...] = getattr(tokenizers.target, "tokens", ())
    return {"bos_id": tokens.index(token)} if answers.hints.bos_id is None and token and token in tokens else {}


def _tokens(held: object, size: int) -> list[str] | None:
    """A list of as many tokens as there are embeddings, found anywhere inside a field."""
    if isinstance(held, list):
        if len(held) == size and all(isinstance(token, str) for token in held):
            return held
        return next((tokens for inner in held if (tokens := _tokens(inner, size)) is not None), None)
    if isinstance(held, dict):
        return next((tokens for inner in held.values() if (tokens := _tokens(inner, size)) is not None), None)
    return None
