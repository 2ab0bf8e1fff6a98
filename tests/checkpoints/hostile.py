"""Files that try to run code, each with a marker file that must not appear."""

import io
import os
import pickle
import pickletools
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

LEGACY_MAGIC = 0x1950A86A20F9469CFC6C


class Runs:
    """Runs a call when it is unpickled."""

    def __init__(self, call: Callable[..., Any], *arguments: Any) -> None:
        self.call, self.arguments = call, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.call, self.arguments


def payloads(marker: Path) -> dict[str, Any]:
    """Objects that would write the marker."""
    code = f"open({str(marker)!r}, 'w').write('ran')"
    return {
        "os.system": Runs(os.system, f"touch {marker}"),
        "eval": Runs(eval, code),
        "exec": Runs(exec, code),
        "getattr": Runs(getattr, Runs(__import__, "os"), "system"),
        "nested": {"model": {"encoder.weight": torch.zeros(2, 2), "inner": [Runs(eval, code)]}},
        "torch.load": Runs(torch.load, str(marker)),
        "storage": Runs(torch.storage._load_from_bytes, pickle.dumps(Runs(eval, code))),
    }


def files(marker: Path, folder: Path) -> list[Path]:
    """Every payload in every kind of file, including Hugging Face's ``.bin`` and ``data.pkl``."""
    written = []
    for name, payload in payloads(marker).items():
        raw = b""
        for protocol in range(6):
            raw = pickle.dumps(payload, protocol)
            path = folder / f"{name}-{protocol}.pt"
            path.write_bytes(raw)
            zipped = folder / f"{name}-{protocol}-zip.pth"
            torch_zip(zipped, raw)
            legacy = folder / f"{name}-{protocol}-legacy.chkpt"
            legacy.write_bytes(legacy_file(raw))
            stacked = folder / f"{name}-{protocol}-stacked.bin"
            stacked.write_bytes(pickle.dumps({"a": 1}, protocol) + raw)
            written += [path, zipped, legacy, stacked]
        written += [_tar(folder / f"{name}.tar", raw), _huggingface(folder / f"{name}-hf", raw)]
        written.append(_nested_zip(folder / f"{name}-nested.zip", raw))
    hand_made = {
        "stack-global": b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c" + _short(f"touch {marker}") + b"\x85R.",
        "memoised": b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94h\x00h\x01\x93\x8c"
        + _short(f"touch {marker}")
        + b"\x85R.",
        "inst": b"(S'touch " + str(marker).encode() + b"'\nios\nsystem\n.",
        "object": b"(cos\nsystem\nS'touch " + str(marker).encode() + b"'\no.",
        "build": b"\x80\x02cargparse\nNamespace\n)\x81}(X\x09\x00\x00\x00__class__cos\nsystem\nub.",
    }
    for name, raw in hand_made.items():
        for suffix, wrap in (("pt", lambda raw: raw), ("chkpt", legacy_file)):
            path = folder / f"{name}.{suffix}"
            path.write_bytes(wrap(raw))
            written.append(path)
        zipped = folder / f"{name}-zip.pt"
        torch_zip(zipped, raw)
        written.append(zipped)
    return written


def torch_zip(path: Path, raw: bytes) -> Path:
    """A pickle at the place where ``torch.save`` writes it since version 1.6."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("archive/data.pkl", raw)
        archive.writestr("archive/version", "3\n")
        archive.writestr("archive/byteorder", "little")
    return path


def legacy_file(raw: bytes) -> bytes:
    """A pickle at the place where older versions of ``torch.save`` wrote it."""
    head = [LEGACY_MAGIC, 1001, {"protocol_version": 1001, "little_endian": True, "type_sizes": {}}]
    return b"".join(pickle.dumps(part, 2) for part in head) + raw + pickle.dumps([], 2)


def without_storages(state: dict[str, torch.Tensor]) -> bytes:
    """The older layout of a state dict, cut off after the tensors' shapes: it declares numbers but contains none."""
    whole = io.BytesIO()
    torch.save(state, whole, _use_new_zipfile_serialization=False)
    whole.seek(0)
    for _ in range(4):  # magic number, version, system, tensors
        for _ in pickletools.genops(whole):
            pass
    return whole.getvalue()[: whole.tell()] + pickle.dumps([], 2)


def _short(text: str) -> bytes:
    return struct.pack("B", len(text)) + text.encode()


def _tar(path: Path, raw: bytes) -> Path:
    with tarfile.open(path, "w") as archive:
        for name in ("sys_info", "pickle", "tensors", "storages"):
            entry = tarfile.TarInfo(name)
            entry.size = len(raw)
            archive.addfile(entry, io.BytesIO(raw))
    return path


def _huggingface(folder: Path, raw: bytes) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "marian", "d_model": 16, "vocab_size": 12}')
    torch_zip(folder / "pytorch_model.bin", raw)
    return folder


def _nested_zip(path: Path, raw: bytes) -> Path:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("archive/data.pkl", raw)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model/weights.pt", inner.getvalue())
        archive.writestr("model/data.pkl", raw)
    return path
