"""Well-formed files with false content: wrong counts and sizes in headers, invalid settings, unexpected arrays."""

import argparse
import fractions
import functools
import io
import pathlib
import random
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

_HEADER = 2048
Other = Callable[[NDArray[Any]], NDArray[Any]]
_OTHER_ARRAYS: tuple[Other, ...] = (
    lambda array: array.astype(object),
    lambda array: array.astype(">f4"),
    lambda array: np.asfortranarray(array[None]),
    lambda array: array[..., :-1],
    lambda array: array.astype("complex64"),
    lambda array: array.T,
    lambda array: array.astype("M8[s]"),
    lambda array: np.full_like(array, np.nan if array.dtype.kind == "f" else 255),
    lambda _: np.array("text"),
    lambda _: np.zeros((0, 4), "f4"),
    lambda _: np.array([{"a": 1}]),
    lambda _: np.zeros(3, [("a", "f4"), ("b", "O")]),
)
_OBJECTS: tuple[object, ...] = (
    None, True, 0, -1, 2**70, 1e308, float("nan"), "x" * 5000, b"raw", (), [[]], {}, {1: 2}, {3.5}, 1j,
    torch.zeros(3, 3), torch.zeros(0), torch.float16, torch.device("cpu"), np.float64(2), np.zeros(2), np.dtype("O"),
    pathlib.PurePosixPath("/etc/passwd"), fractions.Fraction(1, 3), functools.partial(print, "run"), print, int,
    slice(3), argparse.Namespace(inner={"a": 1}),
)  # fmt: skip


def overstate(draw: random.Random, raw: bytes, _: list[bytes]) -> bytes:
    """Put a false count, size or type at the beginning of a file or of a file in a zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            stored = {name: archive.read(name) for name in archive.namelist()}
    except zipfile.BadZipFile:
        return _lying(draw, raw)
    name = draw.choice(list(stored))
    stored[name] = _lying(draw, stored[name] or b"0")
    return zip_files(stored)


def disguise(draw: random.Random, raw: bytes, _: list[bytes]) -> bytes:
    """A pickle whose settings have arbitrary values, or an .npz whose arrays have another type."""
    if zipfile.is_zipfile(io.BytesIO(raw)):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = archive.namelist()
        if any(name.endswith(".npy") for name in names):
            return _with_other_arrays(draw, raw)
        if any(name.endswith("data.pkl") for name in names):
            return _with_other_settings(draw, raw)
    return _lying(draw, raw)


def zip_files(stored: dict[str, bytes]) -> bytes:
    """A zip of these files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for key, content in stored.items():
            archive.writestr(key, content)
    return stream.getvalue()


def _lying(draw: random.Random, raw: bytes) -> bytes:
    kind = draw.choice("BHIQ")
    most = (1 << 8 * struct.calcsize(kind)) - 1
    value = draw.choice((0, 1, 2, 3, 255, 256, most, most >> 1, (most >> 1) + 1, draw.randrange(most)))
    place = draw.randrange(min(len(raw), _HEADER))
    return raw[:place] + struct.pack(f"<{kind}", value & most) + raw[place + struct.calcsize(kind) :]


def _with_other_settings(draw: random.Random, raw: bytes) -> bytes:
    loaded = torch.load(io.BytesIO(raw), weights_only=False)  # one of the seed files, which this module wrote itself
    settings = next(
        (loaded[name] for name in ("cfg", "args", "opt", "settings") if loaded.get(name) is not None), loaded
    )
    settings = settings["model"] if "cfg" in loaded and draw.random() < 0.7 else settings
    place = vars(settings) if isinstance(settings, argparse.Namespace) else settings
    for _ in range(draw.choice((1, 1, 2, 6))):
        place[draw.choice([*place, "new"])] = draw.choice((*_OBJECTS, place))
    stream = io.BytesIO()
    torch.save(loaded, stream)
    return stream.getvalue()


def _with_other_arrays(draw: random.Random, raw: bytes) -> bytes:
    with np.load(io.BytesIO(raw), allow_pickle=False) as stored:
        arrays: dict[str, Any] = {name: stored[name] for name in stored.files}
    for _ in range(draw.choice((1, 1, 3))):
        name = draw.choice(list(arrays))
        arrays[name] = _other(draw, arrays[name])
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def _other(draw: random.Random, array: NDArray[Any]) -> NDArray[Any]:
    change = draw.choice(_OTHER_ARRAYS)
    try:
        return change(array)
    except (TypeError, ValueError, IndexError):  # this change does not apply to the array
        return np.array([None])
