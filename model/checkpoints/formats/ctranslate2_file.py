"""CTranslate2's model.bin: a version, then named arrays, then aliases of their names.

Weights may be float16, int16 or int8 with scales; they come out as float32 (``ctranslate2/specs/model_spec.py``).
"""

import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import torch
from torch import Tensor

from model.checkpoints.basis.errors import LimitError, UnrecognisedError, UnsafeFileError
from model.checkpoints.basis.limits import check_file_size, limits
from model.checkpoints.formats.refusals import check_name

VERSIONS = range(1, 7)
_TYPES = (torch.float32, torch.int8, torch.int16, torch.int32, torch.float16, torch.bfloat16)
_LONGEST_KIND = 64
_TRANSLATING = ("TransformerSpec", "TransformerBase", "TransformerBig")
_OLD_HEADS = {"TransformerBase": 8.0, "TransformerBig": 16.0, "": 8.0}
"""The specifications of the first releases, whose name tells the heads; version 1 has no name and was the base."""
_OLD_TYPES = {4: torch.float32, 2: torch.int16, 1: torch.int8}
"""Up to version 3 an array has the size of its numbers in place of their type."""
_OLD_SCALE = 1000.0
"""By which the first releases multiplied 16-bit weights, without saying so in the file."""
_SCALE = "_scale"
_FIRST_NAMES = (("transformer/", ""), (":0", ""), ("w_embs", "embeddings/weight"), ("kernel", "weight"),
                ("LayerNorm", "layer_norm"), ("dense", "projection"), ("conv1d_", "linear_"),
                ("conv1d", "linear_0"))  # fmt: skip
"""What the first version called the parts, each replaced once in this order."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """The content of a model.bin."""

    tensors: dict[str, Tensor]
    """Arrays of at least one dimension, float32."""
    attributes: dict[str, float]
    """Single numbers: heads, switches."""
    sharp_scales: frozenset[str] = frozenset()
    """Attributes that were written as floating-point numbers."""


def looks_like_ctranslate2(beginning: bytes) -> bool:
    """Whether a file starts with a version number and the name of a model specification."""
    if len(beginning) < 16:
        return False
    version, length = struct.unpack_from("<IH", beginning)
    if version == 1:  # the number of arrays, then the length of the first one's name, and the name
        return beginning[10:].startswith((b"transformer/", b"encoder/", b"decoder/"))
    name = beginning[6 : 6 + length]
    is_named = b"Spec" in name or name.rstrip(b"\0").decode("latin1") in _OLD_HEADS
    return version in VERSIONS and 2 <= length <= _LONGEST_KIND and name.rstrip(b"\0").isalnum() and is_named


def read_ctranslate2(path: Path) -> Arrays:
    """The arrays of a model.bin; each length is compared with the file's size before it is read.

    Raises:
        UnsafeFileError: when the file's sizes are wrong or it is cut short.
        LimitError: when it is beyond this installation's limits.
        UnrecognisedError: for a newer layout.
    """
    size = path.stat().st_size
    check_file_size(size, path.name)
    try:
        with path.open("rb") as file:
            return _Reader(file, size, path.name).arrays()
    except OSError as error:
        raise UnsafeFileError(f"cannot read {path.name} ({error.strerror}): copy it again") from error


class _Reader:
    """Reads a file once, from beginning to end."""

    def __init__(self, file: BinaryIO, size: int, where: str) -> None:
        self.file, self.left, self.where = file, size, where
        self.is_old = False

    def arrays(self) -> Arrays:
        version = self.number("<I")
        if version not in VERSIONS:
            raise UnrecognisedError(
                f"{self.where} has version {version}, but only versions 1 to {VERSIONS[-1]} can be read: convert the "
                "model again"
            )
        self.is_old = version < 4
        kind = self.text() if version > 1 else ""
        if kind and kind not in _TRANSLATING:
            raise UnrecognisedError(
                f"{self.where} is a CTranslate2 {kind[:40]}, but only a {_TRANSLATING[0]}, with encoder and decoder, "
                "can be opened: bring its attention as a file instead"
            )
        if version > 1:
            self.number("<I")  # the specification's revision
        count = self.count("arrays")
        raw = {_of_today(name) if version == 1 else name: array for name, array in (self.array() for _ in range(count))}
        if len(raw) != count:
            raise UnsafeFileError(f"{self.where} has two arrays of the same name: convert the model again")
        tensors, attributes = _dequantise_all(raw, self.where, is_old=self.is_old)
        for side in ("encoder", "decoder") if kind in _OLD_HEADS else ():
            attributes.setdefault(f"{side}/num_heads", _OLD_HEADS[kind])
        for _ in range(self.count("shared names") if version >= 3 else 0):
            alias, name = self.text(), self.text()
            if name in tensors:
                tensors[alias] = tensors[name]
            elif name in attributes:
                attributes[alias] = attributes[name]
        if self.left:
            raise UnsafeFileError(f"{self.where} is damaged ({self.left:,} bytes belong to no array): copy it again")
        sharp = frozenset(name for name, tensor in raw.items() if tensor.dim() == 0 and tensor.is_floating_point())
        return Arrays(tensors, attributes, sharp)

    def array(self) -> tuple[str, Tensor]:
        name = self.text()
        check_name(name, self.where)
        rank = self.number("<B")
        if rank > 8:
            raise UnsafeFileError(f"{name} in {self.where} has {rank} dimensions: copy the file again")
        shape = struct.unpack(f"<{rank}I", self.read(4 * rank))
        kind, n_bytes = self.number("<B"), self.number("<I")
        known = _OLD_TYPES if self.is_old else dict(enumerate(_TYPES))
        if kind not in known:
            raise UnsafeFileError(
                f"{name} in {self.where} is of type {kind}, which cannot be read: convert the model again"
            )
        dtype = known[kind]
        n_bytes *= dtype.itemsize if self.is_old else 1
        if math.prod(shape) * dtype.itemsize != n_bytes:
            raise UnsafeFileError(
                f"{name} in {self.where} claims {'×'.join(map(str, shape))} numbers in {n_bytes:,} bytes: copy it again"
            )
        content = self.read(n_bytes)
        if not content:
            return name, torch.zeros(shape, dtype=dtype)
        return name, torch.frombuffer(bytearray(content), dtype=dtype).reshape(shape)

    def count(self, what: str) -> int:
        n = self.number("<I")
        if n > limits().max_tensors:
            raise LimitError(
                f"{self.where} has {n:,} {what}: the limit is {limits().max_tensors:,} (REGARD_MAX_TENSORS)"
            )
        return n

    def text(self) -> str:
        content = self.read(self.number("<H"))
        try:
            return content.removesuffix(b"\0").decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnsafeFileError(f"{self.where} has a name that is not text: copy the file again") from error

    def number(self, layout: str) -> int:
        return struct.unpack(layout, self.read(struct.calcsize(layout)))[0]

    def read(self, n_bytes: int) -> bytes:
        if n_bytes > self.left:
            raise UnsafeFileError(
                f"{self.where} is cut short ({n_bytes - self.left:,} bytes are missing): copy it again"
            )
        content = self.file.read(n_bytes)
        if len(content) != n_bytes:
            raise UnsafeFileError(f"{self.where} is cut short: copy it again")
        self.left -= n_bytes
        return content


def _of_today(name: str) -> str:
    """The current name for a tensor name of version 1, which used OpenNMT-tf's names."""
    for stored, ours in _FIRST_NAMES:
        name = name.replace(stored, ours, 1)
    if name.startswith("encoder"):
        return name.replace("multi_head", "self_attention", 1)
    return name.replace("masked_multi_head", "self_attention", 1).replace("multi_head", "attention", 1)


