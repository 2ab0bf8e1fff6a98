"""jadore801120/attention-is-all-you-need-pytorch: {epoch, settings: Namespace, model: state dict}.

Post-norm with one more norm on embedding + position. Since January 2021 ``settings`` contain everything but the special
tokens. From November 2019 to June 2020 the code had norms on queries and not on keys, with the same tensors: those
versions are not supported, and older settings do not show which version it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import Any

from torch import Tensor

from model.checkpoints.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.errors import CheckpointError
from model.checkpoints.families.renaming import count_layers, is_same, matrix, rename, rows_of, under
from model.checkpoints.formats.pickle_values import PickledObject
from model.checkpoints.formats.source import Source
from model.checkpoints.hints import Hints
from model.config import TransformerConfig

NAME = "jadore"
_ATTENTION = {
    "query.weight": "w_qs.weight",
    "key.weight": "w_ks.weight",
    "value.weight": "w_vs.weight",
    "output.weight": "fc.weight",
}
_FEED_FORWARD = {
    "feed_forward.fc1.*": "pos_ffn.w_1.*",
    "feed_forward.fc2.*": "pos_ffn.w_2.*",
    "feed_forward_norm.*": "pos_ffn.layer_norm.*",
}
_ENCODER_LAYER = {
    **under("self_attention", "slf_attn", _ATTENTION),
    "self_attention_norm.*": "slf_attn.layer_norm.*",
    **_FEED_FORWARD,
}
_DECODER_LAYER = {
    **_ENCODER_LAYER,
    **under("cross_attention", "enc_attn", _ATTENTION),
    "cross_attention_norm.*": "enc_attn.layer_norm.*",
}
TABLE = {
    "encoder.embedding.weight": "encoder.src_word_emb.weight",
    "encoder.embedding_norm.*": "encoder.layer_norm.*",
    **under("encoder.layers.{}", "encoder.layer_stack.{}", _ENCODER_LAYER),
    "decoder.embedding.weight": "decoder.trg_word_emb.weight",
    "decoder.embedding_norm.*": "decoder.layer_norm.*",
    **under("decoder.layers.{}", "decoder.layer_stack.{}", _DECODER_LAYER),
    "output.weight": "trg_word_prj.weight",
}
_CHANGE = "fec78a6 (2020-06-07)"
"""Older code had the same names and shapes; settings with ``scale_emb_or_prj`` are of newer."""
_POSITIONS = ("encoder.position_enc.pos_table", "decoder.position_enc.pos_table")


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised."""
    marks = ("encoder.src_word_emb.weight", "encoder.layer_stack.0.slf_attn.w_qs.weight", "trg_word_prj.weight")
    return marks if all(mark in tensors for mark in marks) else ()


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    given, where, settings = source.tensors, source.where, _settings(source)
    answers = Answers(hints)
    if "scale_emb_or_prj" not in settings:
        answers.recent_code(_CHANGE)
    source_size, d_model = matrix(given, "encoder.src_word_emb.weight", where=where)
    target_size, _ = matrix(given, "decoder.trg_word_emb.weight", where=where)
    key_width, _ = matrix(given, "encoder.layer_stack.0.slf_attn.w_qs.weight", where=where)
    value_width, _ = matrix(given, "encoder.layer_stack.0.slf_attn.w_vs.weight", where=where)
    known = settings.get("n_head")
    encoder_heads, decoder_heads = (known, known) if known else answers.heads(gcd(key_width, value_width))
    if key_width % encoder_heads or value_width % encoder_heads:
        raise CheckpointError(
            f"n_head ({encoder_heads}) in the settings of {where} must divide w_qs ({key_width}) "
            f"and w_vs ({value_width}): these settings belong to other weights"
        )
    embedding = {"src": "encoder.src_word_emb.weight", "trg": "decoder.trg_word_emb.weight"}
    tie_output = is_same(given, embedding["trg"], "trg_word_prj.weight")
    mode = _mode(settings, answers, is_shared=settings.get("proj_share_weight", tie_output))
    likely = {"source_pad_id": settings.get("src_pad_idx", 1), "target_pad_id": settings.get("trg_pad_idx", 1)}
    pads = {name: value for name, value in likely.items() if name.split("_")[0].replace("source", "src").replace(
        "target", "trg") + "_pad_idx" in settings}  # fmt: skip
    specials = answers.specials(tokenizers, (source_size, target_size), {**likely, "bos_id": 2, "eos_id": 3}) | {
        name: value for name, value in pads.items() if getattr(hints, name) is None
    }
    answers.questions[:] = [question for question in answers.questions if question.hint not in pads]
    config = TransformerConfig(
        source_vocab_size=source_size, target_vocab_size=target_size, d_model=d_model,
        d_feed_forward=matrix(given, "encoder.layer_stack.0.pos_ffn.w_1.weight", where=where)[0],
        n_encoder_layers=count_layers(given, r"encoder\.layer_stack\.(\d+)\."),
        n_decoder_layers=count_layers(given, r"decoder\.layer_stack\.(\d+)\."),
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        d_key=key_width // encoder_heads, d_value=value_width // encoder_heads,
        encoder_norm_first=False, decoder_norm_first=False, encoder_final_norm=False, decoder_final_norm=False,
        embedding_norm=True, norm_epsilon=1e-6, attention_bias=False, output_bias=False,
        tie_embeddings=is_same(given, embedding["trg"], embedding["src"]), tie_output=tie_output,
        max_positions=rows_of(given.get(_POSITIONS[0]), 200),
        source_has_bos=True, **shared_scales(mode, d_model), **specials,
    )  # fmt: skip
    renamed = rename(TABLE, given, config, where=where, ignored=(r".*\.position_enc\.pos_table",))
    tables = tuple(given.get(name) for name in _POSITIONS)
    return Conversion(config, renamed.tensors, renamed.ignored, renamed.filled, tuple(answers.questions),
                      tokenizers.source, tokenizers.target, (tables[0], tables[1]))  # fmt: skip


def _mode(settings: Mapping[str, Any], answers: Answers, *, is_shared: bool) -> str:
    """What is scaled, which matters only if the projection is shared; before this setting existed it was the
    projection."""
    if not is_shared:
        return "none"
    if settings:
        return settings.get("scale_emb_or_prj", "prj")
    return answers.ask("scale_emb_or_prj", "prj", choices=("prj", "emb", "none"))


def _settings(source: Source) -> dict[str, Any]:
    """The Namespace's plain fields that matter, each of the right type.

    Raises:
        CheckpointError: when a field is not.
    """
    found = source.beside.get("settings")
    fields = found if isinstance(found, dict) else found.fields if isinstance(found, PickledObject) else {}
    kinds = {"n_head": int, "src_pad_idx": int, "trg_pad_idx": int, "proj_share_weight": bool, "scale_emb_or_prj": str}
    chosen = {}
    for name, kind in kinds.items():
        if name not in fields:
            continue
        value = fields[name]
        if type(value) is not kind or (kind is int and not 0 <= value < 10**7) or (name == "n_head" and value < 1):
            raise CheckpointError(
                f"{name} in the settings of {source.where} is {value!r:.40}: the settings are damaged"
            )
        chosen[name] = value
    return chosen


def shared_scales(mode: str, d_model: int) -> dict[str, Any]:
    """What jadore's ``-scale_emb_or_prj`` multiplies: embeddings, logits, or neither."""
    return {"embedding_scale": d_model**0.5 if mode == "emb" else 1.0,
            "output_scale": d_model**-0.5 if mode == "prj" else 1.0}  # fmt: skip
