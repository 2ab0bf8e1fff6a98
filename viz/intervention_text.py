"""Interventions as short text for a link: ``off:x.2.5 force:x.2.5.3=0.1,0.9 block:e.3 move:shuffle.7 unmask``."""

from __future__ import annotations

import dataclasses
from typing import Any

from model.interventions import (
    NONE,
    AttentionKind,
    BlockedKey,
    ForcedRow,
    HeadOff,
    InterventionError,
    Interventions,
    PositionEdit,
)

_LETTERS: dict[AttentionKind, str] = {"encoder_self": "e", "decoder_self": "d", "cross": "x"}
_KINDS: dict[str, AttentionKind] = {letter: kind for kind, letter in _LETTERS.items()}
_MOST = 256


def write_interventions(interventions: Interventions) -> str:
    """One item for each thing that is changed, separated by spaces."""
    items = [
        f"{'even' if off.mode == 'uniform' else 'off'}:{_LETTERS[off.kind]}.{off.layer}.{off.head}"
        for off in interventions.heads_off
    ]
    for row in interventions.forced_rows:
        weights = ",".join(f"{weight:.4g}" for weight in row.weights)
        items.append(f"force:{_LETTERS[row.kind]}.{row.layer}.{row.head}.{row.query}={weights}")
    for block in interventions.blocked_keys:
        place = (block.key, block.layer, block.head, block.query)
        items.append(f"block:{_LETTERS[block.kind]}." + ".".join("" if n is None else str(n) for n in place))
    if interventions.source_positions is not None:
        items.append(f"move:{interventions.source_positions.mode}.{interventions.source_positions.amount}")
    if interventions.lift_causal_mask:
        items.append("unmask")
    return " ".join(items)


def read_interventions(text: str) -> Interventions:
    """Read them back; an item that makes no sense is left out."""
    interventions = NONE
    for item in text.split()[:_MOST]:
        try:
            interventions = _with(interventions, *item.partition(":")[::2])
        except (ValueError, KeyError, IndexError, TypeError, InterventionError):
            continue
    return interventions


def _with(interventions: Interventions, verb: str, rest: str) -> Interventions:
    place, _, weights = rest.partition("=")
    parts = place.split(".")
    change: dict[str, Any] = {}
    if verb in ("off", "even"):
        off = HeadOff(_KINDS[parts[0]], *_naturals(parts[1:3]), mode="uniform" if verb == "even" else "zero")
        change["heads_off"] = (*interventions.heads_off, off)
    elif verb == "force":
        row = ForcedRow(_KINDS[parts[0]], *_naturals(parts[1:4]), weights=tuple(map(float, weights.split(","))))
        change["forced_rows"] = (*interventions.forced_rows, row)
    elif verb == "block":
        where = [None if not part else _natural(part) for part in parts[2:5]]
        block = BlockedKey(_KINDS[parts[0]], _natural(parts[1]), *where)
        change["blocked_keys"] = (*interventions.blocked_keys, block)
    elif verb == "move" and parts[0] in ("zero", "shuffle", "shift", "reverse"):
        change["source_positions"] = PositionEdit(parts[0], max(-9999, min(9999, int(parts[1]))))
    elif verb == "unmask":
        change["lift_causal_mask"] = True
    return dataclasses.replace(interventions, **change)


def _naturals(parts: list[str]) -> list[int]:
    return [_natural(part) for part in parts]


def _natural(part: str) -> int:
    if not part.isdecimal() or len(part) > 6:
        raise ValueError(part)
    return int(part)
