"""The table of figures: reading a benchmark's output, and keeping the old row when there is nothing to read."""

from __future__ import annotations

import importlib.util

import pytest

from benchmarks import figures
from benchmarks.figures import BEGIN, END, ROWS, Row

OUTPUT = """greedy, 60 tokens: cached    90.0 ms, uncached loop   520.1 ms, 5.78 times as fast (bar 5.0)
  greedy, 16 tokens: ours    30.0 ms, MarianMT    60.1 ms, 2.00 times as fast (bar 1.5)
  greedy, 60 tokens: ours    90.0 ms, MarianMT   171.0 ms, 1.90 times as fast (bar 1.5)
     beam 5, 16 tokens: ours 80.0 ms, MarianMT   128.0 ms, 1.60 times as fast (bar 1.0)"""


def test_each_row_reads_its_own_lines():
    measured = [row.read(OUTPUT) for row in ROWS if row.name == "decoding"]
    assert measured == ["5.78×", "1.9–2×", "1.6×"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)
def test_every_row_names_a_benchmark_that_is_there(row: Row):
    assert importlib.util.find_spec(f"benchmarks.{row.name}")


def test_a_row_without_a_new_figure_keeps_its_old_one():
    text = f"before\n{BEGIN}\nMeasured then.\n\n{ROWS[0].line('0.9×')}\n{END}\nafter"
    written = figures._rewritten(text, {ROWS[1].command: OUTPUT}, is_whole=False)
    assert ROWS[0].line("0.9×") in written
    assert ROWS[1].line("5.78×") in written
    assert ROWS[-1].what not in written, "what was never measured has no line"
    assert written.startswith("before\n") and written.endswith("\nafter")
    assert "Measured then." in written


def test_the_readme_has_a_place_for_the_table():
    assert figures.README.read_text("utf-8").count(BEGIN) == 1
    assert figures.README.read_text("utf-8").count(END) == 1
