"""Opens a checkpoint by a mapping: the configuration from shapes and settings, and the rest as questions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping as Table
from math import gcd
from typing import Any

from torch import Tensor

from model.checkpoints.answers.mapping import HEAD, SIDES, Mapping
from model.checkpoints.answers.placing import apart, compiled, is_ignored, renamed
from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError, HintError, MappingError, TensorsError, UnrecognisedError
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families.renaming import matrix
from model.checkpoints.families.tables import converted, infer_config_from_shapes
from model.checkpoints.formats.source import Source
from model.config import ANNOTATED_EPSILON, TransformerConfig

_ASKED: dict[str, tuple[Any, ...]] = {
    "norm_kind": ("layer", "annotated", "population"), "activation": ("relu", "gelu", "silu"),
    "positions": ("interleaved", "halves", "tensor2tensor", "doubled", "none"),
    "source_has_bos": (False, True), "source_has_eos": (True, False),
}  # fmt: skip
"""What neither shapes nor norms tell, and the answers, the usual one first."""
_UNSEEN = ("norm_epsilon", "output_scale", "encoder_residual_scale", "decoder_residual_scale", "position_offset",
           "skip_padding", "mask_target_padding", "starts_from_zero")  # fmt: skip
"""Fields that are hardly ever set and not asked; ``[config]`` may say them."""
_OWN = {name: name for side in SIDES
        for name in (f"{side}.embedding.weight", f"{side}.layers.{{}}.feed_forward.fc1.weight")}  # fmt: skip
_OTHER_POSITIONS = re.compile(r"inv_freq|rotary|rel_pos|relative|alibi", re.IGNORECASE)
"""Names of positions that enter the scores, which a mapping cannot say."""


def convert(mapping: Mapping, source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer by a mapping.

    Raises:
        MappingError: naming the tensors that the mapping leaves out, does not find, or gives the wrong shape.
        HintError: when its configuration does not fit.
        UnrecognisedError: when its positions are of a kind that a mapping cannot say.
    """
    where, answers = source.where, Answers(hints)
    fused = tuple(theirs for theirs, ours in mapping.tensors.items() if len(ours) > 1)
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
        given = _with_both_tables(renamed(mapping, source.tensors, where))
        config = _configuration(_with_counted_heads(mapping, source.tensors), given, answers, tokenizers, where)
        given = apart(mapping, given, (config.n_encoder_heads, config.n_decoder_heads), where)
        assumed = (*(f"{name}={getattr(config, name)}" for name in _UNSEEN if name not in mapping.config),
                   "mask_fill=-inf")  # fmt: skip
        conversion = converted(given, {name: name for name in given}, config, answers, tokenizers, where=where,
                               fill=True, assumed=assumed)  # fmt: skip
    except TensorsError as error:
        raise MappingError(
            where, missing=error.missing, unexpected=error.unexpected, misshapen=error.misshapen
        ) from error
    ignored = tuple(name for name in source.tensors if is_ignored(name, mapping))
    return dataclasses.replace(conversion, ignored=ignored)


def _with_counted_heads(mapping: Mapping, given: Table[str, Tensor]) -> Mapping:
    """The mapping with the number of heads where each has a module of its own."""
    counted = {}
    for side in SIDES:
        patterns = [compiled(theirs) for theirs, ours in mapping.tensors.items()
                    if HEAD in theirs and ours[0].startswith(side)]  # fmt: skip
        heads = {hit["h"] for name in given for pattern in patterns if (hit := pattern.match(name))}
        if heads:
            counted[f"n_{side}_heads"] = len(heads)
    return dataclasses.replace(mapping, config=counted | mapping.config) if len(counted) == 2 else mapping


def _with_both_tables(given: dict[str, Tensor]) -> dict[str, Tensor]:
    """Learned positions for both stacks, as long as the shorter table; a single one serves both."""
    names = [f"{side}.positions.table" for side in SIDES]
    tables = [given[name] for name in names if name in given]
    if not tables or any(table.dim() != 2 for table in tables):
        return given
    n_rows = min(map(len, tables))
    return given | {name: given.get(name, tables[0])[:n_rows] for name in names}


