"""Reads safetensors files after checking every number in the header.

Large files of our own user are mapped into memory, which takes no time and no second copy. All others are copied: a
mapped file that another program cuts short ends the process, and a copy in memory cannot.
"""

import json
import math
import mmap
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import torch
from torch import Tensor

from model.checkpoints.basis.errors import LimitError, QuantisedError, UnsafeFileError
from model.checkpoints.basis.limits import check_count, check_file_size, limits
from model.checkpoints.basis.precision import MAPPED_FROM, WeightDtypePolicy
from model.checkpoints.formats.pickle_values import is_count
from model.checkpoints.formats.refusals import TO_UNPACK, check_name, refuse_other

_DTYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
    "I64": torch.int64, "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8,
    "BOOL": torch.bool,
}  # fmt: skip
Entry = tuple[torch.dtype, tuple[int, ...], int, int]


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file in their stored dtypes, each in its own memory; shared ones under every name.

    The format stores no tensor twice: ``safetensors.torch.save_model`` lists the omitted names in the header's
    metadata, each with the name under which it is stored.

    Raises:
        UnrecognisedError: when it is a known kind of file that cannot be read.
        UnsafeFileError: when the header is wrong or the file is cut short.
        LimitError: when it is beyond this installation's limits.
    """
    return _read_tensors(path, None, is_mapped=False)


def read_weights(paths: Sequence[Path], dtype_policy: WeightDtypePolicy) -> dict[str, Tensor]:
    """The tensors of one or several safetensors files, in the dtype of the policy.

    A tensor of another type is converted as it is read, so that no second copy of the weights is ever held; whole
    numbers stay what they are. Raises as ``read_safetensors`` does.
    """
    target_dtype = dtype_policy.type_of(stored_types(paths))
    tensors: dict[str, Tensor] = {}
    for path in paths:
        tensors |= _read_tensors(path, target_dtype, is_mapped=dtype_policy.is_mapped)
    return tensors


def stored_types(paths: Sequence[Path]) -> Counter[torch.dtype]:
    """Elements per dtype in safetensors files, from their headers. Raises as ``read_safetensors``."""
    counts: Counter[torch.dtype] = Counter()
    for path in paths:
        with _open_file(path) as file:
            entries, _, _ = _header(file, path.stat().st_size, path.name)
        for dtype, shape, _, _ in entries.values():
            counts[dtype] += math.prod(shape)
    return counts


@contextmanager
def _open_file(path: Path) -> Iterator[BinaryIO]:
    try:
        refuse_other(path)
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise UnsafeFileError(
            f"cannot read {path.name} ({error.strerror}): give the folder with all its files"
        ) from error


def _read_tensors(path: Path, target_dtype: torch.dtype | None, *, is_mapped: bool) -> dict[str, Tensor]:
    with _open_file(path) as file:
        size = path.stat().st_size
        entries, shared, start = _header(file, size, path.name)
        is_mapped = is_mapped and size >= MAPPED_FROM and os.name == "posix"
        # Changes stay in memory and never reach the file.
        whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if is_mapped else None
        tensors = {}
        for name, entry in entries.items():
            dtype, _, begin, _ = entry
            is_other = target_dtype is not None and dtype.is_floating_point and dtype != target_dtype
            if whole is None or is_other or (start + begin) % dtype.itemsize or dtype == torch.bool:
                tensor = _tensor(file, start, entry, path.name)
                tensors[name] = tensor.to(target_dtype) if is_other else tensor
            else:
                tensors[name] = _map_tensor(whole, start, entry)
        return tensors | {name: tensors[stored] for name, stored in shared.items()}


def _map_tensor(whole: mmap.mmap, start: int, entry: Entry) -> Tensor:
    dtype, shape, begin, _ = entry
    count = math.prod(shape)
    if not count:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(whole, dtype=dtype, count=count, offset=start + begin).reshape(shape)


def looks_like_safetensors(beginning: bytes, size: int) -> bool:
    """Whether a file's first nine bytes could start a safetensors header."""
    return len(beginning) >= 9 and 2 <= int.from_bytes(beginning[:8], "little") <= size and beginning[8:9] == b"{"


