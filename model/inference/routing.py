"""Mixtures of experts: which experts the router chose for each token of a trace, and with what weight."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.inference.teacher_forcing import teacher_forced
from model.nn.passes import Routed
from model.trace import Floats, TokenSequence, Trace


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Routing:
    """The routers' choices for N tokens of one stack, in its mixture-of-experts layers.

    Such a layer has E feed-forward networks instead of one. Its router scores them for each token; the layer's output
    is the weighted sum of the chosen experts' outputs.
    """

    stack: Literal["encoder", "decoder"]
    layers: tuple[int, ...]
    """Indexes of the layers with experts."""
    tokens: TokenSequence
    """The stack's input: a trace's ``source`` or ``prefix``."""
    logits: Floats
    """The router's scores, (layers, N, E)."""
    experts: NDArray[np.int64]
    """The chosen experts of each token, best first, (layers, N, k); -1 if the expert was at capacity."""
    weights: Floats
    """Their weights, (layers, N, k), 0 if at capacity; their sum differs between families."""

    @property
    def n_experts(self) -> int:
        """E, the number of experts that the router of a layer chooses from; shared experts do not count."""
        return self.logits.shape[-1]

    def __repr__(self) -> str:
        k, n = self.experts.shape[-1], len(self.tokens)
        return f"Routing({self.stack} layers {list(self.layers)}, {k} of {self.n_experts} experts for {n} tokens)"


@torch.inference_mode()
def routing(bundle: Bundle, trace: Trace) -> tuple[Routing, ...]:
    """The experts chosen for each token of a trace, recorded in one pass over its tokens under its interventions.

    Returns:
        One Routing for each stack that has experts, the encoder's first; empty for a model without experts.

    Raises:
        TooLargeError: when the pass would take too much memory.
    """
    if not getattr(bundle.model, "has_experts", False):
        return ()
    forced = teacher_forced(bundle, [trace], interventions=trace.interventions, capture=True)
    both = (
        _routing("encoder", forced.encoded.routed, trace.source),
        _routing("decoder", forced.decoded.routed, trace.prefix),
    )
    return tuple(side for side in both if side is not None)


def _routing(stack: Literal["encoder", "decoder"], routed: tuple[Routed, ...], tokens: TokenSequence) -> Routing | None:
    if not routed:
        return None
    logits, experts, weights = (
        torch.stack([getattr(layer, name)[0, : len(tokens)] for layer in routed]).cpu()
        for name in ("logits", "experts", "weights")
    )
    layers = tuple(layer.layer for layer in routed)
    return Routing(stack, layers, tokens, logits.float().numpy(), experts.numpy(), weights.float().numpy())
