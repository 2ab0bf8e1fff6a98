"""Every explanation under every kind of patch is what it is of a model whose module is patched by a plain hook."""

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
from model.inference.teacher_forcing import teacher_forced
from model.interpret.ablation import head_effects
from model.interpret.attribution import gradient_attention, value_weighted
from model.interpret.contrast import contrast, source_contribution
from model.interpret.direct import direct_contributions
from model.interpret.inspection import inspect_head
from model.interpret.residual_stream import context_drift, logit_lens
from model.interpret.token_attribution import token_attribution
from tests.tiny import tiny_model

SOURCE, TARGET, DONOR = "#5 #6 #7 #8 #3", "#9 #10 #11 #3", "#9 #14 #5 #11 #3"
NORMS: dict[str, dict[str, Any]] = {
    "pre-norm": {},
    "post-norm": {"encoder_norm_first": False, "decoder_norm_first": False},
}
MODULES: dict[str, Callable[[Any], torch.nn.Module]] = {
    "encoder.0.self.query": lambda run: run.encoder.layers[0].self_attention.query,
    "encoder.0.self.value": lambda run: run.encoder.layers[0].self_attention.value,
    "encoder.0.residual.after": lambda run: run.encoder.layers[0],
    "encoder.final_norm": lambda run: run.encoder.final_norm,
    "decoder.0.self.key": lambda run: run.decoder.layers[0].self_attention.key,
    "decoder.0.self.value": lambda run: run.decoder.layers[0].self_attention.value,
    "decoder.0.cross.output": lambda run: run.decoder.layers[0].cross_attention.output,
    "decoder.1.cross.value": lambda run: run.decoder.layers[1].cross_attention.value,
    "decoder.1.cross.query": lambda run: run.decoder.layers[1].cross_attention.query,
    "decoder.0.feed_forward.output": lambda run: run.decoder.layers[0].feed_forward.fc2,
    "decoder.0.residual.after": lambda run: run.decoder.layers[0],
    "decoder.1.residual.after": lambda run: run.decoder.layers[1],
    "decoder.final_norm": lambda run: run.decoder.final_norm,
}
KINDS: dict[str, dict[str, Any]] = {
    "value": {"value": [[0.3]]},
    "a position's value": {"value": [[-0.7]], "positions": (1, 3)},
    "text": {"from_text": DONOR},
    "zero": {"zero": True, "positions": (0, 2)},
    "mean": {"mean": True},
    "noise": {"noise": 3},
}
CONSTANT = ("value", "a position's value", "zero")
"""Patches that do not depend on what they replace: their slope is 0, whatever else is changed."""


def _inspected(kind: Any, layer: int, head: int) -> Callable[[model.Bundle, model.Trace], Any]:
    return lambda bundle, trace: inspect_head(bundle, trace, kind=kind, layer=layer, head=head)


FORWARD: dict[str, Callable[[model.Bundle, model.Trace], Any]] = {
    "value-weighted": value_weighted,
    "logit lens": lambda bundle, trace: logit_lens(bundle, trace),
    "alti": lambda bundle, trace: token_attribution(bundle, trace, method="alti"),
    "direct": lambda bundle, trace: direct_contributions(bundle, trace, step=2, rival_id=12).logit,
    "drift": lambda bundle, trace: context_drift(bundle, trace),
    "log-probabilities": lambda bundle, trace: teacher_forced(
        bundle, [trace], interventions=trace.interventions
    ).log_probs.detach().numpy(),
} | {
    f"inspection of {kind} {layer}·{head}": _inspected(kind, layer, head)
    for kind, layer, head in (("encoder_self", 0, 1), ("encoder_self", 1, 0), ("decoder_self", 0, 0),
                              ("decoder_self", 1, 1), ("cross", 0, 1), ("cross", 1, 0))
}  # fmt: skip
CHANGING: dict[str, Callable[[model.Bundle, model.Trace], Any]] = {
    "gradient of attention": lambda bundle, trace: gradient_attention(bundle, trace, step=2).maps,
    "gradient × input": lambda bundle, trace: token_attribution(bundle, trace, method="gradient_input"),
    "integrated gradients": lambda bundle, trace: token_attribution(bundle, trace, method="integrated_gradients"),
    "erasure": lambda bundle, trace: token_attribution(bundle, trace, method="erasure"),
    "source contribution": source_contribution,
    "contrast": lambda bundle, trace: contrast(bundle, trace, step=3, rival_id=12),
    "head effects": lambda bundle, trace: head_effects(bundle, trace).changes,
}
"""Explanations that change something themselves, or follow slopes: compared under constant patches."""


