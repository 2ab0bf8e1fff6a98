"""Interventions as short text for links and files: ``off:x.2.5 force:x.2.5.3=0.1,0.9 block:e.3 move:shuffle.7 unmask``.

A patch has its name, positions, heads and replacement:
``patch:encoder.3.residual.after@1,2=text:The%20dog%20sat.``, ``patch:decoder.0.cross.mixed#5=zero``,
``patch:decoder.2.residual.after=add:1.5,0.2,-0.7,…`` with the strength first. Arrays of more than one dimension have
their shape first: ``value:2x3;0.1,…``.
"""

import dataclasses
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from model.interventions import ITEMS, AttentionKind, InAttention, Interventions, PositionEdit
from model.patch import Patch

LETTERS: dict[AttentionKind, str] = {"encoder_self": "e", "decoder_self": "d", "cross": "x"}
"""Abbreviations of the kinds of attention."""
_KINDS: dict[str, AttentionKind] = {letter: kind for kind, letter in LETTERS.items()}
_TYPES: dict[str, tuple[str, Any]] = {
    verb: (field, kind) for field, kind in ITEMS.items() if issubclass(kind, InAttention) for verb in kind.verbs
}
"""verb -> (field of Interventions, type of its items)."""
_LISTED = ("weights",)
"""Fields with several numbers."""
_MOST = 4096
"""Maximum items that are read from one text."""
_PATCH = re.compile(
    r"([a-z_.0-9]{1,60})(?:@([0-9,]+))?(?:#([0-9,]+))?=(zero|mean|noise|text|ids|value|add|scale|out):?(.*)"
)
_WITHOUT_NUMBERS = re.compile(r"patch:([a-z_.0-9]{1,60})[@#0-9,]*=(?:numbers|function)")
_BEGIN = re.compile(r"begin:([0-9]{1,4})")
_SHAPE = re.compile(r"([0-9]{1,6}(?:x[0-9]{1,6}){0,3});(.*)")
_MOST_NUMBERS = 2048
"""Maximum numbers of a patch that are written."""


def write_interventions(interventions: Interventions, *, is_link: bool = True) -> str:
    """One item per change, separated by spaces; ``read_interventions`` is the inverse.

    Args:
        is_link: omit the patches in ``unwritten``; otherwise they are written without their numbers.
    """
    items = [_item_text(item) for item in interventions.items if not isinstance(item, Patch)]
    if interventions.source_positions is not None:
        items.append(f"move:{interventions.source_positions.mode}.{interventions.source_positions.amount}")
    if interventions.lift_causal_mask:
        items.append("unmask")
    for patch in interventions.patches:
        unnumbered = f"patch:{_place(patch)}={'numbers' if patch.apply is None else 'function'}"
        items.append(_patch_text(patch) or ("" if is_link else unnumbered))
    return " ".join(filter(None, items))


def unwritten(interventions: Interventions) -> tuple[Patch, ...]:
    """The patches that cannot be written: functions, and arrays of more than 2,048 numbers."""
    return tuple(patch for patch in interventions.patches if not _patch_text(patch))


def read_interventions(text: str) -> Interventions:
    """Parse interventions; invalid items are skipped."""
    changes: dict[str, Any] = {}
    for item in text.split()[:_MOST]:
        try:
            field, change = _read_item(*item.partition(":")[::2])
        except (ValueError, KeyError, IndexError, TypeError):
            continue
        if field in ("source_positions", "lift_causal_mask"):
            changes[field] = change
        else:
            changes.setdefault(field, []).append(change)
    return Interventions(**changes)


def write_changes(interventions: Interventions, n_forced: int) -> str:
    """The text for a file, with the number of forced tokens of the translation: ``begin:2``."""
    begin = f"begin:{n_forced}" if n_forced else ""
    return " ".join(filter(None, (write_interventions(interventions, is_link=False), begin)))


def read_changes(text: str) -> tuple[Interventions, int]:
    """Parse interventions and the number of forced tokens of the translation; invalid items are skipped."""
    begins = [int(match[1]) for item in text.split()[:_MOST] if (match := _BEGIN.fullmatch(item))]
    return read_interventions(text), begins[0] if begins else 0


def patches_without_numbers(text: str) -> tuple[str, ...]:
    """The activations whose patches a file lists without values (``unwritten``)."""
    return tuple(match[1] for item in text.split()[:_MOST] if (match := _WITHOUT_NUMBERS.fullmatch(item)))


def _place(patch: Patch) -> str:
    positions = "" if patch.positions is None else "@" + ",".join(map(str, patch.positions))
    return patch.name + positions + ("" if patch.heads is None else "#" + ",".join(map(str, patch.heads)))


