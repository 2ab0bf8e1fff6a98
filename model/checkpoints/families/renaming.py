"""Applies a family's table of names: each of its tensors is used exactly once, or reported by name.

A table maps our names to the family's. ``{}`` stands for a layer's number i; the family may have ``{+1}`` for i + 1, or
``{3+2}`` for 3 i + 2, where one list has three entries for each layer. A final ``*`` stands for weight and bias.
``[1/3]`` after a family's name is the second third of the rows of a packed projection. Two examples:

    "encoder.layers.{}.feed_forward.fc1.*": "enc.{+1}.linear1.*"       enc.1.linear1.weight is layer 0's
    "encoder.layers.{}.self_attention.key.*": "enc.{}.in_proj.*[1/3]"  the second third of enc.0.in_proj.weight
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from model.checkpoints.basis.assembly import aliases, check_tensors, expected_tensors
from model.checkpoints.basis.errors import LimitError, TensorsError
from model.checkpoints.basis.limits import limits
from model.config import TransformerConfig

Table = Mapping[str, str]
_NEUTRAL = ("bias", "norm.weight")
_PART = re.compile(r"^(.*)\[(\d+)/(\d+)\]$")
NUMBER = re.compile(r"\{(\d*)(?:\+(\d+))?\}")
"""A layer's number: how many such numbers a layer has, and which its first has."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one of our tensors is in the family's file."""

    name: str
    part: int = 0
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Renamed:
    """The result: tensors with our names, and the family's tensors that are not needed."""

    tensors: dict[str, Tensor]
    ignored: tuple[str, ...]
    filled: tuple[str, ...]
    """Our tensors that the file lacks and that have one neutral value: ones and zeros of a norm, zero biases."""


def first_complete(tensors: Mapping[str, Tensor], *alternatives: tuple[str, ...]) -> tuple[str, ...]:
    """The first of several lists of names of which a file has all; none where there is no such list."""
    return next((names for names in alternatives if all(name in tensors for name in names)), ())


def recognise_by_names(*alternatives: tuple[str, ...]) -> Callable[[Mapping[str, Tensor]], tuple[str, ...]]:
    """A family's ``recognise``: its file has all names of one of several lists."""
    return lambda tensors: first_complete(tensors, *alternatives)


def rename(
    table: Table,
    by_name: Mapping[str, Tensor],
    config: TransformerConfig,
    *,
    where: str,
    ignored: Iterable[str] = (),
    fill: bool = False,
) -> Renamed:
    """Give a family's tensors our names.

    Args:
        ignored: regular expressions for the family's tensors that the model does not need.
        fill: take biases that no layer has as zeros, and norms that no layer has as the identity.

    Raises:
        TensorsError: naming every missing, unexpected or misshapen tensor, by the family's names.
    """
    expected = expected_tensors(config)
    shared = aliases(config)
    places = {name: place for name, place in expand(table, config).items() if name in expected}
    absent = {ours for ours, place in places.items() if place.name not in by_name}
    stored_kinds = {_kind(ours) for ours in places if ours not in absent}
    spare = {
        ours
        for ours in absent
        if ours in shared or (fill and ours.endswith(_NEUTRAL) and _kind(ours) not in stored_kinds)
    }
    needed = {place.name: _full_shape(expected[ours], place) for ours, place in places.items() if ours not in spare}
    ignores = [re.compile(pattern).fullmatch for pattern in ignored]
    unused = tuple(name for name in by_name if name not in needed and any(matches(name) for matches in ignores))
    shapes = {name: _squeezed_shape(tensor) for name, tensor in by_name.items() if name not in unused}
    unmapped = tuple(ours for ours in expected if ours not in places and ours not in shared)
    if unmapped:
        raise TensorsError(where, missing=unmapped)
    check_tensors(where, needed, shapes)
    tensors = {}
    for ours, place in places.items():
        if ours in shared:
            continue
        if ours in spare:
            make = torch.ones if ours.endswith("norm.weight") else torch.zeros
            tensors[ours] = make(expected[ours].shape)
        else:
            whole = by_name[place.name].reshape(needed[place.name].shape)
            tensors[ours] = whole.chunk(place.parts)[place.part]
    return Renamed(tensors, unused, tuple(sorted(spare - set(shared))))


