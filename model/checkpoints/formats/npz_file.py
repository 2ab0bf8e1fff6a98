"""Reads NumPy's .npz and checks each header against the size of the data; object arrays are pickles and are refused."""

import io
import math
import tokenize
import zipfile
from pathlib import Path

import numpy as np
import torch
from numpy.lib import format as npy
from torch import Tensor

from model.checkpoints.basis.errors import UnsafeFileError
from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.archives import check_entries, damage_explained
from model.checkpoints.formats.refusals import check_name

_KINDS = frozenset({"<f4", "<f8", "<f2", "|i1", "<i2", "<i4", "<i8", "|u1", "|b1"})
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def is_npz(names: list[str]) -> bool:
    """Whether all entries of an archive are arrays."""
    return bool(names) and all(name.endswith(".npy") for name in names)


def read_npz(path: Path) -> dict[str, Tensor]:
    """The arrays of a .npz as tensors.

    Raises:
        UnsafeFileError: when an array is pickled or incomplete.
        LimitError: when it is beyond this installation's limits.
    """
    with damage_explained(path), zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        check_entries(entries, path.stat().st_size, path.name, most=limits().max_tensors, are_paths=False)
        return {entry.filename.removesuffix(".npy"): _tensor(archive, entry, path.name) for entry in entries}


def _tensor(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, where: str) -> Tensor:
    name = entry.filename.removesuffix(".npy")
    check_name(name, where)
    stream = io.BytesIO(archive.read(entry))
    try:
        shape, is_fortran, dtype = _HEADERS[npy.read_magic(stream)](stream, max_header_size=4_096)
    except (ValueError, KeyError, TypeError, SyntaxError, RecursionError, tokenize.TokenError) as error:
        raise UnsafeFileError(f"{name} in {where} has a damaged header: copy the file again") from error
    if dtype.hasobject:
        raise UnsafeFileError(
            f"{name} in {where} holds Python objects, and reading them could run code: save numbers only"
        )
    if dtype.str not in _KINDS:
        raise UnsafeFileError(f"{name} in {where} is of type {dtype.str[:20]}: save it as float32")
    if len(shape) > 8 or any(size < 0 for size in shape):
        raise UnsafeFileError(f"{name} in {where} has the shape {str(shape)[:60]}: copy the file again")
    content = stream.read()
    if math.prod(shape) * dtype.itemsize != len(content):
        raise UnsafeFileError(
            f"{name} in {where} claims {'×'.join(map(str, shape))} numbers in {len(content):,} bytes: copy it again"
        )
    array = np.frombuffer(bytearray(content), dtype).reshape(shape, order="F" if is_fortran else "C")
    return torch.from_numpy(np.ascontiguousarray(array)).reshape(shape)
