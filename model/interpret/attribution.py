"""Alternatives to raw weights: the norms of weighted values, and gradient × attention.

A large weight on a small value vector contributes little (Kobayashi et al. 2020), and a large weight need not matter
for the predicted word (Jain & Wallace 2019; Serrano & Smith 2019). Both weightings come from a forward pass over the
trace's tokens and have the shape of the attention weights.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.activations import activation_shapes
from model.bundle import Bundle
from model.errors import RegardError
from model.inference.teacher_forcing import teacher_forced
from model.interventions import KINDS, SUBLAYERS, AttentionKind
from model.nn.attention import MultiHeadAttention
from model.nn.edits import BatchInterventions
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import Transformer
from model.trace import AttentionMaps, Floats, Trace


class AttributionError(RegardError, ValueError):
    """This model or step does not allow a weighting; the message says why and what to choose."""


@dataclass(frozen=True, slots=True)
class Gradients:
    """Gradient × attention for one predicted word."""

    TOKEN_AXES: ClassVar = {"maps": ()}
    maps: AttentionMaps
    """Signed, in nats: each weight's first-order contribution to the word's log-probability. Decoder rows after
    ``step`` are 0, since the word does not depend on them."""
    step: int
    token_id: int
    log_prob: float
    """Natural logarithm of the word's probability at that step."""


def value_weighted(bundle: Bundle, trace: Trace) -> AttentionMaps:
    """The norm of each weighted, transformed value: ‖w · f(x)‖ with f(x) = (x W_V + b_V) W_O of that head.

    Kobayashi et al. (2020), "Attention is Not Only a Weight", equation 4; the output projection's bias belongs to
    no head and is left out.

    Returns:
        Maps of the trace's shapes, not negative, in units of the residual stream; rows do not sum to 1.

    Raises:
        AttributionError: when the model does not expose its value and output projections.
    """
    model = bundle.model
    if not isinstance(model, Transformer):
        raise AttributionError(
            f"{bundle.name} ({bundle.family}) does not expose its value vectors: "
            "choose raw weights, rollout or gradient × attention"
        )
    with torch.inference_mode():
        forced = teacher_forced(
            bundle, [trace], interventions=trace.interventions, capture=True, record=value_names(bundle.config)
        )
        norms = {kind: value_norms(model, kind, forced.recorded) for kind in KINDS}
    edits = BatchInterventions(trace.interventions, 1)
    maps: dict[AttentionKind, Floats | None] = {}
    for kind, layers in forced.weights.items():
        moved = [weights * norm for weights, norm in zip(layers, norms[kind], strict=True)]  # (1, H, Q, K) each
        gates = [edits.at(kind, layer) for layer in range(len(moved))]
        maps[kind] = _stack([x if edit is None else edit.gate(x) for x, edit in zip(moved, gates, strict=True)])
    return AttentionMaps(*map(maps.get, KINDS))


def gradient_attention(
    bundle: Bundle, trace: Trace, *, step: int, token_id: int | None = None, rival_id: int | None = None
) -> Gradients:
    """Each weight times the gradient of the word's log-probability with respect to it.

    Serrano & Smith (2019, section 3) rank weights by it; summed over a head, Michel et al. (2019) rank heads by it.

    Args:
        step: the row that predicts the word.
        token_id: the word; None means the predicted one.
        rival_id: subtract this word's log-probability, to explain why ``token_id`` is favoured over it.

    Raises:
        AttributionError: when there is no such step or word, or the model cannot be differentiated.
    """
    if trace.attention.decoder_self is None:
        raise AttributionError(f"{bundle.name} predicts no words: choose raw weights or rollout")
    if not 0 <= step < len(trace.target):
        raise AttributionError(f"there is no step {step}: choose 0 to {len(trace.target) - 1}")
    chosen = trace.target.ids[step] if token_id is None else token_id
    with torch.enable_grad():
        passed = teacher_forced(bundle, [trace], interventions=trace.interventions, capture=True)
        log_probs = bundle.model.project(passed.decoded.hidden[:, step]).float().log_softmax(-1)[0]  # (V,)
        for word in (chosen, rival_id):
            if word is not None and not 0 <= word < len(log_probs):
                raise AttributionError(f"there is no word {word}: ids go from 0 to {len(log_probs) - 1}")
        aim = log_probs[chosen] if rival_id is None else log_probs[chosen] - log_probs[rival_id]
        captured = passed.weights
        products = iter(_products(aim, [weights for layers in captured.values() for weights in layers]))
    maps = {kind: _stack(list(islice(products, len(layers)))) for kind, layers in captured.items()}
    return Gradients(AttentionMaps(*map(maps.get, KINDS)), step, chosen, float(log_probs[chosen].detach()))


