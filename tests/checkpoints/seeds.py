"""Valid files of other people's programs for the fuzzer to damage, and CTranslate2's first formats."""

import io
import json
import pickle
import struct

import numpy as np
import torch
from safetensors.torch import save

from tests.checkpoints.lies import zip_files
from tests.strangers.authors import Author, Written, blocks
from tests.strangers.plain import FUSED, HEADS, LEARNED, PLAIN
from tests.strangers.repositories import REPOSITORIES
from tests.strangers.tutorials import FROM_SCRATCH, TUTORIAL_6, tutorial_6_of

_SELF = {"self_attention/layer_norm": "n1", "self_attention/linear_1": "o", "ffn/layer_norm": "n2",
         "ffn/linear_0": "fc1", "ffn/linear_1": "fc2"}  # fmt: skip
BASE = Author(
    "encoder/embeddings = enc.emb\ndecoder/embeddings = dec.emb\ndecoder/projection = out\n"
    "encoder/layer_norm = enc.final\ndecoder/layer_norm = dec.final\n"
    + blocks("encoder/layer_{i}/", {"self_attention/linear_0": "enc.q+enc.k+enc.v"} | {
        theirs: f"enc.{role}" for theirs, role in _SELF.items()}) + "\n"
    + blocks("decoder/layer_{i}/", {"self_attention/linear_0": "dec.q+dec.k+dec.v"} | {
        theirs: f"dec.{role}" for theirs, role in _SELF.items()} | {
        "attention/layer_norm": "dec.nc", "attention/linear_0": "dec.cq", "attention/linear_1": "dec.ck+dec.cv",
        "attention/linear_2": "dec.co"}),
    sizes=(23, 29), norm_names=("gamma", "beta"), heads=8, scaled=True, positions="from one",
)  # fmt: skip
"""What TransformerBase computes: eight heads, norms before the branches, embeddings scaled."""


def early(version: int, network: Written, *, is_short: bool = False) -> dict[str, bytes]:
    """The files of a folder of this version, by name.

    Args:
        network: made of ``BASE``.
        is_short: weights in 16 bits, multiplied by 1,000 as the first releases did without saying so.
    """
    stored = {name.replace(".", "/"): tensor.numpy() for name, tensor in network.state().items()}
    if is_short:
        stored = {name: (values * 1000).round().astype(np.int16) if values.ndim > 1 else values
                for name, values in stored.items()}  # fmt: skip
    body = b"".join(_write_array(_first(name) if version == 1 else name, values) for name, values in stored.items())
    head = struct.pack("<I", version) + (_text("TransformerBase") + struct.pack("<I", 2) if version > 1 else b"")
    tail = struct.pack("<I", 0) if version == 3 else b""
    sizes = [len(stored[f"{side}/embeddings/weight"]) for side in ("encoder", "decoder")]
    words = [["<blank>", "<s>", "</s>", *(f"{sign}{index}" for index in range(size - 4))]
             for sign, size in zip("st", sizes, strict=True)]  # fmt: skip
    return {
        "model.bin": head + struct.pack("<I", len(stored)) + body + tail,
        "source_vocabulary.txt": "\n".join(words[0]).encode(),
        "target_vocabulary.txt": "\n".join(words[1]).encode(),
    }


def _first(name: str) -> str:
    """A name as OpenNMT-tf had it, which version 1 kept."""
    self_attention = "multi_head" if name.startswith("encoder") else "masked_multi_head"
    for later, first in (("self_attention", self_attention), ("/attention", "/multi_head"), ("linear_0", "conv1d"),
                         ("linear_", "conv1d_"), ("layer_norm", "LayerNorm"), ("projection", "dense"),
                         ("embeddings/weight", "w_embs"), ("weight", "kernel")):  # fmt: skip
        name = name.replace(later, first)
    return f"transformer/{name}:0"


def _write_array(name: str, values: np.ndarray) -> bytes:
    shape = struct.pack(f"<B{values.ndim}I", values.ndim, *values.shape)
    return _text(name) + shape + struct.pack("<BI", values.dtype.itemsize, values.size) + values.tobytes()


def _text(text: str) -> bytes:
    return struct.pack("<H", len(text) + 1) + text.encode() + b"\0"


def author_seeds() -> dict[str, bytes]:
    """Valid files for the readers of names of one's own, of tutorials, of pickles and of the first CTranslate2."""
    marks = ["<pad>", "<sos>", "<eos>", "<unk>"]
    sides = {side: {word: index for index, word in enumerate([*marks, *map(str, range(size - 4))])}
             for side, size in (("src_vocab", 23), ("tgt_vocab", 29))}  # fmt: skip
    config = {"num_heads": 4, "d_model": 32, "dropout": 0.2, "norm_first": False, "activation": "relu"}
    settings = {"config": config, "task": {"PAD": 0, "BOS": 1, "EOS": 2}}
    authors = {"own": PLAIN, "heads": HEADS, "fused": FUSED, "learned": LEARNED, "tutorial6": TUTORIAL_6,
               "tutorial6-2019": tutorial_6_of("2019-10"), "scratch": FROM_SCRATCH}  # fmt: skip
    authors |= {name.partition("/")[0]: author for name, author in REPOSITORIES.items()}
    states = {name: Written(author).state() for name, author in authors.items()}
    by_name = {f"{name}.pt": _pickle({"model": state, **settings, **sides}) for name, state in states.items()}
    by_name["own.safetensors"] = save({name: tensor.contiguous() for name, tensor in states["own"].items()})
    weights = {"mine.pt": _pickle(states["own"])}
    by_name["pickles.zip"] = zip_files(
        weights | {"vocab.pkl": pickle.dumps(sides), "config.json": json.dumps(config).encode()}
    )
    texts = {"src_vocab.txt": "\n".join(sides["src_vocab"]), "tgt_vocab.json": json.dumps(sides["tgt_vocab"])}
    by_name["texts.zip"] = zip_files(weights | {name: text.encode() for name, text in texts.items()})
    return by_name | {f"ctranslate2-{version}.zip": zip_files(early(version, Written(BASE))) for version in (1, 2, 3)}


def _pickle(stored: object) -> bytes:
    stream = io.BytesIO()
    torch.save(stored, stream)
    return stream.getvalue()
