"""The data for the page's engine; tests/js/engine.test.js compares the engine's results with Python's."""

import dataclasses
import hashlib
import json

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load

import model
from benchmarks.serving import ROOT
from model.bundle import Bundle
from tests.checkpoint import save_tiny
from tests.js import alone_golden, confidence_golden, engine_golden, reader_golden, steps_golden
from viz.export.engine import EngineError, engine_files

GOLDEN = json.loads(engine_golden.FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return model.load()


def test_the_golden_file_is_what_python_computes(bundle):
    sentences = engine_golden.held_out()
    assert sentences == GOLDEN["sentences"]
    assert [engine_golden.ids_of(bundle, text) for text in sentences] == GOLDEN["ids"]
    assert [engine_golden.hard(bundle, text) for text in engine_golden.HARD] == GOLDEN["hard"]
    chosen = sentences[:: engine_golden.STEP][:20]
    assert engine_golden.translations(bundle, chosen) == GOLDEN["translations"][:20]
    for changes, known in zip(engine_golden.CHANGES, GOLDEN["cases"], strict=False):
        found = engine_golden.case(bundle, engine_golden.SHORT, changes)
        assert json.loads(json.dumps(found["edits"])) == known["edits"]
        assert found["target"] == known["target"]
        assert np.allclose(found["logProbs"], known["logProbs"], atol=1e-4)


@pytest.mark.nightly
def test_the_golden_file_of_the_steps_is_what_python_computes(bundle):
    known = json.loads(steps_golden.FILE.read_text("utf-8"))
    found = json.loads(json.dumps(steps_golden.made(bundle)))
    for name in ("logits", "settings", "drawn"):
        assert found[name] == known[name]
    for ours, theirs in zip(found["filtered"], known["filtered"], strict=True):
        assert (ours["ids"], ours["count"]) == (theirs["ids"], theirs["count"])
        assert np.allclose(ours["probabilities"], theirs["probabilities"], atol=1e-6)
    for ours, theirs in zip(found["neighbours"], known["neighbours"], strict=True):
        assert ours["ids"] == theirs["ids"] and np.allclose(ours["cosines"], theirs["cosines"], atol=1e-4)


def test_the_golden_file_of_the_reader_is_what_python_computes():
    known = json.loads(reader_golden.FILE.read_text("utf-8"))
    bundle = model.load("reader")
    found = json.loads(json.dumps(reader_golden.made(bundle)))
    assert found["config"] == known["config"]
    assert found["drawn"] == known["drawn"]
    assert [each["text"] for each in found["photos"]] == [each["text"] for each in known["photos"]]
    assert [(each["says"], each["target"]) for each in found["cases"]] == [
        (each["says"], each["target"]) for each in known["cases"]
    ]
    files = engine_files(bundle, precision="i8")
    assert len(files.weights) + len(files.vocabulary) < 8_000_000


@pytest.mark.nightly
def test_the_golden_file_of_the_decoder_only_model_is_what_python_computes():
    known = json.loads(alone_golden.FILE.read_text("utf-8"))
    found = json.loads(json.dumps(alone_golden.made(model.load(alone_golden.FOLDER))))
    assert found["config"] == known["config"]
    for ours, theirs in zip(found["cases"], known["cases"], strict=True):
        assert [ours[name] for name in ("text", "edits", "read", "target", "written")] == [
            theirs[name] for name in ("text", "edits", "read", "target", "written")
        ]
        assert np.allclose(ours["maps"], theirs["maps"], atol=1e-5)
    assert np.allclose(found["head"]["scores"][:7], known["head"]["scores"][:7], atol=1e-4)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"norm_kind": "layer"}, "norm_kind is 'layer', but a page supports only 'rms'"),
        ({"activation": "gelu"}, "activation is 'gelu', but a page supports only 'silu'"),
        ({"parallel": True}, "parallel is True, but a page supports only False"),
    ],
)
def test_a_decoder_only_model_of_another_kind_is_refused_by_name(changes, message):
    bundle = model.load(alone_golden.FOLDER)
    specs = tuple(dataclasses.replace(spec, **changes) for spec in bundle.config.layer_specs)
    changed = dataclasses.replace(bundle, config=dataclasses.replace(bundle.config, layer_specs=specs))
    with pytest.raises(EngineError, match=message):
        engine_files(changed)


@pytest.mark.nightly
def test_the_golden_file_of_warnings_is_what_python_computes(bundle):
    known = json.loads(confidence_golden.FILE.read_text("utf-8"))
    found = confidence_golden.made(bundle)
    assert found["calibration"] == known["calibration"]
    for ours, theirs in zip(found["cases"], known["cases"], strict=True):
        assert (ours["text"], ours["loop"]) == (theirs["text"], theirs["loop"])
        assert abs(ours["poor"] - theirs["poor"]) < 1e-3


def test_sixteen_bits_are_the_shipped_weights_under_the_shipped_names(bundle):
    sent = load(engine_files(bundle).weights)
    with safe_open(ROOT / "pretrained/en-fr" / "model.safetensors", "numpy") as shipped:
        assert set(sent) == set(shipped.keys())
        assert all(np.array_equal(sent[name], shipped.get_tensor(name)) for name in sent)


def test_eight_bits_are_half_the_bytes_and_nearly_the_same(bundle):
    sent = load(engine_files(bundle, precision="i8").weights)
    exact = load(engine_files(bundle).weights)
    name = "encoder.embedding.weight"
    assert sent[name].dtype == np.int8
    steps = sent[f"{name}.scale"]
    assert (np.abs(sent[name] * steps[:, None] - exact[name]).max(1) <= 0.51 * steps).all()
    assert sum(values.nbytes for values in sent.values()) < 0.53 * sum(values.nbytes for values in exact.values())


def test_names_say_what_a_file_holds(bundle):
    files = engine_files(bundle)
    for part, content in (("weights", files.weights), ("vocabulary", files.vocabulary)):
        said = files.header[part]
        assert said["sha256"] == hashlib.sha256(content).hexdigest()
        assert said["sha256"][:12] in said["name"]
        assert files.named()[said["name"]] == content


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"activation": "gelu"}, "activation is 'gelu', but a page supports only 'relu'"),
        ({"encoder_norm_first": False}, "norm_place is 'post', but a page supports only 'pre'"),
        ({"gated_feed_forward": True}, "gated_feed_forward is True, but a page supports only False"),
        ({"encoder_window": 3}, "window is 3, but a page supports only None"),
    ],
)
def test_a_model_that_the_page_does_not_know_is_refused_by_name(bundle, changes, message):
    changed = dataclasses.replace(bundle, config=dataclasses.replace(bundle.config, **changes))
    with pytest.raises(EngineError, match=message):
        engine_files(changed)


def test_a_vocabulary_that_the_page_does_not_know_is_refused(tmp_path):
    with pytest.raises(EngineError, match="a page supports only SentencePiece vocabularies"):
        engine_files(dataclasses.replace(model.load(save_tiny(tmp_path / "tiny")), config=model.load().config))
