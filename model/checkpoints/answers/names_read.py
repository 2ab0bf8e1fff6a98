"""Builds a table of names from the names, shapes and values of a file's tensors, and lists unplaced tensors."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.checkpoints.answers.mapping import HEAD, NUMBER, Line
from model.checkpoints.answers.patterns import patterns
from model.checkpoints.answers.placing import name_pattern
from model.checkpoints.answers.proposal import POSITION, propose, stacks_of
from model.checkpoints.families.single_stack.common import is_head
from model.checkpoints.families.tables import sinusoid_kind
from model.config import PositionKind
from model.nn.positional import computed_rows

_NOTHING = re.compile(r"(mask|tril|triu|causal|scale|scaling|step|num_batches)(_?\w*)\Z", re.IGNORECASE)
"""Matches names of buffers that the model does not need."""
_FACTOR = re.compile(r"scal", re.IGNORECASE)
"""Matches names of factors: a single number may be computed, several are learned (layer scale starts at 0.1)."""
_BY_HEAD = re.compile(r"(qkv|kv)_layer", re.IGNORECASE)
"""Names of fused projections that are split head by head."""
_IN_THIRDS = re.compile(r"(^|[._])(in_proj_\w+|c_attn)([._]|\Z)")
"""Names of fused projections that are split into thirds (torch.nn.MultiheadAttention, GPT-2)."""
_ROTARY = re.compile(r"freq|cos|sin|rot|rope", re.IGNORECASE)
_MOST_COPIES = 8
"""Maximum unplaced tensors that are compared with placed ones."""
_MOST_OF_MASK = 1 << 24
_FILL = -1e4
"""A single number below this is the fill value of a mask."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The table of one file, and what the file shows about positions and masks."""

    lines: tuple[Line, ...]
    positions: PositionKind | None = None
    """The kind of the sinusoids in the file; None if it has none."""
    rows: Tensor | None = None
    """Those sinusoids, (P, D)."""
    left: tuple[str, ...] = ()
    """Unplaced names, without copies and without buffers that the model does not need."""
    is_rotary: bool = False
    """Whether the file has frequencies, cosines or sines of rotary positions."""
    causal_mask: str = ""
    """The name of a lower-triangular mask; "" if the file has none."""

    @property
    def fused(self) -> tuple[Line, ...]:
        """The lines of fused projections whose names do not show how they are split."""
        projections = (line for line in self.lines if len(line.ours) > 1 and "attention" in line.ours[0])
        return tuple(line for line in projections if HEAD not in line.pattern and not _IN_THIRDS.search(line.pattern))

    @property
    def by_head(self) -> bool:
        """Whether names show that fused projections are split head by head."""
        return any(_BY_HEAD.search(line.pattern) for line in self.fused)

    @property
    def stacks(self) -> tuple[str, ...]:
        """The stacks with layers in the table."""
        return stacks_of(self.lines)

    @property
    def crosses(self) -> bool:
        """Whether layers of a single stack have cross-attention, although there is no encoder."""
        return len(self.stacks) == 1 and any("cross_attention" in name for line in self.lines for name in line.ours)

    @property
    def ends(self) -> tuple[str, ...]:
        """Unplaced tensors that may belong to a classifier or pooler; empty if others are unplaced too."""
        has_output = any(line.ours[:1] == ("output.weight",) for line in self.lines)
        are_ends = all(is_head(name) and NUMBER not in name for name in self.left)
        return self.left if self.left and are_ends and not has_output else ()


def read_names(tensors: Mapping[str, Tensor]) -> Reading:
    """Propose a table, and distinguish by values what shapes cannot: computed tables, learned tables, masks."""
    lines, kind, rows, left = [], None, None, []
    turning = [name for name, tensor in tensors.items() if _ROTARY.search(name) and _is_rotary(tensor)]
    masks = {name: tensor for name, tensor in tensors.items() if name in turning or _is_mask(tensor)}
    proposed = [*propose({name: tuple(x.shape) for name, x in tensors.items() if name not in masks}),
                *patterns({name: tuple(x.shape) for name, x in masks.items()})]  # fmt: skip
    stacks = stacks_of(proposed)
    sides = iter(stacks)
    width = _width(proposed)
    for line in proposed:
        tensor = tensors.get(line.pattern)
        if tensor is not None and _is_table(line.pattern, tensor, width):
            sinusoids = sinusoid_kind(tensor)
            if sinusoids is not None:
                kind, rows = kind or sinusoids, tensor.reshape(-1, width) if rows is None else rows
                line = replace(line, ours=())
            elif not line.ours:
                line = replace(line, ours=(f"{next(sides, 'other')}.positions.table",))
        elif not line.ours and _is_fairseqs(tensor, width):
            kind = kind or "tensor2tensor"
        elif not line.ours and not (names_like((line.pattern,), masks) or _carry_nothing(line, tensors)):
            left.append(line.pattern)
        lines.append(line)
    placed = [tensors[line.pattern] for line in lines if line.ours and line.pattern in tensors]
    if len(left) <= _MOST_COPIES:  # a module that is registered twice has copies of placed tensors
        left = [name for name in left if name not in tensors or not any(torch.equal(tensors[name], x) for x in placed)]
    causal = next((name for name, mask in masks.items() if _is_lower_triangle(mask)), "")
    return Reading(tuple(lines), kind, rows, tuple(left), bool(turning), causal)


