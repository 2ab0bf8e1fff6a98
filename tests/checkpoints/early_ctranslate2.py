"""Folders of CTranslate2's first binary versions, 1 to 3, written as its first releases laid them out."""

from __future__ import annotations

import math
import struct

import numpy as np
import torch
from torch import Tensor

from tests.strangers.network import WIDTH, Network, Repository


def _from_one(length: int) -> Tensor:
    """Sines, then cosines, of positions counted from 1, exponents over d/2 - 1, (P, D)."""
    half = WIDTH // 2
    frequency = torch.exp(torch.arange(half) * -(math.log(10000) / (half - 1)))
    angle = torch.arange(1, length + 1)[:, None] * frequency
    return torch.cat((angle.sin(), angle.cos()), 1)


BASE = Repository(
    around=(
        ("encoder/embeddings", "source"), ("decoder/embeddings", "target"), ("decoder/projection", "output"),
        ("encoder/layer_norm", "encoder.final"), ("decoder/layer_norm", "decoder.final"),
    ),
    stack={"encoder": "encoder/layer_{}/", "decoder": "decoder/layer_{}/"},
    layer={
        side: (
            ("self_attention/layer_norm", "self.norm"), ("self_attention/linear_0", "self.q+k+v"),
            ("self_attention/linear_1", "self.o"), *cross,
            ("ffn/layer_norm", "feed.norm"), ("ffn/linear_0", "feed.1"), ("ffn/linear_1", "feed.2"),
        )
        for side, cross in (
            ("encoder", ()),
            ("decoder", (("attention/layer_norm", "cross.norm"), ("attention/linear_0", "cross.q"),
                         ("attention/linear_1", "cross.k+v"), ("attention/linear_2", "cross.o"))),
        )
    },
    norm_names=("gamma", "beta"), norm_first=True, has_final=True, heads=8, positions=_from_one(40),
)  # fmt: skip
"""What TransformerBase computes: eight heads, norms before the branches, embeddings scaled."""


def early(version: int, network: Network, *, is_short: bool = False) -> dict[str, bytes]:
    """The files of a folder of this version, by name.

    Args:
        network: made of ``BASE``.
        is_short: weights in 16 bits, multiplied by 1,000 as the first releases did without saying so.
    """
    held = {name.replace(".", "/"): tensor.numpy() for name, tensor in network.state().items()}
    if is_short:
        held = {name: (values * 1000).round().astype(np.int16) if values.ndim > 1 else values
                for name, values in held.items()}  # fmt: skip
    body = b"".join(_written(_first(name) if version == 1 else name, values) for name, values in held.items())
    head = struct.pack("<I", version) + (_text("TransformerBase") + struct.pack("<I", 2) if version > 1 else b"")
    tail = struct.pack("<I", 0) if version == 3 else b""
    sizes = [len(held[f"{side}/embeddings/weight"]) for side in ("encoder", "decoder")]
    words = [["<blank>", "<s>", "</s>", *(f"{sign}{index}" for index in range(size - 4))]
             for sign, size in zip("st", sizes, strict=True)]  # fmt: skip
    return {
        "model.bin": head + struct.pack("<I", len(held)) + body + tail,
        "source_vocabulary.txt": "\n".join(words[0]).encode(),
        "target_vocabulary.txt": "\n".join(words[1]).encode(),
    }


def _first(name: str) -> str:
    """A name as OpenNMT-tf had it, which version 1 kept."""
    own = "multi_head" if name.startswith("encoder") else "masked_multi_head"
    for later, first in (("self_attention", own), ("/attention", "/multi_head"), ("linear_0", "conv1d"),
                         ("linear_", "conv1d_"), ("layer_norm", "LayerNorm"), ("projection", "dense"),
                         ("embeddings/weight", "w_embs"), ("weight", "kernel")):  # fmt: skip
        name = name.replace(later, first)
    return f"transformer/{name}:0"


def _written(name: str, values: np.ndarray) -> bytes:
    shape = struct.pack(f"<B{values.ndim}I", values.ndim, *values.shape)
    return _text(name) + shape + struct.pack("<BI", values.dtype.itemsize, values.size) + values.tobytes()


def _text(text: str) -> bytes:
    return struct.pack("<H", len(text) + 1) + text.encode() + b"\0"
