"""Opens a checkpoint by a mapping: the configuration comes from shapes and settings, the rest becomes questions.

A mapping with layers of only one side describes a decoder-only or encoder-only model.
"""

import dataclasses
import re
from collections.abc import Mapping
from math import gcd
from typing import Any

from torch import Tensor

from model.checkpoints.answers.mapping import HEAD, SIDES, TensorMapping
from model.checkpoints.answers.placing import is_ignored, name_pattern, regroup, rename_tensors, simplify
from model.checkpoints.answers.variants import ROTARY, norm_fields
from model.checkpoints.basis.assembly import expected_tensors
from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers, embedding_evidence
from model.checkpoints.basis.errors import CheckpointError, HintError, MappingError, TensorsError, UnrecognisedError
from model.checkpoints.basis.report import WITHOUT_TOKENS, Evidence
from model.checkpoints.families.renaming import matrix
from model.checkpoints.families.single_stack.common import ids_of, single_vocabulary
from model.checkpoints.families.tables import from_table, infer_config_from_shapes
from model.checkpoints.families.torch_module import BATCH_FIRST
from model.checkpoints.formats.source import Source
from model.config import ANNOTATED_EPSILON, TransformerConfig
from model.layer_spec import LayerSpec, Rotary

_ASKED: dict[str, tuple[Any, ...]] = {
    "activation": ("relu", "gelu", "silu", "gelu_tanh", "relu_squared"),
    "positions": ("interleaved", "halves", "tensor2tensor", "doubled", "none"),
    "score_width": ("head", "model", "none"), "source_has_bos": (False, True), "source_has_eos": (True, False),
}  # fmt: skip
"""Settings that neither shapes nor norms show, with their answers, the usual one first."""
_KINDS_OF_NORM = ("layer", "annotated", "population")
_UNSEEN = ("norm_epsilon", "output_scale", "encoder_residual_scale", "decoder_residual_scale", "position_offset",
           "skip_padding", "mask_target_padding", "starts_from_zero", "score_scale")  # fmt: skip
"""Fields that are rarely set and become no questions; ``[config]`` may set them."""
_OTHER_POSITIONS = re.compile(r"inv_freq|rotary|rope|freqs_c|rel_pos|relative|alibi", re.IGNORECASE)
"""Names of positions that are added to scores, which a mapping cannot describe."""


def convert(
    mapping: TensorMapping, source: Source, answers: Answers, tokenizers: Tokenizers, *, is_rotary: bool = False
) -> Conversion:
    """Convert a source to our Transformer by a mapping.

    Args:
        is_rotary: whether the file shows rotary positions.
    """
    where, hints = source.where, answers.hints
    fused = tuple(stored for stored, ours in mapping.tensors.items() if len(ours) > 1)
    if hints.fused_by_head is not None and fused:
        mapping = dataclasses.replace(mapping, by_head=fused if hints.fused_by_head else ())
    if (
        mapping.by_head
        and "n_encoder_heads" not in mapping.config
        and None in (hints.encoder_heads, hints.decoder_heads)
    ):
        raise HintError("projections that are cut head by head need the number of heads: give n_heads too")
    other = next(filter(_OTHER_POSITIONS.search, source.tensors), None)
    if other is not None:
        raise UnrecognisedError(
            f"{where} holds {other[:80]}: rotary and relative positions cannot be mapped, and without them the "
            "attention would be another one. Save the attention where the model runs, and open that file"
        )
    try:
        tensors = _with_both_tables(rename_tensors(mapping, source.tensors, where))
        tensors, n_shared = simplify(tensors, answers, where)
        sides = sides_of(tensors)
        if len(sides) == 1:
            tokenizers = single_vocabulary(tokenizers)
        counted = _with_counted_heads(mapping, source.tensors, sides, n_shared)
        config = _configuration(counted, tensors, answers, tokenizers, where, sides, is_rotary=is_rotary)
        tensors = regroup(mapping, tensors, (config.n_encoder_heads, config.n_decoder_heads), where)
        assumed = (*(f"{name}={getattr(config, name)}" for name in _UNSEEN if name not in mapping.config),
                   "mask_fill=-inf",
                   *((BATCH_FIRST,) if any("in_proj_" in stored for stored in mapping.tensors) else ()))  # fmt: skip
        biases = (name for name in expected_tensors(config) if name.endswith("bias"))  # absent ones are zeros
        lacks_tokens = len(sides) == 1 and tokenizers.source is None
        conversion = from_table(tensors, {name: name for name in (*tensors, *biases)}, config, answers, tokenizers,
                               where=where, fill=True, assumed=assumed,
                               limitations=(WITHOUT_TOKENS,) if lacks_tokens else ())  # fmt: skip
    except TensorsError as error:
        raise MappingError(
            where, missing=error.missing, unexpected=error.unexpected, misshapen=error.misshapen
        ) from error
    ignored = tuple(name for name in source.tensors if is_ignored(name, mapping))
    return dataclasses.replace(conversion, ignored=ignored)


