"""A trace as a value: short to print, equal by content, tidy as a table, and saved whole."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import model
from model import HeadOff, Interventions, Patch
from model.trace import ShapeError
from model.trace_file import TraceFileError


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return model.load("tiny")


@pytest.fixture(scope="module")
def trace(bundle: model.Bundle) -> model.Trace:
    return model.translate(bundle, "The cat is sleeping.")


def test_a_trace_prints_in_one_line(trace: model.Trace) -> None:
    assert repr(trace).startswith("Trace('The cat is sleeping.' → 'Le chat") and len(repr(trace)) < 120
    assert repr(trace.attention).startswith("AttentionMaps(encoder_self 2×4×")


def test_traces_compare_by_content(bundle: model.Bundle, trace: model.Trace) -> None:
    assert trace == model.translate(bundle, "The cat is sleeping.")
    assert trace != model.translate(bundle, "The dog is sleeping.") and trace != "trace"
    other = trace.log_probs.copy()
    other[0] -= 1
    assert trace != dataclasses.replace(trace, log_probs=other)
    lacking = dataclasses.replace(trace.attention, cross=None)
    assert trace.attention != lacking and lacking != trace.attention


def test_a_table_has_one_weight_a_row(trace: model.Trace) -> None:
    table, weights = trace.to_frame(kind="cross"), trace.attention.cross
    assert weights is not None and len(table) == weights.size
    assert list(table) == ["kind", "layer", "head", "query", "key", "query_token", "key_token", "weight"]
    row = table[(table["layer"] == 1) & (table["head"] == 2) & (table["query"] == 1) & (table["key"] == 3)].iloc[0]
    assert row["weight"] == weights[1, 2, 1, 3]
    assert (row["query_token"], row["key_token"]) == (trace.target_tokens[1], trace.source_tokens[3])
    frame = trace.to_frame(kind="decoder_self")
    assert frame["key_token"].iloc[0] == trace.prefix_tokens[0]
    with pytest.raises(ShapeError, match="choose encoder_self, decoder_self, cross"):
        trace.to_frame(kind="self")  # type: ignore[arg-type]


def test_heads_are_indexed_by_layer_and_head(trace: model.Trace) -> None:
    heads, weights = trace.heads("cross"), trace.attention.cross
    assert weights is not None and len(heads) == weights.shape[0] * weights.shape[1]
    np.testing.assert_array_equal(heads[1, 3], weights[1, 3])
    with pytest.raises(ShapeError, match="no self attention: choose encoder_self, decoder_self, cross"):
        trace.heads("self")  # type: ignore[arg-type]


def test_a_saved_trace_is_read_back_equal(bundle: model.Bundle, tmp_path: Path) -> None:
    edits = Interventions(
        (HeadOff("cross", 0, 1),), (model.ForcedRow("cross", 1, 0, 0, (0.5, 0.5)),), (model.BlockedKey("cross", 1),),
        model.PositionEdit("shift", 2),
        patches=(Patch("encoder.0.residual.after", (1,), value=np.ones(128)),
                 Patch("decoder.1.cross.output", from_text="He reads.")),
    )  # fmt: skip
    for value in (model.NONE, edits):
        trace = model.translate(bundle, "The cat is sleeping.", interventions=value)
        path = trace.save(tmp_path / "one")
        assert path.name == "one.npz" and model.Trace.load(path) == trace
        assert model.Trace.load(tmp_path / "one") == trace, "under the name that it was saved by"


def test_a_file_that_is_no_trace_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.npz").write_text("not a zip")
    np.savez(tmp_path / "other.npz", weights=np.ones(3))
    np.savez(tmp_path / "objects.npz", json=np.array([{}], dtype=object))
    with pytest.raises(TraceFileError, match=r"there is no file .*absent\.npz: give one that Trace\.save wrote"):
        model.Trace.load(tmp_path / "absent")
    for name in ("words.npz", "other.npz", "objects.npz"):
        with pytest.raises(TraceFileError, match="is not a saved trace"):
            model.Trace.load(tmp_path / name)
