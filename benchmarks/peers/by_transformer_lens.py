"""TransformerLens: its bridge around the library's model, with patterns and hooks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import torch

import model
from benchmarks.peers.models import Twin, words
from benchmarks.peers.rows import Row, compared
from benchmarks.peers.weights import ours

PLACES = {
    "encoder_self": "encoder_blocks.{}.attn", "decoder_self": "decoder_blocks.{}.self_attn",
    "cross": "decoder_blocks.{}.cross_attn",
}  # fmt: skip
ALONE = "blocks.{}.attn"


def transformer_lens(twin: Twin) -> Iterator[Row]:
    """Four quantities of one family."""
    yield compared("attention", twin, lambda: ours(twin), lambda: _patterns(twin))
    if not twin.predicts:
        return
    yield compared("log_probs", twin, lambda: twin.trace.log_probs, lambda: twin.log_probs_of(_run(twin, [])))
    yield compared(
        "head_off", twin, lambda: dict(model.head_effects(twin.bundle, twin.trace).changes), lambda: _each_head(twin)
    )
    if not twin.has_two_stacks:
        yield compared("lens", twin, lambda: _our_lens(twin), lambda: _their_lens(twin))


@cache
def _bridge(folder: str) -> Any:
    from transformer_lens.model_bridge import TransformerBridge

    return TransformerBridge.boot_transformers(folder, device="cpu", tokenizer=words())


def _places(twin: Twin) -> dict[str, str]:
    if twin.has_two_stacks:
        return PLACES
    return {"decoder_self" if twin.predicts else "encoder_self": ALONE}


def _given(twin: Twin) -> tuple[Any, dict[str, Any]]:
    inputs = twin.inputs
    source = inputs.pop("input_ids")
    return source, {"decoder_input": inputs["decoder_input_ids"]} if inputs else {}


@torch.no_grad()
def _patterns(twin: Twin) -> dict[str, Any]:
    source, rest = _given(twin)
    _, cache = _bridge(str(twin.folder)).run_with_cache(source, **rest)
    return {
        kind: torch.cat([cache[f"{place.format(layer)}.hook_pattern"] for layer in range(2)])
        for kind, place in _places(twin).items()
    }


@torch.no_grad()
def _run(twin: Twin, hooks: list[tuple[str, Any]]) -> torch.Tensor:
    source, rest = _given(twin)
    return _bridge(str(twin.folder)).run_with_hooks(source, fwd_hooks=hooks, **rest)


def _each_head(twin: Twin) -> dict[str, Any]:
    """The change in each token's log-probability without each head, (L, H, T) of each kind."""
    plain, found = twin.log_probs_of(_run(twin, [])), {}
    for kind, place in _places(twin).items():
        changes = np.zeros((2, 2, len(twin.trace.target)), np.float32)
        for layer, head in np.ndindex(2, 2):
            hook = (f"{place.format(layer)}.hook_z", partial(_silence, head=head))
            changes[layer, head] = (twin.log_probs_of(_run(twin, [hook])) - plain).numpy()
        found[kind] = changes
    return found


def _silence(z: torch.Tensor, hook: Any, *, head: int) -> torch.Tensor:
    """One head's mixed values, (B, T, H, K) or (B, T, H K), as zeros."""
    shape = z.shape
    z = z.reshape(*shape[:2], 2, -1).clone()
    z[:, :, head] = 0.0
    return z.reshape(shape)


def _our_lens(twin: Twin) -> Any:
    return model.logit_lens(twin.bundle, twin.trace, n_best=40).logits


@torch.no_grad()
def _their_lens(twin: Twin) -> Any:
    """The same tokens' logits, best first, (L, T, V)."""
    source, rest = _given(twin)
    bridge = _bridge(str(twin.folder))
    _, cache = bridge.run_with_cache(source, **rest)
    states = torch.cat([cache[f"blocks.{layer}.hook_resid_post"] for layer in range(2)])
    return bridge.unembed(bridge.ln_final(states)).sort(-1, descending=True).values