def _dequantise_all(raw: dict[str, Tensor], where: str, *, is_old: bool) -> tuple[dict[str, Tensor], dict[str, float]]:
    """The arrays as float32, dequantised with their scales, and separately the scalars."""
    tensors: dict[str, Tensor] = {}
    attributes: dict[str, float] = {}
    for name, tensor in raw.items():
        if name.endswith(_SCALE) and name.removesuffix(_SCALE) in raw:
            continue
        if tensor.dim() == 0:
            attributes[name] = _finite(tensor.float().item(), name, where)
            continue
        scale = raw.get(name + _SCALE)
        if not tensor.is_floating_point() and name.endswith("weight"):
            is_unscaled = is_old and scale is None and tensor.dtype == torch.int16
            tensor = tensor.float() / _OLD_SCALE if is_unscaled else _dequantise(name, tensor, scale, where)
        tensors[name] = tensor.float()
    return tensors, attributes


def _finite(value: float, name: str, where: str) -> float:
    if not math.isfinite(value):
        raise UnsafeFileError(f"{name} in {where} is {value}, not a number: copy the file again")
    return value


def _dequantise(name: str, tensor: Tensor, scale: Tensor | None, where: str) -> Tensor:
    """weight ÷ scale: one scale for each row (int8) or one for all (int16)."""
    fits = scale is not None and scale.is_floating_point() and scale.dim() <= 1
    if scale is None or not fits or scale.numel() not in (1, tensor.shape[0]):
        raise UnsafeFileError(
            f"{name} in {where} is quantised and its scales have the wrong shape: convert the model again"
        )
    return tensor.float() / scale.float().reshape(-1, *[1] * (tensor.dim() - 1))
