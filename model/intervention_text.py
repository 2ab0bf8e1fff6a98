"""Interventions as short text for links and files: ``off:x.2.5 force:x.2.5.3=0.1,0.9 block:e.3 move:shuffle.7 unmask``.

A patch is its name, positions, heads and what replaces the activation:
``patch:encoder.3.residual.after@1,2=text:The%20dog%20sat.``, ``patch:decoder.0.cross.mixed#5=zero``,
``patch:decoder.2.residual.after=add:1.5,0.2,-0.7,…`` with the strength first.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any
from urllib.parse import quote, unquote

from model.interventions import (
    NONE,
    AttentionKind,
    BlockedKey,
    ForcedRow,
    HeadAblation,
    InterventionError,
    Interventions,
    PositionEdit,
)
from model.patch import Patch

LETTERS: dict[AttentionKind, str] = {"encoder_self": "e", "decoder_self": "d", "cross": "x"}
"""How a kind of attention is written."""
_KINDS: dict[str, AttentionKind] = {letter: kind for kind, letter in LETTERS.items()}
_MOST = 256
_PATCH = re.compile(
    r"([a-z_.0-9]{1,60})(?:@([0-9,]+))?(?:#([0-9,]+))?=(zero|mean|noise|text|value|add|scale|out):?(.*)"
)
_BEGIN = re.compile(r"begin:([0-9]{1,4})")
_LONGEST_TEXT = 500
_MOST_NUMBERS = 512
"""Numbers of a patch's value that still travel in a link."""


def write_interventions(interventions: Interventions, *, is_link: bool = True) -> str:
    """One item for each change, separated by spaces.

    Args:
        is_link: leave out a patch whose numbers are too many for a link; else it is named without them.
    """
    items = [
        f"{'even' if off.mode == 'uniform' else 'off'}:{LETTERS[off.kind]}.{off.layer}.{off.head}"
        for off in interventions.heads_off
    ]
    for row in interventions.forced_rows:
        weights = ",".join(f"{weight:.4g}" for weight in row.weights)
        items.append(f"force:{LETTERS[row.kind]}.{row.layer}.{row.head}.{row.query}={weights}")
    for block in interventions.blocked_keys:
        place = (block.key, block.layer, block.head, block.query)
        items.append(f"block:{LETTERS[block.kind]}." + ".".join("" if n is None else str(n) for n in place))
    if interventions.source_positions is not None:
        items.append(f"move:{interventions.source_positions.mode}.{interventions.source_positions.amount}")
    if interventions.lift_causal_mask:
        items.append("unmask")
    items += [_patch_text(patch) or ("" if is_link else _named(patch)) for patch in interventions.patches]
    return " ".join(filter(None, items))


def _named(patch: Patch) -> str:
    """A patch by its place, without its value."""
    return f"patch:{_place(patch)}={'numbers' if patch.apply is None else 'function'}"


def _place(patch: Patch) -> str:
    positions = "" if patch.positions is None else "@" + ",".join(map(str, patch.positions))
    return patch.name + positions + ("" if patch.heads is None else "#" + ",".join(map(str, patch.heads)))


def _patch_text(patch: Patch) -> str:
    """One patch, or nothing where its value is too long for a link."""
    place = _place(patch)
    if patch.from_text is not None:
        return f"patch:{place}=text:{quote(patch.from_text, safe='')}"
    if patch.noise is not None:
        return f"patch:{place}=noise:{patch.noise},{patch.noise_scale:g}"
    if patch.scale is not None:
        return f"patch:{place}=scale:{patch.scale:.6g}"
    if patch.numbers is not None:
        numbers = patch.numbers.array()
        if numbers.ndim > 1 or numbers.size > _MOST_NUMBERS:
            return ""
        how = "value" if patch.value is not None else "out" if patch.add is None else f"add:{patch.strength:.6g}"
        return f"patch:{place}={how}{',' if patch.add is not None else ':'}" + ",".join(
            f"{number:.6g}" for number in numbers.ravel()
        )
    if patch.zero or patch.mean:
        return f"patch:{place}={'zero' if patch.zero else 'mean'}"
    return ""


def _patch(text: str) -> Patch:
    match = _PATCH.fullmatch(text)
    if match is None or (match[4] not in ("zero", "mean")) != bool(match[5]):
        raise ValueError(text)
    name, positions, heads, how, rest = match.groups()
    where: dict[str, Any] = {
        field: None if part is None else tuple(_naturals(part.split(",")))
        for field, part in (("positions", positions), ("heads", heads))
    }
    if how == "text":
        return Patch(name, **where, from_text=unquote(rest)[:_LONGEST_TEXT])
    if how == "noise":
        seed, _, scale = rest.partition(",")
        return Patch(name, **where, noise=_natural(seed), noise_scale=float(scale or 3))
    if how == "scale":
        return Patch(name, **where, scale=float(rest))
    if how in ("value", "add", "out"):
        given = [float(part) for part in rest.split(",")[: _MOST_NUMBERS + 1]]
        if how == "add":
            where["strength"] = given.pop(0)
        where["project_out" if how == "out" else how] = given if len(given) > 1 else given[0]
        return Patch(name, **where)
    return Patch(name, **where, zero=how == "zero", mean=how == "mean")


def read_interventions(text: str) -> Interventions:
    """Read them back; an invalid item is left out."""
    interventions = NONE
    for item in text.split()[:_MOST]:
        try:
            interventions = _with(interventions, *item.partition(":")[::2])
        except (ValueError, KeyError, IndexError, TypeError, InterventionError):
            continue
    return interventions


def write_changes(interventions: Interventions, n_given: int) -> str:
    """The same for a file, which also says how many tokens of the translation were given: ``begin:2``."""
    begin = f"begin:{n_given}" if n_given else ""
    return " ".join(filter(None, (write_interventions(interventions, is_link=False), begin)))


def read_changes(text: str) -> tuple[Interventions, int]:
    """Interventions, and how many tokens of the translation were given; invalid items are left out."""
    begins = [int(match[1]) for item in text.split()[:_MOST] if (match := _BEGIN.fullmatch(item))]
    return read_interventions(text), begins[0] if begins else 0


def _with(interventions: Interventions, verb: str, rest: str) -> Interventions:
    place, _, weights = rest.partition("=")
    parts = place.split(".")
    change: dict[str, Any] = {}
    if verb in ("off", "even"):
        off = HeadAblation(_KINDS[parts[0]], *_naturals(parts[1:3]), mode="uniform" if verb == "even" else "zero")
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
    elif verb == "patch":
        change["patches"] = (*interventions.patches, _patch(rest))
    elif verb == "unmask":
        change["lift_causal_mask"] = True
    return dataclasses.replace(interventions, **change)


def _naturals(parts: list[str]) -> list[int]:
    return [_natural(part) for part in parts]


def _natural(part: str) -> int:
    if not part.isdecimal() or len(part) > 6:
        raise ValueError(part)
    return int(part)
