"""Applies a mapping to a file's tensors: renames, splits, transposes and joins them, and renumbers layers from 0."""

import re
from collections.abc import Mapping as Table
from collections.abc import Sequence
from fnmatch import fnmatchcase

import torch
from torch import Tensor

from model.checkpoints.answers.mapping import BRANCHES, HEAD, NUMBER, SIDES, Mapping
from model.checkpoints.basis.errors import TensorsError

_EVERY = "*_norm"
"""Matches every norm of a layer, if all branches share one."""


def rename_tensors(mapping: Mapping, tensors: Table[str, Tensor], where: str) -> dict[str, Tensor]:
    """The tensors under our names, split and transposed as the mapping says."""
    patterns = [(name_pattern(stored), stored, ours) for stored, ours in mapping.tensors.items()]
    crosses = any(".cross_attention." in name for ours in mapping.tensors.values() for name in ours)
    placed: dict[str, Tensor] = {}
    by_head: dict[str, dict[int, Tensor]] = {}
    left, used = [], set()
    for name, tensor in tensors.items():
        match = next(((hit, stored, ours) for pattern, stored, ours in patterns if (hit := pattern.match(name))), None)
        if match is None:
            left += [] if is_ignored(name, mapping) else [name]
            continue
        hit, stored, ours = match
        used.add(stored)
        number = hit.groupdict().get("i") or ""
        if HEAD in stored:
            whole = tensor.t() if stored in mapping.transposed else tensor
            for part, target in zip(_cut(whole, name, ours, where), ours, strict=True):
                by_head.setdefault(target.replace(NUMBER, number), {})[int(hit["h"])] = part
            continue
        if ours[0].endswith("positions.table") and tensor.dim() == 3 and 1 in tensor.shape[:2]:
            tensor = tensor.flatten(0, 1)  # (1, P, D) or (P, 1, D)
        if stored in mapping.transposed:
            tensor = _turned(tensor, is_output=ours[0].endswith(".output.weight"))
        elif tensor.dim() == 2 and ours[0].endswith(".bias"):
            tensor = tensor.flatten()  # by heads, beside such a matrix
        for part, target in zip(_cut(tensor, name, ours, where), ours, strict=True):
            placed |= dict.fromkeys(_each(target.replace(NUMBER, number), crosses=crosses), part)
    placed |= {name: _joined(name, parts, where) for name, parts in by_head.items()}
    absent = tuple(stored for stored in mapping.tensors if stored not in used)
    if left or absent:
        raise TensorsError(where, missing=absent, unexpected=tuple(left))
    return _from_zero(placed)


def _cut(tensor: Tensor, name: str, ours: Sequence[str], where: str) -> tuple[Tensor, ...]:
    """Split the stacked rows into those of each of our tensors."""
    if not tensor.dim() or tensor.shape[0] % len(ours):
        raise TensorsError(where, misshapen=(f"{name} cannot be divided by {len(ours)}",))
    return tensor.chunk(len(ours))


def name_pattern(stored: str) -> re.Pattern[str]:
    """A regular expression for a pattern of names, with the numbers of layer and head as groups."""
    pattern = re.escape(stored).replace(re.escape(NUMBER), r"(?P<i>\d{1,6})", 1)
    pattern = pattern.replace(re.escape(NUMBER), r"(?P=i)").replace(re.escape(HEAD), r"(?P<h>\d{1,4})")
    return re.compile(pattern + r"\Z")


def points_at(rows: Sequence[str], stored: str, ours: Sequence[str]) -> bool:
    """Whether misfit names, the file's or ours, belong to a line of the mapping."""
    return any(name == row or name_pattern(name).match(row) for row in rows for name in (stored, *ours))


def regroup(mapping: Mapping, by_name: Table[str, Tensor], heads: tuple[int, int], where: str) -> dict[str, Tensor]:
    """Reorder the rows of projections that the file stores head by head.

    Args:
        by_name: from ``rename_tensors``, with fused matrices split projection by projection.
        heads: numbers of heads of encoder and decoder.
    """
    tensors = dict(by_name)
    for stored in mapping.by_head:
        ours = mapping.tensors.get(stored, ())
        numbers = {hit["i"] for name in by_name for hit in [name_pattern(ours[0]).match(name)] if hit} if ours else ()
        count = heads[0] if ours and ours[0].startswith("encoder") else heads[1]
        for number in numbers:
            names = [name.replace(NUMBER, number) for name in ours]
            rows = torch.cat([by_name[name] for name in names])  # (H · parts · K, …)
            if len(rows) % (count * len(names)):
                raise TensorsError(where, misshapen=(f"{stored} cannot be divided by {count} heads",))
            parts = rows.unflatten(0, (count, len(names), -1)).transpose(0, 1).flatten(1, 2)
            tensors |= dict(zip(names, parts, strict=True))
    return tensors


def _each(target: str, *, crosses: bool) -> tuple[str, ...]:
    """Our name itself, or all norms of the layer if it is the pattern of all norms."""
    if _EVERY not in target:
        return (target,)
    branches = BRANCHES.get(target.partition(".")[0], ())
    return tuple(target.replace(_EVERY, f"{branch}_norm") for branch in branches if crosses or "cross" not in branch)


def _joined(name: str, parts: Table[int, Tensor], where: str) -> Tensor:
    """Join the modules of all heads to one tensor: by rows, or by columns for the output projection."""
    ordered = [parts[head] for head in sorted(parts)]
    is_whole = sorted(parts) == list(range(min(parts), min(parts) + len(parts)))
    if not is_whole or len({tuple(part.shape) for part in ordered}) > 1 or not ordered[0].dim():
        raise TensorsError(where, misshapen=(f"the heads of {name} differ in shape, or one is missing",))
    return torch.cat(ordered, dim=1 if name.endswith("output.weight") else 0)


def _turned(tensor: Tensor, *, is_output: bool) -> Tensor:
    """Transpose (in, out) -> (out, in), also if one is split into heads: (D, H, K), (H, D, K), or (H, K, D) for the
    output projection."""
    if tensor.dim() == 3:
        if not is_output and tensor.shape[1] > tensor.shape[0]:
            tensor = tensor.transpose(0, 1)
        tensor = tensor.flatten(0, 1) if is_output else tensor.flatten(1)
    return tensor.t() if tensor.dim() == 2 else tensor


def is_ignored(name: str, mapping: Mapping) -> bool:
    """Whether the mapping ignores a tensor."""
    return any(fnmatchcase(name, pattern) for pattern in mapping.ignored)


def _from_zero(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Renumber layers from 0."""
    for side in SIDES:
        layer = re.compile(rf"{side}\.layers\.(\d+)\.(.*)")
        numbers = [int(match[1]) for name in tensors if (match := layer.match(name))]
        first = min(numbers, default=0)
        tensors = {f"{side}.layers.{int(match[1]) - first}.{match[2]}" if (match := layer.match(name)) else name: tensor
                 for name, tensor in tensors.items()}  # fmt: skip
    return tensors
