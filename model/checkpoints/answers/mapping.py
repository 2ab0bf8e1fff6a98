"""A user's mapping: a TOML table from the names in a file to ours, for checkpoints of no known family.

    ignored = ["*.pe"]                      # tensors that the model does not need
    transposed = ["blocks.{i}.attn.wq"]     # stored as (in, out)
    by_head = ["blocks.{i}.attn.kv"]        # its rows: key and value of the first head, then those of the second

    [tensors]                               # their name = our name, or our names in the order of its rows
    "src.emb" = "encoder.embedding.weight"
    "blocks.{i}.attn.wq" = "encoder.layers.{i}.self_attention.query.weight"
    "blocks.{i}.attn.kv" = [
        "encoder.layers.{i}.self_attention.key.weight",
        "encoder.layers.{i}.self_attention.value.weight",
    ]

    "blocks.{i}.norm.w" = "encoder.layers.{i}.*_norm.weight"    # one norm that all branches of the layer share
    "blocks.{i}.heads.{h}.q" = "encoder.layers.{i}.self_attention.query.weight"    # one module per head: joined

    [config]                                # settings that shapes do not show: fields of TransformerConfig
    n_encoder_heads = 4

Sizes come from the shapes, layers may be numbered from any number, and missing tensors are shared.
"""

import dataclasses
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.checkpoints.basis.errors import HintError
from model.config import TransformerConfig

NAME = "mapped"
MAX_BYTES = 256 << 10
SIDES = ("encoder", "decoder")
NUMBER, HEAD = "{i}", "{h}"
BRANCHES = {"encoder": ("self_attention", "feed_forward"),
            "decoder": ("self_attention", "cross_attention", "feed_forward")}  # fmt: skip
_MOST_NUMBERS = 4
"""Maximum occurrences of the layer's number in a name, as in ``layer{i}.attention_{i}``."""
_TOLD_BY_SHAPES = frozenset({
    "source_vocab_size", "target_vocab_size", "d_model", "d_feed_forward", "d_decoder_feed_forward", "n_encoder_layers",
    "n_decoder_layers", "d_key", "d_value", "attention_bias", "feed_forward_bias", "output_bias", "embedding_norm",
    "encoder_final_norm", "decoder_final_norm", "tie_embeddings", "tie_output",
    "gated_feed_forward"})  # fmt: skip


_OF_LAYERS = frozenset({"encoder_norm_kind", "decoder_norm_kind", "parallel"})
"""Further keys of ``[config]`` for layers: norms that differ between stacks, and, for a single stack, whether attention
and the feed-forward network are parallel."""


Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a mapping: a pattern of the file's names, and our names for it."""

    pattern: str
    """The file's pattern."""
    shape: Shape
    """Shape of one such tensor; of all heads together if each head is a module."""
    count: int
    """Number of tensors that match the pattern."""
    ours: tuple[str, ...] = ()
    """Our patterns in the order of its rows; empty if it is ignored."""
    is_transposed: bool = False


@dataclass(frozen=True, slots=True)
class TensorMapping:
    """The contents of a mapping file."""

    tensors: dict[str, tuple[str, ...]]
    """Our patterns by the file's pattern; several if one tensor stacks their rows."""
    transposed: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    by_head: tuple[str, ...] = ()
    """The file's patterns of fused projections whose rows are ordered head by head, not projection by projection."""
    config: dict[str, Any] = field(default_factory=dict)


