"""A model's fingerprint: models with equal fingerprints give equal results for every text.

It covers weights, configuration and both vocabularies, but not file names or the checkpoint's format, so a model that
is saved and opened again keeps its fingerprint.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache

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
