"""The table of figures: reading a benchmark's output, and keeping the old row when there is nothing to read."""

import importlib.util
import json

import pytest

from benchmarks import figures
from benchmarks.figure_rows import AREAS, QUICK, ROWS, Row
from benchmarks.figures import BEGIN, END, Ended, Measured, meant
from tests.cases import for_each

OUTPUT = """greedy, 60 tokens: cached    90.0 ms, uncached loop   520.1 ms, 5.78 times as fast (bar 5.0)
  greedy, 16 tokens: ours    30.0 ms, MarianMT    60.1 ms, 2.00 times as fast (bar 1.5)
  greedy, 60 tokens: ours    90.0 ms, MarianMT   171.0 ms, 1.90 times as fast (bar 1.5)
     beam 5, 16 tokens: ours 80.0 ms, MarianMT   128.0 ms, 1.60 times as fast (bar 1.0)"""


def test_each_row_reads_its_own_lines():
    measured = [row.read(OUTPUT) for row in ROWS if row.name == "decoding"]
    assert measured == ["5.78×", "1.9–2×", "1.6×"]


@for_each(ROWS)
def test_every_row_names_a_benchmark_that_is_there_and_has_a_small_size(row: Row):
    assert importlib.util.find_spec(f"benchmarks.{row.name}") and row.name in QUICK


def test_a_benchmark_is_asked_for_by_its_name_and_one_command_by_itself():
    assert {row.command for row in meant(["visitors"])} > {"visitors --minutes 1"} and meant(["nothing"]) == []
    assert {row.command for row in meant(["visitors --minutes 1"])} == {"visitors --minutes 1"}
    assert {row.command for row in meant(["survey rate", "capture"])} == {"survey rate", "capture"}
    assert meant([]) == list(ROWS)


def measured(figure: str, machine: str = "2 cores", day: str = "2026-01-02") -> Measured:
    return Measured(figure, date=day, commit="abc1234", machine=machine)


def test_each_row_bears_the_day_and_commit_of_its_own_measurement():
    known = {ROWS[0].what: measured("0.9×"), ROWS[1].what: measured("5.78×", day="2026-03-04")}
    lines = figures.tables(known)
    assert ROWS[0].line("0.9×", "2026-01-02, `abc1234`") in lines
    assert ROWS[1].line("5.78×", "2026-03-04, `abc1234`") in lines
    assert ROWS[-1].what not in "".join(lines), "what was never measured has no line"
    written = figures.rewritten(f"before\n{BEGIN}\nold\n{END}\nafter", lines)
    assert written.startswith("before\n") and written.endswith("\nafter") and "old" not in written


def test_rows_of_two_machines_say_which():
    known = {ROWS[0].what: measured("1×", "2 cores"), ROWS[1].what: measured("2×", "64 cores")}
    written = "\n".join(figures.tables(known))
    assert "A: 2 cores; B: 64 cores." in written
    assert "`abc1234`, A |" in written and "`abc1234`, B |" in written


@pytest.mark.parametrize(
    ("figure", "bar", "is_missed"),
    [("1.74×", "≥ 3×", True), ("3×", "≥ 3×", False), ("0.92–1.6×", "≤ 1.5×", True), ("341", "≥ 150", False),
     ("1×", "> 1×", True), ("1,200 ms", "≤ 300 ms", True), ("1.02×", "flat", False), ("0", "", False)],
)  # fmt: skip
def test_a_missed_bar_is_marked_missed(figure: str, bar: str, is_missed: bool):
    row = Row("what", "capture", "", bar=bar)
    assert row.verdict(figure) == (f"{bar}: **missed**" if is_missed else bar)


def test_every_row_stands_below_one_heading_and_the_readme_shows_six():
    assert all(sum(row.begins(*names) for names in AREAS.values()) == 1 for row in ROWS)
    assert sum(row.in_readme for row in ROWS) == 6


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A README and figures of their own; benchmarks print what the test says."""
    for name in ("README.md", "tables.md"):
        (tmp_path / name).write_text(f"{BEGIN}{END}", "utf-8")
    (tmp_path / "figures.json").write_text("{}", "utf-8")
    files = {"README": "README.md", "TABLES": "tables.md", "MEASURED": "figures.json", "KEPT": "kept"}
    for name, file in files.items():
        monkeypatch.setattr(figures, name, tmp_path / file)
    return tmp_path


def run(monkeypatch, *names: str) -> int:
    monkeypatch.setattr("sys.argv", ["figures", *names])
    return figures.main()


def test_a_benchmark_that_fails_says_so_and_stops_no_other(elsewhere, monkeypatch, capsys):
    ended = {"decoding --threads 1": Ended("", "Traceback …\nValueError: nothing fits", 1, 1.0),
             "capture": Ended("ratio 0.95", "", 0, 2.0)}  # fmt: skip
    monkeypatch.setattr(figures, "_run", ended.__getitem__)
    (elsewhere / "figures.json").write_text(json.dumps({ROWS[1].what: measured("5×")._asdict()}), "utf-8")
    assert run(monkeypatch, "decoding", "capture") == 1
    assert "code 1: ValueError: nothing fits" in capsys.readouterr().err
    kept = figures.read_measured()
    assert kept[ROWS[0].what].figure == "0.95×" and kept[ROWS[0].what].seconds == 2
    assert kept[ROWS[1].what] == measured("5×"), "the row of the failed benchmark stays"
    assert "| 0.95× |" in (elsewhere / "README.md").read_text("utf-8")
    assert "| 0.95× |" in (elsewhere / "tables.md").read_text("utf-8")


def test_a_figure_printed_before_the_failure_counts_and_the_others_are_named(elsewhere, monkeypatch, capsys):
    monkeypatch.setattr(figures, "_run", lambda command: Ended(OUTPUT.splitlines()[0], "", 3, 1.0))
    assert run(monkeypatch, "decoding") == 1
    assert set(figures.read_measured()) == {ROWS[1].what}
    assert ROWS[2].what in capsys.readouterr().err


def test_a_quick_run_writes_nothing(elsewhere, monkeypatch):
    asked = []
    monkeypatch.setattr(figures, "_run", lambda command: asked.append(command) or Ended("ratio 0.95", "", 0, 2.0))
    assert run(monkeypatch, "capture", "--quick") == 0
    assert asked == [f"capture {QUICK['capture']}"] and figures.read_measured() == {}


def test_the_tables_in_the_documents_are_those_of_the_figures():
    known = figures.read_measured()
    for path, lines in ((figures.README, figures.first(known)), (figures.TABLES, figures.tables(known))):
        text = path.read_text("utf-8")
        assert text.count(BEGIN) == text.count(END) == 1
        assert figures.rewritten(text, lines) == text
