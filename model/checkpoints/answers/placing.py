"""Applies a mapping to a file's tensors: renames, splits, transposes and joins them, and renumbers layers from 0; then
normalises equivalent forms."""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import torch
from torch import Tensor

from model.checkpoints.answers.mapping import BRANCHES, HEAD, NUMBER, SIDES, TensorMapping
from model.checkpoints.basis.conversion import Answers
from model.checkpoints.basis.errors import TensorsError
from model.checkpoints.families.torch_module import FEW, reads_numbers

_EVERY = "*_norm"
"""Matches every norm of a layer, if all branches share one."""


def rename_tensors(mapping: TensorMapping, tensors: Mapping[str, Tensor], where: str) -> dict[str, Tensor]:
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
            for part, target in zip(_split_rows(whole, name, ours, where), ours, strict=True):
                by_head.setdefault(target.replace(NUMBER, number), {})[int(hit["h"])] = part
            continue
        if ours[0].endswith("positions.table") and tensor.dim() == 3 and 1 in tensor.shape[:2]:
            tensor = tensor.flatten(0, 1)  # (1, P, D) or (P, 1, D)
        if stored in mapping.transposed:
            tensor = _transpose(tensor, is_output=ours[0].endswith(".output.weight"))
        elif tensor.dim() == 2 and ours[0].endswith(".bias"):
            tensor = tensor.flatten()  # by heads, beside such a matrix
        for part, target in zip(_split_rows(tensor, name, ours, where), ours, strict=True):
            placed |= dict.fromkeys(_each(target.replace(NUMBER, number), crosses=crosses), part)
    placed |= {name: _join_heads(name, parts, where) for name, parts in by_head.items()}
    absent = tuple(stored for stored in mapping.tensors if stored not in used)
    if left or absent:
        raise TensorsError(where, missing=absent, unexpected=tuple(left))
    return _from_zero(placed)


def _split_rows(tensor: Tensor, name: str, ours: Sequence[str], where: str) -> tuple[Tensor, ...]:
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


def regroup(
    mapping: TensorMapping, by_name: Mapping[str, Tensor], heads: tuple[int, int], where: str
) -> dict[str, Tensor]:
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


def _join_heads(name: str, parts: Mapping[int, Tensor], where: str) -> Tensor:
    """Join the modules of all heads to one tensor: by rows, or by columns for the output projection."""
    ordered = [parts[head] for head in sorted(parts)]
    is_whole = sorted(parts) == list(range(min(parts), min(parts) + len(parts)))
    if not is_whole or len({tuple(part.shape) for part in ordered}) > 1 or not ordered[0].dim():
        raise TensorsError(where, misshapen=(f"the heads of {name} differ in shape, or one is missing",))
    return torch.cat(ordered, dim=1 if name.endswith("output.weight") else 0)


def _transpose(tensor: Tensor, *, is_output: bool) -> Tensor:
    """Transpose (in, out) -> (out, in), also if one is split into heads: (D, H, K), (H, D, K), or (H, K, D) for the
    output projection."""
    if tensor.dim() == 3:
        if not is_output and tensor.shape[1] > tensor.shape[0]:
            tensor = tensor.transpose(0, 1)
        tensor = tensor.flatten(0, 1) if is_output else tensor.flatten(1)
    return tensor.t() if tensor.dim() == 2 else tensor


def is_ignored(name: str, mapping: TensorMapping) -> bool:
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


_PROJECTION = re.compile(r"((?:en|de)coder\.layers\.\d+\.\w+_attention)\.(query|key|value)\.(weight|bias)\Z")


def simplify(by_name: Mapping[str, Tensor], answers: Answers, where: str) -> tuple[dict[str, Tensor], int | None]:
    """The normalised tensors under our names, and the number of heads if a shared projection shows it.

    Raises:
        UnshownError: when the model reads numbers and not tokens.
    """
    tensors = _from_one_hot(dict(by_name), answers, where)
    width = next((t.shape[1] for name, t in tensors.items() if name.endswith("embedding.weight") and t.dim() == 2), 0)
    n_shared = _n_sharing_heads(tensors, width)
    if n_shared is not None:
        for name, tensor in tensors.items():
            if _PROJECTION.match(name):
                is_matrix = name.endswith("weight")
                tensors[name] = torch.block_diag(*[tensor] * n_shared) if is_matrix else tensor.repeat(n_shared)
    attentions = {match[1]: tensor for name, tensor in tensors.items()
                  if (match := _PROJECTION.match(name)) and match.group(2, 3) == ("value", "weight")}  # fmt: skip
    has_output = any(f"{attention}.output.weight" in tensors for attention in attentions)
    for attention, value in attentions.items() if not has_output else ():
        if value.shape[0] != width:
            raise TensorsError(where, missing=(f"{attention}.output.weight",))
        tensors[f"{attention}.output.weight"] = torch.eye(width, dtype=value.dtype)
    return tensors, n_shared


def _n_sharing_heads(tensors: Mapping[str, Tensor], width: int) -> int | None:
    """How many heads share each projection, if every projection is a square whose width divides d_model."""
    shapes = {tuple(tensor.shape) for name, tensor in tensors.items()
              if _PROJECTION.match(name) and name.endswith("weight")}  # fmt: skip
    if len(shapes) != 1:
        return None
    rows, columns = (*next(iter(shapes)), 0, 0)[:2]
    is_shared = rows == columns and 1 < rows < width and width % rows == 0
    return width // rows if is_shared else None


def _from_one_hot(tensors: dict[str, Tensor], answers: Answers, where: str) -> dict[str, Tensor]:
    """The tensors with embeddings (V, D) instead of linear layers with biases.

    Raises:
        UnshownError: when such a layer reads numbers.
    """
    names = [name for side in SIDES if (name := f"{side}.embedding.bias") in tensors]
    if not names:
        return tensors
    weights = [tensors[name.replace("bias", "weight")] for name in names]
    sizes = [len(weight) for weight in weights]
    n_written = len(tensors["output.weight"]) if "output.weight" in tensors else 0
    fits = sizes[-1] == n_written
    if not fits or not answers.ask("one_hot", min(sizes) > FEW, choices=(True, False)):
        more = ". If it reads tokens as one-hot vectors, open it with one_hot=True" if fits else ""
        raise reads_numbers(where, sizes[0], more)
    for name, weight in zip(names, weights, strict=True):
        tensors[name.replace("bias", "weight")] = weight + tensors.pop(name)
    return tensors
