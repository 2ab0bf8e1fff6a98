"""jadore801120/attention-is-all-you-need-pytorch: {epoch, settings: Namespace, model: state dict}.

Post-norm with one more norm on embedding + position. Since January 2021 ``settings`` contain everything but the special
tokens. From November 2019 to June 2020 the code had norms on queries and not on keys, with the same tensors: those
versions are not supported, and older settings do not show which version it was.
"""

from collections.abc import Mapping
from math import gcd
from typing import Any

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.families.renaming import matrix, rows_of
from model.checkpoints.families.tables import POST_NORM, both_stacks, from_table, infer_config_from_shapes
from model.checkpoints.formats.pickle_values import PickledObject
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "jadore"
MARKS = ("encoder.src_word_emb.weight", "encoder.layer_stack.0.slf_attn.w_qs.weight", "trg_word_prj.weight")
_NORMS = ("slf_attn.layer_norm", "enc_attn.layer_norm", "pos_ffn.layer_norm")
TABLE = {
    "encoder.embedding.weight": "encoder.src_word_emb.weight",
    "decoder.embedding.weight": "decoder.trg_word_emb.weight",
    "encoder.embedding_norm.*": "encoder.layer_norm.*", "decoder.embedding_norm.*": "decoder.layer_norm.*",
    "output.weight": "trg_word_prj.weight",
    **both_stacks("layer_stack.{}", ("w_qs", "w_ks", "w_vs", "fc"), ("slf_attn", "slf_attn", "enc_attn"),
                  ("pos_ffn.w_1", "pos_ffn.w_2"), _NORMS[::2], _NORMS),
}  # fmt: skip
_CHANGE = "fec78a6 (2020-06-07)"
"""Older code had the same names and shapes; settings with ``scale_emb_or_prj`` are of newer."""
_POSITIONS = ("encoder.position_enc.pos_table", "decoder.position_enc.pos_table")


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where, settings = source.tensors, source.where, _settings(source)
    if "scale_emb_or_prj" not in settings:
        answers.recent_code(_CHANGE)
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    key_width, _ = matrix(tensors, "encoder.layer_stack.0.slf_attn.w_qs.weight", where=where)
    value_width, _ = matrix(tensors, "encoder.layer_stack.0.slf_attn.w_vs.weight", where=where)
    known = settings.get("n_head")
    encoder_heads, decoder_heads = (
        (known, known) if known else answers.heads(gcd(key_width, value_width), narrowest=min(key_width, value_width))
    )
    if key_width % encoder_heads or value_width % encoder_heads:
        raise CheckpointError(
            f"n_head ({encoder_heads}) in the settings of {where} must divide w_qs ({key_width}) "
            f"and w_vs ({value_width}): these settings belong to other weights"
        )
    mode = _mode(settings, answers, is_shared=settings.get("proj_share_weight", shapes["tie_output"]))
    ids = {f"{side}_pad_id": settings[f"{name}_pad_idx"] for side, name in (("source", "src"), ("target", "trg"))
            if f"{name}_pad_idx" in settings}  # fmt: skip
    pads = (ids.get("source_pad_id", 1), ids.get("target_pad_id", 1))
    specials = answers.specials(tokenizers, shapes, pads=pads, bos=2, eos=3) | {
        name: value for name, value in ids.items() if getattr(answers.hints, name) is None
    }
    answers.questions[:] = [question for question in answers.questions if question.hint not in ids]
    config = TransformerConfig(
        **shapes, **POST_NORM,
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        d_key=key_width // encoder_heads, d_value=value_width // encoder_heads,
        embedding_norm=True, norm_epsilon=1e-6, attention_bias=False,
        max_positions=rows_of(tensors.get(_POSITIONS[0]), 200),
        source_has_bos=True, **shared_scales(mode, shapes["d_model"]), **specials,
    )  # fmt: skip
    return from_table(tensors, TABLE, config, answers, tokenizers, where=where,
                     tables=tuple(map(tensors.get, _POSITIONS)), ignored=(r".*\.position_enc\.pos_table",))  # fmt: skip


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
    saved = source.beside.get("settings")
    fields = saved if isinstance(saved, dict) else saved.fields if isinstance(saved, PickledObject) else {}
    kinds = {"n_head": int, "src_pad_idx": int, "trg_pad_idx": int, "proj_share_weight": bool, "scale_emb_or_prj": str}
    chosen = {}
    for name, kind in kinds.items():
        if name not in fields:
            continue
        value, least = fields[name], 1 if name == "n_head" else 0
        if type(value) is not kind or (isinstance(value, int) and not least <= value < 10**7):
            raise CheckpointError(
                f"{name} in the settings of {source.where} is {value!r:.40}: the settings are damaged"
            )
        chosen[name] = value
    return chosen


def shared_scales(mode: str, d_model: int) -> dict[str, Any]:
    """The scales set by ``-scale_emb_or_prj``: of embeddings, of logits, or neither."""
    return {"embedding_scale": d_model**0.5 if mode == "emb" else 1.0,
            "output_scale": d_model**-0.5 if mode == "prj" else 1.0}  # fmt: skip
