"""The files of the JavaScript engine; tests/js/engine.test.js compares the engine's results with Python's."""

import dataclasses
import hashlib
import json

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load

import model
from model.bundle import Bundle
from tests.checkpoint import save_tiny
from tests.js import engine_golden, steps_golden
from tests.js.engine_golden import golden as golden_of
from tests.serving import ROOT
from viz.export.engine import EngineError, engine_files

GOLDEN = golden_of("engine")


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
    for changes, golden in zip(engine_golden.CHANGES, GOLDEN["cases"], strict=False):
        computed = engine_golden.case(bundle, engine_golden.SHORT, changes)
        assert json.loads(json.dumps(computed["edits"])) == golden["edits"]
        assert computed["target"] == golden["target"]
        assert np.allclose(computed["logProbs"], golden["logProbs"], atol=1e-4)


@pytest.mark.nightly
def test_the_golden_file_of_the_steps_is_what_python_computes(bundle):
    golden = golden_of("steps")
    computed = json.loads(json.dumps(steps_golden.made_steps(bundle)))
    for name in ("logits", "settings", "drawn"):
        assert computed[name] == golden[name]
    for row, golden_row in zip(computed["filtered"], golden["filtered"], strict=True):
        assert (row["ids"], row["count"]) == (golden_row["ids"], golden_row["count"])
        assert np.allclose(row["probabilities"], golden_row["probabilities"], atol=1e-6)
    for row, golden_row in zip(computed["neighbours"], golden["neighbours"], strict=True):
        assert row["ids"] == golden_row["ids"] and np.allclose(row["cosines"], golden_row["cosines"], atol=1e-4)


def test_the_golden_file_of_the_reader_is_what_python_computes():
    golden = golden_of("reader")
    bundle = model.load("reader")
    computed = json.loads(json.dumps(engine_golden.made_reader(bundle)))
    assert computed["config"] == golden["config"]
    assert computed["drawn"] == golden["drawn"]
    assert [photo["text"] for photo in computed["photos"]] == [photo["text"] for photo in golden["photos"]]
    assert [(case["says"], case["target"]) for case in computed["cases"]] == [
        (case["says"], case["target"]) for case in golden["cases"]
    ]
    files = engine_files(bundle, precision="i8")
    assert len(files.weights) + len(files.vocabulary) < 8_000_000


@pytest.mark.nightly
def test_the_golden_file_of_the_decoder_only_model_is_what_python_computes():
    golden = golden_of("alone")
    computed = json.loads(json.dumps(engine_golden.made_alone(model.load("tiny-decoder"))))
    assert computed["config"] == golden["config"]
    for case, golden_case in zip(computed["cases"], golden["cases"], strict=True):
        assert [case[name] for name in ("text", "edits", "read", "target", "written")] == [
            golden_case[name] for name in ("text", "edits", "read", "target", "written")
        ]
        assert np.allclose(case["maps"], golden_case["maps"], atol=1e-5)
    assert np.allclose(computed["head"]["scores"][:7], golden["head"]["scores"][:7], atol=1e-4)


@pytest.mark.nightly
def test_the_golden_file_of_warnings_is_what_python_computes(bundle):
    golden = golden_of("confidence")
    computed = steps_golden.made_confidence(bundle)
    assert computed["calibration"] == golden["calibration"]
    for case, golden_case in zip(computed["cases"], golden["cases"], strict=True):
        assert (case["text"], case["loop"]) == (golden_case["text"], golden_case["loop"])
        assert abs(case["poor"] - golden_case["poor"]) < 1e-3


def test_sixteen_bits_are_the_shipped_weights_under_the_shipped_names(bundle):
    tensors = load(engine_files(bundle).weights)
    with safe_open(ROOT / "pretrained/en-fr" / "model.safetensors", "numpy") as shipped:
        assert set(tensors) == set(shipped.keys())
        assert all(np.array_equal(tensors[name], shipped.get_tensor(name)) for name in tensors)


def test_eight_bits_are_half_the_bytes_and_nearly_the_same(bundle):
    tensors = load(engine_files(bundle, precision="i8").weights)
    exact = load(engine_files(bundle).weights)
    name = "encoder.embedding.weight"
    assert tensors[name].dtype == np.int8
    steps = tensors[f"{name}.scale"]
    assert (np.abs(tensors[name] * steps[:, None] - exact[name]).max(1) <= 0.51 * steps).all()
    assert sum(values.nbytes for values in tensors.values()) < 0.53 * sum(values.nbytes for values in exact.values())


def test_the_names_of_files_contain_their_digests(bundle):
    files = engine_files(bundle)
    for part, content in (("weights", files.weights), ("vocabulary", files.vocabulary)):
        description = files.header[part]
        assert description["sha256"] == hashlib.sha256(content).hexdigest()
        assert description["sha256"][:12] in description["name"]
        assert files.named()[description["name"]] == content


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("en-fr", {"activation": "gelu"}, "activation is 'gelu', but a page supports only 'relu'"),
        ("en-fr", {"encoder_norm_first": False}, "norm_place is 'post', but a page supports only 'pre'"),
        ("en-fr", {"gated_feed_forward": True}, "gated_feed_forward is True, but a page supports only False"),
        ("en-fr", {"encoder_window": 3}, "window is 3, but a page supports only None"),
        ("tiny-decoder", {"norm_kind": "layer"}, "norm_kind is 'layer', but a page supports only 'rms'"),
        ("tiny-decoder", {"activation": "gelu"}, "activation is 'gelu', but a page supports only 'silu'"),
        ("tiny-decoder", {"parallel": True}, "parallel is True, but a page supports only False"),
    ],
)
def test_a_model_that_a_page_cannot_run_is_refused_by_name(name, changes, message):
    bundle = model.load(name)
    if name == "tiny-decoder":
        changes = {"layer_specs": tuple(dataclasses.replace(spec, **changes) for spec in bundle.config.layer_specs)}
    changed = dataclasses.replace(bundle, config=dataclasses.replace(bundle.config, **changes))
    with pytest.raises(EngineError, match=message):
        engine_files(changed)


def test_a_vocabulary_that_a_page_cannot_read_is_refused(tmp_path):
    with pytest.raises(EngineError, match="a page supports only SentencePiece vocabularies"):
        engine_files(dataclasses.replace(model.load(save_tiny(tmp_path / "tiny")), config=model.load().config))
