"""Reads the ``.bin`` files of llama2.c: a header of seven integers, then the float32 weights in sequence.

Version 0 has no mark: its seven numbers must account for every byte. Version 1 begins with "ak42". Version 2 is rounded
to eight bits and is refused by its name.
"""

import math
import struct
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from model.checkpoints.basis.errors import QuantisedError, UnsafeFileError
from model.checkpoints.basis.limits import check_file_size, limits
from model.checkpoints.formats.refusals import TO_UNPACK

_MARK = b"24ka"
"""0x616b3432, "ak42", with its lowest byte first."""
_FIELDS = ("dim", "hidden_dim", "n_layers", "n_heads", "n_kv_heads", "vocab_size", "max_seq_len")
_HEADER = 256


def looks_like_llama2c(beginning: bytes, size: int) -> bool:
    """Whether a file is a llama2.c checkpoint, judged by its first 80 bytes and its length."""
    if beginning.startswith(_MARK):
        return True
    if len(beginning) < 28:
        return False
    header = struct.unpack("<7i", beginning[:28])
    parts = _parts(header, is_first=True, shared=header[5] > 0)
    return _is_sane(header) and size == 28 + 4 * sum(math.prod(shape) for _, shape in parts)


def read_llama2c(path: Path) -> tuple[dict[str, Tensor], dict[str, int]]:
    """The tensors, named as in llama2.c's ``.pt`` files, and the ``model_args``.

    Raises:
        QuantisedError: for version 2.
        UnsafeFileError: when the length is not what the numbers say.
        LimitError: when the file is too large.
    """
    size = path.stat().st_size
    check_file_size(size, path.name)
    content = bytearray(path.read_bytes())
    version, at, shared = 0, 0, False
    if content[:4] == _MARK:
        version, at = struct.unpack_from("<i", content, 4)[0], 8
    if version not in (0, 1):
        raise QuantisedError(f"{path.name} is quantised (llama2.c, version {version}), so its numbers are rounded and "
                             f"packed: {TO_UNPACK}")  # fmt: skip
    header = struct.unpack_from("<7i", content, at)
    shared = bool(content[at + 28]) if version else header[5] > 0
    if not _is_sane(header):
        raise UnsafeFileError(f"{path.name} is damaged: its first numbers are not those of a model. Copy it again")
    at = _HEADER if version else 28
    tensors = {}
    for name, shape in _parts(header, is_first=not version, shared=shared):
        n_bytes = 4 * math.prod(shape)
        if at + n_bytes > size:
            raise UnsafeFileError(f"{path.name} ends inside {name}: copy it again")
        whole = torch.frombuffer(content, dtype=torch.float32, count=n_bytes // 4, offset=at).reshape(shape)
        tensors |= {name.format(i): part for i, part in enumerate(whole)} if "{}" in name else {name: whole}
        at += n_bytes
    if at != size:
        raise UnsafeFileError(f"{path.name} is {size - at:,} bytes longer than its first numbers say: copy it again")
    tensors = {name: tensor for name, tensor in tensors.items() if not name.startswith("freqs")}
    return tensors, dict(zip(_FIELDS, (*header[:5], abs(header[5]), header[6]), strict=True))


def _is_sane(header: tuple[int, ...]) -> bool:
    bounds = limits()
    dim, hidden, n_layers, n_heads, n_key_heads, words, length = header
    return (
        0 < dim <= bounds.max_width and 0 < hidden <= bounds.max_width and 0 < n_layers <= bounds.max_layers
        and 0 < n_key_heads <= n_heads <= bounds.max_heads and dim % n_heads == 0 and n_heads % n_key_heads == 0
        and 0 < abs(words) <= bounds.max_vocabulary and 0 < length <= bounds.max_positions
    )  # fmt: skip


def _parts(header: tuple[int, ...], *, is_first: bool, shared: bool) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Names and shapes in file order; each weight is stacked over all layers, with the layer as the first dimension."""
    dim, hidden, n, n_heads, n_key_heads, words, length = header
    keys, words = dim // n_heads * n_key_heads, abs(words)
    norms = (("layers.{}.attention_norm.weight", (n, dim)), ("layers.{}.ffn_norm.weight", (n, dim)),
             ("norm.weight", (dim,)))  # fmt: skip
    embedding = ("tok_embeddings.weight", (words, dim))
    attention = tuple((f"layers.{{}}.attention.{name}.weight", (n, *shape)) for name, shape in
                      (("wq", (dim, dim)), ("wk", (keys, dim)), ("wv", (keys, dim)), ("wo", (dim, dim))))  # fmt: skip
    network = tuple((f"layers.{{}}.feed_forward.{name}.weight", (n, *shape)) for name, shape in
                    (("w1", (hidden, dim)), ("w2", (dim, hidden)), ("w3", (hidden, dim))))  # fmt: skip
    if is_first:
        half = (length, dim // n_heads // 2)
        yield from (embedding, norms[0], *attention, norms[1], *network, norms[2])
        yield from (("freqs_cos", half), ("freqs_sin", half))
    else:
        yield from (*norms, embedding, *attention, *network)
    if not shared:
        yield "output.weight", (words, dim)
