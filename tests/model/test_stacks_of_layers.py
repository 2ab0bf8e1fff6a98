"""An encoder-decoder whose layers are of kinds of their own has every right that the paper's has."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import model
from model.interpret.editing.graph import Graph, GraphPass
from model.interpret.tracing.pair_reading import CausalError
from model.layer_spec import fields_of_layers
from model.nn.transformer import Transformer
from tests.checkpoint import tiny_bundle
from tests.tiny import heterogeneous_stacks, tiny_model

TEXT, OTHER = "the cat is on the sofa .", "the dog is on the sofa ."


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return tiny_bundle(**heterogeneous_stacks())


@pytest.fixture(scope="module")
def trace(bundle: model.Bundle) -> model.Trace:
    return model.translate(bundle, TEXT, max_length=7, stop_loops=False)


def test_layers_listed_from_the_fields_compute_the_same(trace: model.Trace) -> None:
    plain = tiny_model()
    layers = (*plain.config.layers(encoder=True), *plain.config.layers(encoder=False))
    listed = Transformer(dataclasses.replace(plain.config, **fields_of_layers(layers, is_decoder=False))).eval()
    listed.load_state_dict(plain.state_dict())
    source, target = torch.tensor([trace.source.ids]), torch.tensor([trace.prefix.ids])
    with torch.no_grad():
        assert_close(listed(source, target).logits, plain(source, target).logits, rtol=0, atol=0)


def test_it_is_the_same_after_it_was_saved(bundle: model.Bundle, trace: model.Trace, tmp_path: Path) -> None:
    again = model.load(model.save(bundle, tmp_path / "saved"))
    twice = model.load(model.save(again, tmp_path / "twice"))
    assert again.config == bundle.config and again.fingerprint == twice.fingerprint
    result = model.translate(again, TEXT, max_length=7, stop_loops=False)
    assert result.target.ids == trace.target.ids
    np.testing.assert_array_equal(result.log_probs, trace.log_probs)


def test_every_activation_has_its_layers_shape() -> None:
    """Layers of other widths: a patch of one is checked against its own."""
    fields = heterogeneous_stacks()
    first, *others, last = fields["layer_specs"]
    narrow = dataclasses.replace(first.attention, d_key=6, d_value=10)
    crossing = dataclasses.replace(last, cross=dataclasses.replace(last.cross, d_key=4))
    specs = (dataclasses.replace(first, attention=narrow, d_feed_forward=24), *others, crossing)
    fields["layer_specs"] = specs
    bundle = tiny_bundle(**fields)
    recorded = model.record(bundle, TEXT, names="*")
    for name, width in (
        ("encoder.0.self.query", 6), ("encoder.0.self.value", 10), ("encoder.0.feed_forward.hidden", 24),
        ("encoder.1.self.query", 8), ("decoder.0.cross.key", 8), ("decoder.1.cross.key", 4), ("decoder.1.self.key", 8),
    ):  # fmt: skip
        assert recorded[name].shape[-1] == width
        value = np.ones((1, width), np.float32)
        model.record(
            bundle, TEXT, names=name, interventions=model.Interventions(patches=model.Patch(name, value=value))
        )
        with pytest.raises(model.InterventionError, match=f"give .*{width}"):
            wrong = model.Patch(name, value=value[:, 1:])
            model.record(bundle, TEXT, names=name, interventions=model.Interventions(patches=wrong))


def test_a_circuit_follows_windows_and_refuses_other_layers(bundle: model.Bundle) -> None:
    windowed = tiny_model(encoder_window=2)
    source, prefix = torch.tensor([[5, 9, 4, 7, 8]]), torch.tensor([[2, 8, 11]])
    with torch.no_grad():
        outcome = GraphPass(windowed, Graph.of(windowed), source, prefix).run()
        assert_close(outcome, windowed(source, prefix).logits, atol=1e-5, rtol=1e-5)
    with pytest.raises(CausalError, match="layers that do more than the paper's"):
        model.circuit(tiny_bundle(**heterogeneous_stacks(norm_place="pre", residual_scale=1.0)), [(TEXT, OTHER)])


def test_a_layer_wider_than_this_installation_allows_is_refused(
    bundle: model.Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = heterogeneous_stacks()
    *others, last = fields["layer_specs"]
    wide = dataclasses.replace(last, cross=dataclasses.replace(last.cross, d_value=40))
    fields["layer_specs"] = (*others, wide)
    folder = model.save(tiny_bundle(**fields), tmp_path / "wide")
    monkeypatch.setenv("REGARD_MAX_WIDTH", "64")
    with pytest.raises(model.CheckpointError, match=r"heads × d_value \(80\) must be at most 64"):
        model.load(folder)
