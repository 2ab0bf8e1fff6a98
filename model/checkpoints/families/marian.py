"""Marian's own model.npz, as OPUS-MT releases it: weights (in, out), settings inside as ``special:model.yml``.

The decoder starts from zeros, for which we use the id one past the vocabulary. Positions and LayerNorm follow
``transformers`` and CTranslate2 when they convert such a file: exponents over d/2, and 1e-5. With
``original_positions=True`` they follow Marian itself: exponents over d/2 - 1, and 1e-6.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import unsupported_error
from model.checkpoints.basis.report import Evidence, Question
from model.checkpoints.families.tables import (
    activation_named,
    check_heads,
    from_table,
    infer_config_from_shapes,
    refuse_settings,
)
from model.checkpoints.formats.settings import number_of
from model.checkpoints.formats.source import Source
from model.checkpoints.vocabularies.toolkits import marian_tokens, with_pieces
from model.config import EPSILON, Activation, TransformerConfig
from model.text.tokenizer import Tokenizer

NAME = "marian"
MARKS = ("encoder_l1_self_Wq", "decoder_l1_context_Wq", "decoder_l1_ffn_W1")
SETTINGS = "special:model.yml"


def _attention(ours: str, stored: str) -> dict[str, str]:
    parts = {"query": "q", "key": "k", "value": "v", "output": "o"}
    return {f"{ours}.{name}.{kind}": f"{stored}_{letter}{part}" for name, part in parts.items()
            for kind, letter in (("weight", "W"), ("bias", "b"))} | {
        f"{ours}_norm.weight": f"{stored}_Wo_ln_scale", f"{ours}_norm.bias": f"{stored}_Wo_ln_bias"}  # fmt: skip


_FEED_FORWARD = {
    "feed_forward.fc1.weight": "ffn_W1", "feed_forward.fc1.bias": "ffn_b1",
    "feed_forward.fc2.weight": "ffn_W2", "feed_forward.fc2.bias": "ffn_b2",
    "feed_forward_norm.weight": "ffn_ffn_ln_scale", "feed_forward_norm.bias": "ffn_ffn_ln_bias",
}  # fmt: skip
_ENCODER_LAYER = {**_attention("self_attention", "self"), **_FEED_FORWARD}
_DECODER_LAYER = {**_ENCODER_LAYER, **_attention("cross_attention", "context")}
TABLE = {
    "encoder.embedding.weight": "encoder_Wemb", "decoder.embedding.weight": "decoder_Wemb",
    "output.weight": "decoder_ff_logit_out_W", "output.bias": "decoder_ff_logit_out_b",
    **{f"{side}.{ours}": f"{side}_{stored}" for side in ("encoder", "decoder") for ours, stored in (
        ("embedding_norm.weight", "emb_ln_scale"), ("embedding_norm.bias", "emb_ln_bias"),
        ("final_norm.weight", "top_ln_scale"), ("final_norm.bias", "top_ln_bias"))},
    **{f"encoder.layers.{{}}.{ours}": f"encoder_l{{+1}}_{stored}" for ours, stored in _ENCODER_LAYER.items()},
    **{f"decoder.layers.{{}}.{ours}": f"decoder_l{{+1}}_{stored}" for ours, stored in _DECODER_LAYER.items()},
}  # fmt: skip
_ACTIVATIONS: dict[str, Activation] = {"relu": "relu", "swish": "silu", "silu": "silu", "gelu": "gelu_sigmoid"}
_PLAIN: dict[str, tuple[Any, ...]] = {
    "type": ("transformer",), "transformer-decoder-autoreg": ("self-attention",), "transformer-no-projection": (False,),
    "transformer-ffn-depth": (2,), "transformer-decoder-ffn-depth": (0, 2),
    "transformer-tied-layers": ([],),
    "transformer-no-affine": (False,), "transformer-no-bias": (False,), "transformer-rnn-projection": (False,),
    "transformer-train-position-embeddings": (False,), "transformer-disable-position-embeddings": (False,),
    "transformer-attention-mask": ("default",), "transformer-pool": (False,),
}  # fmt: skip
"""Settings and the values under which the model is the ordinary one."""
_UNSEEN = ("transformer-disable-position-embeddings=false", "transformer-attention-mask=default")
"""What ``special:model.yml`` tells and the other arrays do not."""
_OPERATIONS = {"transformer-preprocess": ("", "n"), "transformer-postprocess": ("an", "a"),
               "transformer-postprocess-emb": ("", "n"), "transformer-postprocess-top": ("", "n")}  # fmt: skip
"""Operations before and after a sublayer, an embedding and a stack, without dropout (d): n normalises, a adds."""
_OTHERS = {"rnn": "a recurrent unit (SSRU)", "aan": "an average attention network (AAN)"}


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    where, settings = source.where, _settings(source)
    _refuse(source.tensors, settings, where)
    tensors = as_out_in(source.tensors)
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    d_model, source_size, target_size = (shapes[name] for name in ("d_model", "source_vocab_size", "target_vocab_size"))
    tokenizers = _tokenizers(source, tokenizers, (source_size, target_size))
    known = number_of(settings, "transformer-heads", 0, least=1)
    heads = (check_heads("transformer-heads ({})", known, d_model),) * 2 if known else answers.heads(d_model)
    activation = settings.get("transformer-ffn-activation") or answers.ask("activation", "relu")
    as_marian = _as_marian(answers)
    is_pre = any(name.endswith("_ln_scale_pre") and "_l1_self" in name for name in source.tensors)
    end = answers.ask("eos_id", 0) if tokenizers.target is None else _index(tokenizers.target, "</s>")
    config = TransformerConfig(
        **shapes,
        n_encoder_heads=heads[0], n_decoder_heads=heads[1],
        encoder_norm_first=is_pre, decoder_norm_first=is_pre,
        encoder_final_norm="encoder_top_ln_scale" in tensors, decoder_final_norm="decoder_top_ln_scale" in tensors,
        embedding_norm="encoder_emb_ln_scale" in tensors, activation=activation_named(activation, _ACTIVATIONS, where),
        positions="tensor2tensor" if as_marian else "halves", norm_epsilon=1e-6 if as_marian else EPSILON,
        starts_from_zero=True, source_pad_id=source_size, target_pad_id=target_size, mask_target_padding=False,
        bos_id=target_size, eos_id=min(int(end), target_size - 1),
    )  # fmt: skip
    conversion = from_table(
        tensors, TABLE, config, answers, tokenizers, where=where, assumed=() if settings else _UNSEEN,
        ignored=(r"special:.*", "decoder_c.*_length"),
    )  # fmt: skip
    return replace(conversion, ignored=tuple(name for name in conversion.ignored if name != SETTINGS))


def _as_marian(answers: Answers) -> bool:
    """Whether positions and norms follow Marian itself: a choice between two versions, not a guess."""
    answer = answers.hints.original_positions
    reason = Evidence("marian_readings")
    answers.questions.append(Question("original_positions", bool(answer), (False, True), (reason,), is_answered=True))
    return bool(answer)


def as_out_in(by_name: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Matrices as (out, in), rows as vectors, and one name for tensors that may be shared."""
    tensors: dict[str, Tensor] = {}
    for name, tensor in by_name.items():
        name = name.removesuffix("_pre") if name.endswith(("_ln_scale_pre", "_ln_bias_pre")) else name
        if name == "decoder_ff_logit_out_Wt":
            name = "decoder_ff_logit_out_W"
        elif re.search(r"_W([qkvo12]?)$", name) and tensor.dim() == 2:
            tensor = tensor.t()
        elif tensor.dim() == 2 and tensor.shape[0] == 1 and not name.endswith("Wemb"):
            tensor = tensor[0]
        tensors[name] = tensor
    shared = tensors.pop("Wemb", None)
    if shared is not None:
        tensors.setdefault("encoder_Wemb", shared)
        tensors.setdefault("decoder_Wemb", shared)
    if "decoder_Wemb" in tensors:
        tensors.setdefault("decoder_ff_logit_out_W", tensors["decoder_Wemb"])
    return tensors


