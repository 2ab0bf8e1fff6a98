"""Captures in the library's code what a pass computes: each layer's attention, and the experts that routers choose.

While a pass runs, a function mode of PyTorch, which belongs to the thread, sees every softmax. Which of them are
attention, of what kind and of which layer, was found once on a few tokens (``find``) and compared there with what the
library itself returns. A router is a small layer that scores every expert for a token (Shazeer et al. 2017; Fedus et
al. 2022, Switch). A hook on it hands what it returned to the pass that runs, which belongs to the thread too. Nothing
is stored on a module, so threads that share the model do not affect each other.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from model.interventions import AttentionKind
from model.nn.attention_selection import AttentionSelection
from model.nn.edits import BatchInterventions
from model.nn.passes import Routed

_SOFTMAX = (functional.softmax, torch.softmax, Tensor.softmax)
Place = tuple[AttentionKind, int]
"""Kind and layer."""


class DifferentError(ValueError):
    """The captured attention differs from what the library returns."""


@dataclass(slots=True)
class Pass:
    """The state of one forward pass."""

    places: Sequence[Place | None]
    """Of each softmax over more than two dimensions, in order; None for one that is no attention."""
    edits: BatchInterventions
    first_query: int = 0
    weights: dict[Place, Tensor] = field(default_factory=dict)
    """Each layer's weights, (B, H, Q, S)."""
    n_seen: int = 0
    capture: bool | AttentionSelection = True
    """Which weights to capture."""

    def captured(self, kind: AttentionKind) -> tuple[Tensor, ...]:
        """The weights of one kind, layer by layer."""
        return tuple(weights for (place_kind, _), weights in self.weights.items() if place_kind == kind)

    def softmax(self, scores: Tensor, function: Callable[[Tensor], Tensor]) -> Tensor:
        """A softmax of the pass, with the edits of its place."""
        place = self.places[self.n_seen] if self.n_seen < len(self.places) else None
        self.n_seen += 1
        if place is None:
            return function(scores)
        edit = self.edits.at(*place)
        apart = scores.unflatten(0, (len(self.edits.rows), -1)) if scores.dim() == 3 else scores  # (B, H, Q, S)
        if edit is None:
            weights = function(apart)
            self._keep(place, weights)
            return weights.view_as(scores)
        lowest = torch.finfo(scores.dtype).min
        seen = apart > lowest / 2
        attn_mask = edit.allow(seen, first_query=self.first_query)
        is_blind = seen.any(-1, keepdim=True) & ~attn_mask.any(-1, keepdim=True)  # every key that it saw is blocked
        weights = function(apart.masked_fill(~attn_mask, lowest)).masked_fill(is_blind, 0.0)
        weights = edit.override_weights(weights, attn_mask, first_query=self.first_query)
        self._keep(place, weights)
        return edit.gate(weights).view_as(scores)

    def _keep(self, place: Place, weights: Tensor) -> None:
        if isinstance(self.capture, bool):
            self.weights[place] = weights
        elif self.capture.wants(*place):
            self.weights[place] = self.capture.part(weights)


class _Softmaxes(TorchFunctionMode):
    def __init__(self, attend: Callable[[Tensor, Callable[[Tensor], Tensor]], Tensor]) -> None:
        super().__init__()
        self.attend = attend

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if func not in _SOFTMAX or not args or args[0].dim() < 3:
            return func(*args, **kwargs)
        return self.attend(args[0], lambda scores: func(scores, *args[1:], **kwargs))


@contextmanager
def running(
    places: Sequence[Place | None],
    edits: BatchInterventions,
    first_query: int = 0,
    capture: bool | AttentionSelection = True,
) -> Iterator[Pass]:
    """A pass whose attention is captured and edited."""
    current = Pass(places, edits, first_query, capture=capture)
    with _Softmaxes(current.softmax):
        yield current


@contextmanager
def watching() -> Iterator[list[Tensor]]:
    """Records every softmax of more than two dimensions, unchanged."""
    seen: list[Tensor] = []

    def keep(scores: Tensor, function: Callable[[Tensor], Tensor]) -> Tensor:
        seen.append(function(scores))
        return seen[-1]

    with _Softmaxes(keep):
        yield seen


def find(seen: Sequence[Tensor], returned: Mapping[AttentionKind, Sequence[Tensor]]) -> tuple[Place | None, ...]:
    """The location of each softmax in a pass over one row.

    Args:
        returned: what the library returned from the same pass, layer by layer, (1, H, Q, S).

    Raises:
        DifferentError: when a layer's attention was not seen, or not as it was returned.
    """
    layers: dict[AttentionKind, int] = {}
    places: list[Place | None] = []
    for weights in seen:
        whole = weights.unsqueeze(0) if weights.dim() == 3 else weights
        place: Place | None = None
        for kind, expected in returned.items():
            if place is None and _is_next(whole, expected, layers.get(kind, 0)):
                place = (kind, layers.get(kind, 0))
        places.append(place)
        if place is not None:
            layers[place[0]] = place[1] + 1
    lacking: list[AttentionKind] = [
        kind for kind, expected in returned.items() if not expected or layers.get(kind, 0) < len(expected)
    ]
    if lacking:
        raise DifferentError(f"the {lacking[0]} attention of layer {layers.get(lacking[0], 0)} was not found")
    return tuple(places)


def _is_next(weights: Tensor, expected: Sequence[Tensor], layer: int) -> bool:
    if layer >= len(expected) or expected[layer] is None or weights.shape != expected[layer].shape:
        return False
    reference = expected[layer]
    atol = max(1e-6, torch.finfo(reference.dtype).eps)  # the library rounds to the type of its weights, after softmax
    return bool(torch.allclose(weights.float(), reference.float(), rtol=0, atol=atol))


_LAYER = re.compile(r"\.(?:layers|block|h)\.(\d+)\.")
_SEEN: ContextVar[list[Routed] | None] = ContextVar("routers of this pass", default=None)


def watch_routers(network: nn.Module) -> bool:
    """Register hooks that record the outputs of a network's routers; False if it has none."""
    named = ((_LAYER.search(f".{name}."), module) for name, module in network.named_modules())
    routers = [(place, module) for place, module in named if place and type(module).__name__.endswith("Router")]
    for place, module in routers:
        module.register_forward_hook(partial(_tell, int(place[1])))
    return bool(routers)


@contextmanager
def record_routers() -> Iterator[list[Routed]]:
    """The routers' outputs of one pass, layer by layer, (B · T, …) or (B, T, …)."""
    layers: list[Routed] = []
    token = _SEEN.set(layers)
    try:
        yield layers
    finally:
        _SEEN.reset(token)


def _tell(layer: int, _module: nn.Module, _arguments: Any, returned: tuple[Tensor, Tensor, Tensor]) -> None:
    seen = _SEEN.get()
    if seen is not None:
        seen.append(Routed(layer, *_choice(*returned)))


def _choice(first: Tensor, second: Tensor, third: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Logits, experts and weights, best first, from what a router returns: logits, weights and experts; or Switch's
    and NLLB's tables of experts, where an expert that is full takes no more tokens, and logits."""
    if not third.is_floating_point():
        weights, order = second.sort(-1, descending=True)
        return first, third.gather(-1, order), weights
    shares = first * second if second.shape[-1] == 1 else second
    weights, experts = shares.topk(min(1 if second.shape[-1] == 1 else 2, third.shape[-1]))
    return third, experts.masked_fill(weights == 0, -1), weights
