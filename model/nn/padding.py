"""Rows of ids of different length as one tensor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def pad(
    rows: Sequence[Sequence[int] | NDArray[np.integer]] | NDArray[np.integer],
    pad_id: int,
    *,
    device: torch.device | str = "cpu",
) -> Tensor:
    """B rows as int64 (B, longest), or rows of strips as (B, longest, P), filled up with ``pad_id``."""
    shape = next((np.shape(row[0]) for row in rows if len(row)), ())
    padded = np.full((len(rows), max(map(len, rows), default=0), *shape), pad_id, np.int64)
    for index, row in enumerate(rows):
        padded[index, : len(row)] = row
    return torch.from_numpy(padded).to(device)
