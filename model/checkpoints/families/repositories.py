"""Two repositories that many people trained and copied: graykode's nlp-tutorial, and jadore801120's
attention-is-all-you-need-pytorch. Both are post-norm, and queries may be wider than the model."""

from collections.abc import Mapping
from math import gcd
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.basis.report import Evidence
from model.checkpoints.families.renaming import matrix, recognise_by_names, rows_of
from model.checkpoints.families.tables import POST_NORM, both_stacks, from_table, infer_config_from_shapes
from model.checkpoints.formats.pickle_values import PickledObject
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig
from model.nn.positional import sinusoidal

_EXPAND = ("conv1", "fc.0", "fc1", "linear1", "w_1", "l1")
_CONTRACT = ("conv2", "fc.2", "fc2", "linear2", "w_2", "l2")
_OUTPUT = ("linear", "fc", "W_O", "out", "proj")
_GENERATOR = ("projection", "fc", "generator", "proj")
SOURCE_ORDER, TARGET_ORDER = (1, 2, 3, 4, 0), (5, 1, 2, 3, 4)


def _graykode_table(names: Mapping[str, Tensor]) -> dict[str, str]:
    """The table of names, with the names that this variant uses."""
    layer = "encoder.layers.0"
    out = _first(names, f"{layer}.enc_self_attn.{{}}.weight", _OUTPUT)
    expand = _first(names, f"{layer}.pos_ffn.{{}}.weight", _EXPAND)
    contract = _first(names, f"{layer}.pos_ffn.{{}}.weight", _CONTRACT)
    norms = ("dec_self_attn.layer_norm", "dec_enc_attn.layer_norm", "pos_ffn.layer_norm")
    return {
        "encoder.embedding.weight": "encoder.src_emb.weight", "decoder.embedding.weight": "decoder.tgt_emb.weight",
        "output.*": f"{_first(names, '{}.weight', _GENERATOR)}.*",
        **both_stacks("layers.{}", ("W_Q", "W_K", "W_V", out), ("enc_self_attn", "dec_self_attn", "dec_enc_attn"),
                      (f"pos_ffn.{expand}", f"pos_ffn.{contract}"), ("enc_self_attn.layer_norm", norms[-1]), norms),
    }  # fmt: skip


