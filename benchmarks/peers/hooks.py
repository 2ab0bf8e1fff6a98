"""What hooks in the library's model read and change: TransformerLens's bridge with its patterns, and NNsight around
residual streams that are read, replaced, moved and differentiated."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import torch

import model
from benchmarks.peers.models import OTHER, SOURCE, Row, Twin, compared, words
from benchmarks.peers.weights import ours

STRENGTH = 0.7
VECTOR = np.random.default_rng(0).normal(size=16).astype(np.float32)
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
    yield compared("log_probs", twin, lambda: twin.trace.log_probs, lambda: twin.log_probs_of(_run(twin)))
    yield compared(
        "head_off", twin, lambda: dict(model.head_effects(twin.bundle, twin.trace).changes), lambda: _each_head(twin)
    )
    if not twin.has_two_stacks:
        yield compared("lens", twin, lambda: model.logit_lens(twin.bundle, twin.trace, n_best=40).logits,
                       lambda: _lens(twin))  # fmt: skip


@cache
def _bridge(folder: str) -> Any:
    from transformer_lens.model_bridge import TransformerBridge

    return TransformerBridge.boot_transformers(folder, device="cpu", tokenizer=words())


def _places(twin: Twin) -> dict[str, str]:
    if twin.has_two_stacks:
        return PLACES
    return {"decoder_self" if twin.predicts else "encoder_self": ALONE}


@torch.no_grad()
def _run(twin: Twin, method: str = "run_with_hooks", **options: Any) -> Any:
    source, *fed = twin.inputs().values()
    return getattr(_bridge(str(twin.folder)), method)(source, **({"decoder_input": fed[0]} if fed else {}), **options)


def _patterns(twin: Twin) -> dict[str, Any]:
    _, cache = _run(twin, "run_with_cache")
    return {
        kind: torch.cat([cache[f"{place.format(layer)}.hook_pattern"] for layer in range(2)])
        for kind, place in _places(twin).items()
    }


def _each_head(twin: Twin) -> dict[str, Any]:
    """The change in each token's log-probability without each head, (L, H, T) of each kind."""
    plain, found = twin.log_probs_of(_run(twin)), {}
    for kind, place in _places(twin).items():
        changes = np.zeros((2, 2, len(twin.trace.target)), np.float32)
        for layer, head in np.ndindex(2, 2):
            hook = (f"{place.format(layer)}.hook_z", partial(_silence, head=head))
            changes[layer, head] = (twin.log_probs_of(_run(twin, fwd_hooks=[hook])) - plain).numpy()
        found[kind] = changes
    return found


def _silence(z: torch.Tensor, hook: Any, *, head: int) -> torch.Tensor:
    """One head's mixed values, (B, T, H, K) or (B, T, H K), as zeros."""
    silenced = z.reshape(*z.shape[:2], 2, -1).clone()
    silenced[:, :, head] = 0.0
    return silenced.reshape(z.shape)


@torch.no_grad()
def _lens(twin: Twin) -> Any:
    """The same tokens' logits, best first, (L, T, V)."""
    bridge, (_, cache) = _bridge(str(twin.folder)), _run(twin, "run_with_cache")
    states = torch.cat([cache[f"blocks.{layer}.hook_resid_post"] for layer in range(2)])
    return bridge.unembed(bridge.ln_final(states)).sort(-1, descending=True).values


def nnsight(twin: Twin) -> Iterator[Row]:
    """Four quantities of one family, by the residual streams after its layers."""
    names = tuple(twin.blocks(twin.network))
    yield compared("residual", twin, lambda: dict(model.record(twin.bundle, twin.trace, names=names)),
                   lambda: _states(twin, SOURCE))  # fmt: skip
    if not twin.predicts:
        return
    name = names[0]
    patch = model.Patch(name, from_text=" ".join(f"#{index}" for index in twin.read(OTHER)))
    yield compared("patched", twin, lambda: _under(twin, patch),
                   lambda: _changed(twin, name, keeps=0.0, added=_states(twin, OTHER)[name]))  # fmt: skip
    steer = model.Patch(name, add=VECTOR, strength=STRENGTH)
    yield compared("steered", twin, lambda: _under(twin, steer),
                   lambda: _changed(twin, name, keeps=1.0, added=STRENGTH * torch.from_numpy(VECTOR)))  # fmt: skip
    yield compared(
        "gradient", twin, lambda: model.record(twin.bundle, twin.trace, names=name, gradients_of=1).gradients[name],
        lambda: _slope(twin, name),
    )  # fmt: skip


def _under(twin: Twin, patch: model.Patch) -> Any:
    fed = twin.trace.prefix.ids
    read = twin.trace.source.ids if twin.has_two_stacks else fed
    found = model.attend(twin.bundle, [read], [fed], interventions=model.Interventions(patches=patch))
    assert found.logits is not None
    return twin.log_probs_of(torch.from_numpy(found.logits))


def _around(twin: Twin) -> Any:
    from nnsight import NNsight  # only in its own environment

    return NNsight(twin.network)


def _states(twin: Twin, source: tuple[int, ...]) -> dict[str, Any]:
    around, found = _around(twin), {}
    for name, block in twin.blocks(around).items():
        with torch.no_grad(), around.trace(**twin.inputs(source)):
            state = block.output.save()
        found[name] = (state[0] if isinstance(state, tuple) else state).detach()  # a layer returns it alone or first
    return found


def _changed(twin: Twin, name: str, *, keeps: float, added: torch.Tensor) -> Any:
    around = _around(twin)
    block = twin.blocks(around)[name]
    with torch.no_grad(), around.trace(**twin.inputs()):
        state = block.output
        state = state[0] if isinstance(state, tuple) else state
        state[:] = keeps * state + added
        logits = around.output.logits.save()
    return twin.log_probs_of(logits)


def _slope(twin: Twin, name: str) -> Any:
    around = _around(twin)
    block, token = twin.blocks(around)[name], twin.trace.target.ids[1]
    with around.trace(**twin.inputs()):
        state = block.output
        state = state[0] if isinstance(state, tuple) else state
        state.requires_grad_()
        aim = around.output.logits[0, 1].log_softmax(-1)[token]
        with aim.backward():
            slope = state.grad.save()
    return slope
