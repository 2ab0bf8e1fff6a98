"""x-transformers' ``XTransformer``: sublayers in one flat list, distinguished only by their index.

The encoder's list is attention, feed-forward, and so on; the decoder's self-attention, cross-attention, feed-forward.
Heads are 64 wide whatever the model's width, and position vectors are multiplied by d^-0.5. Since version 1.30 norms
store their weight minus one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import HintError, TensorsError, unsupported_error
from model.checkpoints.basis.report import Evidence, Question
from model.checkpoints.families.renaming import Table, count_layers, cut_alike, matrix, with_prefixes
from model.checkpoints.families.tables import from_table, infer_config_from_shapes
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "xtransformers"
HEAD = 64
_ENCODER, _DECODER = "encoder.attn_layers", "decoder.net.attn_layers"
MARKS = (f"{_ENCODER}.layers.0.1.to_q.weight", f"{_DECODER}.layers.1.1.to_q.weight",
         "encoder.token_emb.emb.weight")  # fmt: skip
ATTENTION = {"query.weight": "to_q.weight", "key.weight": "to_k.weight", "value.weight": "to_v.weight",
              "output.weight": "to_out.weight"}  # fmt: skip
_VARIANTS = {
    r"\.ff\.0\.proj\.": "a gated feed-forward network (ff_glu)",
    r"\.ff\.1\.": "a norm inside the feed-forward network (ff_post_act_ln)",
    r"\.to_v_gate|\.to_out\.0\.": "gated attention",
    r"rel_pos|rotary|alibi|\.pos_emb\.(scale|inv_freq)": "positions that are not learned",
    r"\.(q|k)_?norm|qk_norm": "normalised queries and keys (attn_qk_norm)",
    r"mem_[kv]|memory_tokens": "memory tokens",
    r"layers\.\d+\.0\.\d\.g\Z|final_norm\.g\Z": "RMSNorm or ScaleNorm (use_rmsnorm, use_scalenorm)",
    r"layers\.\d+\.0\.1\.": "a second norm in each sublayer (sandwich_norm)",
    r"layers\.\d+\.2\.": "residuals with weights of their own",
    r"hyper_conn|layer_integrat|skip_combine": "connections between distant layers",
}

UNSEEN = (
    "attn_qk_norm=False", "attn_sparse_topk=None", "attn_hard=False", "attn_sigmoid=False", "attn_l2_distance=False",
    "attn_gumbel_softmax=False", "attn_cog_signed=False", "attn_softclamp_logits=False", "attn_max_attend_past=None",
    "attn_add_zero_kv=False", "attn_laser=False", "attn_orthog_projected_values=False",
    "attn_orthog_projected_values_per_head=False", "cross_attn_inverted_attention=False", "residual_attn=False",
    "cross_residual_attn=False", "add_value_residual=False", "orthog_residual=False", "scale_residual_constant=1",
    "alibi_pos_bias=False", "softclamp_output=False", "ff_relu_squared=False", "ff_custom_activation=None",
    "ff_softclamp_value=None", "weight_tie_layers=False", "layers_execute_order=None",
)  # fmt: skip
"""Switches of both stacks that change the computation and leave no trace in the file."""


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    where = source.where
    _refuse(source.tensors, where)
    d_model = matrix(source.tensors, "encoder.token_emb.emb.weight", where=where)[1]
    for name in ("decoder.net.token_emb.emb.weight", "decoder.net.to_logits.weight"):
        matrix(source.tensors, name, where=where)
    tensors, n_rows = _positions(norms_as_applied(source.tensors, answers), d_model)
    heads, widths = _heads(tensors, answers, where)
    expanding = f"{_ENCODER}.layers.1.1.ff.0.0"
    has_table = n_rows is not None
    is_pre = tuple(f"{stack}.layers.0.0.2.{_norm_part(tensors)}" not in tensors for stack in (_ENCODER, _DECODER))
    names = _table(tensors, is_pre)
    shapes = infer_config_from_shapes(names, tensors, where=where)
    shapes["n_encoder_layers"], shapes["n_decoder_layers"] = (
        _layers(tensors, _ENCODER, 2, where), _layers(tensors, _DECODER, 3, where))  # fmt: skip
    config = TransformerConfig(
        **shapes,
        n_encoder_heads=heads[0], n_decoder_heads=heads[1],
        d_key=widths[0] // heads[0], d_value=matrix(tensors, f"{_ENCODER}.layers.0.1.to_v.weight", where=where)[0]
        // heads[0],
        encoder_norm_first=is_pre[0], decoder_norm_first=is_pre[1],
        encoder_final_norm=bool(final_norm(tensors, _ENCODER)), decoder_final_norm=bool(final_norm(tensors, _DECODER)),
        attention_bias=False, feed_forward_bias=f"{expanding}.bias" in tensors,
        activation=answers.ask("activation", "gelu"), embedding_scale=1.0,
        positions="learned" if has_table else "none", max_positions=n_rows or 5000, mask_target_padding=False,
        source_has_bos=answers.ask("source_has_bos", False), source_has_eos=answers.ask("source_has_eos", False),
        **answers.specials(tokenizers, shapes, pads=(0, 0), bos=1, eos=2),
    )  # fmt: skip
    return from_table(tensors, names, config, answers, tokenizers, where=where, fill=True, assumed=UNSEEN)


def _table(tensors: Mapping[str, Tensor], is_pre: Sequence[bool]) -> dict[str, str]:
    """Our names mapped to the file's; the norm's place and the second matrix's index differ by version and setting."""
    parts = {"weight": _norm_part(tensors), "bias": "bias" if _norm_part(tensors) == "weight" else "beta"}
    table = {
        "encoder.embedding.weight": "encoder.token_emb.emb.weight",
        "encoder.positions.table": "encoder.pos_emb.emb.weight",
        "decoder.embedding.weight": "decoder.net.token_emb.emb.weight",
        "decoder.positions.table": "decoder.net.pos_emb.emb.weight",
        "output.*": "decoder.net.to_logits.*",
    }
    network = {"fc1.*": "ff.0.0.*", "fc2.*": f"ff.{last_of_network(tensors)}.*"}
    for side, stored, branches, is_first in (
        ("encoder", _ENCODER, ("self_attention", "feed_forward"), is_pre[0]),
        ("decoder", _DECODER, ("self_attention", "cross_attention", "feed_forward"), is_pre[1]),
    ):
        table |= sublayers(side, stored, branches, network, parts, norm_place=0 if is_first else 2)
        table |= with_prefixes(f"{side}.final_norm", final_norm(tensors, stored), parts)
    return table