def read_mapping(path: Path) -> TensorMapping:
    """Read and check a mapping file."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise HintError(f"{path.name} has {path.stat().st_size:,} bytes: the limit is {MAX_BYTES:,}")
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, HintError):
            raise
        raise HintError(f"cannot read the mapping {path.name} ({str(error)[:120]}): give a TOML file") from error
    return parse_mapping(table)


def parse_mapping(table: Mapping[str, Any]) -> TensorMapping:
    """Check parsed TOML and return the mapping."""
    unknown = sorted(set(table) - {"tensors", "transposed", "ignored", "by_head", "config"})
    if unknown:
        raise HintError(
            f"the mapping has {', '.join(unknown)[:80]}: choose from tensors, transposed, ignored, by_head and config"
        )
    tensors, config = table.get("tensors"), table.get("config", {})
    if not isinstance(tensors, dict) or not tensors:
        raise HintError('the mapping lacks [tensors]: write one line for each, "their.name" = "our.name"')
    if not isinstance(config, dict):
        raise HintError("config in the mapping must be a table: [config]")
    fields = {item.name for item in dataclasses.fields(TransformerConfig)}
    strange = sorted(set(config) - (fields - _TOLD_BY_SHAPES) - _OF_LAYERS)
    if strange:
        raise HintError(
            f"config in the mapping has {', '.join(strange)[:80]}, which is unknown or follows from the shapes: leave "
            "it out"
        )
    return TensorMapping(
        {stored: _names(stored, ours) for stored, ours in tensors.items()},
        _strings("transposed", table.get("transposed", [])), _strings("ignored", table.get("ignored", [])),
        _strings("by_head", table.get("by_head", [])), config,
    )  # fmt: skip


def _names(stored: str, ours: object) -> tuple[str, ...]:
    names = (ours,) if isinstance(ours, str) else tuple(ours) if isinstance(ours, list) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise HintError(f"{stored[:80]} in the mapping must be given one of our names, or a list of them")
    for name in names:
        if stored.count(HEAD) > 1 or HEAD in name:
            raise HintError(f"{stored[:80]} may have {HEAD} once and stand for our names, which have none")
        if (NUMBER in name) != (NUMBER in stored) or stored.count(NUMBER) > _MOST_NUMBERS:
            raise HintError(f"{stored[:80]} and {name[:80]} must both have {NUMBER}, or neither")
    return names


def _strings(name: str, values: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise HintError(f"{name} in the mapping must be a list of names")
    return tuple(values)


_HIDDEN = ("n_encoder_heads", "n_decoder_heads", "encoder_norm_first", "decoder_norm_first", "norm_kind",
           "norm_epsilon", "activation", "embedding_scale", "positions", "score_scale", "mask_target_padding",
           "source_pad_id", "target_pad_id", "bos_id", "eos_id", "source_has_bos", "source_has_eos")  # fmt: skip
NAMES = tuple(
    f"{side}.layers.{{i}}.{rest}"
    for side, branches in (("encoder", ("self_attention",)), ("decoder", ("self_attention", "cross_attention")))
    for rest in (
        *(f"{branch}.{role}.{part}" for branch in branches for role in ("query", "key", "value", "output")
          for part in ("weight", "bias")),
        *(f"feed_forward.{name}.{part}" for name in ("fc1", "fc2", "gate") for part in ("weight", "bias")),
        *(f"{branch}_norm.{part}" for branch in (*branches, "feed_forward", "*") for part in ("weight", "bias")),
    )
) + tuple(
    f"{side}.{name}" for side in ("encoder", "decoder")
    for name in ("embedding.weight", "embedding.bias", "token_types", "positions.table", "embedding_norm.weight",
                 "embedding_norm.bias", "final_norm.weight", "final_norm.bias")
) + ("output.weight", "output.bias")  # fmt: skip
"""Our patterns, which lines may map to."""


def hidden_fields(config: TransformerConfig) -> dict[str, Any]:
    """The fields that shapes do not show; with them in the mapping, nothing is asked again."""
    fields = {name: getattr(config, name) for name in _HIDDEN}
    fields["embedding_scale"] = config.embedding_factor
    if config.positions == "learned":
        del fields["positions"]
    attention = config.layers(encoder=config.n_encoder_layers > 0)[0].attention
    fields["score_scale"] = attention.d_key**-0.5 if attention.scale is None else attention.scale
    kinds = {f"{side}_norm_kind": layers[0].norm_kind for side in SIDES
             if (layers := config.layers(encoder=side == "encoder"))}  # fmt: skip
    if len({*kinds.values()}) > 1:
        del fields["norm_kind"]
        fields |= kinds
    if any(spec.parallel for spec in config.layer_specs):
        fields["parallel"] = True
    if attention.rotary is not None:
        fields["positions"] = "rotary_pairs" if attention.rotary.interleaved else "rotary"
    return fields


def to_toml(lines: Iterable[Line], config: Mapping[str, Any] | None = None, *, by_head: bool = False) -> str:
    """The text of a mapping file; JSON strings, lists, numbers and booleans are valid TOML.

    Args:
        config: fields that shapes do not show.
        by_head: whether fused projections are split head by head.
    """
    lines = tuple(lines)
    ignored = [_quoted_pattern(line.pattern) for line in lines if not line.ours]
    turned = [json.dumps(line.pattern) for line in lines if line.ours and line.is_transposed]
    cut = [
        json.dumps(line.pattern)
        for line in lines
        if by_head and len(line.ours) > 1 and "attention" in line.ours[0] and HEAD not in line.pattern
    ]
    parts = [_format_list("ignored", ignored), _format_list("transposed", turned)]
    parts += [*([_format_list("by_head", cut)] if cut else []), "", "[tensors]"]
    for line in lines:
        if line.ours:
            names = json.dumps(line.ours[0] if len(line.ours) == 1 else list(line.ours))
            parts.append(f"{json.dumps(line.pattern)} = {names}")
    if config:
        parts += ["", "[config]", *(f"{name} = {json.dumps(value)}" for name, value in config.items())]
    return "\n".join(parts) + "\n"


def line_of_choice(line: Line, ours: str, *, is_transposed: bool) -> Line:
    """The line with a user's choice: names joined by " + ", or empty."""
    names = tuple(name.strip() for name in ours.split(" + ") if name.strip())
    return dataclasses.replace(line, ours=names, is_transposed=is_transposed)


def _format_list(name: str, values: list[str]) -> str:
    return f"{name} = [{', '.join(values)}]"


def _quoted_pattern(stored: str) -> str:
    """A shell pattern that matches the name and, if it has a layer's number, the same name in other layers."""
    escaped = "".join(f"[{character}]" if character in "*?[" else character for character in stored)
    return json.dumps(escaped.replace("{i}", "*").replace("{h}", "*"))