def _patch_text(patch: Patch) -> str:
    """The text of one patch, or "" if it cannot be written."""
    place = f"patch:{_place(patch)}="
    if patch.from_text is not None:
        return f"{place}text:{quote(patch.from_text, safe='')}"
    if patch.from_ids is not None:
        return f"{place}ids:{','.join(map(str, patch.from_ids))}"
    if patch.noise is not None:
        return f"{place}noise:{patch.noise},{_number(patch.noise_scale)}"
    if patch.scale is not None:
        return f"{place}scale:{_number(patch.scale)}"
    if patch.zero or patch.mean:
        return f"{place}{'zero' if patch.zero else 'mean'}"
    if patch.numbers is None or (numbers := patch.numbers.array()).size > _MOST_NUMBERS:
        return ""
    is_plain = numbers.ndim == 0 or (numbers.ndim == 1 and numbers.size > 1)
    shape = "" if is_plain else "x".join(map(str, numbers.shape)) + ";"
    how = "value:" if patch.value is not None else "out:" if patch.add is None else f"add:{_number(patch.strength)},"
    return f"{place}{how}{shape}{_format_numbers(numbers.ravel())}"


def _format_numbers(numbers: Iterable[float]) -> str:
    return ",".join(map(_number, numbers))


def _number(number: float) -> str:
    """The shortest text that parses to the same number; for a float32, to the same float32."""
    short, exact = f"{number:g}", type(number) if isinstance(number, np.floating) else float
    return short if exact(short) == number else str(number)


def _read_item(verb: str, rest: str) -> tuple[str, Any]:
    """The field of Interventions that an item belongs to, and its value; raises what ``read_interventions`` expects."""
    if verb in _TYPES:
        return _item(verb, rest)
    parts = rest.split(".")
    if verb == "move":
        mode: Any = parts[0]
        return "source_positions", PositionEdit(mode, _whole(parts[1]))
    if verb == "patch":
        return "patches", _patch(rest)
    if verb == "unmask":
        return "lift_causal_mask", True
    raise ValueError(verb)


def _item_text(item: InAttention) -> str:
    """``off:x.2.5``: the verb, the kind of attention, the numbers of its place, and its weights after ``=``."""
    values = {name: getattr(item, name) for name in _fields(type(item), item.verb)}
    place = ("" if number is None else str(number) for name, number in values.items() if name not in _LISTED)
    listed = "".join(f"={_format_numbers(values[name])}" for name in _LISTED if name in values)
    return f"{item.verb}:{LETTERS[item.kind]}." + ".".join(place) + listed


def _item(verb: str, text: str) -> tuple[str, InAttention]:
    field, kind = _TYPES[verb]
    place, _, listed = text.partition("=")
    letter, *numbers = place.split(".")
    names = _fields(kind, verb)
    values: dict[str, Any] = {name: tuple(map(float, listed.split(","))) for name in names if name in _LISTED}
    for name, number in zip((name for name in names if name not in _LISTED), numbers, strict=False):
        values |= {name: _natural(number)} if number else {}
    return field, kind(kind=_KINDS[letter], **values, **kind.verbs[verb])


def _fields(kind: Any, verb: str) -> list[str]:
    """The fields after a verb and the kind of attention."""
    return [field.name for field in dataclasses.fields(kind) if field.name not in ("kind", *kind.verbs[verb])]


def _patch(text: str) -> Patch:
    match = _PATCH.fullmatch(text)
    if match is None or (match[4] not in ("zero", "mean")) != bool(match[5]):
        raise ValueError(text)
    name, positions, heads, how, rest = match.groups()
    where: dict[str, Any] = {
        field: None if part is None else tuple(map(_natural, part.split(",")))
        for field, part in (("positions", positions), ("heads", heads))
    }
    if how == "text":
        return Patch(name, **where, from_text=unquote(rest))
    if how == "ids":
        return Patch(name, **where, from_ids=tuple(map(_natural, rest.split(","))))
    if how == "noise":
        seed, _, scale = rest.partition(",")
        return Patch(name, **where, noise=_whole(seed), noise_scale=float(scale or 3))
    if how == "scale":
        return Patch(name, **where, scale=float(rest))
    if how in ("zero", "mean"):
        return Patch(name, **where, zero=how == "zero", mean=how == "mean")
    if how == "add":
        strength, _, rest = rest.partition(",")
        where["strength"] = float(strength)
    where["project_out" if how == "out" else how] = _array(rest)
    return Patch(name, **where)


def _array(text: str) -> Any:
    """Parse numbers, with their shape first unless they are one-dimensional."""
    match = _SHAPE.fullmatch(text)
    numbers = [float(part) for part in (match[2] if match else text).split(",")]
    if len(numbers) > _MOST_NUMBERS:
        raise ValueError(len(numbers))
    if match is None:
        return numbers if len(numbers) > 1 else numbers[0]
    return np.reshape(numbers, tuple(map(int, match[1].split("x"))))


def _natural(part: str) -> int:
    if not part.isdecimal() or len(part) > 7:
        raise ValueError(part)
    return int(part)


def _whole(part: str) -> int:
    """Parse an integer, such as a seed."""
    if not re.fullmatch(r"-?[0-9]{1,20}", part):
        raise ValueError(part)
    return int(part)
