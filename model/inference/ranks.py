"""The whole distribution of each next token in a hundred numbers: the best tokens one by one, then blocks of ranks.

A browser that changes temperature, top-k and top-p without the server needs the weight of every token, and a vocabulary
of ten thousand is too much to send for every step. Sorted by rank, neighbours are nearly equally probable, so beyond
the best tokens one number stands for a block of neighbours.
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
"""The best tokens, each a block of its own."""
GROWTH = 1.1
"""Each later block ends at this multiple of the rank at which it begins."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """The next token's distribution at each of T steps, in M blocks of ranks, best first."""

    counts: tuple[int, ...]
    """Tokens of each block; together all that can be predicted."""
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
    if needs_every_position(bundle.config, (interventions,), fed):  # a step was decoded without its later tokens
        rows = [(source_ids, prefix_ids[: t + 1]) for t in range(len(prefix_ids))]
        rows_of_logits = teacher_forced(bundle, rows, interventions=interventions).logits
        logits = rows_of_logits[torch.arange(len(rows)), torch.arange(len(rows))]  # (T, V)
    else:
        logits = teacher_forced(bundle, [(source_ids, prefix_ids)], interventions=interventions).logits[0]
    log_probs = logits.log_softmax(-1)
    suppressed = suppressed_id(bundle.model)
    if suppressed >= 0:
        kept = torch.arange(log_probs.shape[1], device=log_probs.device) != suppressed
        log_probs = log_probs[:, kept]
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
