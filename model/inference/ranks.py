"""Compresses each next-token distribution to about a hundred numbers: the best tokens, then means over blocks of ranks.

A browser that changes temperature, top-k and top-p without the server needs every token's probability, but sending a
vocabulary of ten thousand for every step is too much. Tokens of neighbouring rank are nearly equally probable, so
beyond the best tokens one number stands for a block of ranks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from model.bundle import Bundle
from model.decoding.options import suppressed_id
from model.decoding.step import needs_every_position
from model.inference.teacher_forcing import teacher_forced
from model.interventions import NONE, Interventions
from model.trace import Floats, ShapeError

N_SINGLE = 64
"""The number of best tokens that are blocks of size 1."""
GROWTH = 1.1
"""The ratio of the ranks at the end and the beginning of each later block."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """The next token's distribution at each of T steps, in M blocks of ranks, best first."""

    counts: tuple[int, ...]
    """Tokens per block; they sum to the number of tokens that can be predicted."""
    log_probs: Floats
    """(T, M), natural logarithm of the mean probability in each block."""

    def __post_init__(self) -> None:
        if self.log_probs.ndim != 2 or self.log_probs.shape[1] != len(self.counts):
            raise ShapeError(f"ranks: {len(self.counts)} blocks and log_probs {self.log_probs.shape}")


@torch.inference_mode()
def ranks(
    bundle: Bundle, *, source_ids: Sequence[int], prefix_ids: Sequence[int], interventions: Interventions = NONE
) -> Ranks:
    """The distribution over the next token at each of T steps, for S source tokens and T that the decoder is fed.

    Raises:
        InterventionError: when an intervention names what the model does not have.
    """
    fed = torch.tensor(prefix_ids)
    if needs_every_position(bundle.config, (interventions,), fed):  # each step must not see the tokens after it
        rows = [(source_ids, prefix_ids[: t + 1]) for t in range(len(prefix_ids))]
        rows_of_logits = teacher_forced(bundle, rows, interventions=interventions).logits
        logits = rows_of_logits[torch.arange(len(rows)), torch.arange(len(rows))]  # (T, V)
    else:
        logits = teacher_forced(bundle, [(source_ids, prefix_ids)], interventions=interventions).logits[0]
    log_probs = logits.log_softmax(-1)
    suppressed = suppressed_id(bundle.model)
    if suppressed >= 0:
        predictable = torch.arange(log_probs.shape[1], device=log_probs.device) != suppressed
        log_probs = log_probs[:, predictable]
    best = log_probs.sort(-1, descending=True).values.double().cpu().numpy()
    edges = _edges(best.shape[1])
    counts = np.diff(edges, append=best.shape[1])
    means = np.log(np.maximum(np.add.reduceat(np.exp(best), edges, axis=1) / counts, 1e-300))
    return Ranks(tuple(int(count) for count in counts), means.astype(np.float32))


def _edges(n_tokens: int) -> np.ndarray:
    """The first rank of each block."""
    edges = list(range(min(N_SINGLE, n_tokens)))
    at = len(edges)
    while at < n_tokens:
        edges.append(at)
        at += max(1, round(at * (GROWTH - 1)))
    return np.array(edges)
