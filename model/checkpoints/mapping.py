"""A user's mapping: a TOML table from the names in a file to ours, for checkpoints of no known family.

    ignored = ["*.pe"]                      # tensors that carry nothing the model needs
    transposed = ["blocks.{i}.attn.wq"]     # stored as (in, out)

    [tensors]                               # their name = our name, or our names in the order of its rows
    "src.emb" = "encoder.embedding.weight"
    "blocks.{i}.attn.wq" = "encoder.layers.{i}.self_attention.query.weight"
    "blocks.{i}.attn.kv" = [
        "encoder.layers.{i}.self_attention.key.weight",
        "encoder.layers.{i}.self_attention.value.weight",
    ]

    [config]                                # what shapes do not tell: fields of TransformerConfig
    n_encoder_heads = 4

Sizes come from the shapes, layers are counted from whatever number they begin with, and tensors that are not stored are
shared.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from math import gcd
from pathlib import Path
from typing import Any

from torch import Tensor

from model.checkpoints.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.errors import CheckpointError, HintError, MappingError, TensorsError, UnrecognisedError
from model.checkpoints.hints import Hints
from model.checkpoints.renaming import count_layers, matrix, rename, widths_inside
from model.checkpoints.source import Source
from model.config import ANNOTATED_EPSILON, TransformerConfig

NAME = "mapped"
MAX_BYTES = 256 << 10
_SIDES = ("encoder", "decoder")
_NUMBER = "{i}"
_ASKED: dict[str, tuple[Any, ...]] = {
    "norm_kind": ("layer", "annotated"), "activation": ("relu", "gelu", "silu"),
    "positions": ("interleaved", "halves", "tensor2tensor", "none"),
    "source_has_bos": (False, True), "source_has_eos": (True, False),
}  # fmt: skip
"""What neither shapes nor norms tell, and the answers, the usual one first."""
_UNSEEN = ("norm_epsilon", "output_scale", "encoder_residual_scale", "decoder_residual_scale", "position_offset",
           "skip_padding", "mask_target_padding", "starts_from_zero")  # fmt: skip
"""Fields that are hardly ever set and not asked; ``[config]`` may say them."""
_TOLD_BY_SHAPES = frozenset({
    "source_vocab_size", "target_vocab_size", "d_model", "d_feed_forward", "d_decoder_feed_forward", "n_encoder_layers",
    "n_decoder_layers", "d_key", "d_value", "attention_bias", "feed_forward_bias", "output_bias", "embedding_norm",
    "encoder_final_norm", "decoder_final_norm", "tie_embeddings", "tie_output",
    "gated_feed_forward"})  # fmt: skip
_OTHER_POSITIONS = re.compile(r"inv_freq|rotary|rel_pos|relative|alibi", re.IGNORECASE)
"""Names of positions that enter the scores, which a mapping cannot say."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """The contents of a mapping file."""

    tensors: dict[str, tuple[str, ...]]
    """Their pattern: our patterns, several where one tensor holds them one above the other."""
    transposed: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)


def read_mapping(path: Path) -> Mapping:
    """A mapping file, checked.

    Raises:
        HintError: when it is missing, is not TOML, or has an unknown entry.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise HintError(f"{path.name} has {path.stat().st_size:,} bytes: the limit is {MAX_BYTES:,}")
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, HintError):
            raise
        raise HintError(f"cannot read the mapping {path.name} ({str(error)[:120]}): give a TOML file") from error
    return parse_mapping(found)


