"""``survey``."""

import json
import time
from pathlib import Path

import pytest

import model
from model.cli.survey import Pace
from tests.cli.conftest import Command
from tests.training.test_processes import launched


def test_tables_are_written_to_the_folder(command: Command, checkpoint: Path, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = command("survey", pairs, "--checkpoint", checkpoint, "--out", out, "--json", "--device", "cpu")
    report = json.loads(result.out)
    assert report["pairs"] == 4 and report["tables"] == {"sentences": 1, "heads": 1, "links": 1}
    frame = model.open_survey(out).query("SELECT count(*) AS n FROM heads")
    assert frame["n"][0] == 4 * 12


def test_own_targets_are_measured_with_the_option(
    command: Command, checkpoint: Path, pairs: Path, tmp_path: Path
) -> None:
    result = command("survey", pairs, "--checkpoint", checkpoint, "--out", tmp_path / "out", "--own-targets")
    assert result.code == 0 and model.open_survey(tmp_path / "out").has_own_targets


def test_the_rate_of_a_run_excludes_earlier_shards() -> None:
    pace = Pace()
    for done in (900, 1_000):
        pace.reach(done)
    assert str(pace).endswith(" pairs/s")
    pace._started = time.perf_counter() - 100
    assert str(pace) == "1 pair/s"


def test_a_pair_left_out_is_named(command: Command, checkpoint: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("the cat\tle chat\n\tle chien\n", "utf-8")
    result = command("survey", path, "--checkpoint", checkpoint, "--out", tmp_path / "out")
    assert result.code == 0 and "left out pair 2: the source is empty" in result.err


def test_gold_links_may_be_in_a_separate_file(command: Command, checkpoint: Path, pairs: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text("0-0 1-1\n0-0 1-1\n0p0 1-1\n\n", "utf-8")
    result = command("survey", pairs, "--checkpoint", checkpoint, "--out", tmp_path / "out", "--gold", gold)
    assert result.code == 0
    frame = model.open_survey(tmp_path / "out").query("SELECT count(aer_fed) AS n FROM heads WHERE kind = 'cross'")
    assert frame["n"][0] == 4 * 4
    gold.write_text("0-0\n", "utf-8")
    result = command("survey", pairs, "--checkpoint", checkpoint, "--out", tmp_path / "other", "--gold", gold)
    assert result.code == 1 and "has 1 line and" in result.err


NOTING = """
import os, sys
from pathlib import Path
from model.cli.main import main
from model.corpus import plan

real = plan.write_shard

def noted(folder, tables, stamp):
    Path(sys.argv[1], f"{stamp.shard} by {os.environ['RANK']}").touch()
    real(folder, tables, stamp)

plan.write_shard = noted
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.nightly
def test_each_process_of_accelerate_writes_its_share_of_the_tables_of_one(
    command: Command, checkpoint: Path, pairs: Path, tmp_path: Path
) -> None:
    options = ["--checkpoint", str(checkpoint), "--shard-size", "2", "--no-translate"]
    command("survey", pairs, "--out", tmp_path / "one", *options)
    script, notes = tmp_path / "noting.py", tmp_path / "notes"
    script.write_text(NOTING)
    notes.mkdir()
    launched([*map(str, (script, notes)), "survey", str(pairs), "--out", str(tmp_path / "two"), *options])
    assert sorted(note.name for note in notes.iterdir()) == ["0 by 0", "1 by 1"]
    one, two = model.open_survey(tmp_path / "one"), model.open_survey(tmp_path / "two")
    for table in ("sentences", "heads", "links"):
        query = f"SELECT * FROM {table} ORDER BY ALL"
        assert two.query(query).equals(one.query(query))


def test_a_single_process_instead_of_several_is_reported(
    command: Command, checkpoint: Path, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment that ``accelerate launch --cpu --num_processes 2`` sets."""
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    for name, value in {"ACCELERATE_MIXED_PRECISION": "no", "MASTER_ADDR": "127.0.0.1"}.items():
        monkeypatch.setenv(name, value)
    result = command("survey", pairs, "--checkpoint", checkpoint, "--out", tmp_path / "out", "--no-translate")
    assert result.code == 0 and "give it --multi_gpu" in result.err
