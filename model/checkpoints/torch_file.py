"""Reading what ``torch.save`` wrote without running any of it.

Two locks: the pickle's own instructions are listed first and each class they name held against a short list;
then ``torch.load(weights_only=True)`` reads it, with ``argparse.Namespace`` as the one class of ours added.
"""

from __future__ import annotations

import argparse
import io
import pickle
import pickletools
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import torch
from torch import Tensor

from model.checkpoints.archives import check_entries, is_zip
from model.checkpoints.errors import CheckpointError, LimitError, UnsafeFileError
from model.checkpoints.limits import limits
from model.files.zip_damage import ZIP_DAMAGE

LEGACY_MAGIC = b"\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
"""How torch's files began before 1.6: the pickled magic number, after a protocol mark."""
_MAX_PICKLE_BYTES = 32 << 20
_MAX_INSTRUCTIONS = 4_000_000
_STORAGES = ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool", "Untyped")
_ALLOWED = frozenset(
    {"collections OrderedDict", "collections defaultdict", "torch._utils _rebuild_tensor",
     "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_parameter", "torch Size", "torch device",
     "argparse Namespace", "torch.nn.parameter Parameter", "__builtin__ set", "builtins set",
     "torch.storage UntypedStorage"}
    | {f"torch {kind}Storage" for kind in _STORAGES}
)  # fmt: skip
_CONVERT = (
    "nothing of it was run. Convert it where it was made: load it there, then "
    "torch.save(model.state_dict(), 'weights.pt'), or "
    "safetensors.torch.save_file(model.state_dict(), 'weights.safetensors')"
)

torch.serialization.add_safe_globals([argparse.Namespace])  # once: the library's list is shared by all threads


def read_torch(path: Path) -> Any:
    """What a file of ``torch.save`` holds: tensors, numbers, strings, lists, dicts and Namespaces.

    Raises:
        UnsafeFileError: when reading it would need more than that.
        LimitError: when it is beyond this installation's limits.
    """
    try:
        with path.open("rb") as file:
            _vet(file, path)
            file.seek(0)
            return torch.load(file, map_location="cpu", weights_only=True)
    except (UnsafeFileError, LimitError):
        raise
    except MemoryError as error:
        raise LimitError(f"{path.name} needs more memory than there is: it may be damaged, copy it again") from error
    except OSError as error:
        raise UnsafeFileError(f"cannot read {path.name} ({error.strerror or error}): copy it again") from error
    except Exception as error:  # torch's readers raise whatever a damaged byte leads to
        reason = str(error).partition("\n")[0][:160]
        raise UnsafeFileError(f"{path.name} is damaged, or not of torch.save ({reason}): copy it again") from error


def is_torch_zip(names: list[str]) -> bool:
    """Whether an archive's entries are those of ``torch.save`` since 1.6."""
    return any(name.count("/") == 1 and name.endswith("/data.pkl") for name in names)


def is_legacy(beginning: bytes) -> bool:
    """Whether a file's first bytes are torch's older magic number."""
    return beginning[2:].startswith(LEGACY_MAGIC)


def _vet(file: BinaryIO, path: Path) -> None:
    size = path.stat().st_size
    if size > limits().max_upload_bytes:
        raise LimitError(f"{path.name} has {size:,} bytes, and {limits().max_upload_bytes:,} are read here")
    beginning = file.read(32)
    file.seek(0)
    if is_legacy(beginning):
        for _ in range(5):  # magic number, protocol, system, the object, its storages' keys
            _vet_pickle(file, path)
        return
    if not is_zip(file):
        raise UnsafeFileError(f"{path.name} is a plain pickle or damaged, not a file of torch.save: {_CONVERT}")
    _vet_zip(file, path)


