"""Gradients by recorded activations equal plain hooks, and finite differences by patches."""

from typing import Any

import numpy as np
import pytest
import torch

import model
from tests.checkpoint import tiny_bundle
from tests.tiny import POST_NORM

TEXT, TRANSLATION = "the cat is on the sofa .", "le chat est sur"
HOOKED = {
    "encoder.0.residual.after": lambda run: run.encoder.layers[0],
    "decoder.0.self.output": lambda run: run.decoder.layers[0].self_attention.output,
    "decoder.1.feed_forward.output": lambda run: run.decoder.layers[1].feed_forward,
}


@pytest.mark.parametrize("name", HOOKED)
@pytest.mark.parametrize("variant", [{}, POST_NORM])
def test_gradients_equal_those_of_hooks(name: str, variant: dict[str, Any]) -> None:
    bundle = tiny_bundle(**variant)
    recording = model.record(bundle, TEXT, TRANSLATION, names=name, gradients_of=2)
    outputs: list[torch.Tensor] = []

    def hook(_module: Any, _inputs: Any, out: Any) -> None:
        outputs.append(out[0] if isinstance(out, tuple) else out)
        outputs[0].retain_grad()

    handle = HOOKED[name](bundle.model).register_forward_hook(hook)
    trace = recording.trace
    with torch.enable_grad():
        logits = bundle.model(torch.tensor([trace.source.ids]), torch.tensor([trace.prefix.ids])).logits[0]
        logits.log_softmax(-1)[2, trace.target.ids[2]].backward()
    handle.remove()
    bundle.model.zero_grad()
    assert outputs[0].grad is not None and np.abs(recording.gradients[name]).max() > 0
    np.testing.assert_allclose(recording.gradients[name], outputs[0].grad.numpy(), atol=1e-5)
    np.testing.assert_allclose(recording[name], outputs[0].detach().numpy(), atol=1e-5)


def test_every_activation_has_a_gradient_of_its_shape_and_equal_arrays() -> None:
    bundle = tiny_bundle()
    off = model.Interventions(model.HeadAblation("cross", 1, 0))
    plain = model.record(bundle, TEXT, TRANSLATION, interventions=off)
    recording = model.record(bundle, TEXT, TRANSLATION, interventions=off, gradients_of="log_prob")
    assert set(recording.gradients) == set(recording) == set(plain)
    for name, array in recording.arrays.items():
        assert recording.gradients[name].shape == array.shape
        np.testing.assert_allclose(array, plain[name], atol=1e-5)
    assert not plain.gradients
    logits = recording.gradients["logits"][0]
    expected = -torch.tensor(recording["logits"][0]).softmax(-1).numpy()
    expected[range(len(expected)), recording.trace.target.ids] += 1
    np.testing.assert_allclose(logits, expected, atol=1e-5)


def test_a_function_of_the_logits_is_differentiated_and_mistakes_are_named() -> None:
    bundle, name = tiny_bundle(), "decoder.1.residual.after"
    recording = model.record(
        bundle, TEXT, TRANSLATION, names=name, gradients_of=lambda logits: logits[1, 7] - logits[1, 9]
    )
    assert recording.gradients[name][0, 1].any() and not recording.gradients[name][0, [0, 2, 3]].any()
    cases: list[tuple[Any, str]] = [(99, "there is no step"), ("margin", "give a step"), (lambda x: x, "one number"),
                                    (lambda x: 3.0, "one number")]  # fmt: skip
    for wrong, message in cases:
        with pytest.raises(model.RecordingError, match=message):
            model.record(bundle, TEXT, TRANSLATION, names=name, gradients_of=wrong)


@pytest.mark.nightly("None")
@pytest.mark.parametrize("gradients_of", [None, "log_prob"])
@pytest.mark.parametrize("targets", [None, ["le chat", "un chien est sur le canapé", "le"]])
def test_texts_of_a_list_are_recorded_as_each_alone(gradients_of: Any, targets: list[str] | None) -> None:
    bundle, texts = tiny_bundle(), ["the cat is on the sofa .", "dog", "the dog is sleeping"]
    edits = model.Interventions(patches=model.Patch("encoder.0.residual.after", positions=(1, 4), scale=0.5))
    names = ("encoder.*.self.weights", "decoder.1.cross.*", "decoder.*.residual.after", "logits")
    together = model.record(bundle, texts, targets, names=names, interventions=edits, gradients_of=gradients_of)
    assert len(together) == 3
    for index, trace in enumerate(together):
        assert isinstance(trace, model.Recording)
        fitting = edits.within(n_source=len(trace.trace.source), n_target=99)
        alone = model.record(
            bundle, texts[index], None if targets is None else targets[index], names=names, interventions=fitting,
            gradients_of=gradients_of,
        )  # fmt: skip
        assert set(trace) == set(alone) and trace.trace.target.ids == alone.trace.target.ids
        for name in alone:
            np.testing.assert_allclose(trace[name], alone[name], atol=1e-4)
            if gradients_of:
                np.testing.assert_allclose(trace.gradients[name], alone.gradients[name], atol=1e-4)


def test_a_text_of_a_list_that_cannot_be_read_gives_its_error() -> None:
    recording = model.record(tiny_bundle(), ["the cat", "", "dog"], names="logits")
    assert isinstance(recording[1], model.TextError) and isinstance(recording[0], model.Recording)


def test_a_trace_is_recorded_as_its_text_is_under_its_own_interventions() -> None:
    bundle = tiny_bundle()
    off = model.Interventions(model.HeadAblation("cross", 0, 1))
    texts, names = ["the cat is sleeping .", "the dog"], "decoder.1.cross.output"
    traces = [model.translate(bundle, text, interventions=off) for text in texts]
    for trace, text, many in zip(traces, texts, model.record(bundle, traces, names=names), strict=True):
        by_text = model.record(bundle, text, names=names, interventions=off, gradients_of=0)
        by_trace = model.record(bundle, trace, names=names, gradients_of=0)
        assert isinstance(many, model.Recording) and many.trace == by_trace.trace == trace
        for other in (by_trace, many):
            np.testing.assert_allclose(other[names], by_text[names], atol=1e-6)
        np.testing.assert_allclose(by_trace.gradients[names], by_text.gradients[names], atol=1e-6)
    plain = model.record(bundle, traces[0], names=names, interventions=model.NONE)[names]
    assert not np.array_equal(plain, model.record(bundle, traces[0], names=names)[names])
    with pytest.raises(model.RecordingError, match="a trace has its own translation"):
        model.record(bundle, traces[0], "le chat", names=names)  # type: ignore[call-overload]


@pytest.mark.nightly("decoder")
@pytest.mark.parametrize("name", ["tiny", "tiny-decoder"])
def test_a_recording_in_sixteen_bits_is_of_the_pass_that_was_scored(name: str) -> None:
    bundle = model.load(name, dtype="bfloat16")
    trace = model.score(bundle, "The cat is sleeping on the sofa.", "Le chat dort sur le canapé.")
    requested = (
        ("logits",),
        ("decoder.*.residual.after", "logits"),
        ("decoder.*.self.*", "decoder.0.residual.after", "logits"),
    )
    results = [model.record(bundle, trace, names=names) for names in requested]
    for recording in results:
        logits = torch.from_numpy(recording["logits"][0])
        log_probs = logits.log_softmax(-1)[range(len(trace.target)), list(trace.target.ids)]
        np.testing.assert_allclose(log_probs.numpy(), trace.log_probs, atol=1e-5)
    np.testing.assert_array_equal(results[1]["decoder.0.residual.after"], results[2]["decoder.0.residual.after"])
