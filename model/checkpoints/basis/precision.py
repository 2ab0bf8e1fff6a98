"""The dtype of a model's weights, chosen by the number of parameters before any is read."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

LARGE = 500_000_000
"""Number of parameters from which weights keep the dtype of their file: as float32 they would take 2 GB."""
MAPPED_FROM = 256 << 20
"""Bytes from which a file is memory-mapped, if allowed: a smaller one is copied in a fraction of a second."""
_LOW = (torch.bfloat16, torch.float16)


@dataclass(frozen=True, slots=True)
class WeightDtypePolicy:
    """The dtype of the weights in memory, and whether large files may be memory-mapped."""

    dtype: torch.dtype | None = None
    """The dtype; None means float32, or the file's dtype for more than ``LARGE`` parameters."""
    as_stored: bool = False
    """Always use the file's dtype."""
    is_mapped: bool = False
    """Whether large files may be memory-mapped. If another program truncates such a file, this process crashes."""

    def type_of(self, counts: Mapping[torch.dtype, int]) -> torch.dtype:
        """The common dtype of all weights.

        Args:
            counts: number of stored elements per dtype.
        """
        if self.dtype is not None:
            return self.dtype
        floating = {dtype: n for dtype, n in counts.items() if dtype.is_floating_point}
        common = max(floating, key=floating.__getitem__, default=torch.float32)
        if self.as_stored:
            return common
        return common if common in _LOW and sum(floating.values()) > LARGE else torch.float32


USUAL, AS_STORED = WeightDtypePolicy(), WeightDtypePolicy(as_stored=True)


def count_by_dtype(tensors: Iterable[Tensor]) -> Counter[torch.dtype]:
    """Elements per dtype; a tensor that is passed twice counts once."""
    counts: Counter[torch.dtype] = Counter()
    for tensor in {id(each): each for each in tensors}.values():
        counts[tensor.dtype] += tensor.numel()
    return counts


def bytes_of(tensors: Iterable[Tensor]) -> int:
    """Bytes that tensors take; one that is passed twice counts once."""
    return sum(n * dtype.itemsize for dtype, n in count_by_dtype(tensors).items())


def weight_dtype(tensors: Mapping[str, Tensor], dtype_policy: WeightDtypePolicy) -> torch.dtype:
    """The dtype to hold these tensors in."""
    return dtype_policy.type_of(count_by_dtype(tensors.values()))


def in_one_dtype(tensors: Mapping[str, Tensor], dtype_policy: WeightDtypePolicy) -> dict[str, Tensor]:
    """All tensors in one dtype, integers too; a tensor with several names is converted once."""
    dtype = weight_dtype(tensors, dtype_policy)
    converted: dict[int, Tensor] = {}
    return {name: converted.setdefault(id(tensor), tensor.to(dtype)) for name, tensor in tensors.items()}
