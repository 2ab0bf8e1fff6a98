"""Reads files of ``torch.save`` without ``torch.load``: the pickle is parsed as data and sizes are checked first.

Two layouts: a zip with one entry for each storage (since PyTorch 1.6), and the older stream of five pickles followed
by the storages. ``torch.load`` is not used, because it allocates a tensor of the older layout before it reads its
numbers: where a file lacks them, the tensor shows whatever was in memory.
"""

import io
import re
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import torch
from torch import Tensor

from model.checkpoints.basis.errors import CodeError, LimitError, UnrecognisedError, UnsafeFileError
from model.checkpoints.basis.limits import check_count, check_file_size, limits
from model.checkpoints.formats.archives import check_entries, damage_explained, is_zip
from model.checkpoints.formats.pickle_data import read_pickle
from model.checkpoints.formats.pickle_values import CONVERT, PickledObject, Storage, StoredTensor, parts
from model.checkpoints.formats.refusals import check_name, refuse_other
from model.checkpoints.formats.wrapping import StateDict, find_weights

LEGACY_MAGIC = b"\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
"""The beginning of PyTorch's files before 1.6: the protocol mark, then the pickled magic number."""
_ZIP_MAGIC = b"PK\x03\x04"
"""The beginning of PyTorch's files since 1.6. PyTorch does not read a zip that follows other bytes."""
_PICKLED = re.compile(r"[^/]*/data\.pkl")
MAX_PICKLE_BYTES = 32 << 20
_MAX_SHARING = 4
"""How many times a number of the file may be used: embeddings tied in three places use it at most four times."""
_SPARE_NUMBERS = 1 << 20
_DTYPES = {
    "FloatStorage": torch.float32, "DoubleStorage": torch.float64, "HalfStorage": torch.float16,
    "BFloat16Storage": torch.bfloat16, "LongStorage": torch.int64, "IntStorage": torch.int32,
    "ShortStorage": torch.int16, "CharStorage": torch.int8, "ByteStorage": torch.uint8, "BoolStorage": torch.bool,
}  # fmt: skip
_Read = Callable[[Storage, torch.dtype], bytearray]


def read_torch(path: Path, copy_name: str | None = None) -> StateDict:
    """Read the tensors of a ``torch.save`` file except the optimizer's.

    Args:
        copy_name: which of several copies to read, such as an average, by its name in ``StateDict.sets``.

    Raises:
        UnrecognisedError: when it is a known kind of file that cannot be read.
        UnsafeFileError: when reading it would execute code, or tensors are missing.
        LimitError: when it exceeds this installation's limits.
    """
    with damage_explained(path):
        refuse_other(path)
        size = path.stat().st_size
        check_file_size(size, path.name)
        with path.open("rb") as file:
            beginning = file.read(32)
            file.seek(0)
            if is_legacy(beginning):
                return _read_legacy(file, size, path.name, copy_name)
            if not size:
                raise UnsafeFileError(f"{path.name} is empty (0 bytes): copy it again")
            if not beginning.startswith(_ZIP_MAGIC) or not is_zip(file):
                raise CodeError(f"{path.name} is a plain pickle or damaged, not a file of torch.save: {CONVERT}")
            file.seek(0)
            return _read_zip(file, size, path.name, copy_name)


def read_plain(path: Path) -> Any:
    """The values in a pickle, or in the pickle of a ``torch.save`` file, with tensors as views not yet read.

    Raises:
        UnsafeFileError: when reading it would execute code, or it is damaged.
        LimitError: when it exceeds this installation's limits.
    """
    with damage_explained(path):
        if path.stat().st_size > limits().max_json_bytes:
            raise LimitError(f"{path.name} is larger than the limit for a vocabulary (REGARD_MAX_JSON_MB)")
        with path.open("rb") as file:
            if not is_zip(file):
                file.seek(0)
                content = io.BytesIO(file.read())
                for _ in range(3 if is_legacy(content.getvalue()[:32]) else 0):
                    read_pickle(content, path.name)  # the magic number, the layout's version, the system
                return read_pickle(content, path.name)
            file.seek(0)
            with zipfile.ZipFile(file) as archive:
                return read_pickle(archive.read(_checked_pickle(archive, path.stat().st_size, path.name)), path.name)