def sides_of(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The stacks with layers; both if there are no layers, which the configuration refuses."""
    return tuple(side for side in SIDES if any(name.startswith(f"{side}.layers.") for name in tensors)) or SIDES


def _with_counted_heads(
    mapping: TensorMapping, tensors: Mapping[str, Tensor], sides: tuple[str, ...], n_shared: int | None
) -> TensorMapping:
    """The mapping with the number of heads set, if each head is a module or all heads share one projection."""
    counted: dict[str, int] = {}
    for side in sides:
        patterns = [name_pattern(stored) for stored, ours in mapping.tensors.items()
                    if HEAD in stored and ours[0].startswith(side)]  # fmt: skip
        heads = {hit["h"] for name in tensors for pattern in patterns if (hit := pattern.match(name))}
        if heads or n_shared:
            counted[side] = len(heads) or int(n_shared or 1)
    if len(counted) < len(sides):
        return mapping
    fields = {f"n_{side}_heads": counted.get(side, next(iter(counted.values()))) for side in SIDES}
    return dataclasses.replace(mapping, config=fields | mapping.config)


def _with_both_tables(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Learned positions for both stacks, cut to the shorter table; a single table is used for both."""
    sides = sides_of(tensors)
    names = [f"{side}.positions.table" for side in sides]
    tables = [tensors[name] for name in names if name in tensors]
    if not tables or any(table.dim() != 2 for table in tables):
        return tensors
    n_rows = min(map(len, tables))
    return tensors | {name: tensors.get(name, tables[0])[:n_rows] for name in names}


def _configuration(
    mapping: TensorMapping,
    tensors: Mapping[str, Tensor],
    answers: Answers,
    tokenizers: Tokenizers,
    where: str,
    sides: tuple[str, ...],
    *,
    is_rotary: bool,
) -> TransformerConfig:
    """The configuration from shapes, then from the mapping, with questions for the rest."""
    fields, last_side = dict(mapping.config), sides[-1]
    names = (f"{name}.weight" for name in ("decoder.embedding", "output", "encoder.embedding"))
    embedding = f"{last_side}.embedding.weight"
    target = (
        embedding if embedding in tensors or len(sides) == 1 else next((name for name in names if name in tensors), "")
    )
    table = {
        f"{side}.layers.{{}}.feed_forward.fc1.weight": f"{side}.layers.{{}}.feed_forward.fc1.weight" for side in sides
    }
    table |= {f"{side}.embedding.weight": f"{side}.embedding.weight" for side in sides} | {embedding: target}
    shapes = infer_config_from_shapes(table, tensors, where=where)
    first, positions = f"{sides[0]}.layers.0.self_attention", f"{sides[0]}.positions.table"
    key_width, n_key_rows, value_width = (
        matrix(tensors, f"{first}.{role}.weight", where=where)[0] for role in ("query", "key", "value")
    )
    per_key = key_width // n_key_rows if len(sides) == 1 and key_width % n_key_rows == 0 else 1
    value_width *= per_key
    heads = _heads(fields, answers, key_width, value_width, per_key)
    fields = _complete_fields(fields, mapping, tensors, answers, shapes["d_model"], sides, is_rotary=is_rotary)
    turned, is_parallel = fields.get("positions"), fields.pop("parallel", False)
    if is_parallel and len(sides) > 1:
        raise HintError("parallel belongs to a single stack: leave it out of [config]")
    attention: dict[str, Any] = {"n_key_heads": heads[0] // per_key} if per_key > 1 else {}
    if turned in ROTARY:
        attention["rotary"] = Rotary(width=key_width // heads[0], interleaved=turned == "rotary_pairs")
        fields["positions"] = "none"
    ids = ("source_pad_id", "target_pad_id", "bos_id", "eos_id")
    if len(sides) == 1:
        pads = {} if last_side == "decoder" else {"pad": 0}
        fields = ids_of(answers, tokenizers.source, shapes["target_vocab_size"], **pads) | fields
        fields.setdefault("mask_target_padding", False)
        fields["plain_head"] = last_side == "encoder" and "output.weight" in tensors
    elif not all(name in fields for name in ids):
        fields = answers.specials(tokenizers, shapes, pads=(0, 0), bos=1, eos=2) | fields
    shapes |= _told_by_names(tensors, heads, (key_width, value_width), sides)
    kinds = tuple(fields.pop(f"{side}_norm_kind", fields.get("norm_kind")) for side in SIDES)
    fields["norm_kind"] = kinds[0]
    if any(kind in ("annotated", "population") for kind in kinds[:1]):
        fields.setdefault("norm_epsilon", ANNOTATED_EPSILON)
    learned = tensors.get(positions)
    if learned is not None:
        fields |= {"positions": "learned", "max_positions": learned.shape[0]}
    if heads[0] != heads[1] and key_width == value_width == shapes["d_model"]:
        shapes |= {"d_key": None, "d_value": None}
    try:
        config = TransformerConfig.from_mapping(shapes | fields)
        config = _with_layer(config, attention, is_parallel=is_parallel) if attention or is_parallel else config
        return config if kinds[0] == kinds[1] else _with_norms(config, kinds[1], answers)
    except ValueError as error:
        if isinstance(error, CheckpointError):
            raise
        raise HintError(f"the mapping's configuration does not fit: {error}") from error


def _complete_fields(
    fields: dict[str, Any],
    mapping: TensorMapping,
    tensors: Mapping[str, Tensor],
    answers: Answers,
    d_model: int,
    sides: tuple[str, ...],
    *,
    is_rotary: bool,
) -> dict[str, Any]:
    """The mapping's fields, completed by answers to its open questions."""
    learned, side = tensors.get(f"{sides[0]}.positions.table"), sides[-1]
    if answers.hints.norm_epsilon is not None:
        fields["norm_epsilon"] = answers.hints.norm_epsilon
    if "encoder_norm_first" not in fields:
        has_final = f"{side}.final_norm.weight" in tensors
        reason = Evidence("final_norm" if has_final else "no_final_norm")
        fields["encoder_norm_first"] = fields["decoder_norm_first"] = answers.ask(
            "norm_first", has_final, choices=(False, True), evidence=(reason,)
        )
    has_one_norm = any("*_norm" in name for ours in mapping.tensors.values() for name in ours)  # before all branches
    if len(sides) == 1 and "parallel" not in fields and fields["encoder_norm_first"] and has_one_norm:
        fields["parallel"] = answers.ask("parallel", True, choices=(True, False), evidence=(Evidence("one_norm"),))
    if "embedding_scale" not in fields:
        likely = 1.0 if learned is not None or (len(sides) == 1 and "positions" not in fields) else d_model**0.5
        spread = embedding_evidence(tensors[f"{sides[0]}.embedding.weight"])
        scale = answers.ask("embedding_scale", likely, choices=(d_model**0.5, 1.0), evidence=spread)
        fields["embedding_scale"] = float(scale)
    per_stack = ("encoder_norm_kind", "decoder_norm_kind")
    is_hinted = any(getattr(answers.hints, name) is not None for name in per_stack)
    for name in ("norm_kind",) if _are_alike(mapping) and not is_hinted else per_stack:
        if not {"norm_kind", name} & fields.keys() and name.partition("_")[0] in ("norm", *sides):
            choices = _kinds_of_norm(tensors, name.partition("_")[0])
            fields[name] = answers.ask(name, choices[0], choices=choices)
    fields.setdefault("encoder_norm_kind", fields.get("norm_kind", fields.get("decoder_norm_kind")))
    fields.setdefault("decoder_norm_kind", fields["encoder_norm_kind"])
    is_gated = any(".feed_forward.gate." in name for name in tensors)
    for name, choices in _ASKED.items():
        if (
            name in fields
            or (name == "positions" and learned is not None)
            or (name == "score_width" and {"score_scale", "embedding_scale"} & mapping.config.keys())
            or (len(sides) == 1 and name.startswith("source_"))
        ):
            continue
        if name == "activation" and is_gated:
            choices = ("silu", "gelu", "relu", "gelu_tanh")
        if name == "positions":
            choices = ("none",) if d_model % 2 else choices
            rotary = ROTARY if len(sides) == 1 else ()
            choices = (*rotary, *choices) if is_rotary else (*choices, *rotary)
        fields[name] = answers.ask(name, choices[0], choices=choices)
    divisor = fields.pop("score_width", "head")
    if divisor != "head":
        fields["score_scale"] = d_model**-0.5 if divisor == "model" else 1.0
    return fields


def _with_layer(config: TransformerConfig, changed: dict[str, Any], *, is_parallel: bool) -> TransformerConfig:
    """The configuration of a single stack with changed layers.

    Args:
        changed: fields of its attention.
        is_parallel: whether attention and the feed-forward network are parallel.
    """
    (spec, *_) = config.layers(encoder=config.n_encoder_layers > 0)
    attention = dataclasses.replace(spec.attention, **changed)
    spec = dataclasses.replace(spec, attention=attention, parallel=is_parallel)
    return dataclasses.replace(config, layer_specs=(spec,))


def _are_alike(mapping: TensorMapping) -> bool:
    """Whether the weights and biases of norms have the same names in all stacks."""
    names: dict[str, set[str]] = {}
    for stored, ours in mapping.tensors.items():
        if "_norm." in ours[0]:
            names.setdefault(ours[0].partition(".")[0], set()).add(stored.rpartition(".")[2])
    return len({frozenset(found) for found in names.values()}) < 2


def _with_norms(config: TransformerConfig, kind: str, answers: Answers) -> TransformerConfig:
    """The configuration with another kind of norm in the decoder than in the encoder."""
    (encoder, *_), (decoder, *_) = config.layers(encoder=True), config.layers(encoder=False)
    epsilon: dict[str, Any] = {"norm_epsilon": answers.hints.norm_epsilon} if answers.hints.norm_epsilon else {}
    other: LayerSpec = dataclasses.replace(decoder, **norm_fields(kind) | epsilon)
    pattern = (0,) * config.n_encoder_layers + (1,) * config.n_decoder_layers
    return dataclasses.replace(config, layer_specs=(encoder, other), layer_pattern=pattern)


def _kinds_of_norm(tensors: Mapping[str, Tensor], side: str) -> tuple[str, ...]:
    """The possible kinds of the norms, the likely one first: an RMS norm has no shift."""
    side = "" if side == "norm" else f"{side}."
    has_shift = any(name.startswith(side) and name.endswith("_norm.bias") for name in tensors)
    return _KINDS_OF_NORM if has_shift else ("rms", *_KINDS_OF_NORM)


def _heads(fields: dict[str, Any], answers: Answers, key_width: int, value_width: int, per_key: int) -> tuple[int, int]:
    """Heads of encoder and decoder, popped from the mapping's configuration or asked as a question.

    Args:
        per_key: number of heads that share a key and a value.
    """
    heads = (fields.pop("n_encoder_heads", None), fields.pop("n_decoder_heads", None))
    if all(type(count) is int and count >= 1 and key_width % count == 0 for count in heads):
        return heads
    if any(count is not None for count in heads):
        raise HintError(f"n_encoder_heads and n_decoder_heads ({heads}) must both divide {key_width}")
    return answers.heads(gcd(key_width, value_width), narrowest=min(key_width, value_width), multiple_of=per_key)


def _told_by_names(
    tensors: Mapping[str, Tensor], heads: tuple[int, int], widths: tuple[int, int], sides: tuple[str, ...]
) -> dict[str, Any]:
    """The fields that follow from the presence of tensors."""
    return {
        "n_encoder_heads": heads[0], "n_decoder_heads": heads[1],
        "d_key": widths[0] // heads[0], "d_value": widths[1] // heads[0],
        "attention_bias": any(re.search(r"attention\.\w+\.bias", name) for name in tensors),
        "feed_forward_bias": any(re.search(r"feed_forward\.\w+\.bias", name) for name in tensors),
        "gated_feed_forward": f"{sides[0]}.layers.0.feed_forward.gate.weight" in tensors,
        "output_bias": "output.bias" in tensors, "embedding_norm": f"{sides[0]}.embedding_norm.weight" in tensors,
        "encoder_final_norm": "encoder.final_norm.weight" in tensors,
        "decoder_final_norm": "decoder.final_norm.weight" in tensors,
        "token_types": len(tensors.get(f"{sides[0]}.token_types", ())),
        "tie_embeddings": len(sides) > 1 and "decoder.embedding.weight" not in tensors,
        "tie_output": "output.weight" not in tensors,
    }  # fmt: skip
