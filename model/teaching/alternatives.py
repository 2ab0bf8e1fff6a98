"""Alternatives to self-attention: a convolution as attention with fixed weights, and recurrent layers.

Operations are those of Vaswani et al. (2017, table 1), matrices included. The context vector of a recurrent decoder is
that of Bahdanau, Cho & Bengio (2015, section 3.1).
"""

import math
from dataclasses import dataclass

import numpy as np
import torch

from model.bundle import Bundle
from model.interpret.inspection import InspectionError
from model.nn.recurrent import RecurrentTranslator
from model.trace import Floats


def window_weights(n_tokens: int, width: int) -> Floats:
    """The weights (N, N) of a one-dimensional convolution that averages ``width`` tokens around each one.

    At the edges the window is cut off and the remaining tokens share the weight, so that every row sums to 1.

    Raises:
        ValueError: for a width that is even or below 3.
    """
    reach = _reach(width)
    place = np.arange(n_tokens)
    inside = np.abs(place[None] - place[:, None]) <= reach  # (N, N)
    return (inside / inside.sum(1, keepdims=True)).astype(np.float32)


def layers_to_reach(n_tokens: int, width: int) -> int:
    """Layers of such a window after which the last token can depend on the first.

    Raises:
        ValueError: for a width that is even or below 3.
    """
    return max(1, math.ceil((n_tokens - 1) / _reach(width)))


def _reach(width: int) -> int:
    if width < 3 or width % 2 == 0:
        raise ValueError(f"width ({width}) must be odd and at least 3")
    return width // 2


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


@dataclass(frozen=True, slots=True)
class ContextSteps:
    """The intermediate values from the decoder's state to the context vector, for T steps over S source tokens."""

    states: Floats
    """(T, D): the decoder's state s before each step."""
    memory: Floats
    """(S, D): the encoder's state h at each source token, both directions."""
    scores: Floats
    """(T, S): e = v·tanh(W s + U h)."""
    weights: Floats
    """(T, S): α, the softmax of the scores."""
    context: Floats
    """(T, D): Σ α h."""


@torch.inference_mode()
def context_steps(bundle: Bundle, *, source_ids: tuple[int, ...], prefix_ids: tuple[int, ...]) -> ContextSteps:
    """Follow a recurrent translator with attention over a translation.

    Raises:
        InspectionError: for a model without additive attention.
    """
    model = bundle.model
    if not isinstance(model, RecurrentTranslator) or model.attention is None:
        raise InspectionError(
            "only a recurrent model with attention has a context vector: choose the GRU with attention"
        )
    encoded = model.encode(torch.tensor([source_ids], device=bundle.device))
    attention, memory = model.attention, encoded.memory
    keys, state = attention.key(memory), torch.tanh(model.first_state(model.summary(encoded)))
    rows = []
    for token in prefix_ids:
        scores = attention.score(torch.tanh(attention.query(state)[:, None] + keys)).squeeze(-1)  # (1, S)
        weights = scores.softmax(-1)
        context = (weights[:, None] @ memory).squeeze(1)  # (1, D)
        rows.append((state, scores, weights, context))
        fed = model.embedding(torch.tensor([token], device=bundle.device))
        state = model.decoder(torch.cat((fed, context), -1), state)
    states, scores, weights, context = (torch.cat(each).float().cpu().numpy() for each in zip(*rows, strict=True))
    return ContextSteps(states, memory[0].float().cpu().numpy(), scores, weights, context)
