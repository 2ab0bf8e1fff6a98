"""The steps of one attention head as arrays, whose shapes are checked against each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.interventions import AttentionKind
from model.trace import Floats, ShapeError


@dataclass(frozen=True, slots=True)
class Variation:
    """The parts of one head that are left out, to show their contribution. By default none are."""

    without_scaling: bool = False
    """Scores are not divided by sqrt(d_key)."""
    one_matrix: bool = False
    """The query's projection is used for keys too."""
    without_values: bool = False
    """All values are zero, so the weights have nothing to mix."""


PLAIN = Variation()


@dataclass(frozen=True, slots=True)
class Projection:
    """A linear map, ``x @ weight + bias``: the transpose of ``nn.Linear``'s weight."""

    weight: Floats
    """(inputs, outputs)"""
    bias: Floats | None
    """(outputs,)"""


@dataclass(frozen=True, slots=True)
class Entrance:
    """How N tokens become vectors: embedding, plus position."""

    token: Floats
    """(N, D), scaled as the model scales it."""
    position: Floats | None
    """(N, D); None where the model adds no positions."""
    summed: Floats
    """(N, D), the input of the first layer."""


@dataclass(frozen=True, slots=True)
class NormStep:
    """A layer norm: ``(x - mean) / deviation * gain + shift``, for each of N vectors."""

    mean: Floats
    """(N,); zeros in an RMS norm, which subtracts none."""
    deviation: Floats
    """(N,), epsilon included."""
    gain: Floats
    """(D,)"""
    shift: Floats
    """(D,)"""


@dataclass(frozen=True, slots=True)
class Turn:
    """Rotary positions (Su et al. 2021): each pair of numbers is a vector in a plane, rotated by its position."""

    angles: Floats
    """Radians by which each of P pairs is rotated at each of N positions, (N, P)."""
    columns: NDArray[np.int64]
    """The two columns of query and key that form each pair, (P, 2)."""
    query_before: Floats
    """The queries before rotation, (Q, K)."""
    key_before: Floats
    """(S, K)"""


@dataclass(frozen=True, slots=True)
class FeedForwardStep:
    """The position-wise feed-forward network (section 3.3) of the head's layer."""

    norm: NormStep
    """The norm of the stream in a pre-norm model, of the sum with ``output`` in a post-norm model."""
    fc1: Projection
    """(D, F)"""
    fc2: Projection
    """(F, D)"""
    gate: Projection | None
    """(D, F), whose product with ``received`` multiplies the activation; None where the network has no gate."""
    stream: Floats
    """The residual stream before it, (Q, D)."""
    received: Floats
    """The input of the first matrix, (Q, D): the stream, normalised first in a pre-norm model."""
    hidden: Floats
    """After the activation, and the gate if there is one, (Q, F)."""
    output: Floats
    """(Q, D)"""
    stream_after: Floats
    """(Q, D)"""


@dataclass(frozen=True, slots=True)
class HeadInspection:
    """One head, step by step. Q queries, S keys; in self-attention they are the same tokens."""

    kind: AttentionKind
    layer: int
    head: int
    n_heads: int
    is_norm_first: bool
    residual_scale: float
    entrance: Entrance
    """Embeddings of the query tokens."""
    stream: Floats
    """The sublayer's input, the residual stream, (Q, D)."""
    norm: NormStep
    """The norm of the stream in a pre-norm model, of ``summed`` in a post-norm model."""
    received: Floats
    """The input of W_Q, (Q, D): the stream, normalised first in a pre-norm model."""
    key_received: Floats
    """The input of W_K and W_V, (S, D): the same in self-attention, the encoder's output in cross-attention."""
    group: int
    """Index of the key-value head that this head uses (grouped-query attention)."""
    group_size: int
    """Heads that share this key-value head; 1 without grouping."""
    turn: Turn | None
    """The rotation of query and key; None if the model has no rotary positions."""
    to_query: Projection
    to_key: Projection
    to_value: Projection
    to_output: Projection
    """W_O of all heads together, (H*M, D)."""
    query: Floats
    """(Q, K)"""
    key: Floats
    """(S, K)"""
    value: Floats
    """(S, M)"""
    scores: Floats
    """q·k, (Q, S)"""
    divisor: float
    """sqrt(K); 1 if the variation leaves scaling out, or the model has none (T5)."""
    cap: float | None
    """The divided scores are squeezed between ±cap by a hyperbolic tangent (Gemma 2); None without a cap."""
    scaled: Floats
    """(Q, S), scores after division and cap."""
    position_bias: Floats | None
    """(Q, S), the relative-position bias added to ``scaled``; None if the model has none."""
    attn_mask: NDArray[np.bool_]
    """(Q, S), True where a query may attend to a key."""
    masked: Floats
    """(Q, S), ``scaled`` plus ``position_bias``, minus infinity where a query may not attend."""
    weights: Floats
    """(Q, S), each row sums to 1."""
    mixed: Floats
    """(Q, M)"""
    concatenated: Floats
    """All heads side by side, (Q, H*M); this head's part is ``mixed``."""
    output: Floats
    """(Q, D)"""
    summed: Floats
    """Stream plus output, (Q, D)."""
    stream_after: Floats
    """(Q, D): ``summed``, normalised here in a post-norm model."""
    feed_forward: FeedForwardStep

    def __post_init__(self) -> None:
        q, s = len(self.stream), len(self.key)
        for name in ("scores", "scaled", "attn_mask", "masked", "weights"):
            if getattr(self, name).shape != (q, s):
                raise ShapeError(f"{name} is {getattr(self, name).shape} for {q} queries and {s} keys")
        if self.concatenated.shape[1] != self.n_heads * self.mixed.shape[1]:
            raise ShapeError(f"{self.n_heads} heads of {self.mixed.shape[1]} are not {self.concatenated.shape[1]}")