def is_torch_zip(names: list[str]) -> bool:
    """Whether an archive has the layout that ``torch.save`` writes since 1.6."""
    return any(map(_PICKLED.fullmatch, names))


def is_legacy(beginning: bytes) -> bool:
    """Whether a file starts with the magic number of torch's legacy format."""
    return beginning[2:].startswith(LEGACY_MAGIC)


def _read_zip(file: BinaryIO, size: int, where: str, copy_name: str | None) -> StateDict:
    with zipfile.ZipFile(file) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}
        pickled = _checked_pickle(archive, size, where)
        prefix = pickled.removesuffix("data.pkl")
        order = entries.get(f"{prefix}byteorder")
        if order is not None and archive.read(order)[:16].strip() != b"little":
            raise CodeError(f"{where} was written on a big-endian machine: {CONVERT}")
        loaded = read_pickle(archive.read(pickled), where)

        def stored(storage: Storage, dtype: torch.dtype) -> bytearray:
            entry = entries.get(f"{prefix}data/{storage.key}")
            if entry is None or entry.file_size < storage.n_numbers * dtype.itemsize:
                raise UnsafeFileError(f"{where} lacks numbers that its tensors need: copy it again")
            return bytearray(archive.read(entry))

        return _state_dict(loaded, stored, where, copy_name)


def _checked_pickle(archive: zipfile.ZipFile, size: int, where: str) -> str:
    """The name of the pickle in an archive, after checking the archive's directory."""
    entries, names = archive.infolist(), archive.namelist()
    if any(name.endswith("/constants.pkl") or "/code/" in name for name in names):
        raise CodeError(
            f"{where} is a TorchScript program, as torch.jit.save and LibTorch (C++) write it, and not a file of "
            "weights: load it where it runs, and save torch.save(dict(torch.jit.load(file).state_dict()), 'weights.pt')"
        )
    check_entries(entries, size, where, most=limits().max_tensors)
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise UnsafeFileError(f"{where} has compressed entries, which torch.save never writes: save it again")
    for entry in entries:
        if entry.filename.endswith(".pkl") and entry.file_size > MAX_PICKLE_BYTES:
            raise LimitError(
                f"{entry.filename[:80]} in {where} has {entry.file_size:,} bytes, too many for a list of tensors: save "
                "it again"
            )
    pickled = next(filter(_PICKLED.fullmatch, names), None)
    if pickled is None:
        raise UnsafeFileError(f"{where} is a zip without the data.pkl of torch.save: save it again")
    return pickled


def _read_legacy(file: BinaryIO, size: int, where: str, copy_name: str | None) -> StateDict:
    pickles = io.BytesIO(file.read(MAX_PICKLE_BYTES))
    read_pickle(pickles, where)  # the magic number
    read_pickle(pickles, where)  # the layout's version
    system = read_pickle(pickles, where)
    if isinstance(system, dict) and system.get("little_endian") is False:
        raise CodeError(f"{where} was written on a big-endian machine: {CONVERT}")
    loaded = read_pickle(pickles, where)
    keys = read_pickle(pickles, where)
    file.seek(pickles.tell())
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise UnsafeFileError(f"{where} is damaged (its list of storages is missing): copy it again")
    stored_as = {tensor.storage.key: tensor.storage for tensor in _all_tensors(loaded)}
    places: dict[str, tuple[int, int]] = {}
    for key in keys:
        # The type of a storage that no tensor uses is not known, and so neither is its length in bytes.
        kind = _DTYPES.get(stored_as[key].kind) if key in stored_as else None
        if kind is None:
            break
        head = file.read(8)
        n_numbers = struct.unpack("<q", head)[0] if len(head) == 8 else -1
        begin = file.tell()
        if n_numbers < 0 or begin + n_numbers * kind.itemsize > size:
            raise UnsafeFileError(f"{where} is cut short (the numbers of storage {key[:40]}): copy it again")
        places[key] = (begin, n_numbers * kind.itemsize)
        file.seek(begin + n_numbers * kind.itemsize)

    def stored(storage: Storage, dtype: torch.dtype) -> bytearray:
        begin, n_bytes = places.get(storage.key, (0, -1))
        if n_bytes < storage.n_numbers * dtype.itemsize:
            raise UnsafeFileError(f"{where} lacks numbers that its tensors need: copy it again")
        file.seek(begin)
        return bytearray(file.read(n_bytes))

    return _state_dict(loaded, stored, where, copy_name)


