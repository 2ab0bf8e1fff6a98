"""``survey``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import model
from tests.cli.conftest import Command

LINES = ("the cat is sleeping .\tle chat dort .", "the dog\tle chien", "the cat\tun chat", "the sofa .\tle canapé .")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join(LINES) + "\n", "utf-8")
    return path


def test_tables_stand_in_the_folder(command: Command, checkpoint: Path, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = command("survey", pairs, "--checkpoint", checkpoint, "--out", out, "--json", "--device", "cpu")
    found = json.loads(said.out)
    assert found["pairs"] == 4 and found["tables"] == {"sentences": 1, "heads": 1, "links": 1}
    frame = model.open_survey(out).query("SELECT count(*) AS n FROM heads")
    assert frame["n"][0] == 4 * 12


def test_a_pair_left_out_is_named(command: Command, checkpoint: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("the cat\tle chat\n\tle chien\n", "utf-8")
    said = command("survey", path, "--checkpoint", checkpoint, "--out", tmp_path / "out")
    assert said.code == 0 and "left out pair 2: the source is empty" in said.err


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"one column\n", "line 1 has one column"), (b"a\tb\ncaf\xe9\tx\n", "line 2 is not UTF-8"), (b"", "no pair")],
)
def test_a_file_that_holds_no_pairs_is_one_clear_line(
    command: Command, checkpoint: Path, tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    said = command("survey", path, "--checkpoint", checkpoint, "--out", tmp_path / "out")
    assert said.code == 1 and message in said.err and said.err.count("\n") == 1


def test_gold_links_may_stand_in_a_file_beside(command: Command, checkpoint: Path, pairs: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text("0-0 1-1\n0-0 1-1\n0p0 1-1\n\n", "utf-8")
    said = command("survey", pairs, "--checkpoint", checkpoint, "--out", tmp_path / "out", "--gold", gold)
    assert said.code == 0
    frame = model.open_survey(tmp_path / "out").query("SELECT count(aer_fed) AS n FROM heads WHERE kind = 'cross'")
    assert frame["n"][0] == 4 * 4
    gold.write_text("0-0\n", "utf-8")
    said = command("survey", pairs, "--checkpoint", checkpoint, "--out", tmp_path / "other", "--gold", gold)
    assert said.code == 1 and "has 1 lines" in said.err


def test_processes_of_accelerate_write_the_tables_of_one(
    command: Command, checkpoint: Path, pairs: Path, tmp_path: Path
) -> None:
    options = ["--checkpoint", checkpoint, "--shard-size", "2", "--device", "cpu", "--no-translate"]
    command("survey", pairs, "--out", tmp_path / "one", *options)
    launched = subprocess.run(
        [sys.executable, "-m", "accelerate.commands.launch", "--cpu", "--num_processes", "2", "--num_machines", "1",
         "--mixed_precision", "no", "--dynamo_backend", "no", "-m", "model", "survey", pairs,
         "--out", tmp_path / "two", *options],
        env=os.environ | {"OMP_NUM_THREADS": "1", "MASTER_PORT": "0"}, cwd=Path(__file__).parents[2],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert launched.returncode == 0, launched.stderr
    one, two = model.open_survey(tmp_path / "one"), model.open_survey(tmp_path / "two")
    for table in ("sentences", "heads", "links"):
        asked = f"SELECT * FROM {table} ORDER BY ALL"
        assert two.query(asked).equals(one.query(asked))
