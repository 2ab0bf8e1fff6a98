"""A figure for a paper contains the numbers and the provenance of the command that made it."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader

from model.cli.main import main as model_main
from model.files.stamped import KEY, report_of, with_report
from tests.checkpoint import save_tiny
from viz.__main__ import main
from viz.figures import alignment_figure, pruning_figure, steering_figure
from viz.figures.study import figure_of, moved_figure

PAIRS = "the cat is sleeping .\tle chat dort .\nthe dog\tle chien\nthe sofa .\tle canapé .\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("study")
    save_tiny(place / "tiny")
    (place / "pairs.tsv").write_text(PAIRS, "utf-8")
    return place


@pytest.fixture(scope="module")
def figure(folder: Path) -> Path:
    out = folder / "curve.svg"
    command = ["prune", str(folder / "pairs.tsv"), "--checkpoint", str(folder / "tiny"), "--no-translate"]
    assert main(["figure", "--out", str(out), *command]) == 0
    return out


@pytest.mark.nightly
def test_one_command_draws_the_curve_at_the_papers_width_with_its_numbers_and_stamp(folder: Path, figure: Path) -> None:
    svg = figure.read_text("utf-8")
    assert re.search(r'width="84mm"', svg) and "heads removed" in svg and "random orders" in svg
    report = report_of(figure)
    assert report["n_pairs"] == 3 and report[KEY]["command"][0] == "prune"
    assert list(report[KEY]["data"]) == [str(folder / "pairs.tsv")] and report[KEY]["seed"] == 0
    curve = report["curves"]["importance"]
    for value, (low, high) in zip(curve["log_probs"], curve["bounds"], strict=True):
        assert low <= value <= high
    assert sum(name.startswith("random_") for name in report["curves"]) == 5


def test_the_numbers_behind_a_figure_are_the_same_again(figure: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert model_main(["reproduce", str(figure)]) == 0
    counts = capsys.readouterr().out.strip().splitlines()[-1].replace(",", "").split()
    assert counts[0] == counts[2] and int(counts[0]) > 50


@pytest.mark.parametrize(
    ("name", "words"),
    [("align", "alignment error rate"), ("compare", "attention moved"), ("sweep", "decoder.1.residual.after")],
)
def test_other_commands_are_drawn_from_their_output(folder: Path, name: str, words: str) -> None:
    links = "the cat is sleeping .\tle chat dort .\t0-0 1-1 3-2 4-3\nthe dog\tle chien\t0-0 1-1\n"
    (folder / "gold.tsv").write_text(links, "utf-8")
    (folder / "texts.txt").write_text("the cat is sleeping .\nthe dog\n", "utf-8")
    tiny = str(folder / "tiny")
    commands = {"align": ["--checkpoint", tiny, str(folder / "gold.tsv")],
             "compare": [tiny, tiny, str(folder / "pairs.tsv")],
             "sweep": ["--checkpoint", tiny, "--change", "zero", str(folder / "texts.txt")]}[name]  # fmt: skip
    assert main(["figure", "--out", str(folder / f"{name}.svg"), name, *commands]) == 0
    assert words in (folder / f"{name}.svg").read_text("utf-8")
    assert report_of(folder / f"{name}.svg")[KEY]["command"][0] == name
    assert 'width="84mm"' in (folder / f"{name}.svg").read_text("utf-8")


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_a_report_is_drawn_in_every_format_and_read_back(
    folder: Path, figure: Path, suffix: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "report.json").write_text(json.dumps(report_of(figure)), "utf-8")
    out = folder / f"curve.{suffix}"
    assert main(["figure", "--out", str(out), "--width", "120", str(folder / "report.json")]) == 0
    assert capsys.readouterr().out == f"{out}\n" and caplog.text == ""
    assert report_of(out) == report_of(figure)
    content = out.read_bytes()
    if suffix == "png":
        with Image.open(io.BytesIO(content)) as picture:
            picture.load()
            assert abs(picture.width / 300 * 25.4 - 120) < 1
    else:
        page = PdfReader(io.BytesIO(content)).pages[0]
        assert abs(float(page.mediabox.width) / 72 * 25.4 - 120) < 1
        assert "heads removed" in page.extract_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "curve.gif", "prune", "x"], "give a name that ends with .pdf, .svg or .png"),
        (["--out", "curve.pdf"], "give a report, or a command"),
        (["--out", "curve.pdf", "pairs.tsv"], "is no report"),
        (["--out", "curve.pdf", "--width", "5", "pairs.tsv"], "must be from 30 to 400 mm"),
    ],
)
def test_a_report_that_cannot_be_drawn_is_an_error_of_one_line(
    folder: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main(["figure", *words]) == 1
    message_shown = capsys.readouterr().err
    assert message in message_shown and message_shown.startswith("error: ") and message_shown.count("\n") == 1


def test_a_damaged_picture_and_one_without_a_report_have_different_errors(figure: Path, tmp_path: Path) -> None:
    picture = io.BytesIO()
    Image.new("L", (2, 2)).save(picture, "PNG")
    (tmp_path / "plain.png").write_bytes(picture.getvalue())
    assert report_of(tmp_path / "plain.png") is None
    stamped = with_report(picture.getvalue(), {"a": 1})
    place = stamped.index(b"zTXtregard") + 12
    (tmp_path / "hurt.png").write_bytes(stamped[:place] + b"\xff" * 8 + stamped[place + 8 :])
    with pytest.raises(ValueError, match="damaged"):
        report_of(tmp_path / "hurt.png")
    with pytest.raises(ValueError, match="a PNG, an SVG or a PDF"):
        with_report(b"GIF89a", {})


def interval(mean: float) -> dict[str, float]:
    return {"mean": mean, "low": mean - 0.1, "high": mean + 0.1}


REPORTS: dict[str, dict[str, Any]] = {
    "steer": {"strengths": [{"strength": 0.5 * n, "formal": interval(0.2 * n), "keeps": interval(1 - 0.2 * n)}
                            for n in range(4)]},
    "align": {"diagonal": {"aer": 0.5}, "heads": [
        {"layer": 0, "head": head, "row": "fed", "weights": weights, "aer": 0.3, "aer_low": 0.2, "aer_high": 0.4}
        for head in range(3) for weights in ("raw", "value_weighted")]},
    "compare": {"after": {}, "heads": [
        {"kind": "cross", "layer": 0, "head": 1, "moved": 0.2, "low": 0.1, "high": 0.3}]},
}  # fmt: skip


def test_each_report_has_its_figure() -> None:
    texts = {name: json.dumps(figure_of(report).to_dict()) for name, report in REPORTS.items()}
    assert "say vous" in texts["steer"] and "strength of the direction" in texts["steer"]
    assert "alignment error rate" in texts["align"] and "0\\u00b72, read as fed" in texts["align"]
    assert "diagonal" in texts["align"] and "attention moved" in texts["compare"]
    assert figure_of(REPORTS["steer"]).to_dict() == steering_figure(REPORTS["steer"]).to_dict()
    assert alignment_figure(REPORTS["align"], n_heads=1).to_dict() != figure_of(REPORTS["align"]).to_dict()
    assert figure_of(REPORTS["compare"]).to_dict() == moved_figure(REPORTS["compare"]).to_dict()
    with pytest.raises(ValueError, match="has no figure"):
        figure_of({"bleu": 3})
    with pytest.raises(ValueError, match="choose log_probs"):
        pruning_figure({"curves": {"importance": {}}}, measure="bleu")