def _configuration(
    mapping: Mapping, given: Table[str, Tensor], answers: Answers, tokenizers: Tokenizers, where: str
) -> TransformerConfig:
    """The configuration: from the shapes, then from the mapping, and the rest as questions."""
    said = dict(mapping.config)
    if answers.hints.norm_epsilon is not None:
        said["norm_epsilon"] = answers.hints.norm_epsilon
    names = (f"{name}.weight" for name in ("decoder.embedding", "output", "encoder.embedding"))
    target = next((name for name in names if name in given), "")
    shapes = infer_config_from_shapes(_OWN | {"decoder.embedding.weight": target}, given, where=where)
    d_model = shapes["d_model"]
    first = "encoder.layers.0.self_attention"
    key_width = matrix(given, f"{first}.query.weight", where=where)[0]
    value_width = matrix(given, f"{first}.value.weight", where=where)[0]
    heads = _heads(said, answers, key_width, value_width)
    if "encoder_norm_first" not in said:
        said["encoder_norm_first"] = said["decoder_norm_first"] = answers.ask(
            "norm_first", False, choices=(False, True)
        )
    if "embedding_scale" not in said:
        said["embedding_scale"] = float(answers.ask("embedding_scale", d_model**0.5, choices=(d_model**0.5, 1.0)))
    learned = given.get("encoder.positions.table")
    for name, choices in _ASKED.items():
        if name not in said and (name != "positions" or learned is None):
            choices = _kinds_of_norm(given) if name == "norm_kind" else choices
            said[name] = answers.ask(name, choices[0], choices=choices)
    if said["norm_kind"] in ("annotated", "population"):
        said.setdefault("norm_epsilon", ANNOTATED_EPSILON)
    ids = ("source_pad_id", "target_pad_id", "bos_id", "eos_id")
    if not all(name in said for name in ids):
        said = answers.specials(tokenizers, shapes, pads=(0, 0), bos=1, eos=2) | said
    shapes |= _told_by_names(given, heads, (key_width, value_width))
    if learned is not None:
        said |= {"positions": "learned", "max_positions": learned.shape[0]}
    if heads[0] != heads[1] and key_width == value_width == d_model:
        shapes |= {"d_key": None, "d_value": None}
    try:
        return TransformerConfig.from_mapping(shapes | said)
    except ValueError as error:
        if isinstance(error, CheckpointError):
            raise
        raise HintError(f"the mapping's configuration does not fit: {error}") from error


def _kinds_of_norm(given: Table[str, Tensor]) -> tuple[str, ...]:
    """The kinds that the norms can be, the likely one first: a root mean square has no shift."""
    has_shift = any(name.endswith("_norm.bias") for name in given)
    return _ASKED["norm_kind"] if has_shift else ("rms", *_ASKED["norm_kind"])


def _heads(said: dict[str, Any], answers: Answers, key_width: int, value_width: int) -> tuple[int, int]:
    """Heads of encoder and decoder, taken out of the mapping's configuration or asked for.

    Raises:
        HintError: when they do not divide the projections.
    """
    heads = (said.pop("n_encoder_heads", None), said.pop("n_decoder_heads", None))
    if all(type(count) is int and count >= 1 and key_width % count == 0 for count in heads):
        return heads
    if any(count is not None for count in heads):
        raise HintError(f"n_encoder_heads and n_decoder_heads ({heads}) must both divide {key_width}")
    return answers.heads(gcd(key_width, value_width))


def _told_by_names(given: Table[str, Tensor], heads: tuple[int, int], widths: tuple[int, int]) -> dict[str, Any]:
    """The fields that follow from which tensors there are."""
    return {
        "n_encoder_heads": heads[0], "n_decoder_heads": heads[1],
        "d_key": widths[0] // heads[0], "d_value": widths[1] // heads[0],
        "attention_bias": any(re.search(r"attention\.\w+\.bias", name) for name in given),
        "feed_forward_bias": any(re.search(r"feed_forward\.\w+\.bias", name) for name in given),
        "gated_feed_forward": "encoder.layers.0.feed_forward.gate.weight" in given,
        "output_bias": "output.bias" in given, "embedding_norm": "encoder.embedding_norm.weight" in given,
        "encoder_final_norm": "encoder.final_norm.weight" in given,
        "decoder_final_norm": "decoder.final_norm.weight" in given,
        "tie_embeddings": "decoder.embedding.weight" not in given, "tie_output": "output.weight" not in given,
    }  # fmt: skip