def sublayers(
    side: str, stored: str, branches: Sequence[str], network: Table, norm: Table, *, norm_place: int
) -> dict[str, str]:
    """Our names of a stack's layers mapped to those of its flat list of sublayers.

    Args:
        stored: the stack's name in the file.
        branches: of a layer, in the list's order.
        network: the names within a feed-forward network.
        norm: the names of a norm's weight and bias.
        norm_place: index of the norm in its sublayer: 0 before, 2 after it; one between stands at 1.
    """
    table: dict[str, str] = {}
    for place, branch in enumerate(branches):
        ours, sublayer = f"{side}.layers.{{}}.{branch}", f"{stored}.layers.{{{len(branches)}+{place}}}"
        table |= with_prefixes(ours, f"{sublayer}.1", network if branch == "feed_forward" else ATTENTION)
        table |= with_prefixes(f"{ours}_norm", f"{sublayer}.0.{norm_place}", norm)
        table |= with_prefixes(f"{ours}.output_norm", f"{sublayer}.0.1", norm)
    return table


def final_norm(names: Iterable[str], stored: str) -> str:
    """The name of a stack's final norm: in the stack, or around it in older versions; "" if there is none."""
    places = (f"{stored}.final_norm", f"{stored.rpartition('attn_layers')[0]}norm")
    return next((place for place in places if any(name.startswith(f"{place}.") for name in names)), "")


def refuse_variants(tensors: Iterable[str], variants: Mapping[str, str], where: str) -> None:
    """Refuse the first variant whose pattern matches a tensor's name."""
    for pattern, what in variants.items():
        name = next((name for name in tensors if re.search(pattern, name)), None)
        if name is not None:
            raise unsupported_error(f"{where} has {what}, in {name[:80]}")


def last_of_network(tensors: Iterable[str]) -> str:
    """The number of the feed-forward network's second matrix, which differs by version and setting."""
    numbers = (match[1] for name in tensors if (match := re.search(r"\.1\.1\.ff\.([1-9])\.weight\Z", name)))
    return next(numbers, "2")


def _refuse(tensors: Mapping[str, Tensor], where: str) -> None:
    refuse_variants(tensors, _VARIANTS, where)
    doubled = next((name for name in tensors if (match := re.fullmatch(r"(.*\.layers\.\d+\.0)\.2\.(\w+)", name))
                    and f"{match[1]}.0.{match[2]}" in tensors), None)  # fmt: skip
    if doubled is not None:
        raise unsupported_error(
            f"{where} normalises before and after its sublayers (pre_and_post_norm), in {doubled[:80]}"
        )
    _refuse_widths(tensors, where)
    if not any(re.search(r"attn_layers\.layers\.\d+\.0\.\d\.(gamma|weight)\Z", name) for name in tensors):
        raise unsupported_error(f"the norms of {where} have no weights (use_simple_rmsnorm)")


