"""Explanations of a patched model are those of a model whose module is patched by a plain hook."""

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

import model
from model import Interventions, Patch
from model.interpret.contrast import contrast, source_contribution
from model.interpret.residual_stream import context_drift
from model.interpret.token_attribution import token_attribution
from tests.tiny import bundle_of_ids

SOURCE, TARGET = "#5 #6 #7 #8 #3", "#9 #10 #11 #3"
MODULES = {
    "encoder.0.self.query": "encoder.layers.0.self_attention.query",
    "encoder.0.self.value": "encoder.layers.0.self_attention.value",
    "encoder.0.residual.after": "encoder.layers.0",
    "encoder.final_norm": "encoder.final_norm",
    "decoder.0.self.key": "decoder.layers.0.self_attention.key",
    "decoder.0.self.value": "decoder.layers.0.self_attention.value",
    "decoder.0.cross.output": "decoder.layers.0.cross_attention.output",
    "decoder.1.cross.value": "decoder.layers.1.cross_attention.value",
    "decoder.1.cross.query": "decoder.layers.1.cross_attention.query",
    "decoder.0.feed_forward.output": "decoder.layers.0.feed_forward.fc2",
    "decoder.0.residual.after": "decoder.layers.0",
    "decoder.1.residual.after": "decoder.layers.1",
    "decoder.final_norm": "decoder.final_norm",
}
PATCHES: dict[str, dict[str, Any]] = {
    "value": {"value": [[0.3]]},
    "a position's value": {"value": [[-0.7]], "positions": (1, 3)},
    "zero": {"zero": True, "positions": (0, 2)},
}
"""Patches that do not depend on what they replace: their slope is 0, whatever else is changed."""
OTHER_PATCHES: dict[str, dict[str, Any]] = {
    "text": {"from_text": "#9 #14 #5 #11 #3"},
    "mean": {"mean": True},
    "noise": {"noise": 3},
}
"""Patches for explanations that neither change the model nor follow slopes."""
EXPLANATIONS: dict[str, Callable[[model.Bundle, model.Trace], Any]] = {
    "alti": lambda bundle, trace: token_attribution(bundle, trace, method="alti"),
    "drift": lambda bundle, trace: context_drift(bundle, trace),
    "gradient × input": lambda bundle, trace: token_attribution(bundle, trace, method="gradient_input"),
    "integrated gradients": lambda bundle, trace: token_attribution(bundle, trace, method="integrated_gradients"),
    "source contribution": source_contribution,
    "contrast": lambda bundle, trace: contrast(bundle, trace, step=3, rival_id=12),
}


@contextmanager
def hooked(bundle: model.Bundle, name: str, output: np.ndarray, positions: tuple[int, ...] | None) -> Iterator[None]:
    """The module behind a name writes ``output``, (positions of the sentence, width), at some or all positions."""
    whole = torch.from_numpy(output)

    def hook(_module: Any, _inputs: Any, out: Any) -> Any:
        replaced = (out[0] if isinstance(out, tuple) else out).clone()
        n = replaced.shape[1]
        first = len(whole) - 1 if n == 1 else 0  # with a cache the last position comes alone
        for place in range(len(whole)) if positions is None else positions:
            if first <= place < first + n:
                replaced[:, place - first] = whole[place]
        return (replaced, *out[1:]) if isinstance(out, tuple) else replaced

    handle = bundle.model.get_submodule(MODULES[name]).register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


def arrays_of(explanation: Any) -> list[np.ndarray]:
    if isinstance(explanation, np.ndarray | float | int):
        return [np.asarray(explanation, np.float64)]
    if dataclasses.is_dataclass(explanation):
        values = [getattr(explanation, field.name) for field in dataclasses.fields(explanation)]
        return [array for value in values for array in arrays_of(value)]
    return []


@cache
def trace_under_patch(name: str, kind: str) -> tuple[model.Bundle, model.Trace, model.Trace, np.ndarray]:
    """The model, the trace under a patch, that of the hooked model, and what the hook writes."""
    bundle = bundle_of_ids(tie_embeddings=False, tie_output=False)
    edits = Interventions(patches=Patch(name, **(PATCHES | OTHER_PATCHES)[kind]))
    trace = model.score(bundle, SOURCE, TARGET, interventions=edits)
    output = model.record(bundle, SOURCE, TARGET, names=name, interventions=edits)[name][0]
    output = (
        output if output.ndim == 2 else output.transpose(1, 0, 2).reshape(output.shape[1], -1)
    )  # heads side by side
    output = np.ascontiguousarray(output)
    with hooked(bundle, name, output, PATCHES.get(kind, {}).get("positions")):
        plain = model.score(bundle, SOURCE, TARGET)
    np.testing.assert_allclose(plain.log_probs, trace.log_probs, atol=1e-4)
    return bundle, trace, dataclasses.replace(plain, log_probs=trace.log_probs), output


@pytest.mark.nightly(but=("alti", "drift"))
@pytest.mark.parametrize("explanation", EXPLANATIONS)
@pytest.mark.parametrize("name", MODULES)
def test_an_explanation_is_of_the_patched_model(name: str, explanation: str) -> None:
    explain = EXPLANATIONS[explanation]
    is_slow = explanation == "integrated gradients"  # a path of 50 points for each prediction
    others = OTHER_PATCHES if explanation in ("alti", "drift") else ()
    for kind in ("value",) if is_slow else (*PATCHES, *others):
        bundle, trace, plain, output = trace_under_patch(name, kind)
        results = arrays_of(explain(bundle, trace))
        with hooked(bundle, name, output, PATCHES.get(kind, {}).get("positions")):
            expected = arrays_of(explain(bundle, plain))
        assert len(results) == len(expected) > 0
        for left, right in zip(results, expected, strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-3, atol=1e-3)
