"""The library itself, in eager attention: weights and log-probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from benchmarks.peers.models import Twin
from benchmarks.peers.rows import Row, compared

KINDS = {"encoder_self": "encoder_attentions", "decoder_self": "decoder_attentions", "cross": "cross_attentions"}


def rows(twin: Twin) -> Iterator[Row]:
    """Attention and log-probabilities of one family."""
    yield compared("attention", twin, lambda: ours(twin), lambda: attention(twin))
    if twin.predicts:
        yield compared("log_probs", twin, lambda: twin.trace.log_probs, lambda: twin.log_probs_of(output(twin).logits))


def ours(twin: Twin) -> dict[str, Any]:
    """Regard's weights by kind, (L, H, Q, K) each."""
    return {kind: twin.trace.attention.of(kind) for kind in twin.trace.attention.kinds}


@torch.no_grad()
def output(twin: Twin) -> Any:
    """What the library's model returns."""
    return twin.network(**twin.inputs, output_attentions=True)


def attention(twin: Twin) -> dict[str, Any]:
    """The library's weights by kind."""
    found = output(twin)
    if twin.has_two_stacks:
        return {kind: torch.cat(getattr(found, name)) for kind, name in KINDS.items()}
    return {"decoder_self" if twin.predicts else "encoder_self": torch.cat(found.attentions)}
