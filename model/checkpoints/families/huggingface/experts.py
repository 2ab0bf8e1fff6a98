"""Mixtures of experts in the library's code: the experts that each layer's router chooses for each token.

A router is a small layer that scores every expert for a token (Shazeer et al. 2017; Fedus et al. 2022, Switch). A hook
on it hands what it returned to the pass that runs, which belongs to the thread; no result is stored on a module.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from torch import Tensor, nn

from model.nn.passes import Routed

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
def routed() -> Iterator[list[Routed]]:
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
