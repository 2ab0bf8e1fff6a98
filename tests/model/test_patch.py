"""Named activations: recording changes nothing, and recording and patching equal plain hooks."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import model
from model import InterventionError, Interventions, Patch
from model.activations import ATTENTION, EMBEDDING, FEED_FORWARD, FINAL_NORM, LAYERS, LOGITS, activation_shapes
from model.interpret.recording import RecordingError
from model.intervention_text import read_interventions, write_interventions
from tests.tiny import POST_NORM, T5, tiny_batch, tiny_config, tiny_model

SHAPES = activation_shapes(tiny_config())
PATCHABLE = [name for name in SHAPES if name != "logits"]
DOCUMENT = Path(__file__).parents[2] / "docs" / "activations.md"
KINDS: dict[str, dict[str, Any]] = {"pre-norm": {}, "post-norm": POST_NORM, "T5": T5}


def only(*patches: Patch) -> Interventions:
    return Interventions(patches=patches)


@pytest.fixture(autouse=True)
def _without_gradients() -> Any:
    with torch.no_grad():
        yield


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return model.load("tiny")


def record(run: Any, source: torch.Tensor, target: torch.Tensor) -> dict[str, torch.Tensor]:
    names = frozenset(SHAPES)
    encoded = run.encode(source, record=names)
    decoded = run.decode(target, encoded, record=names)
    return {**encoded.recorded, **decoded.recorded, "logits": run.project(decoded.hidden)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_activation_is_recorded_in_the_tables_shape(kind: str) -> None:
    run, (source, target) = tiny_model(**KINDS[kind]), tiny_batch()
    activations = record(run, source, target)
    letters = {"B": 3, "S": 6, "T": 5, "H": 2, "K": 8, "M": 8, "D": 16, "F": 32, "V": 20}
    assert {name: tuple(x.shape) for name, x in activations.items()} == {
        name: tuple(letters[letter] for letter in shape) for name, shape in SHAPES.items()
    }


@pytest.mark.parametrize("kind", ["pre-norm", "T5"])
def test_recorded_outputs_add_up_to_the_recorded_states(kind: str) -> None:
    run, (source, target) = tiny_model(**KINDS[kind]), tiny_batch()
    activations = record(run, source, target)
    sublayers = {"encoder": ("self", "feed_forward"), "decoder": ("self", "cross", "feed_forward")}
    for stack, parts in sublayers.items():
        states = ("before", "middle", "after") if stack == "encoder" else ("before", "middle", "after_cross", "after")
        for place in (f"{stack}.0", f"{stack}.1"):
            for part, (start, end) in zip(parts, pairwise(states), strict=True):
                expected = activations[f"{place}.residual.{start}"] + activations[f"{place}.{part}.output"]
                assert_close(activations[f"{place}.residual.{end}"], expected, atol=1e-5, rtol=1e-5)
        assert_close(activations[f"{stack}.1.residual.before"], activations[f"{stack}.0.residual.after"])
    layer: Any = run.decoder.layers[1]
    bias = layer.cross_attention.output.bias
    written = activations["decoder.1.cross.head_output"].sum(1) + (0.0 if bias is None else bias)
    assert_close(written, activations["decoder.1.cross.output"], atol=1e-5, rtol=1e-5)


@pytest.mark.nightly(but=("post",))
@pytest.mark.parametrize("kind", KINDS)
def test_an_activation_patched_with_itself_changes_nothing(kind: str) -> None:
    """In double precision: recording computes some sums in another order, which single precision rounds at 1e-6."""
    run, (source, target) = tiny_model(**KINDS[kind]).double(), tiny_batch()
    source, target = source[:1], target[:1]
    activations = record(run, source, target)
    for name in PATCHABLE:
        patched = run(source, target, interventions=only(Patch(name, value=activations[name].numpy())))
        assert_close(
            patched.logits, activations["logits"], atol=1e-6, rtol=0, msg=lambda text, name=name: f"{name}: {text}"
        )


def test_an_activation_set_to_zero_changes_the_outcome() -> None:
    run, (source, target) = tiny_model(), tiny_batch()
    plain = run(source, target).logits
    for name in PATCHABLE:
        patched = run(source, target, interventions=only(Patch(name, zero=True))).logits
        assert not torch.allclose(plain, patched), name


DIRECTION = torch.randn(16, generator=torch.Generator().manual_seed(5))


def test_several_changes_of_one_activation_act_one_after_the_other() -> None:
    run, (source, target) = tiny_model(), tiny_batch()
    name = "decoder.1.feed_forward.output"
    twice = [Patch(name, add=DIRECTION), Patch(name, scale=2.0), Patch(name, positions=0, add=DIRECTION)]  # type: ignore[arg-type]
    changed: Any = run.decoder.layers[1]
    changed = changed.feed_forward.fc2

    def hook(_module: Any, _inputs: Any, out: torch.Tensor) -> torch.Tensor:
        out = 2 * (out + DIRECTION)
        out[:, 0] += DIRECTION
        return out

    got = run(source, target, interventions=only(*twice)).logits
    handle = changed.register_forward_hook(hook)
    expected = run(source, target).logits
    handle.remove()
    assert_close(got, expected, atol=1e-5, rtol=1e-5)


def test_a_direction_for_each_head_and_numbers_for_each_position() -> None:
    run, (source, target) = tiny_model(), tiny_batch()
    source, target = source[:1], target[:1]
    directions = np.random.default_rng(3).random((2, 1, 8), np.float32)
    name = "decoder.0.cross.mixed"
    patched = only(Patch(name, project_out=directions))
    result = run.decode(target, run.encode(source), interventions=patched, record=frozenset({name})).recorded[name]
    along = np.einsum("bhqm,hm->bhq", result.numpy(), directions[:, 0])
    np.testing.assert_allclose(along, 0, atol=1e-5)
    plain = run.decode(target, run.encode(source), record=frozenset({name})).recorded[name]
    rows = np.random.default_rng(4).random((2, 2, 8), np.float32)
    added = only(Patch(name, positions=(3, 1), add=rows, strength=0.5))
    result = run.decode(target, run.encode(source), interventions=added, record=frozenset({name})).recorded[name]
    expected = plain.clone()
    expected[0, :, [3, 1]] += 0.5 * torch.tensor(rows)
    assert_close(result, expected)


def test_a_function_gets_each_real_position_and_of_weights_the_visible_keys(bundle: model.Bundle) -> None:
    seen: list[tuple[int, ...]] = []

    def look(x: torch.Tensor) -> torch.Tensor:
        seen.append(tuple(x.shape))
        return x

    texts, targets = ["He reads.", "The little girl is reading a book."], ["Il lit.", "La petite fille lit un livre."]
    alone = [model.score(bundle, *pair) for pair in zip(texts, targets, strict=True)]
    for name, wanted in {
        "encoder.0.residual.after": [(1, 128)] * sum(len(trace.source) for trace in alone),
        "decoder.0.self.weights": [(4, 1, n + 1) for trace in alone for n in range(len(trace.target))],
        "decoder.0.cross.scores": [(4, 1, len(trace.source)) for trace in alone for _ in trace.target.ids],
    }.items():
        seen.clear()
        model.score(bundle, texts, targets, interventions=only(Patch(name, apply=look)))
        assert sorted(seen) == sorted(wanted)


def test_a_function_that_returns_something_else_is_named(bundle: model.Bundle) -> None:
    functions: dict[str, Any] = {
        r"was given \(1, 128\) and returned \(1, 3\): return a tensor of the same shape": lambda x: x[..., :3],
        "returned None": lambda x: None,
        "returned NaN or infinity": lambda x: x / 0,
    }
    for message, function in functions.items():
        with pytest.raises(InterventionError, match=message):
            model.translate(bundle, "He reads.", interventions=only(Patch("encoder.embedding", apply=function)))


def test_a_trace_under_a_function_is_not_saved_as_something_else(bundle: model.Bundle, tmp_path: Path) -> None:
    edits = only(Patch("encoder.embedding", apply=torch.tanh))
    trace = model.translate(bundle, "He reads.", interventions=edits)
    with pytest.raises(InterventionError, match="applies a function cannot be saved"):
        trace.save(tmp_path / "trace")
    edits = only(
        Patch("encoder.0.residual.after", positions=(1,), add=np.ones(128), strength=0.5),
        Patch("encoder.1.residual.after", project_out=np.ones(128)),
        Patch("encoder.embedding", scale=0.5),
    )
    trace = model.translate(bundle, "He reads.", interventions=edits)
    assert model.Trace.load(trace.save(tmp_path / "trace")) == trace


def test_changes_travel_in_a_link_and_functions_do_not() -> None:
    retained = only(
        Patch("decoder.1.residual.after", positions=(1, 2), add=[0.5, -1.25], strength=-3.0),
        Patch("encoder.0.self.value", heads=(1,), scale=0.25),
        Patch("encoder.embedding", project_out=[1.0, 2.0]),
    )
    assert read_interventions(write_interventions(retained)) == retained
    function = Patch("encoder.embedding", apply=torch.tanh)
    assert write_interventions(only(function)) == ""
    assert write_interventions(only(function), is_link=False) == "patch:encoder.embedding=function"
    for bad in ("add:nan,1", "add:1", "scale:1e9", "out:0,0", "scale:", "add:1,inf"):
        assert read_interventions(f"patch:encoder.embedding={bad}") == model.NONE


def test_a_head_output_of_zero_equals_the_head_switched_off() -> None:
    run, (source, target) = tiny_model(), tiny_batch()
    off = Interventions((model.HeadOff("cross", 1, 0),))
    zero = only(Patch("decoder.1.cross.head_output", heads=(0,), zero=True))
    mixed = only(Patch("decoder.1.cross.mixed", heads=(0,), zero=True))
    expected = run(source, target, interventions=off).logits
    for patched in (zero, mixed):
        assert_close(run(source, target, interventions=patched).logits, expected, atol=1e-5, rtol=1e-5)


LAST = Patch("encoder.1.residual.after", from_text="The birds are sleeping.")


def test_the_last_layer_of_another_text_makes_the_model_translate_the_other_text(bundle: model.Bundle) -> None:
    here, there = "The cats are sleeping.", "The birds are sleeping."
    assert len(model.translate(bundle, here).source) == len(model.translate(bundle, there).source)
    got, expected = (model.translate(bundle, here, interventions=only(LAST)), model.translate(bundle, there))
    assert got.text == expected.text
    np.testing.assert_allclose(got.log_probs, expected.log_probs, atol=1e-5)
    target = "Les chats dorment."
    forced = model.score(bundle, here, target, interventions=only(LAST))
    np.testing.assert_allclose(forced.log_probs, model.score(bundle, there, target).log_probs, atol=1e-5)


WRONG = {
    "there is no activation 'encoder.7.self.query'": Patch("encoder.7.self.query", zero=True),
    "has no head 9": Patch("encoder.0.self.query", heads=(9,), zero=True),
    "has no heads": Patch("encoder.0.residual.after", heads=(0,), zero=True),
    "has no position 40": Patch("encoder.0.residual.after", positions=(40,), zero=True),
    "is 3×5": Patch("encoder.0.residual.after", positions=(1,), value=np.zeros((3, 5))),
    "patch decoder.final_norm": Patch("logits", zero=True),
    "does not fit": Patch("encoder.0.self.weights", from_text="The dogs are running away."),
    "of the other text has no position 3": Patch("encoder.0.residual.after", positions=(3,), from_text="Go."),
    "noise needs a vector": Patch("decoder.0.self.scores", noise=1),
    "project_out needs a vector": Patch("decoder.0.self.scores", project_out=[1.0]),
    "project_out of the patch of .* is 1: give": Patch("encoder.embedding", project_out=[1.0]),
    "add of the patch of .* is 5: give": Patch("encoder.embedding", add=np.ones(5)),
}


@pytest.mark.parametrize("message", WRONG)
def test_patches_that_do_not_fit_are_refused_before_a_pass(bundle: model.Bundle, message: str) -> None:
    with pytest.raises(InterventionError, match=message):
        model.translate(bundle, "He reads.", interventions=only(WRONG[message]))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "has nothing"),
        ({"zero": True, "mean": True}, "mean and zero"),
        ({"value": [float("nan")]}, "must be finite"),
        ({"zero": True, "positions": (-1,)}, "whole numbers from 0"),
        ({"zero": True, "heads": (1, 1)}, "without repeats"),
        ({"from_text": 5}, "from_text is 5: give a text"),
        ({"noise": "7"}, "noise is '7': give a whole number"),
        ({"name": 5, "zero": True}, r"name is 5: give a name that model\.activation_names lists"),
        ({"noise": 1, "noise_scale": "3"}, "noise_scale is '3': give a number"),
        ({"zero": "no"}, "zero is 'no': give True or False"),
        ({"mean": 1}, "mean is 1: give True or False"),
        ({"zero": True, "positions": True}, "whole numbers from 0"),
        ({"zero": True, "positions": np.array([0.5])}, "whole numbers from 0"),
        ({"value": np.array([1j])}, "not an array of real numbers"),
        ({"value": torch.tensor([1j])}, "not an array of real numbers"),
        ({"value": np.zeros((0, 4))}, r"empty \(0×4\): give at least one number"),
        ({"value": 1e39}, "must be finite"),
        ({"add": [1.0], "zero": True}, "zero and add"),
        ({"add": [1.0], "strength": float("nan")}, "strength .nan. must be between"),
        ({"add": [1.0], "strength": "2"}, "strength is '2': give a number"),
        ({"scale": 1e7}, "scale .* must be between -1e\\+06 and 1e6"),
        ({"project_out": np.zeros(4)}, "is zero: give a direction"),
        ({"apply": 3}, "apply is 3: give a function"),
    ],
)
def test_the_error_of_a_wrong_patch_names_the_field(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InterventionError, match=message):
        Patch(**{"name": "encoder.0.residual.after"} | fields)  # type: ignore[arg-type]


def test_patches_are_values() -> None:
    first, second = (Patch("encoder.0.residual.after", value=np.ones(4)) for _ in range(2))
    assert first == second and hash(first) == hash(second) and repr(first) == repr(second)
    assert Patch("encoder.embedding", noise=np.int64(3)).noise == 3  # type: ignore[arg-type]
    assert repr(first) != repr(Patch("encoder.0.residual.after", value=np.zeros(4)))
    for places in (np.array([2, 0]), torch.tensor([2, 0]), [np.int64(2), 0]):
        assert Patch("encoder.embedding", positions=places, zero=True).positions == (2, 0)  # type: ignore[arg-type]
    assert Patch("encoder.embedding", positions=torch.tensor(1), zero=True).positions == (1,)  # type: ignore[arg-type]
    for precision in (torch.float64, torch.bfloat16):
        value = torch.ones(4, dtype=precision, requires_grad=True)
        assert Patch("encoder.0.residual.after", value=value) == first
    one_alone: Any = first
    assert Interventions(patches=one_alone).patches == (first,)


def test_record_takes_patterns_and_gives_arrays_beside_the_trace(bundle: model.Bundle) -> None:
    recording = model.record(bundle, "He reads.", names=("decoder.*.cross.head_output",))
    trace = recording.trace
    assert list(recording) == ["decoder.0.cross.head_output", "decoder.1.cross.head_output"]
    assert recording["decoder.0.cross.head_output"].shape == (1, 4, len(trace.target), 128)
    outputs = list(model.record(bundle, "He reads.", names="*.residual.after"))
    assert outputs == [f"{stack}.{layer}.residual.after" for stack in ("encoder", "decoder") for layer in (0, 1)]
    everything = model.record(bundle, "He reads.", "Il lit.")
    assert set(everything) == set(model.activation_names(bundle)) and everything.trace.text == "Il lit."
    weights = everything.trace.attention.cross
    assert weights is not None
    np.testing.assert_allclose(everything["decoder.1.cross.weights"][0], weights[1], atol=1e-6)
    with pytest.raises(RecordingError, match=r"near it are encoder\.0\.self\.query"):
        model.record(bundle, "He reads.", names="encoder.0.self.qery")
    wrong: list[Any] = [5, None, (5,)]
    for names in wrong:
        with pytest.raises(RecordingError, match="must be names or patterns"):
            model.record(bundle, "He reads.", names=names)
    with pytest.raises(KeyError, match=r"logits.*was not recorded: give it in names="):
        recording["logits"]


def _table() -> str:
    """The table of docs/activations.md, generated from the code."""
    parts = [("`encoder.embedding`", "BSD", EMBEDDING.meaning)]
    for stack, queries in (("encoder", "S"), ("decoder", "T")):
        if stack == "decoder":
            parts.append(("`decoder.embedding`", "BTD", EMBEDDING.meaning))
        shapes = activation_shapes(tiny_config(n_encoder_layers=1, n_decoder_layers=1))
        for sublayer, _, members in LAYERS[stack]:
            for part in members:
                shape = shapes[f"{stack}.0.{sublayer}.{part.name}"]
                parts.append((f"`{stack}.L.{sublayer}.{part.name}`", "".join(shape), part.meaning))
        parts.append((f"`{stack}.final_norm`", f"B{queries}D", FINAL_NORM.meaning))
    parts.append(("`logits`", "BTV", LOGITS.meaning))
    return "\n".join(f"| {name} | ({', '.join(shape)}) | {meaning} |" for name, shape, meaning in parts)


def test_the_document_lists_every_name_with_its_shape() -> None:
    """If this fails, put the output of ``_table()`` into the document."""
    assert _table() in DOCUMENT.read_text("utf-8")
    assert {part.name for part in (*ATTENTION, *FEED_FORWARD)} >= {"query", "hidden"}
