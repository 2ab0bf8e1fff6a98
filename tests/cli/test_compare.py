"""``compare`` says what a fine-tuning changed, by head and by sentence, and can be run again."""

import json
from pathlib import Path

import pytest

from tests.checkpoint import save_tiny
from tests.cli.conftest import Command


@pytest.fixture(scope="session")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("cli") / "other", seed=136)


def test_the_heads_and_sentences_that_differ_most_are_shown(
    command: Command, checkpoint: Path, other: Path, pairs: Path
) -> None:
    result = command("compare", checkpoint, other, pairs, "--limit", 3)
    assert result.code == 0, result.err
    assert "heads whose attention has moved most" in result.out and "log-probability of a sentence:" in result.out
    assert "the cat is sleeping . → le chat dort ." in result.out
    same = command("compare", checkpoint, checkpoint, pairs)
    assert "0.000 (0.000 to 0.000)" in same.out and "more probable" not in same.out


def test_a_report_is_the_same_again(
    command: Command, checkpoint: Path, other: Path, pairs: Path, tmp_path: Path
) -> None:
    made = command("compare", checkpoint, other, pairs, "--limit", "1", "--json")
    report = json.loads(made.out)
    assert report["n_sentences"] == 1 and len(report["heads"]) == 12
    one = report["sentences"][0]
    assert one["change"] == pytest.approx(one["after"] - one["before"])
    assert report["before"]["fingerprint"] != report["after"]["fingerprint"]
    (tmp_path / "report.json").write_text(made.out, "utf-8")
    result = command("reproduce", tmp_path / "report.json")
    assert result.code == 0 and result.err == ""
