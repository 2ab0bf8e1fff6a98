"""Operations of a self-attention layer and of a recurrent one (Vaswani et al. 2017, table 1), matrices included."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LayerCost:
    """The cost of one layer for n tokens of dimension d."""

    multiplications: int
    steps: int
    """Steps that must follow each other."""
    path: int
    """Steps in which the first token can reach the last."""


def attention_cost(n: int, d: int) -> LayerCost:
    """Self-attention: four d × d matrices (q, k, v, output) for each token; scores and weighted sums for each pair."""
    return LayerCost(4 * n * d * d + 2 * n * n * d, 1, 1)


def recurrent_cost(n: int, d: int) -> LayerCost:
    """A GRU with a state of dimension d: six d × d matrices for each token, one token after the other."""
    return LayerCost(6 * n * d * d, n, n)
