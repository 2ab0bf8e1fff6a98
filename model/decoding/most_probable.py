"""Greedy continuation without attention or a trace, for the checks that try a model under many settings."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from model.nn.passes import Decoded, Encoded
from model.nn.transformer import Transformer


def most_probable(
    model: Transformer, encoded: Encoded, steps: int, *, capture: bool = False
) -> Iterator[tuple[Decoded, Tensor, Tensor]]:
    """Continue B encoded sentences greedily, also beyond their end tokens, for some steps at most.

    Yields:
        What the decoder returned for a step, and each sentence's next token: its natural log-probability, float32 (B,),
        and its id, int64 (B,).
    """
    fed = torch.full((len(encoded.memory), 1), model.config.bos_id, device=encoded.memory.device)
    cache = None
    for _ in range(steps):
        decoded = model.decode(fed, encoded, cache=cache, keep_cache=True, capture=capture)
        best, ids = model.project(decoded.hidden)[:, -1].log_softmax(-1).max(-1)
        yield decoded, best, ids
        cache, fed = decoded.cache, ids[:, None]
