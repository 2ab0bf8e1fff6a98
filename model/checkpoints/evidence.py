"""What the numbers of a checkpoint say about the questions that it leaves open."""

from __future__ import annotations

from torch import Tensor

from model.checkpoints.report import Evidence


def embedding_evidence(embedding: Tensor) -> tuple[Evidence, ...]:
    """The spread of an embedding's entries: near d^-0.5 it was made to be scaled by sqrt(d)."""
    spread = float(embedding[:4096].float().std()) if embedding.numel() > 1 else 0.0
    return (Evidence("embedding_spread", (("std", round(spread, 4)), ("usual", round(embedding.shape[1] ** -0.5, 4)))),)