def _vet_zip(file: BinaryIO, path: Path) -> None:
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            check_entries(entries, path.stat().st_size, path.name, most=limits().max_tensors)
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise UnsafeFileError(f"{path.name} is compressed inside, which torch.save never does: save it again")
            names = [entry.filename for entry in entries]
            if any(name.endswith("/constants.pkl") or "/code/" in name for name in names):
                raise UnsafeFileError(f"{path.name} is a TorchScript program, not weights: {_CONVERT}")
            for entry in entries:
                if entry.filename.endswith(".pkl"):
                    if entry.file_size > _MAX_PICKLE_BYTES:
                        raise LimitError(f"{entry.filename} in {path.name} has {entry.file_size:,} bytes: too many")
                    _vet_pickle(io.BytesIO(archive.read(entry)), path)
    except CheckpointError:
        raise
    except ZIP_DAMAGE as error:
        raise UnsafeFileError(f"{path.name} is damaged or cut short ({error}): copy it again") from error


def _vet_pickle(file: BinaryIO, path: Path) -> None:
    """Hold every class that a pickle names against the list, without building anything."""
    strings: list[str] = []
    try:
        for count, (opcode, argument, _) in enumerate(pickletools.genops(file)):
            if count > _MAX_INSTRUCTIONS:
                raise LimitError(f"{path.name} has more than {_MAX_INSTRUCTIONS:,} pickle instructions: too many")
            if opcode.name in ("GLOBAL", "INST"):
                _require(str(argument), path)
            elif opcode.name == "STACK_GLOBAL":
                _require(" ".join(strings[-2:]), path)
            elif opcode.name in ("EXT1", "EXT2", "EXT4", "OBJ"):
                raise UnsafeFileError(f"{path.name} holds a pickled object: {_CONVERT}")
            elif isinstance(argument, str) and "UNICODE" in opcode.name:
                strings = [*strings[-1:], argument]
    except (UnsafeFileError, LimitError):
        raise
    except (ValueError, pickle.UnpicklingError, IndexError) as error:
        raise UnsafeFileError(f"{path.name} is damaged or no pickle ({str(error)[:80]}): copy it again") from error


def _require(name: str, path: Path) -> None:
    if name not in _ALLOWED:
        raise UnsafeFileError(f"{path.name} would have to run {name.replace(' ', '.')[:120]} to be read; {_CONVERT}")


def find_tensors(loaded: object, where: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The state dict inside what was loaded, however it is wrapped, and what stands beside it.

    Returns:
        Tensors by name, and the mapping that contained them (settings, epoch), without the tensors.

    Raises:
        UnsafeFileError: when there is no mapping of names to tensors, or a tensor is not plain.
    """
    best: dict[str, Tensor] = {}
    beside: dict[str, Any] = {}
    for mapping, parent in _mappings(loaded):
        tensors = {
            name: value for name, value in mapping.items() if isinstance(name, str) and isinstance(value, Tensor)
        }
        if sum(tensor.dim() > 1 for tensor in tensors.values()) > sum(tensor.dim() > 1 for tensor in best.values()):
            best, beside = tensors, {key: value for key, value in parent.items() if value is not mapping}
    if not best:
        raise UnsafeFileError(f"{where} holds no named tensors: give the file of model.state_dict()")
    bounds = limits()
    if len(best) > bounds.max_tensors:
        raise LimitError(f"{where} has {len(best):,} tensors, and {bounds.max_tensors:,} are read here")
    return {name: _plain(name, tensor, where) for name, tensor in best.items()}, beside


def _mappings(loaded: object) -> Iterator[tuple[dict[Any, Any], dict[Any, Any]]]:
    """Dicts at most two levels down; deeper ones are an optimizer's."""
    if not isinstance(loaded, dict):
        return
    yield loaded, {}
    for value in list(loaded.values())[:64]:
        if isinstance(value, dict):
            yield value, loaded
            for inner in list(value.values())[:64]:
                if isinstance(inner, dict):
                    yield inner, loaded


def _plain(name: str, tensor: Tensor, where: str) -> Tensor:
    is_plain = type(tensor) in (Tensor, torch.nn.Parameter) and tensor.layout == torch.strided
    if not is_plain or tensor.device.type != "cpu" or tensor.is_quantized or tensor.is_complex():
        raise UnsafeFileError(f"{name[:80]} in {where} is not a plain tensor: {_CONVERT}")
    if tensor.numel() * tensor.element_size() > tensor.untyped_storage().nbytes():
        raise UnsafeFileError(f"{name[:80]} in {where} claims more numbers than are stored: copy it again")
    return tensor.detach()
