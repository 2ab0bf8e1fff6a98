"""A model's fingerprint, and its name.

Models with equal fingerprints give equal results for every text. The fingerprint covers weights, configuration and both
vocabularies, but not file names or the checkpoint's format, so a model that is saved and opened again keeps it.

The name comes from the file, the folder or the configuration, if that is specific: every Hugging Face folder has a
``model.safetensors`` and every fairseq run a ``checkpoint_best.pt``, and several of them may be open at the same time.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from model.checkpoints.basis.precision import MAPPED_FROM
from model.text.tokenizer import Tokenizer


def fingerprint(tensors: Mapping[str, Tensor], described: bytes, *tokenizers: Tokenizer | None) -> str:
    """Hex SHA-256 of the tensors' names, dtypes, shapes and bytes, the configuration and the vocabularies."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.view(-1).view(torch.uint8).numpy().data)
    for part in (described, *map(vocabulary, tokenizers)):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def at_first_use(make: Callable[[], str], n_bytes: int) -> str | Callable[[], str]:
    """The fingerprint of weights of this size; for large ones, a cached function that computes it on first use."""
    return make() if n_bytes < MAPPED_FROM else cache(make)


def with_vocabularies(mark: str, *tokenizers: Tokenizer | None) -> str:
    """Combine the fingerprint of a model with vocabularies."""
    return fingerprint({}, mark.encode(), *tokenizers)


def vocabulary(tokenizer: Tokenizer | None) -> bytes:
    """The bytes that determine a tokenizer: its content, or its list of pieces."""
    if tokenizer is None:
        return b""
    content = getattr(tokenizer, "content", None)
    if isinstance(content, bytes):
        return content
    pieces = tokenizer.describe(range(tokenizer.size)).pieces
    return json.dumps([type(tokenizer).__name__, *pieces]).encode()


_WORDS = frozenset({"model", "pytorch", "checkpoint", "checkpoints", "ckpt", "weights", "params", "state", "dict",
                    "best", "last", "latest", "final", "avg", "average", "averaged", "ema", "step", "epoch",
                    "of"})  # fmt: skip
"""Words that are common in names of model files."""
_LONGEST = 60


def name_of(path: Path, opened: Path) -> str:
    """The name that a path suggests, or "" if it would fit any model.

    Args:
        path: the file or folder that the user named.
        opened: the folder to which it was unpacked, or the same path.
    """
    if path.parent.name == "snapshots" and path.parents[1].name.startswith("models--"):  # the cache of the hub
        return _telling(path.parents[1].name.rpartition("--")[2])
    inner = "" if opened.name == path.name else opened.name
    return next(filter(None, map(_telling, (path.name.split(".")[0], inner))), "")


def name_in(described: object) -> str:
    """The name in a configuration's ``_name_or_path``: the last part of a hub's name or of a path; or ""."""
    if not isinstance(described, str):
        return ""
    parts = [part for part in re.split(r"[/\\]", described[-300:]) if part.strip(". ")]
    return next(filter(None, map(_telling, reversed(parts[-2:]))), "")


def _telling(name: str) -> str:
    """The name, printable and short, or "" if every word in it is common."""
    printed = "".join(character if character.isprintable() else " " for character in name)
    name = " ".join(printed.split())[:_LONGEST]
    words = [word for word in re.split(r"[^a-z]+", name.lower()) if word]
    is_common = all(word in _WORDS for word in words) and name.isascii()
    return "" if is_common else name
