"""Estimates the memory of a checkpoint before it is opened, and refuses one that does not fit."""

from pathlib import Path

import torch

from model.checkpoints.basis.errors import CheckpointError, LimitError
from model.checkpoints.basis.precision import USUAL, WeightDtypePolicy
from model.checkpoints.formats.safetensors_file import stored_types
from model.checkpoints.formats.source import BEGINNING, begins_like_weights, list_files
from model.files.memory import free_bytes

_MIB = 1 << 20
_SMALL = 256 * _MIB
"""Files below this size are not examined."""


def memory_of(path: Path, dtype_policy: WeightDtypePolicy = USUAL) -> int:
    """Memory in bytes of the weights at a path once open, from headers and file sizes; 0 for small files.

    If a folder has the same weights in two formats, the one that would be read counts.

    Raises:
        CheckpointError: when a header is damaged, or there are too many files.
    """
    files = [path] if path.is_file() else list(list_files(path).values())
    large = [file for file in files if file.stat().st_size >= _SMALL // 16 and _may_be_weights(file)]
    if sum(file.stat().st_size for file in large) < _SMALL:
        return 0
    safe = [file for file in large if file.suffix == ".safetensors"]
    if not safe:
        return sum(file.stat().st_size for file in large)
    counts = stored_types(safe)
    dtype = dtype_policy.type_of(counts)
    return sum(n * (dtype if stored.is_floating_point else stored).itemsize for stored, n in counts.items())


def _may_be_weights(file: Path) -> bool:
    with file.open("rb") as opened:
        return begins_like_weights(file.name, opened.read(BEGINNING), file.stat().st_size)


def check_memory(path: Path, dtype_policy: WeightDtypePolicy) -> None:
    """Refuse weights that do not fit into free memory."""
    free = free_bytes()
    try:
        needed = memory_of(path, dtype_policy)
    except CheckpointError:
        return  # the reader's error is clearer
    if free is None or needed <= free:
        return
    remedy = "close other programs, or take a smaller model"
    half = memory_of(path, WeightDtypePolicy(torch.bfloat16))
    if half <= free:
        remedy = f'give dtype="bfloat16", which takes {half // _MIB:,} MiB, or {remedy}'
    raise LimitError(
        f"{path.name} would take {needed // _MIB:,} MiB of memory, and {max(0, free) // _MIB:,} MiB are free here: "
        f"{remedy}"
    )
