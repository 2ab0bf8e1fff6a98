"""Weight files that cannot be read, by name, and how to convert them into one that can."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from model.checkpoints.errors import UnrecognisedError

_ARRAYS = "write its arrays with numpy.savez('weights.npz', **arrays), and open that by a table of names"
_PAGE = "it was saved in place of the file, so download the file itself"
_BEGINNINGS = (
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file, as Keras writes it", _ARRAYS),
    (b"GGUF", "a GGUF file of llama.cpp", "give the folder that it was made from"),
    (b"version https://", "a pointer of Git LFS and not the file itself", "fetch the file with git lfs pull"),
    (b"<!DOCTYPE html", "a web page", _PAGE),
    (b"<!doctype html", "a web page", _PAGE),
    (b"<html", "a web page", _PAGE),
)
_ENDINGS = (
    (r"\.onnx\Z", "an ONNX graph", "give the weights that it was exported from"),
    (r"\.tflite\Z", "a TensorFlow Lite graph", "give the weights that it was exported from"),
    (r"\.(index|meta|data-\d+-of-\d+|pb)\Z", "part of a TensorFlow checkpoint", _ARRAYS),
    (r"\.msgpack\Z", "a Flax checkpoint", _ARRAYS),
    (r"\.(nemo|tar|tar\.gz|tgz|gz|bz2|xz|7z|rar)\Z", "an archive", "unpack it, and give the files inside or a .zip"),
)
_MARIAN = (1).to_bytes(8, "little")
"""How Marian's own binary files begin: the version of their layout."""


def is_other(name: str, beginning: bytes) -> bool:
    """Whether a file's first bytes say that it is of such a kind; its ending alone does not."""
    return beginning.startswith(tuple(begins for begins, _, _ in _BEGINNINGS)) or _is_marian(name, beginning)


def described(name: str, beginning: bytes) -> str | None:
    """What an unreadable file is and what to do about it; None for a file that is not one of these."""
    if _is_marian(name, beginning):
        return (
            f"{name} is Marian's own binary form, which cannot be read: give model.npz, or make one with "
            "marian-conv -f model.bin -t model.npz"
        )
    found = [(kind, remedy) for begins, kind, remedy in _BEGINNINGS if beginning.startswith(begins)]
    found += [(kind, remedy) for ends, kind, remedy in _ENDINGS if re.search(ends, name.lower())]
    return f"{name} is {found[0][0]}, which cannot be read: {found[0][1]}" if found else None


def first_described(paths: Iterable[Path]) -> str | None:
    """The first of several files that is known, described."""
    for path in paths:
        with path.open("rb") as file:
            words = described(path.name, file.read(16))
        if words is not None:
            return words
    return None


def refuse_other(path: Path) -> None:
    """Raise UnrecognisedError for a file whose first bytes say that it is of such a kind, whatever its name."""
    with path.open("rb") as file:
        beginning = file.read(16)
    if is_other(path.name, beginning):
        raise UnrecognisedError(described(path.name, beginning))


def _is_marian(name: str, beginning: bytes) -> bool:
    return beginning.startswith(_MARIAN) and name.endswith(".bin")
