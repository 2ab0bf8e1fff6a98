"""The tidy table has every weight once, pandas reads it unchanged, and the examples of docs/attention-files.md run."""

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import model
import viz
from model.attention_files import AttentionRecord, read_attention
from model.attention_files.formats import KNOWN
from model.intervention_text import read_changes, write_changes
from model.trace import AttentionMaps
from tests.checkpoint import tiny_bundle
from tests.tiny import random_rows as rows
from viz.corpus.files import _csv
from viz.export import csv_bytes
from viz.export.tables import COLUMNS, plain

RECORD = AttentionRecord(
    maps=AttentionMaps(rows(1, 2, 3, 3), rows(2, 1, 2, 2), rows(1, 1, 2, 3)),
    source_tokens=("NA", 'a "b",\nc', "=HYPERLINK(1)"),
    target_tokens=("-", "</script>"),
    prefix_tokens=("<s>", "-"),
)


def table(data: bytes) -> pd.DataFrame:
    return pd.read_csv(BytesIO(data), keep_default_na=False)


def test_every_weight_comes_back_from_its_place() -> None:
    frame = table(csv_bytes(RECORD))
    assert tuple(frame.columns) == COLUMNS
    for kind in RECORD.maps.kinds:
        weights = RECORD.maps.of(kind)
        assert weights is not None
        part = frame[frame.kind == kind]
        axes = {
            (layer, head, query, key): weight
            for _, layer, head, query, _, key, _, weight in part.itertuples(index=False, name=None)
        }
        assert all(weight == pytest.approx(float(weights[place]), rel=1e-5) for place, weight in axes.items())
        cells = weights.size if kind != "decoder_self" else 2 * 1 * 3
        assert len(part) == len(axes) == cells


def test_tokens_are_those_of_their_axes() -> None:
    frame = table(csv_bytes(RECORD))
    decoder = frame[(frame.kind == "decoder_self") & (frame["layer"] == 0)]
    assert list(zip(decoder.query_token, decoder.key_token, strict=True)) == [
        ("-", "<s>"), ("</script>", "<s>"), ("</script>", "-")]  # fmt: skip
    encoder = frame[(frame.kind == "encoder_self") & (frame["head"] == 0) & (frame.query_index == 0)]
    assert list(encoder.key_token) == ["NA", 'a "b",\nc', "'=HYPERLINK(1)"]


def test_kinds_and_heads_can_be_chosen() -> None:
    frame = table(csv_bytes(RECORD, kinds=("encoder_self",), heads=((0, 1),)))
    assert set(frame.kind) == {"encoder_self"} and set(frame["head"]) == {1} and len(frame) == 9


def test_a_lifted_mask_brings_back_the_later_keys() -> None:
    record = AttentionRecord(
        maps=AttentionMaps(None, rows(1, 1, 2, 2), None), target_tokens=("a", "b"), is_causal=False
    )
    assert len(table(csv_bytes(record))) == 4


@pytest.mark.parametrize(
    "first", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "＠", "－", "﹦", " =", "\n=", "\u3000＝", "\u00a0="]
)
def test_no_token_begins_a_formula_in_a_spreadsheet(first):
    assert plain(f"{first}SUM(1)") == f"'{first}SUM(1)"
    assert plain("a" + first) == "a" + first
    assert first.strip() != first or plain(first) == first


def test_no_column_that_a_query_names_begins_a_formula() -> None:
    import pandas as pd

    frame = pd.DataFrame({"=HYPERLINK(1)": ["＝1+1", "word"], "n": [-1, 2]})
    assert _csv(frame).decode().splitlines() == ["'=HYPERLINK(1),n", "'＝1+1,-1", "word,2"]


DOCUMENT = Path(__file__).parents[3] / "docs/attention-files.md"


def test_the_documented_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = tiny_bundle()
    monkeypatch.setattr(model, "load", lambda: bundle)
    monkeypatch.chdir(tmp_path)
    namespace = {"model": model, "viz": viz, "bundle": bundle, "weights": np.full((1, 1, 3, 3), 1 / 3, np.float32)}
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    for block in blocks:
        if "bert(" not in block:  # this example needs a model of another library
            exec(block, namespace)
    assert {path.name for path in tmp_path.iterdir()} == {
        "attention.npz", "cat.html", "cat.csv", "cat.json", "cat.npz", "head.pdf"}  # fmt: skip
    assert read_attention(tmp_path / "attention.npz").source_tokens == ("[CLS]", "Hello", "[SEP]")
    assert read_attention(tmp_path / "cat.npz").fingerprint == bundle.fingerprint


def test_the_documented_names_are_those_of_the_files() -> None:
    lines = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert {name for line in lines for name in re.findall(r"`(\w+)`", line.split("|")[1])} == KNOWN


def test_the_documented_changes_are_read_as_they_are_written() -> None:
    section = DOCUMENT.read_text("utf-8").partition("### Changes")[2].partition("## ")[0]
    items = [item for item in re.findall(r"`([^`]+)`", section) if re.match(r"[a-z]+:.*\d|unmask", item)]
    assert {item.partition(":")[0] for item in items} == {
        "off", "even", "force", "block", "move", "unmask", "patch", "begin"}  # fmt: skip
    for item in items:
        assert write_changes(*read_changes(item)) == item