def names_like(patterns: tuple[str, ...], tensors: Mapping[str, Tensor]) -> frozenset[str]:
    """The names that match one of the patterns."""
    compiled = [name_pattern(pattern) for pattern in patterns]
    return frozenset(name for name in tensors if any(pattern.match(name) for pattern in compiled))


def _width(lines: Sequence[Line]) -> int:
    """d_model, from the embedding that the proposal places."""
    placed = [line for line in lines if line.ours and line.ours[0].endswith("embedding.weight")]
    return placed[0].shape[0 if placed[0].is_transposed else -1] if placed else 0


def _is_table(name: str, tensor: Tensor, width: int) -> bool:
    """Whether a tensor is a table of positions: (P, D), (1, P, D) or (P, 1, D)."""
    if tensor.dim() not in (2, 3) or not width or tensor.shape[-1] != width:
        return False
    is_long = tensor.numel() == width * max(tensor.shape[:-1])
    return is_long and (bool(POSITION.search(name)) or (tensor.shape[-2] > 8 and sinusoid_kind(tensor) is not None))


def _is_fairseqs(tensor: Tensor | None, width: int) -> bool:
    """Whether a tensor has the sinusoid frequencies of tensor2tensor and fairseq."""
    if tensor is None or tensor.shape != (width // 2,) or width < 8:
        return False
    angles = computed_rows("tensor2tensor", 2, width)[1, : width // 2]
    return torch.allclose(tensor.float().sin(), angles, atol=1e-4)


def _carry_nothing(line: Line, by_name: Mapping[str, Tensor]) -> bool:
    """Whether the tensors of an unplaced line are counters, or square roots of widths named as a buffer.

    Any other number, such as a learned temperature, changes what the model computes.
    """
    tensors = [by_name[name] for name in names_like((line.pattern,), by_name)]
    learned = [tensor for tensor in tensors if tensor.numel() and tensor.is_floating_point()]
    is_buffer = bool(_NOTHING.search(line.pattern))
    if learned and all(tensor.numel() == 1 and float(tensor) <= _FILL for tensor in tensors):
        return True
    if not is_buffer and any(tensor.numel() > 1 for tensor in tensors):
        return False
    if any((tensor.dim() > 1 or _FACTOR.search(line.pattern)) and tensor.numel() > 1 for tensor in tensors):
        return False
    return not learned or (
        is_buffer and all(_is_root(value) for tensor in learned for value in tensor.float().unique().tolist())
    )


def _is_root(number: float) -> bool:
    """Whether a number is √n or 1/√n for an integer n, like factors of scores and embeddings, or infinite (masks)."""
    square = number * number
    return math.isinf(number) or any(
        value > 0.5 and abs(value - round(value)) < 1e-3 * value for value in (square, 1 / (square or 1))
    )


def _is_mask(tensor: Tensor) -> bool:
    """Whether a tensor is a square matrix with two values."""
    if tensor.dim() < 2 or tensor.shape[-1] != tensor.shape[-2] or not 1 < tensor.numel() <= _MOST_OF_MASK:
        return False
    return len(tensor.flatten(0, -2)[0].unique()) <= 2 and len(tensor.unique()) == 2


def _is_rotary(tensor: Tensor) -> bool:
    """Whether a tensor has the usual frequencies of rotary positions, or cosines or sines of position × frequency."""
    n = tensor.shape[-1] if tensor.dim() else 0
    for half in {n, n // 2} - {0}:
        frequencies = 10_000.0 ** (-torch.arange(half) / half)
        if tensor.dim() == 1:
            if half == n and torch.allclose(tensor.float(), frequencies, rtol=1e-3):
                return True
            continue
        rows = tensor.reshape(-1, n)[:16].float()
        angles = torch.arange(len(rows))[:, None] * frequencies
        wide = (angles,) if half == n else (torch.cat((angles, angles), 1), angles.repeat_interleave(2, 1))
        if any(torch.allclose(rows, table, atol=1e-3) for each in wide for table in (each.cos(), each.sin())):
            return True
    return False


def _is_lower_triangle(mask: Tensor) -> bool:
    """Whether a mask is causal: each token sees itself and earlier tokens."""
    if mask.numel() != mask.shape[-1] ** 2:
        return False
    square = mask.reshape(mask.shape[-2:])
    lower = torch.ones(square.shape, dtype=torch.bool).tril()
    return len(square[lower].unique()) == 1 and len(square[~lower].unique()) == 1
