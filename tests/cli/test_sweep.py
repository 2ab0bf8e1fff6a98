"""``sweep``: one change at many places of many sentences, and the same again."""

import json
from pathlib import Path

import pytest

import model
from tests.cli.conftest import Command

PAIRS = (("She is tired.", "He is tired."), ("The old woman is tired.", "The old man is tired."))
SITE = "decoder.*.residual.after"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{first}\t{second}\n" for first, second in (*PAIRS, ("The cat.", "The cat."))), "utf-8")
    return path


def test_a_report_has_what_the_library_returns_and_is_the_same_again(command: Command, pairs: Path) -> None:
    made = command("sweep", pairs, "--checkpoint", "tiny", "--position", 0, "--position", -1, "--json")
    assert made.code == 0 and "left out “The cat.”: both sentences are translated" in made.err
    report, found = json.loads(made.out), model.sweep(model.load("tiny"), PAIRS, sites=SITE, positions=(0, -1))
    assert report["metric"] == "margin" and report["n_sentences"] == 2 and len(report["skipped"]) == 1
    assert tuple(report["sites"]) == found.sites and report["positions"] == ["0", "-1"]
    for of_report, of_library in zip(report["effects"], found.effects, strict=True):
        assert of_report == [pytest.approx(row, abs=1e-6) for row in of_library]
    for cell in report["cells"]:
        mean = found.mean[found.sites.index(cell["site"]), found.positions.index(cell["position"])]
        assert cell["mean"] == pytest.approx(mean, abs=1e-6) and cell["low"] <= cell["mean"] <= cell["high"]
        assert cell["n"] == 2
    (pairs.parent / "report.json").write_text(made.out, "utf-8")
    again = command("reproduce", pairs.parent / "report.json")
    assert again.code == 0, again.out


def test_the_largest_effects_are_shown_and_what_cannot_be_swept_is_one_line(command: Command, pairs: Path) -> None:
    shown = command("sweep", pairs, "--checkpoint", "tiny", "--site", "encoder.*.residual.after", "--limit", 1)
    assert shown.code == 0 and "1 sentence; patch, margin" in shown.out and "at 0, 1 sentence" in shown.out
    (pairs.parent / "texts.txt").write_text("The cat is sleeping.\n", "utf-8")
    for asked, message in (
        ((pairs.parent / "texts.txt", "--metric", "margin"), "needs two sentences"),
        ((pairs, "--site", "nothing"), "nothing"),
        ((pairs, "--position", "an elephant"), "no sentence has the position"),
    ):
        refused = command("sweep", *asked, "--checkpoint", "tiny")
        assert refused.code == 1 and message in refused.err.splitlines()[-1], refused.err