def parse_mapping(found: Table[str, Any]) -> Mapping:
    """A mapping from parsed TOML; raises as ``read_mapping``."""
    unknown = sorted(set(found) - {"tensors", "transposed", "ignored", "config"})
    if unknown:
        raise HintError(
            f"the mapping has {', '.join(unknown)[:80]}: choose from tensors, transposed, ignored and config"
        )
    tensors, config = found.get("tensors"), found.get("config", {})
    if not isinstance(tensors, dict) or not tensors:
        raise HintError('the mapping lacks [tensors]: write one line for each, "their.name" = "our.name"')
    if not isinstance(config, dict):
        raise HintError("config in the mapping must be a table: [config]")
    fields = {item.name for item in dataclasses.fields(TransformerConfig)}
    strange = sorted(set(config) - (fields - _TOLD_BY_SHAPES))
    if strange:
        raise HintError(
            f"config in the mapping has {', '.join(strange)[:80]}, which is unknown or follows from the shapes: leave "
            "it out"
        )
    return Mapping(
        {theirs: _names(theirs, ours) for theirs, ours in tensors.items()},
        _strings("transposed", found.get("transposed", [])), _strings("ignored", found.get("ignored", [])), config,
    )  # fmt: skip


def _names(theirs: str, ours: object) -> tuple[str, ...]:
    names = (ours,) if isinstance(ours, str) else tuple(ours) if isinstance(ours, list) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise HintError(f"{theirs[:80]} in the mapping must be given one of our names, or a list of them")
    for name in names:
        if (_NUMBER in name) != (_NUMBER in theirs) or theirs.count(_NUMBER) > 1:
            raise HintError(f"{theirs[:80]} and {name[:80]} must both have {_NUMBER}, once, or neither")
    return names


