"""NNsight around the library's model: residual streams read, replaced, moved and differentiated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

import model
from benchmarks.peers.models import OTHER, SOURCE, Twin
from benchmarks.peers.rows import Row, compared

STRENGTH = 0.7
VECTOR = np.random.default_rng(0).normal(size=16).astype(np.float32)


def nnsight(twin: Twin) -> Iterator[Row]:
    """Four quantities of one family, by the residual streams after its layers."""
    names = tuple(twin.blocks(twin.network))
    yield compared("residual", twin, lambda: _recorded(twin, names), lambda: _states(twin, SOURCE))
    if not twin.predicts:
        return
    name = names[0]
    yield compared("patched", twin, lambda: _patched(twin, name), lambda: _replaced(twin, name))
    steer = model.Patch(name, add=VECTOR, strength=STRENGTH)
    yield compared("steered", twin, lambda: _under(twin, steer), lambda: _moved(twin, name))
    yield compared(
        "gradient", twin, lambda: model.record(twin.bundle, twin.trace, names=name, gradients_of=1).gradients[name],
        lambda: _slope(twin, name),
    )  # fmt: skip


def _recorded(twin: Twin, names: tuple[str, ...]) -> dict[str, Any]:
    return dict(model.record(twin.bundle, twin.trace, names=names))


def _under(twin: Twin, patch: model.Patch) -> Any:
    fed = twin.trace.prefix.ids
    read = twin.trace.source.ids if twin.has_two_stacks else fed
    found = model.attend(twin.bundle, [read], [fed], interventions=model.Interventions(patches=patch))
    assert found.logits is not None
    return twin.log_probs_of(torch.from_numpy(found.logits))


def _patched(twin: Twin, name: str) -> Any:
    return _under(twin, model.Patch(name, from_text=" ".join(f"#{index}" for index in twin.read(OTHER))))


def _around(twin: Twin) -> Any:
    from nnsight import NNsight  # only in its own environment

    return NNsight(twin.network)


def _states(twin: Twin, source: tuple[int, ...]) -> dict[str, Any]:
    around, found = _around(twin), {}
    for name, block in twin.blocks(around).items():
        with torch.no_grad(), around.trace(**twin.inputs_of(source)):
            state = block.output.save()
        found[name] = _plain(state).detach()
    return found


def _plain(state: Any) -> torch.Tensor:
    """A layer returns its state alone or first."""
    return state[0] if isinstance(state, tuple) else state


def _replaced(twin: Twin, name: str) -> Any:
    donor = _states(twin, OTHER)[name]
    return _changed(twin, name, keeps=0.0, added=donor)


def _moved(twin: Twin, name: str) -> Any:
    return _changed(twin, name, keeps=1.0, added=STRENGTH * torch.from_numpy(VECTOR))


def _changed(twin: Twin, name: str, *, keeps: float, added: torch.Tensor) -> Any:
    around = _around(twin)
    block = twin.blocks(around)[name]
    with torch.no_grad(), around.trace(**twin.inputs):
        state = block.output
        state = state[0] if isinstance(state, tuple) else state
        state[:] = keeps * state + added
        logits = around.output.logits.save()
    return twin.log_probs_of(logits)


def _slope(twin: Twin, name: str) -> Any:
    around = _around(twin)
    block, token = twin.blocks(around)[name], twin.trace.target.ids[1]
    with around.trace(**twin.inputs):
        state = block.output
        state = state[0] if isinstance(state, tuple) else state
        state.requires_grad_()
        aim = around.output.logits[0, 1].log_softmax(-1)[token]
        with aim.backward():
            slope = state.grad.save()
    return slope