def expand(table: Table, config: TransformerConfig) -> dict[str, Place]:
    """Each of our names and its place, the table's patterns written out."""
    places = {}
    for ours, stored in table.items():
        n_layers = config.n_encoder_layers if ours.startswith("encoder.") else config.n_decoder_layers
        for layer in range(n_layers) if "{}" in ours else (None,):
            for kind in ("weight", "bias") if ours.endswith("*") else ("",):
                match = _PART.match(stored)
                name, part, parts = (match[1], int(match[2]), int(match[3])) if match else (stored, 0, 1)
                places[_written_out(ours, layer, kind)] = Place(_written_out(name, layer, kind), part, parts)
    return places


def _written_out(pattern: str, layer: int | None, kind: str) -> str:
    numbered = NUMBER.sub(lambda match: str(int(match[1] or 1) * (layer or 0) + int(match[2] or 0)), pattern)
    return numbered.replace("*", kind)


def with_prefixes(ours: str, stored: str, table: Table) -> dict[str, str]:
    """A table with a prefix on both sides."""
    return {f"{ours}.{name}": f"{stored}.{other}" for name, other in table.items()}


def count_layers(names: Iterable[str], pattern: str) -> int:
    """How many layers there are, from the highest number in the pattern's group.

    Raises:
        LimitError: when the number is above this installation's limit.
    """
    numbers = [match[1] for match in map(re.compile(pattern).match, names) if match]
    if any(len(number) > 6 for number in numbers) or (numbers and max(map(int, numbers)) >= limits().max_layers):
        raise LimitError(
            f"a layer's number is above {limits().max_layers}, the most layers that this installation opens "
            "(REGARD_MAX_LAYERS)"
        )
    return 1 + max(map(int, numbers), default=-1)


def matrix(tensors: Mapping[str, Tensor], name: str, *, where: str) -> tuple[int, int]:
    """Rows and columns of a tensor whose shape is part of the configuration.

    Raises:
        TensorsError: when it is missing or not a matrix.
    """
    if name not in tensors:
        raise TensorsError(where, missing=(name,))
    shape = _squeezed_shape(tensors[name])
    if len(shape) != 2 or not all(shape):
        raise TensorsError(where, misshapen=(f"{name} is {'×'.join(map(str, tensors[name].shape))}, not a matrix",))
    return shape[0], shape[1]


def rows_of(table: Tensor | None, usual: int) -> int:
    """How many positions a table (…, P, D) holds; the usual number where the file has none."""
    return table.shape[-2] if table is not None and table.dim() > 1 else usual


def cut_alike(tensors: dict[str, Tensor], names: Iterable[str]) -> int | None:
    """Cut those of these tables of positions (P, D) that are there to the rows of the shortest; how many it has."""
    tables = {name: tensors[name] for name in names if name in tensors and tensors[name].dim() == 2}
    n_rows = min(map(len, tables.values()), default=None)
    tensors |= {name: table[:n_rows] for name, table in tables.items()}
    return n_rows


def is_same(tensors: Mapping[str, Tensor], first: str, second: str) -> bool:
    """Whether two tensors are equal or the same; a missing second one counts as shared."""
    if second not in tensors or first not in tensors:
        return True
    a, b = tensors[first], tensors[second]
    return a.shape == b.shape and (a.data_ptr() == b.data_ptr() or torch.equal(a, b))


def _squeezed_shape(tensor: Tensor) -> tuple[int, ...]:
    """A 1×1 convolution's kernel is a matrix."""
    shape = tuple(tensor.shape)
    return shape[:2] if len(shape) == 3 and shape[2] == 1 else shape


def _full_shape(expected: Tensor, place: Place) -> Tensor:
    rows = expected.shape[0] * place.parts if expected.dim() else 1
    return torch.empty((rows, *expected.shape[1:]), device="meta")


def _kind(name: str) -> str:
    """A name without its layer's number."""
    return re.sub(r"(?<=\.)\d+(?=\.)", "N", name)
