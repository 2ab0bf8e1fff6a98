"""The tables of figures: reading a benchmark's output, and the old row when there is nothing to read."""

import importlib.util
import json
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path

import pytest

from benchmarks import figures
from benchmarks.figures import BEGIN, END, QUICK, Outcome, Row, read_rows, select
from tests.cases import for_each

ROWS = read_rows()
OUTPUT = """greedy, 60 tokens: cached    90.0 ms, uncached loop   520.1 ms, 5.78 times as fast (bar 5.0)
  greedy, 16 tokens: ours    30.0 ms, MarianMT    60.1 ms, 2.00 times as fast (bar 1.5)
  greedy, 60 tokens: ours    90.0 ms, MarianMT   171.0 ms, 1.90 times as fast (bar 1.5)
     beam 5, 16 tokens: ours 80.0 ms, MarianMT   128.0 ms, 1.60 times as fast (bar 1.0)"""


def test_each_row_reads_its_own_lines():
    measured = [row.read(OUTPUT) for row in ROWS if row.name == "decoding"]
    assert measured == ["5.78×", "1.9–2×", "1.6×"]


@for_each(ROWS)
def test_every_row_names_a_benchmark_with_a_small_size(row: Row):
    assert importlib.util.find_spec(f"benchmarks.{row.name}") and row.name in QUICK


def test_a_benchmark_is_chosen_by_its_name_and_one_command_by_the_whole_command():
    assert {row.command for row in select(ROWS, ["visitors"])} > {"visitors --minutes 1"}
    assert {row.command for row in select(ROWS, ["visitors --minutes 1"])} == {"visitors --minutes 1"}
    assert {row.command for row in select(ROWS, ["survey rate", "capture"])} == {"survey rate", "capture"}
    assert select(ROWS, []) == ROWS and select(ROWS, ["nothing"]) == []


def measured_row(row: Row, figure: str, machine: str = "2 cores", day: str = "2026-01-02") -> Row:
    return replace(row, figure=figure, date=day, commit="abc1234", machine=machine)


def test_each_row_has_the_day_and_commit_of_its_own_measurement():
    rows = [
        measured_row(ROWS[0], "0.9×"),
        measured_row(ROWS[1], "5.78×", day="2026-03-04"),
        replace(ROWS[-1], figure=""),
    ]
    lines = figures.tables(rows)
    assert f"| {ROWS[0].what} | `python -m benchmarks.capture` | 0.9× | ≤ 1.5× | 2026-01-02, `abc1234` |" in lines
    assert lines[-1].endswith("| 5.78× | ≥ 5× | 2026-03-04, `abc1234` |"), "a row without a measurement has no line"
    written = figures.rewritten(f"before\n{BEGIN}\nold\n{END}\nafter", lines)
    assert written.startswith("before\n") and written.endswith("\nafter") and "old" not in written


def test_rows_of_two_machines_have_their_letters():
    written = "\n".join(
        figures.tables([measured_row(ROWS[0], "1×", "2 cores"), measured_row(ROWS[1], "2×", "64 cores")])
    )
    assert "A: 2 cores; B: 64 cores." in written
    assert "`abc1234`, A |" in written and "`abc1234`, B |" in written


@pytest.mark.parametrize(
    ("figure", "bar", "is_missed"),
    [("1.74×", "≥ 3×", True), ("3×", "≥ 3×", False), ("0.92–1.6×", "≤ 1.5×", True), ("341", "≥ 150", False),
     ("1×", "> 1×", True), ("1,200 ms", "≤ 300 ms", True), ("1.02×", "flat", False), ("0", "", False)],
)  # fmt: skip
def test_a_missed_bar_is_marked_missed(figure: str, bar: str, is_missed: bool):
    row = Row("area", "capture", "what", "", bar=bar, figure=figure)
    assert row.verdict == (f"{bar}: **missed**" if is_missed else bar)


def test_every_heading_comes_once_and_the_readme_has_six_rows():
    headings = [area for area, _ in groupby(ROWS, lambda row: row.area)]
    assert len(headings) == len(set(headings)) and sum(row.in_readme for row in ROWS) == 6


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """README, tables and rows without measurements in a folder of the test."""
    for name in ("README.md", "tables.md"):
        (tmp_path / name).write_text(f"{BEGIN}{END}", "utf-8")
    write(tmp_path, [replace(row, figure="") for row in ROWS])
    files = {"README": "README.md", "TABLES": "tables.md", "ROWS": "figures.json", "OUTPUTS": "outputs"}
    for name, file in files.items():
        monkeypatch.setattr(figures, name, tmp_path / file)
    return tmp_path


def write(folder: Path, rows: list[Row]) -> None:
    (folder / "figures.json").write_text(json.dumps([asdict(row) for row in rows]), "utf-8")


def run(monkeypatch, *names: str) -> int:
    monkeypatch.setattr("sys.argv", ["figures", *names])
    return figures.main()


def test_the_failure_of_a_benchmark_is_printed_and_stops_no_other(folder, monkeypatch, capsys):
    ended = {"decoding --threads 1": Outcome("", "Traceback …\nValueError: nothing fits", 1, 1.0),
             "capture": Outcome("ratio 0.95", "", 0, 2.0)}  # fmt: skip
    monkeypatch.setattr(figures, "_run", ended.__getitem__)
    earlier = measured_row(ROWS[1], "5×")
    write(folder, [replace(ROWS[0], figure=""), earlier])
    assert run(monkeypatch, "decoding", "capture") == 1
    assert "code 1: ValueError: nothing fits" in capsys.readouterr().err
    stored = read_rows()
    assert stored[0].figure == "0.95×" and stored[0].seconds == 2
    assert stored[1] == earlier, "the row of the failed benchmark stays"
    assert "| 0.95× |" in (folder / "README.md").read_text("utf-8")
    assert "| 0.95× |" in (folder / "tables.md").read_text("utf-8")


def test_a_figure_printed_before_the_failure_counts_and_the_others_are_named(folder, monkeypatch, capsys):
    monkeypatch.setattr(figures, "_run", lambda command: Outcome(OUTPUT.splitlines()[0], "", 3, 1.0))
    assert run(monkeypatch, "decoding") == 1
    assert [row.what for row in read_rows() if row.figure] == [ROWS[1].what]
    assert ROWS[2].what in capsys.readouterr().err


def test_a_quick_run_writes_nothing(folder, monkeypatch):
    commands = []
    monkeypatch.setattr(figures, "_run", lambda command: commands.append(command) or Outcome("ratio 0.95", "", 0, 2.0))
    assert run(monkeypatch, "capture", "--quick") == 0
    assert commands == [f"capture {QUICK['capture']}"] and not any(row.figure for row in read_rows())


def test_the_tables_in_the_documents_are_those_of_the_figures():
    for path, lines in ((figures.README, figures.readme_table(ROWS)), (figures.TABLES, figures.tables(ROWS))):
        text = path.read_text("utf-8")
        assert text.count(BEGIN) == text.count(END) == 1
        assert figures.rewritten(text, lines) == text