def _refuse_widths(tensors: Mapping[str, Tensor], where: str) -> None:
    """Projections that are not as wide as this Transformer's: shared keys and values, another cross-attention."""
    for name, query in tensors.items():
        stack, _, rest = name.partition(".layers.")
        if not rest.endswith(".1.to_q.weight"):
            continue
        key, first = tensors.get(name.replace("to_q", "to_k")), tensors.get(f"{stack}.layers.0.1.to_q.weight", query)
        what = "keys and values that heads share (attn_kv_heads)" if key is not None and len(key) != len(query) else ""
        what = what or ("attention of several widths (cross_attn_dim_head)" if len(first) != len(query) else "")
        if what and query.dim() == 2:
            raise unsupported_error(f"{where} has {what}, in {name[:80]}")


def _norm_part(tensors: Mapping[str, Tensor]) -> str:
    """The name of a norm's weight: ``gamma``, or ``weight`` before they had their own LayerNorm."""
    return "gamma" if any(name.endswith(".gamma") for name in tensors) else "weight"


def norms_as_applied(tensors: Mapping[str, Tensor], answers: Answers) -> dict[str, Tensor]:
    """The tensors with the norms' weights as they are applied; the mean of the stored weights shows whether 1 is
    added."""
    ends = (".gamma", ".g")
    gammas = [tensor.float() for name, tensor in tensors.items() if name.endswith(ends)]
    if not gammas or any(name.endswith(".beta") for name in tensors):
        return dict(tensors)
    mean = float(torch.cat([gamma.reshape(-1) for gamma in gammas]).mean())
    reason = Evidence("norm_mean", (("mean", round(mean, 3)),))
    if not answers.ask("norm_adds_one", abs(mean) < abs(mean - 1), choices=(True, False), evidence=(reason,)):
        return dict(tensors)
    return {name: tensor.float() + 1 if name.endswith(ends) else tensor for name, tensor in tensors.items()}


def _positions(by_name: Mapping[str, Tensor], d_model: int) -> tuple[dict[str, Tensor], int | None]:
    """The tensors with position tables as they are added, cut to equal length; and the number of positions."""
    names = [name for name in ("encoder.pos_emb.emb.weight", "decoder.net.pos_emb.emb.weight") if name in by_name]
    tensors = dict(by_name) | {name: by_name[name].float() * d_model**-0.5 for name in names}
    return tensors, cut_alike(tensors, names)


def _layers(tensors: Mapping[str, Tensor], stack: str, sublayers: int, where: str) -> int:
    n_sublayers = count_layers(tensors, re.escape(stack) + r"\.layers\.(\d+)\.")
    if n_sublayers % sublayers:
        raise TensorsError(where, missing=(f"{stack}.layers.{n_sublayers}",))
    return n_sublayers // sublayers


def _heads(tensors: Mapping[str, Tensor], answers: Answers, where: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Heads of encoder and decoder, all of the same width, and the widths of their projections."""
    widths = (matrix(tensors, f"{_ENCODER}.layers.0.1.to_q.weight", where=where)[0],
              matrix(tensors, f"{_DECODER}.layers.0.1.to_q.weight", where=where)[0])  # fmt: skip
    values = matrix(tensors, f"{_ENCODER}.layers.0.1.to_v.weight", where=where)[0]
    choices = tuple(n for n in range(1, 33)
                    if widths[0] % n == 0 and values % n == 0 and widths[1] % (widths[0] // n) == 0)  # fmt: skip
    usual = widths[0] // HEAD
    likely = usual if usual in choices else max((n for n in choices if n <= 8), default=1)
    hints = answers.hints
    encoder = hints.encoder_heads or likely
    answers.questions.append(
        Question("n_heads", encoder, choices, (Evidence("head_width", (("width", HEAD), ("all", widths[0]))),),
                 is_answered=hints.encoder_heads is not None)
    )  # fmt: skip
    if encoder not in choices:
        raise HintError(f"n_heads ({encoder}) must divide the projections' widths ({widths[0]} and {widths[1]}) into "
                        f"heads of one width: try {', '.join(map(str, choices))}")  # fmt: skip
    decoder = widths[1] // (widths[0] // encoder)
    if hints.n_decoder_heads not in (None, decoder):
        raise HintError(
            f"n_decoder_heads ({hints.n_decoder_heads}) must be {decoder}: the heads of both stacks must have the same "
            "width"
        )
    return (encoder, decoder), widths
