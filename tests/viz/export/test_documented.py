"""The examples of docs/attention-files.md run unchanged."""

import re
from pathlib import Path

import numpy as np
import pytest

import model
import viz
from model.attention_files import read_attention
from model.attention_files.reading import KNOWN
from model.intervention_text import read_changes, write_changes
from tests.checkpoint import tiny_bundle

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