def share_of_row(maps: AttentionMaps) -> AttentionMaps:
    """Absolute values divided by their row's sum, so that rows sum to 1 like weights; rows of zeros stay 0."""
    return _shares(maps, lambda totals: totals)


def share_of_head(maps: AttentionMaps) -> AttentionMaps:
    """Absolute values divided by the head's largest row sum, so that the strongest row sums to 1, weaker ones to less.

    Used for gradients, whose row sums differ; a head of zeros stays 0.
    """
    return _shares(maps, lambda totals: totals.max(-2, keepdims=True))


def _shares(maps: AttentionMaps, whole: Callable[[NDArray], NDArray]) -> AttentionMaps:
    """Absolute values divided by ``whole`` of the row sums (L, H, query, 1); 0 where that is 0."""

    def share(values: Floats | None) -> Floats | None:
        if values is None:
            return None
        size = np.abs(values.astype(np.float64))
        total = whole(size.sum(-1, keepdims=True))
        return np.divide(size, total, out=np.zeros_like(size), where=total > 0).astype(np.float32)

    return AttentionMaps(*(share(maps.of(kind)) for kind in KINDS))


def value_names(config: Any) -> tuple[str, ...]:
    """The names of the activations that ``value_norms`` needs."""
    return tuple(name for name in activation_shapes(config) if name.endswith((".self.value", ".cross.value")))


def value_norms(model: EncoderDecoder, kind: AttentionKind, recorded: Mapping[str, Tensor]) -> list[Tensor]:
    """‖f(x)‖ of every key in every layer of a pass that recorded its values, each (B, H, 1, K)."""
    if kind not in model.kinds:
        return []
    layers: Any = model.encoder.layers if kind == "encoder_self" else model.decoder.layers
    attentions = [layer.cross_attention if kind == "cross" else layer.self_attention for layer in layers]
    return [
        _transformed_norm(attention, recorded[f"{SUBLAYERS[kind].format(index)}.value"])
        for index, attention in enumerate(attentions)
    ]


def _transformed_norm(attention: MultiHeadAttention, values: Tensor) -> Tensor:
    """‖v W_O‖, computed by ‖v W‖² = v W Wᵀ vᵀ, since W Wᵀ is only M × M."""
    projection = attention.output.weight.unflatten(1, (attention.n_heads, attention.d_value))  # (D, H, M)
    values, projection = values.float(), projection.float()
    product = torch.einsum("dhm,dhn->hmn", projection, projection)  # (H, M, M)
    by_head = values.transpose(0, 1).flatten(1, 2)  # (H, B*K, M): one product per head for any batch size
    squared = ((by_head @ product) * by_head).sum(-1).unflatten(1, (len(values), -1)).transpose(0, 1)  # (B, H, K)
    return squared.clamp(min=0).sqrt()[:, :, None, :]  # (B, H, 1, K)


def _products(aim: Tensor, weights: list[Tensor]) -> list[Tensor]:
    if not aim.requires_grad or not all(layer.requires_grad for layer in weights):
        raise AttributionError("the attention of this model cannot be differentiated: choose another weighting")
    gradients = torch.autograd.grad(aim, weights, allow_unused=True)
    return [
        torch.zeros_like(layer) if gradient is None else layer.detach() * gradient
        for layer, gradient in zip(weights, gradients, strict=True)
    ]


def _stack(layers: list[Tensor]) -> Floats | None:
    """Stack the first batch row of every layer: (L, H, Q, K)."""
    if not layers:
        return None
    return torch.stack([layer[0] for layer in layers]).detach().float().cpu().numpy()