def _header(file: BinaryIO, size: int, where: str) -> tuple[dict[str, Entry], dict[str, str], int]:
    """The header entries of the tensors, the names that share an entry, and the offset of the data."""
    bounds = limits()
    check_file_size(size, where)
    length = int.from_bytes(file.read(8), "little")
    if size < 10 or length > size - 8:
        raise UnsafeFileError(
            f"{where} is damaged or cut short (a header of {length:,} bytes in {size:,}): copy it again"
        )
    if length > bounds.max_header_bytes:
        raise LimitError(
            f"the header of {where} has {length:,} bytes: the limit is {bounds.max_header_bytes:,} "
            "(REGARD_MAX_HEADER_MB)"
        )
    try:
        parsed = json.loads(file.read(length), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise UnsafeFileError(f"{where} is damaged (its header is not JSON: {error}): copy it again") from error
    if not isinstance(parsed, dict):
        raise UnsafeFileError(f"{where} is damaged (its header is not a JSON object): copy it again")
    noted = parsed.pop("__metadata__", None)
    noted = noted if isinstance(noted, dict) else {}
    check_count(len(parsed) + len(noted), "tensors", where)
    entries = {name: _entry(name, value, where) for name, value in parsed.items()}
    _check_extents(entries, size - 8 - length, where)
    shared = {name: stored for name, stored in noted.items()
              if name not in entries and isinstance(stored, str) and stored in entries}  # fmt: skip
    for name in shared:
        check_name(name, where)
    return entries, shared, 8 + length


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    by_name = dict(pairs)
    if len(by_name) != len(pairs):
        raise ValueError("a name appears twice")
    return by_name


def _entry(name: str, value: object, where: str) -> Entry:
    check_name(name, where)
    fields = value if isinstance(value, dict) else {}
    shape, offsets, dtype = fields.get("shape"), fields.get("data_offsets"), fields.get("dtype")
    malformed = UnsafeFileError(f"{where} is damaged (the header of {name[:80]} is malformed): copy it again")
    if not isinstance(shape, list) or not isinstance(offsets, list) or not isinstance(dtype, str):
        raise malformed
    if len(shape) > 8 or len(offsets) != 2 or not all(map(is_count, (*shape, *offsets))):
        raise malformed
    begin, end = offsets
    if dtype.startswith(("F8", "F6", "F4")):
        raise QuantisedError(f"{where} is quantised ({dtype[:20]}), so its numbers are rounded: {TO_UNPACK}")
    if dtype not in _DTYPES:
        raise UnsafeFileError(f"{name[:80]} in {where} is of type {dtype[:20]}: convert it to float32 first")
    if end - begin != math.prod(shape) * _DTYPES[dtype].itemsize:
        raise UnsafeFileError(
            f"{where} is damaged ({name[:80]} claims shape {'×'.join(map(str, shape))} in {end - begin:,} bytes): "
            "copy it again"
        )
    return _DTYPES[dtype], tuple(shape), begin, end


def _check_extents(entries: dict[str, Entry], available: int, where: str) -> None:
    """Check that the tensors fill the data without gaps or overlaps, as the format requires."""
    place = 0
    for name, (_, _, begin, end) in sorted(entries.items(), key=lambda item: item[1][2:]):
        if begin != place or end > available:
            raise UnsafeFileError(f"{where} is damaged or cut short (at {name[:80]}): copy it again")
        place = end
    if place != available:
        raise UnsafeFileError(f"{where} is damaged ({available - place:,} bytes belong to no tensor): copy it again")


def _tensor(file: BinaryIO, start: int, entry: Entry, where: str) -> Tensor:
    dtype, shape, begin, end = entry
    raw = torch.empty(end - begin, dtype=torch.uint8)
    file.seek(start + begin)
    if raw.numel() and file.readinto(raw.numpy()) != end - begin:  # type: ignore[attr-defined]
        raise UnsafeFileError(f"{where} is cut short: copy it again")
    if dtype == torch.bool:
        return raw.ne(0).reshape(shape)
    return raw.view(dtype).reshape(shape)
