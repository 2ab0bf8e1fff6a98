"""Refuses what cannot be read as weights: other formats, each with how to convert it; names of tensors that are not
text; quantised weights; adapters that are not merged."""

import re
from collections.abc import Iterable
from pathlib import Path

from model.checkpoints.basis.errors import AdapterError, QuantisedError, UnrecognisedError, UnsafeFileError

_ARRAYS = "write its arrays with numpy.savez('weights.npz', **arrays), and open that by a table of names"
_UNPACK = "unpack it, and give the files inside or a .zip"
_BEGINNINGS: tuple[tuple[tuple[bytes, ...], str, str], ...] = (
    ((b"\x89HDF\r\n\x1a\n",), "an HDF5 file, as Keras writes it", _ARRAYS),
    ((b"GGUF",), "a GGUF file of llama.cpp", "give the folder that it was made from"),
    ((b"/annex/objects/", b"../.git/annex/objects/", b".git/annex/objects/"),
     "a pointer of git-annex and not the file itself", "fetch the file with git annex get"),
    ((b"\x1f\x8b\x08",), "a gzip archive", _UNPACK),
    ((b"BZh",), "a bzip2 archive", _UNPACK),
    ((b"\xfd7zXZ\0",), "an xz archive", _UNPACK),
    ((b"7z\xbc\xaf'\x1c",), "a 7z archive", _UNPACK),
    ((b"Rar!\x1a\x07",), "a rar archive", _UNPACK),
    ((b"RDX2\n", b"RDX3\n", b"X\n\0\0\0\2", b"X\n\0\0\0\3"), "saved data of R",
     "write its arrays from R as .npz or safetensors, and open that by a table of names"),
    ((b"version https://",), "a pointer of Git LFS and not the file itself", "fetch the file with git lfs pull"),
    ((b"<!DOCTYPE html", b"<!doctype html", b"<html"), "a web page",
     "it was saved in place of the file, so download the file itself"),
)  # fmt: skip
_ENDINGS = (
    (r"\.onnx\Z", "an ONNX graph", "give the weights that it was exported from"),
    (r"\.tflite\Z", "a TensorFlow Lite graph", "give the weights that it was exported from"),
    (r"\.(index|meta|data-\d+-of-\d+|pb)\Z", "part of a TensorFlow checkpoint", _ARRAYS),
    (r"\.msgpack\Z", "a Flax checkpoint", _ARRAYS),
    (r"\.(nemo|tar|tar\.gz|tgz|gz|bz2|xz|7z|rar)\Z", "an archive", _UNPACK),
)
_ONNX = re.compile(rb"\x08[\x01-\x20]\x12.(pytorch|tf2onnx|onnx|skl2onnx|keras2onnx|paddle|MATLAB)", re.DOTALL)
_SHAPED = (
    (lambda start: _ONNX.match(start) is not None, "an ONNX graph", "give the weights that it was exported from"),
    (lambda start: start[:1] == start[2:3] == b"\n" and b"<unk>" in start,
     "a SentencePiece model, which cuts text into pieces", "give the weights too, and it joins them as the tokens"),
)  # fmt: skip
"""Kinds that more than the first bytes tell."""
_MARIAN = (1).to_bytes(8, "little")
"""How Marian's own binary files begin: the version of their layout."""


def is_other(name: str, beginning: bytes) -> bool:
    """Whether a file's first bytes identify it as one of these formats; its suffix alone does not."""
    starts = any(beginning.startswith(begins) for begins, _, _ in _BEGINNINGS)
    return starts or _is_marian(name, beginning) or any(matches(beginning) for matches, _, _ in _SHAPED)


def remedy_for(name: str, beginning: bytes) -> str | None:
    """The format of an unreadable file and the remedy; None for a file that is not one of these."""
    if _is_marian(name, beginning):
        return (
            f"{name} is Marian's own binary form, which cannot be read: give model.npz, or make one with "
            "marian-conv -f model.bin -t model.npz"
        )
    shaped = [(kind, remedy) for matches, kind, remedy in _SHAPED if matches(beginning)]
    kinds = shaped + [(kind, remedy) for begins, kind, remedy in _BEGINNINGS if beginning.startswith(begins)]
    kinds += [(kind, remedy) for ends, kind, remedy in _ENDINGS if re.search(ends, name.lower())]
    return f"{name} is {kinds[0][0]}, which cannot be read: {kinds[0][1]}" if kinds else None


def first_described(paths: Iterable[Path]) -> str | None:
    """The description of the first file of a known format."""
    for path in paths:
        with path.open("rb") as file:
            words = remedy_for(path.name, file.read(64))
        if words is not None:
            return words
    return None


def refuse_other(path: Path) -> None:
    """Raise UnrecognisedError for a file whose first bytes identify it as one of these formats, whatever its name."""
    with path.open("rb") as file:
        beginning = file.read(64)
    if is_other(path.name, beginning):
        raise UnrecognisedError(remedy_for(path.name, beginning))


def _is_marian(name: str, beginning: bytes) -> bool:
    return beginning.startswith(_MARIAN) and name.endswith(".bin")


_LONGEST = 512
_PACKED = (
    (re.compile(r"\.(qweight|qzeros|g_idx)$"), "GPTQ or AWQ"),
    (re.compile(r"\.(absmax|nested_absmax|quant_map|nested_quant_map|SCB|quant_state\.\w+)$"), "bitsandbytes"),
    (re.compile(r"\.(weight_packed|weight_scale_inv)$"), "compressed or 8-bit floats"),
)
_ADDED = re.compile(r"\.(lora_(A|B|embedding_A|embedding_B|magnitude_vector)|ia3_l|hada_w1_a|lokr_w1)(\.|$)")
TO_UNPACK = (
    "give the folder of the model that it was made from, or write one with model.dequantize() and save_pretrained"
)
TO_MERGE = "merge the two with merge_and_unload() of peft, then save_pretrained, and give that folder"


def check_name(name: str, where: str) -> None:
    """Raise UnsafeFileError for a name that is too long or not text."""
    if len(name) > _LONGEST or not name.isprintable():
        raise UnsafeFileError(
            f"{where} names a tensor {name[:40]!a}, which is not a printable name of at most {_LONGEST} characters: "
            "copy it again"
        )


def refuse_packed(names: Iterable[str], where: str) -> None:
    """Refuse quantised tensors and adapters that are not merged."""
    names = list(names)
    for pattern, method in _PACKED:
        if any(pattern.search(name) for name in names):
            raise QuantisedError(f"{where} is quantised ({method}), so its numbers are rounded and packed: {TO_UNPACK}")
    added = sum(bool(_ADDED.search(name)) for name in names)
    if added == len(names) and added:
        raise AdapterError(
            f"{where} holds only an adapter (LoRA), without the weights of the model that it belongs to: {TO_MERGE}"
        )
    if added:
        raise AdapterError(f"{where} holds an adapter (LoRA) beside the weights, not merged into them: {TO_MERGE}")
