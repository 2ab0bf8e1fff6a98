"""Drawing the next token at random: temperature, top-k (Fan et al. 2018), top-p (Holtzman et al. 2020), min-p."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.decoding.step import DecodingError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How the distribution is changed before a token is drawn from it.

    Raises:
        DecodingError: when a number is out of range.
    """

    temperature: float = 1.0
    """Logits are divided by it: below 1 sharpens, above 1 flattens."""
    top_k: int = 0
    """Draw from this many most probable tokens; 0 draws from all."""
    top_p: float = 1.0
    """Draw from the smallest set of most probable tokens whose probabilities reach this sum."""
    min_p: float = 0.0
    """Draw from tokens with at least this fraction of the largest probability (Nguyen et al. 2024)."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.temperature < float("inf"):
            raise DecodingError(f"temperature ({self.temperature}) must be above 0: for no randomness, decode greedily")
        if self.top_k < 0:
            raise DecodingError(f"top_k ({self.top_k}) must be 0 (all) or more")
        if not 0 < self.top_p <= 1:
            raise DecodingError(f"top_p ({self.top_p}) must lie in (0, 1]")
        if not 0 <= self.min_p <= 1:
            raise DecodingError(f"min_p ({self.min_p}) must lie in [0, 1]: 0 leaves nothing out")

    def generators(self, n_sentences: int) -> list[torch.Generator]:
        """A random generator per sentence, so that a batch draws the same tokens as the sentences one by one."""
        return [torch.Generator().manual_seed(self.seed + i) for i in range(n_sentences)]


def filtered_probabilities(log_probs: Tensor, sampling: Sampling) -> tuple[Tensor, Tensor]:
    """Next-token probabilities (N, V) after temperature, top-k, top-p and min-p, sorted descending, and their ids.

    Filtered tokens have probability 0; the rest are not renormalised.
    """
    scaled, order = (log_probs / sampling.temperature).sort(-1, descending=True)  # (N, V)
    if sampling.top_k:
        scaled[:, sampling.top_k :] = -torch.inf
    probabilities = scaled.softmax(-1)
    before = probabilities.cumsum(-1) - probabilities  # mass of the more probable tokens
    is_out = (before >= sampling.top_p) & (before > 0)
    if sampling.min_p:
        is_out |= probabilities < sampling.min_p * probabilities[:, :1]
    return probabilities.masked_fill(is_out, 0.0), order


def draw(log_probs: Tensor, sampling: Sampling, generators: Sequence[torch.Generator]) -> Tensor:
    """Draw a token for each row of log-probabilities (N, V): int64 (N,)."""
    probabilities, order = filtered_probabilities(log_probs, sampling)
    cumulative = probabilities.cumsum(-1)
    chance = torch.cat([torch.rand(1, 1, generator=generator) for generator in generators])  # (N, 1)
    place = torch.searchsorted(cumulative, chance.to(cumulative) * cumulative[:, -1:], right=True)
    last = (probabilities > 0).sum(-1, keepdim=True) - 1
    return order.gather(-1, place.minimum(last)).squeeze(-1)