def _strings(name: str, values: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise HintError(f"{name} in the mapping must be a list of names")
    return tuple(values)


def convert(mapping: Mapping, source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer by a mapping.

    Raises:
        MappingError: naming the tensors that the mapping leaves out, does not find, or gives the wrong shape.
        HintError: when its configuration does not fit.
        UnrecognisedError: when its positions are of a kind that a mapping cannot say.
    """
    where, answers = source.where, Answers(hints)
    other = next(filter(_OTHER_POSITIONS.search, source.tensors), None)
    if other is not None:
        raise UnrecognisedError(
            f"{where} holds {other[:80]}: rotary and relative positions cannot be mapped, and without them the "
            "attention would be another one. Save the attention where the model runs, and open that file"
        )
    try:
        given = renamed(mapping, source.tensors, where)
        config = _configuration(mapping, given, answers, tokenizers, where)
        kept = rename({name: name for name in given}, given, config, where=where, fill=True)
    except TensorsError as error:
        raise MappingError(
            where, missing=error.missing, unexpected=error.unexpected, misshapen=error.misshapen
        ) from error
    ignored = tuple(name for name in source.tensors if _is_ignored(name, mapping))
    assumed = tuple(f"{name}={getattr(config, name)}" for name in _UNSEEN if name not in mapping.config)
    return Conversion(config, kept.tensors, ignored, kept.filled, tuple(answers.questions),
                      tokenizers.source, tokenizers.target, assumed=assumed)  # fmt: skip


def renamed(mapping: Mapping, given: Table[str, Tensor], where: str) -> dict[str, Tensor]:
    """The tensors under our names, split and turned as the mapping says."""
    patterns = [(re.compile(re.escape(theirs).replace(re.escape(_NUMBER), r"(\d{1,6})") + r"\Z"), theirs, ours)
                for theirs, ours in mapping.tensors.items()]  # fmt: skip
    found: dict[str, Tensor] = {}
    left, used = [], set()
    for name, tensor in given.items():
        match = next(((hit, theirs, ours) for pattern, theirs, ours in patterns if (hit := pattern.match(name))), None)
        if match is None:
            left += [] if _is_ignored(name, mapping) else [name]
            continue
        hit, theirs, ours = match
        used.add(theirs)
        if theirs in mapping.transposed:
            tensor = _turned(tensor, is_output=ours[0].endswith(".output.weight"))
        elif tensor.dim() == 2 and ours[0].endswith(".bias"):
            tensor = tensor.flatten()  # by heads, beside such a matrix
        if not tensor.dim() or tensor.shape[0] % len(ours):
            raise TensorsError(where, misshapen=(f"{name} cannot be divided by {len(ours)}",))
        for part, target in zip(tensor.chunk(len(ours)), ours, strict=True):
            found[target.replace(_NUMBER, hit[1] if hit.groups() else "")] = part
    absent = tuple(theirs for theirs in mapping.tensors if theirs not in used)
    if left or absent:
        raise TensorsError(where, missing=absent, unexpected=tuple(left))
    return _from_zero(found)


def _turned(tensor: Tensor, *, is_output: bool) -> Tensor:
    """(in, out) -> (out, in), also where one of them is split into heads: (D, H, K) or, after the heads, (H, K, D)."""
    if tensor.dim() == 3:
        tensor = tensor.flatten(0, 1) if is_output else tensor.flatten(1)
    return tensor.t() if tensor.dim() == 2 else tensor


def _is_ignored(name: str, mapping: Mapping) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in mapping.ignored)


def _from_zero(found: dict[str, Tensor]) -> dict[str, Tensor]:
    """Layers counted from 0, whatever number the first one has."""
    for side in _SIDES:
        layer = re.compile(rf"{side}\.layers\.(\d+)\.(.*)")
        numbers = [int(match[1]) for name in found if (match := layer.match(name))]
        first = min(numbers, default=0)
        found = {f"{side}.layers.{int(match[1]) - first}.{match[2]}" if (match := layer.match(name)) else name: tensor
                 for name, tensor in found.items()}  # fmt: skip
    return found


def _configuration(
    mapping: Mapping, given: Table[str, Tensor], answers: Answers, tokenizers: Tokenizers, where: str
) -> TransformerConfig:
    """The configuration: from the shapes, then from the mapping, and the rest as questions."""
    said = dict(mapping.config)
    source_size, d_model = matrix(given, "encoder.embedding.weight", where=where)
    target_name = next((f"{name}.weight" for name in ("decoder.embedding", "output", "encoder.embedding")
                        if f"{name}.weight" in given), "")  # fmt: skip
    target_size, _ = matrix(given, target_name, where=where)
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
    if said["norm_kind"] == "annotated":
        said.setdefault("norm_epsilon", ANNOTATED_EPSILON)
    ids = ("source_pad_id", "target_pad_id", "bos_id", "eos_id")
    if not all(name in said for name in ids):
        asked = answers.specials(tokenizers, (source_size, target_size), dict(zip(ids, (0, 0, 1, 2), strict=True)))
        said = asked | said
    shapes = _told_by_shapes(given, heads, (key_width, value_width), where)
    shapes |= {"source_vocab_size": source_size, "target_vocab_size": target_size, "d_model": d_model}
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


def _told_by_shapes(
    given: Table[str, Tensor], heads: tuple[int, int], widths: tuple[int, int], where: str
) -> dict[str, Any]:
    """The fields that follow from the names and shapes of the tensors."""
    first = "encoder.layers.0"
    return {
        **widths_inside(given, *(f"{side}.layers.0.feed_forward.fc1.weight" for side in _SIDES), where=where),
        "n_encoder_layers": count_layers(given, r"encoder\.layers\.(\d+)\."),
        "n_decoder_layers": count_layers(given, r"decoder\.layers\.(\d+)\."),
        "n_encoder_heads": heads[0], "n_decoder_heads": heads[1],
        "d_key": widths[0] // heads[0], "d_value": widths[1] // heads[0],
        "attention_bias": f"{first}.self_attention.query.bias" in given,
        "feed_forward_bias": f"{first}.feed_forward.fc1.bias" in given,
        "gated_feed_forward": f"{first}.feed_forward.gate.weight" in given,
        "output_bias": "output.bias" in given, "embedding_norm": "encoder.embedding_norm.weight" in given,
        "encoder_final_norm": "encoder.final_norm.weight" in given,
        "decoder_final_norm": "decoder.final_norm.weight" in given,
        "tie_embeddings": "decoder.embedding.weight" not in given, "tie_output": "output.weight" not in given,
    }  # fmt: skip
