"""The commands that study pairs: align, compare, prune, steer, sweep."""

import json
from pathlib import Path

import pytest

import model
from tests.checkpoint import save_tiny
from tests.cli.conftest import Command

PAIRS = (("She is tired.", "He is tired."), ("The old woman is tired.", "The old man is tired."))
SITE = "decoder.*.residual.after"


@pytest.fixture
def sentence_pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{first}\t{second}\n" for first, second in (*PAIRS, ("The cat.", "The cat."))), "utf-8")
    return path


def test_a_report_has_the_librarys_numbers_and_can_be_reproduced(command: Command, sentence_pairs: Path) -> None:
    made = command("sweep", sentence_pairs, "--checkpoint", "tiny", "--position", 0, "--position", -1, "--json")
    assert made.code == 0 and "left out “The cat.”: both sentences are translated" in made.err
    report, result = json.loads(made.out), model.sweep(model.load("tiny"), PAIRS, sites=SITE, positions=(0, -1))
    assert report["metric"] == "margin" and report["n_sentences"] == 2 and len(report["skipped"]) == 1
    assert tuple(report["sites"]) == result.sites and report["positions"] == ["0", "-1"]
    for of_report, of_library in zip(report["effects"], result.effects, strict=True):
        assert of_report == [pytest.approx(row, abs=1e-6) for row in of_library]
    for cell in report["cells"]:
        mean = result.mean[result.sites.index(cell["site"]), result.positions.index(cell["position"])]
        assert cell["mean"] == pytest.approx(mean, abs=1e-6) and cell["low"] <= cell["mean"] <= cell["high"]
        assert cell["n"] == 2
    (sentence_pairs.parent / "report.json").write_text(made.out, "utf-8")
    again = command("reproduce", sentence_pairs.parent / "report.json")
    assert again.code == 0, again.out


def test_the_largest_effects_are_printed_and_errors_take_one_line(command: Command, sentence_pairs: Path) -> None:
    shown = command("sweep", sentence_pairs, "--checkpoint", "tiny", "--site", "encoder.*.residual.after", "--limit", 1)
    assert shown.code == 0 and "1 sentence; patch, margin" in shown.out and "at 0, 1 sentence" in shown.out
    (sentence_pairs.parent / "texts.txt").write_text("The cat is sleeping.\n", "utf-8")
    for requested, message in (
        ((sentence_pairs.parent / "texts.txt", "--metric", "margin"), "needs two sentences"),
        ((sentence_pairs, "--site", "nothing"), "nothing"),
        ((sentence_pairs, "--position", "an elephant"), "no sentence has the position"),
    ):
        refused = command("sweep", *requested, "--checkpoint", "tiny")
        assert refused.code == 1 and message in refused.err.splitlines()[-1], refused.err


def test_json_names_every_head_in_both_row_meanings(command: Command, checkpoint: Path, gold: Path) -> None:
    report = json.loads(command("align", gold, "--checkpoint", checkpoint, "--json").out)
    assert len(report["heads"]) == 2 * 2 * 4
    assert set(report["heads"][0]) == {
        "kind", "layer", "head", "row", "weights", "aer", "precision", "recall", "f1",
        "aer_low", "aer_high",
    }  # fmt: skip
    assert {(row["row"], row["weights"]) for row in report["heads"]} == {
        (row, weights) for row in ("fed", "predicted") for weights in ("raw", "value_weighted")
    }
    lowest = min(report["heads"], key=lambda row: row["aer"])
    assert report["best"]["aer"] == lowest["aer"]
    assert report["best"]["alignment_layer"] == lowest["layer"]
    assert report["best"]["alignment_heads"] == [[lowest["layer"], lowest["head"]]]
    assert set(report["best_first_heads"]) == {"alignment_layer", "alignment_heads", "aer", "precision", "recall", "f1"}


def test_the_table_names_the_best_head_for_copying(command: Command, checkpoint: Path, gold: Path) -> None:
    result = command("align", gold, "--checkpoint", checkpoint)
    assert result.code == 0 and "alignment_layer:" in result.out and "AER 0." in result.out
    assert "alignment_heads: [[" in result.out


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


@pytest.mark.nightly
def test_json_has_every_head_and_every_curve(command: Command, checkpoint: Path, pairs: Path) -> None:
    report = json.loads(command("prune", pairs, "--checkpoint", checkpoint, "--json").out)
    assert report["n_pairs"] == 4
    for way in ("zero", "mean", "keep_one"):
        assert len(report[way]["rows"]) == len(report[way]["bleu"]["rows"]) == 12
        kind, layer, head, mean, low, high = report[way]["rows"][0]
        assert (kind, layer, head) == ("encoder_self", 0, 0) and low <= mean <= high
    chance = {f"random_{seed}" for seed in range(5)}
    assert set(report["curves"]) == {"importance", *chance, "encoder_self", "decoder_self", "cross"}
    whole = report["curves"]["importance"]
    assert whole["removed"][0] == 0 and whole["removed"][-1] == len(whole["order"]) == 12
    assert whole["log_probs"][0] == pytest.approx(report["zero"]["before"])
    for curve in report["curves"].values():
        for value, (low, high) in zip(curve["log_probs"], curve["bounds"], strict=True):
            assert low <= value <= high
        for point in curve["quality"]:
            assert all(
                point[f"{name}_bounds"][0] <= point[name] <= point[f"{name}_bounds"][1] for name in ("bleu", "chrf")
            )


def test_the_costliest_heads_are_named(command: Command, checkpoint: Path, pairs: Path) -> None:
    result = command("prune", pairs, "--checkpoint", checkpoint, "--no-translate", "--limit", "2")
    assert result.code == 0 and "2 pairs" in result.out and "of 12 cost something" in result.out
    assert "nats a token" in result.out and "least important first   0: " in result.out and "BLEU" not in result.out


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
    moved = [item for item in report["sentences"] if item["after"]]
    assert report["at_lowest"]["formal"]["mean"] == len(moved) / report["n_sentences"] > 0
    assert all("vous" in item["after"].lower() and "vous" not in item["before"].lower() for item in moved)
    (tmp_path / "report.json").write_text(made.out, "utf-8")
    assert command("reproduce", tmp_path / "report.json").code == 0