def _graykode(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """graykode/nlp-tutorial 5-1 and its many descendants: a state dict, embeddings not scaled.

    The original reads its position table in an odd order (source 1, 2, 3, 4, 0; target 5, 1, 2, 3, 4). Descendants
    have Linear layers in place of 1×1 convolutions, a buffer of positions in place of a table, projections without
    biases, and norms created in each pass, which are the identity.
    """
    tensors, where = source.tensors, source.where
    names, hints = _graykode_table(tensors), answers.hints
    shapes = infer_config_from_shapes(names, tensors, where=where)
    key_width, _ = matrix(tensors, "encoder.layers.0.enc_self_attn.W_Q.weight", where=where)
    value_width, _ = matrix(tensors, "encoder.layers.0.enc_self_attn.W_V.weight", where=where)
    encoder_heads, decoder_heads = answers.heads(gcd(key_width, value_width), narrowest=min(key_width, value_width))
    positions, exact = _read_positions(tensors, shapes["d_model"], answers)
    last = shapes["target_vocab_size"] - 1
    config = TransformerConfig(
        **shapes, **POST_NORM,
        n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        d_key=key_width // encoder_heads, d_value=value_width // encoder_heads,
        embedding_scale=1.0 if hints.embedding_scale is None else hints.embedding_scale,
        attention_bias=any(".bias" in name and "_attn.W_" in name for name in tensors),
        feed_forward_bias=any(".bias" in name and ".pos_ffn." in name and "norm" not in name for name in tensors),
        source_has_bos=bool(hints.source_has_bos), source_has_eos=bool(hints.source_has_eos),
        **positions, **answers.specials(tokenizers, shapes, pads=(0, 0), bos=last - 1, eos=last),
    )  # fmt: skip
    learned = {}
    if config.positions == "learned":
        learned = {f"{side}.positions.table": f"{side}.pos_emb.weight" for side in ("encoder", "decoder")}
    ignored = () if learned else (r"(encoder|decoder)\.pos_emb\.(weight|pe)",)
    return from_table(tensors, names | learned, config, answers, tokenizers, where=where, ignored=ignored, fill=True,
                     tables=exact)  # fmt: skip


def _read_positions(
    tensors: Mapping[str, Tensor], d_model: int, answers: Answers
) -> tuple[dict[str, Any], tuple[Tensor | None, Tensor | None]]:
    """The fields of positions: a sinusoidal buffer, a table in the original's order, or a learned table; and both
    stacks' sinusoidal tables."""
    tables = tuple(_stored_positions(tensors, side, d_model) for side in ("encoder", "decoder"))
    rows = [table.shape[0] for table in tables if table is not None]
    longest = max([*rows, 6])
    is_embedding = "encoder.pos_emb.weight" in tensors
    evidence = (Evidence("position_rows", (("rows", rows[0] if rows else 0),)),)
    as_original = answers.ask(
        "original_positions", is_embedding and rows == [6, 6], choices=(True, False), evidence=evidence
    )
    orders = {"source_position_order": SOURCE_ORDER, "target_position_order": TARGET_ORDER} if as_original else {}
    if is_embedding and not all(table is not None and _is_sinusoidal(table) for table in tables):
        return {"positions": "learned", "max_positions": min([*rows, longest]), **orders}, (None, None)
    return {"max_positions": longest, **orders}, (tables[0], tables[1])


def _stored_positions(tensors: Mapping[str, Tensor], side: str, d_model: int) -> Tensor | None:
    rows = tensors.get(f"{side}.pos_emb.weight", tensors.get(f"{side}.pos_emb.pe"))
    if rows is None or rows.dim() < 2 or rows.shape[-1] != d_model or rows.numel() == 0:
        return None
    return rows.reshape(-1, d_model)  # (P, D)


def _is_sinusoidal(table: Tensor) -> bool:
    """Whether every row of a table (P, D), which training may have changed, is the paper's."""
    return table.shape[1] % 2 == 0 and torch.allclose(table.float(), sinusoidal(*table.shape), atol=1e-2)


def _first(names: Mapping[str, Tensor], pattern: str, words: tuple[str, ...]) -> str:
    """The first of these words that gives the name of a tensor in the pattern; otherwise the original's."""
    return next((word for word in words if pattern.format(word) in names), words[0])


_JADORE_NORMS = ("slf_attn.layer_norm", "enc_attn.layer_norm", "pos_ffn.layer_norm")
_JADORE = {
    "encoder.embedding.weight": "encoder.src_word_emb.weight",
    "decoder.embedding.weight": "decoder.trg_word_emb.weight",
    "encoder.embedding_norm.*": "encoder.layer_norm.*", "decoder.embedding_norm.*": "decoder.layer_norm.*",
    "output.weight": "trg_word_prj.weight",
    **both_stacks("layer_stack.{}", ("w_qs", "w_ks", "w_vs", "fc"), ("slf_attn", "slf_attn", "enc_attn"),
                  ("pos_ffn.w_1", "pos_ffn.w_2"), _JADORE_NORMS[::2], _JADORE_NORMS),
}  # fmt: skip
_JADORE_CHANGE = "fec78a6 (2020-06-07)"
"""Older code had the same names and shapes; settings with ``scale_emb_or_prj`` are of newer."""
_JADORE_POSITIONS = ("encoder.position_enc.pos_table", "decoder.position_enc.pos_table")


def _jadore(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """jadore801120/attention-is-all-you-need-pytorch: {epoch, settings: Namespace, model: state dict}.

    One more norm follows embedding + position. Since January 2021 ``settings`` contain everything but the special
    tokens. From November 2019 to June 2020 the code had norms on queries and not on keys, with the same tensors: those
    versions are not supported, and older settings do not show which version it was.
    """
    tensors, where, settings = source.tensors, source.where, _namespace_fields(source)
    if "scale_emb_or_prj" not in settings:
        answers.recent_code(_JADORE_CHANGE)
    shapes = infer_config_from_shapes(_JADORE, tensors, where=where)
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
    mode = _scale_mode(settings, answers, is_shared=settings.get("proj_share_weight", shapes["tie_output"]))
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
        max_positions=rows_of(tensors.get(_JADORE_POSITIONS[0]), 200),
        source_has_bos=True, **shared_scales(mode, shapes["d_model"]), **specials,
    )  # fmt: skip
    return from_table(tensors, _JADORE, config, answers, tokenizers, where=where,
                      tables=tuple(map(tensors.get, _JADORE_POSITIONS)),
                      ignored=(r".*\.position_enc\.pos_table",))  # fmt: skip


def _scale_mode(settings: Mapping[str, Any], answers: Answers, *, is_shared: bool) -> str:
    """What is scaled, which matters only if the projection is shared; before this setting existed it was the
    projection."""
    if not is_shared:
        return "none"
    if settings:
        return settings.get("scale_emb_or_prj", "prj")
    return answers.ask("scale_emb_or_prj", "prj", choices=("prj", "emb", "none"))


def _namespace_fields(source: Source) -> dict[str, Any]:
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


REPOSITORIES = (
    ("jadore", recognise_by_names(("encoder.src_word_emb.weight", "encoder.layer_stack.0.slf_attn.w_qs.weight",
                        "trg_word_prj.weight")), _jadore),
    ("graykode", recognise_by_names(("encoder.src_emb.weight", "encoder.layers.0.enc_self_attn.W_Q.weight",
                          "decoder.layers.0.dec_enc_attn.W_Q.weight")), _graykode),
)  # fmt: skip
"""Each by its name, what recognises it, and what converts it to our Transformer."""