def _all_tensors(loaded: object) -> Iterator[StoredTensor]:
    """Every tensor of a loaded file, including the optimizer's; each container is visited once."""
    waiting, seen = [loaded], set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, StoredTensor):
            yield value
        elif id(value) not in seen:
            seen.add(id(value))
            waiting += parts(value)


def _state_dict(loaded: object, read: _Read, where: str, copy_name: str | None) -> StateDict:
    weights = find_weights(loaded, copy_name)
    chosen, beside = weights.tensors, dict(weights.beside)
    generator = beside.pop("generator", None)
    if isinstance(generator, dict):  # OpenNMT-py keeps its output projection in a state dict of its own
        held = {name: value for name, value in generator.items() if isinstance(value, StoredTensor)}
        chosen = chosen | {f"generator.{name}": value for name, value in held.items()}
    if not chosen and isinstance(loaded, PickledObject):
        raise UnrecognisedError(
            f"{where} holds a whole module without any weights in it: give the file of model.state_dict() of the model "
            "that was trained"
        )
    if not chosen:
        raise UnrecognisedError(f"{where} holds no named tensors: give the file of model.state_dict()")
    check_count(len(chosen), "tensors", where)
    return StateDict(_make_tensors(chosen, read, where), beside, weights.sets)


def _make_tensors(chosen: Mapping[str, StoredTensor], read: _Read, where: str) -> dict[str, Tensor]:
    """Tensors by name. A shared storage is read once, and equal views of it become the same tensor."""
    storages: dict[str, Storage] = {}
    for name, tensor in chosen.items():
        check_name(name, where)
        _check_view(name, tensor, where)
        known = storages.setdefault(tensor.storage.key, tensor.storage)
        if (known.kind, known.n_numbers) != (tensor.storage.kind, tensor.storage.n_numbers):
            raise UnsafeFileError(f"{where} describes the numbers of {name[:80]} in two ways: copy it again")
    held = sum(storage.n_numbers for storage in storages.values())
    used = sum(tensor.size for tensor in chosen.values())
    if used > _MAX_SHARING * held + _SPARE_NUMBERS:
        raise LimitError(
            f"{where} holds {held:,} numbers but its tensors use {used:,}, and sharing is limited to "
            f"{_MAX_SHARING} times: save the tensors without sharing storage"
        )
    memories = {key: _memory(storage, read) for key, storage in storages.items()}
    views: dict[tuple[Any, ...], Tensor] = {}
    tensors = {}
    for name, tensor in chosen.items():
        key = (tensor.storage.key, tensor.first, tensor.shape, tensor.strides)
        if key not in views:
            views[key] = memories[tensor.storage.key].as_strided(tensor.shape, tensor.strides, tensor.first)
        tensors[name] = views[key]
    return tensors


def _check_view(name: str, tensor: StoredTensor, where: str) -> None:
    """Check that a view lies within its storage and uses no element twice."""
    if tensor.storage.kind not in _DTYPES:
        raise CodeError(f"{name[:80]} in {where} is not a dense tensor: {CONVERT}")
    last = tensor.first + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.strides, strict=True))
    if tensor.size > tensor.storage.n_numbers or (tensor.size and last >= tensor.storage.n_numbers):
        raise UnsafeFileError(f"{name[:80]} in {where} claims more numbers than are stored: copy it again")


def _memory(storage: Storage, read: _Read) -> Tensor:
    dtype = _DTYPES[storage.kind]
    raw = read(storage, dtype)[: storage.n_numbers * dtype.itemsize]
    if not raw:
        return torch.zeros(0, dtype=dtype)
    if dtype == torch.bool:
        return torch.frombuffer(raw, dtype=torch.uint8).ne(0)
    return torch.frombuffer(raw, dtype=dtype)