@contextmanager
def hooked(bundle: model.Bundle, name: str, new: np.ndarray, positions: tuple[int, ...] | None) -> Iterator[None]:
    """The module behind a name writes what is given, (positions of the sentence, width), at some or all positions."""
    whole = torch.from_numpy(new)

    def hook(_module: Any, _given: Any, out: Any) -> Any:
        replaced = (out[0] if isinstance(out, tuple) else out).clone()
        n = replaced.shape[1]
        first = len(whole) - 1 if n == 1 else 0  # with a cache the last position comes alone
        for place in range(len(whole)) if positions is None else positions:
            if first <= place < first + n:
                replaced[:, place - first] = whole[place]
        return (replaced, *out[1:]) if isinstance(out, tuple) else replaced

    handle = MODULES[name](bundle.model).register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


def numbers(found: Any) -> list[np.ndarray]:
    """All arrays of a result."""
    if isinstance(found, np.ndarray | float | int):
        return [np.asarray(found, np.float64)] if not (isinstance(found, np.ndarray) and found.dtype == object) else []
    if dataclasses.is_dataclass(found) and not isinstance(found, type):
        found = {field.name: getattr(found, field.name) for field in dataclasses.fields(found)}
        found = {name: value for name, value in found.items() if name not in ("ids", "pieces", "writers")}
    if isinstance(found, dict):
        return [array for key in sorted(found) for array in numbers(found[key])]
    return []


@cache
def plain_model(norm: str) -> model.Bundle:
    run = tiny_model(tie_embeddings=False, tie_output=False, **NORMS[norm])
    return model.Bundle("tiny", run, run.config, None, None)


@cache
def patched(name: str, kind: str, norm: str) -> tuple[model.Trace, model.Trace, np.ndarray]:
    """The trace under a patch, that of the hooked model, and what the hook writes: all explanations share them."""
    bundle, edits = plain_model(norm), Interventions(patches=Patch(name, **KINDS[kind]))
    trace = model.score(bundle, SOURCE, TARGET, interventions=edits)
    new = model.record(bundle, SOURCE, TARGET, names=name, interventions=edits)[name][0]
    new = new if new.ndim == 2 else new.transpose(1, 0, 2).reshape(new.shape[1], -1)  # heads side by side
    new = np.ascontiguousarray(new)
    with hooked(bundle, name, new, KINDS[kind].get("positions")):
        plain = model.score(bundle, SOURCE, TARGET)
    np.testing.assert_allclose(plain.log_probs, trace.log_probs, atol=1e-4)
    return trace, dataclasses.replace(plain, log_probs=trace.log_probs), new


def compared(name: str, kind: str, explain: Callable[..., Any], norm: str = "pre-norm") -> None:
    bundle, (trace, plain, new) = plain_model(norm), patched(name, kind, norm)
    got = numbers(explain(bundle, trace))
    with hooked(bundle, name, new, KINDS[kind].get("positions")):
        expected = numbers(explain(bundle, plain))
    assert len(got) == len(expected) > 0
    for first, second in zip(got, expected, strict=True):
        np.testing.assert_allclose(first, second, rtol=1e-3, atol=1e-3)


BY_DAY = [
    f"{name}-{explanation}".encode("unicode_escape").decode()  # as pytest writes the middle dot
    for at, name in enumerate(MODULES)
    for place, explanation in enumerate(FORWARD)
    if (at + place) % 3 == 0
]
"""Each explanation with each third module, and each module with each third explanation."""


@pytest.mark.nightly(but=BY_DAY)
@pytest.mark.parametrize("explanation", FORWARD)
@pytest.mark.parametrize("name", MODULES)
def test_an_explanation_shows_the_patched_model(name: str, explanation: str) -> None:
    """Each explanation meets each module under three kinds of patch, and under all kinds over the modules."""
    at = list(MODULES).index(name) + list(FORWARD).index(explanation)
    for offset, norm in ((0, "pre-norm"), (2, "pre-norm"), (4, "post-norm")):
        kind = list(KINDS)[(at + offset) % len(KINDS)]
        if _is_comparable(name, kind, explanation):
            compared(name, kind, FORWARD[explanation], norm)


def _is_comparable(name: str, kind: str, explanation: str) -> bool:
    """The lens puts other residual streams behind the last layer: a hook there would undo that, and what a patch of the
    last norm makes of them depends on them unless it is constant. An inspection calls the parts of its layer, so that
    a hook on the whole layer is not called."""
    if explanation == "logit lens":
        return name != "decoder.1.residual.after" and (name != "decoder.final_norm" or kind in CONSTANT)
    stack, layer = name.split(".")[:2]
    kind_of_head, place = (*explanation.removeprefix("inspection of ").split(" "), "")[:2]
    is_own = (stack == "encoder") == (kind_of_head == "encoder_self") and place.startswith(layer)
    return not (explanation.startswith("inspection") and name.endswith("residual.after") and is_own)


@pytest.mark.nightly
@pytest.mark.parametrize("explanation", CHANGING)
@pytest.mark.parametrize("name", MODULES)
def test_an_explanation_that_changes_the_model_keeps_its_patches(name: str, explanation: str) -> None:
    is_slow = explanation == "integrated gradients"  # a path of 50 points for each prediction
    for kind in CONSTANT[:1] if is_slow else CONSTANT:
        compared(name, kind, CHANGING[explanation])
