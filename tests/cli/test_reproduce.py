"""Reports carry a stamp, and ``reproduce`` runs them again."""

import json
from pathlib import Path

import pytest

import model
from tests.cli.conftest import Command


@pytest.fixture
def report(command: Command, checkpoint: Path, gold: Path, tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    path.write_text(command("align", gold, "--checkpoint", checkpoint, "--json").out, "utf-8")
    return path


def test_a_stamp_names_command_versions_model_and_data(report: Path, checkpoint: Path, gold: Path) -> None:
    stamp = json.loads(report.read_text("utf-8"))["stamp"]
    assert stamp["command"] == ["align", str(gold), "--checkpoint", str(checkpoint), "--json"]
    assert stamp["fingerprint"] == model.load(checkpoint).fingerprint
    assert stamp["regard"] == model.__version__
    assert list(stamp["data"]) == [str(gold)]


@pytest.mark.nightly(but=("evaluate",))
@pytest.mark.parametrize("name", ["evaluate", "align", "prune"])
def test_every_value_is_the_same_again(
    command: Command, checkpoint: Path, gold: Path, pairs: Path, tmp_path: Path, name: str
) -> None:
    fast = ["--no-translate"] if name == "prune" else []
    made = command(name, gold if name == "align" else pairs, "--checkpoint", checkpoint, "--json", *fast)
    assert made.code == 0, made.err
    (tmp_path / "report.json").write_text(made.out, "utf-8")
    result = command("reproduce", tmp_path / "report.json")
    counts = result.out.strip().splitlines()[-1].replace(",", "").split()
    assert result.code == 0 and counts[0] == counts[2] and int(counts[0]) > 5
    assert " was " not in result.err


def test_a_number_that_differs_is_named(command: Command, report: Path) -> None:
    stored = json.loads(report.read_text("utf-8"))
    was = stored["heads"][3]["aer"]
    stored["heads"][3]["aer"] = was + 0.01
    stored["stamp"]["torch"] = "1.0"
    report.write_text(json.dumps(stored), "utf-8")
    result = command("reproduce", report)
    assert result.code == 1 and f"heads[3].aer: was {was + 0.01}, is {was}" in result.out
    assert "torch was 1.0" in result.err
    assert command("reproduce", report, "--within", "0.1").code == 0


def test_other_data_and_no_data_are_refused(command: Command, report: Path, gold: Path) -> None:
    gold.write_text(gold.read_text("utf-8") + "the dog\tle chien\t0-0 1-1\n", "utf-8")
    result = command("reproduce", report)
    assert result.code == 1 and "is not the file that the report was made from" in result.err
    gold.unlink()
    assert "run this in the folder in which the report was made" in command("reproduce", report).err


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"stamp": 3}', '{"stamp": {"command": ["train", "x"], "data": {}}}',
     '{"stamp": {"command": "align", "data": {}}}',
     '{"stamp": {"command": ["evaluate", "x", "--output", "y"], "data": {}}}'],
)  # fmt: skip
def test_a_report_without_a_stamp_is_refused_in_a_line(command: Command, tmp_path: Path, content: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(content, "utf-8")
    result = command("reproduce", path)
    assert result.code == 1 and str(path) in result.err and result.err.count("\n") == 1


def test_the_tables_of_a_survey_are_the_same_again(
    command: Command, checkpoint: Path, pairs: Path, tmp_path: Path
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = tmp_path / "survey"
    made = command("survey", pairs, "--checkpoint", checkpoint, "--out", out, "--shard-size", 1, "--no-translate")
    assert made.code == 0, made.err
    result = command("reproduce", out)
    assert result.code == 0 and result.err == ""
    heads = out / "heads-00001.parquet"
    assert command("reproduce", heads).code == 0
    table = pq.read_table(heads)
    wrong = pa.array([value + 1 for value in table["entropy"].to_pylist()], pa.float32())
    place = table.schema.get_field_index("entropy")
    pq.write_table(table.set_column(place, "entropy", wrong), heads)
    result = command("reproduce", heads)
    assert result.code == 1 and "heads-00001.parquet.entropy[0]: was" in result.out


def test_a_survey_without_a_command_is_refused(command: Command, checkpoint: Path, tmp_path: Path) -> None:
    from model.corpus.shards import Stamp

    bundle = model.load(checkpoint)
    model.survey(bundle, [("the cat", "le chat")], tmp_path / "survey", translate=False)
    made_by = Stamp.of(tmp_path / "survey" / "heads-00000.parquet").made_by
    assert made_by["regard"] == model.__version__ and made_by["fingerprint"] == bundle.fingerprint
    result = command("reproduce", tmp_path / "survey")
    assert result.code == 1 and "was written by regard.survey, not by the command" in result.err
    assert "holds no survey" in command("reproduce", tmp_path).err
