"""Writes a mapping as TOML, with the table's lines and the settings that shapes do not show, for reuse with the same
code."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

from model.checkpoints.answers.mapping import HEAD, SIDES
from model.checkpoints.answers.patterns import Line
from model.config import TransformerConfig

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
    parts = [_listed("ignored", ignored), _listed("transposed", turned)]
    parts += [*([_listed("by_head", cut)] if cut else []), "", "[tensors]"]
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


def _listed(name: str, values: list[str]) -> str:
    return f"{name} = [{', '.join(values)}]"


def _quoted_pattern(stored: str) -> str:
    """A shell pattern that matches the name and, if it has a layer's number, the same name in other layers."""
    escaped = "".join(f"[{character}]" if character in "*?[" else character for character in stored)
    return json.dumps(escaped.replace("{i}", "*").replace("{h}", "*"))
