"""``steer``: from tu to vous, and what else changes."""

import json
from pathlib import Path

from tests.cli.conftest import Command

SENTENCES = (
    "I love you.\tJe t'aime.\nDo you know him?\tLe connais-tu ?\nYou are tired.\tTu es fatigué.\nIt rains.\tIl pleut.\n"
)


def test_each_sentence_is_steered_and_a_report_is_the_same_again(command: Command, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(SENTENCES, "utf-8")
    made = command("steer", tmp_path / "pairs.tsv", "--sentences", 2, "--json")
    assert made.code == 0, made.err
    report = json.loads(made.out)
    assert 1 <= report["n_sentences"] <= 2 and len(report["strengths"]) == 19
    for row in report["strengths"]:
        for name in ("formal", "keeps"):
            assert 0 <= row[name]["low"] <= row[name]["mean"] <= row[name]["high"] <= 1
    moved = [one for one in report["sentences"] if one["after"]]
    assert report["at_lowest"]["formal"]["mean"] == len(moved) / report["n_sentences"] > 0
    assert all("vous" in one["after"].lower() and "vous" not in one["before"].lower() for one in moved)
    (tmp_path / "report.json").write_text(made.out, "utf-8")
    assert command("reproduce", tmp_path / "report.json").code == 0