def _settings(source: Source) -> dict[str, Any]:
    from model.checkpoints.formats.plain_yaml import parse_yaml  # PyYAML is optional for the library

    held = source.tensors.get(SETTINGS)
    if held is None or held.dtype not in (torch.int8, torch.uint8):
        return {}
    text = bytes(held.flatten().view(torch.uint8).tolist()).partition(b"\0")[0].decode("utf-8", "replace")
    settings = parse_yaml(text, SETTINGS)
    return settings if isinstance(settings, dict) else {}


def _refuse(tensors: Mapping[str, Tensor], settings: Mapping[str, Any], where: str) -> None:
    for part, variant in _OTHERS.items():
        name = next((name for name in tensors if re.match(rf"decoder_l\d+_{part}_", name)), None)
        if name is not None:
            raise unsupported_error(f"{where} has {variant} in place of the decoder's self-attention ({name[:60]})")
    doubled = next(
        (name for name in tensors if name.endswith("_ln_scale_pre") and name.removesuffix("_pre") in tensors), None
    )
    if doubled is not None:
        raise unsupported_error(
            f"{where} normalises before and after its sublayers ({doubled[:60]} and the same without _pre)"
        )
    if "Wpos" in tensors:
        raise unsupported_error(f"{where} has learned positions (Wpos)")
    without_dropout = {name: value.replace("d", "") if name in _OPERATIONS and isinstance(value, str) else value
                       for name, value in settings.items()}  # fmt: skip
    refuse_settings(without_dropout, _PLAIN | _OPERATIONS, where)


def _tokenizers(source: Source, tokenizers: Tokenizers, sizes: tuple[int, int]) -> Tokenizers:
    """The .yml vocabularies beside it, each for the side with as many embeddings; one file may be for both."""
    read = {name: tokens for name, path in sorted(source.files.items())
            if path.suffix in (".yml", ".yaml") and (tokens := marian_tokens(path)) is not None}  # fmt: skip
    sides: list[Tokenizer | None] = [tokenizers.source, tokenizers.target]
    for index, (side, size) in enumerate(zip(("source", "target"), sizes, strict=True)):
        fitting = {name: tokens for name, tokens in read.items() if len(tokens) == size}
        marks = ("src", "source") if side == "source" else ("tgt", "trg", "target")
        named = [tokens for name, tokens in fitting.items() if any(mark in name for mark in marks)]
        chosen = named[0] if named else next(iter(fitting.values())) if len(fitting) == 1 else None
        if chosen is not None:
            sides[index] = with_pieces(chosen, source.files, side)
    return Tokenizers(*sides)


def _index(tokenizer: Tokenizer, token: str) -> int:
    tokens: tuple[str, ...] = getattr(tokenizer, "tokens", ())
    return tokens.index(token) if token in tokens else 0
