"""Runs the benchmarks, and writes the tables of benchmarks/README.md and the first six figures in README.md.

    python -m benchmarks.figures                     all of them, one after the other
    python -m benchmarks.figures capture visitors    these alone; the other rows stay as they are
    python -m benchmarks.figures "survey rate"       one command of a benchmark
    python -m benchmarks.figures --list              the commands, and how long each took last
    python -m benchmarks.figures --quick             each at a small size, to see that it runs; nothing is written

Run it on an idle machine. benchmarks/figures.json has the rows, each with the day, the commit and the machine of its
own measurement; the tables are written from there after each benchmark. When a benchmark fails, or its
output lacks the figure of a row, that row stays as it was, and the reason is printed at the end. The output of each
benchmark is stored in build/figures/.
"""

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tests.serving import ROOT, start

README, TABLES = ROOT / "README.md", ROOT / "benchmarks" / "README.md"
ROWS, OUTPUTS = ROOT / "benchmarks" / "figures.json", ROOT / "build" / "figures"
BEGIN, END = "<!-- figures: written by make figures -->", "<!-- end of figures -->"
PATIENCE = 1200
"""Time limit of one benchmark in seconds; then it is ended together with the servers and browsers that it started."""
ENDS_WITHIN = 30
"""Seconds in which an interrupted benchmark ends its servers."""
QUICK = {
    "capture": "--rounds 2", "decoding": "--rounds 1", "training": "--rounds 1", "causal_map": "--rounds 1",
    "survey": "--rounds 1 --pairs 40", "classroom": "--devices 20 --changes 4 --votes-in 1",
    "views_app": "--rounds 2", "page_trace": "--rounds 1", "visitors": "--visitors 4 --minutes 0.2",
}  # fmt: skip
"""What is added to a benchmark's command to see in little time that it runs."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table.

    Args:
        area: the heading of benchmarks/README.md above it.
        command: the benchmark's module and arguments.
        what: a description of what is measured.
        pattern: matches its output; # stands for a figure.
        unit: written after each figure.
        bar: the promised limit.
        in_readme: whether README has it too.
        figure: the last measurement, with its day, commit and machine; empty before the first.
        seconds: how long the command took; 0 where that is not known.
    """

    area: str
    command: str
    what: str
    pattern: str
    unit: str = "×"
    bar: str = ""
    in_readme: bool = False
    figure: str = ""
    date: str = ""
    commit: str = ""
    machine: str = ""
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return self.command.split()[0]

    def read(self, output: str) -> str | None:
        """The figures as the table shows them, or None when the output has none."""
        pattern = self.pattern.replace("#", r"(-?[\d.,]*\d)")
        figures = sorted({float(figure.replace(",", "")) for figure in re.findall(pattern, output)})
        if not figures:
            return None
        ends = [f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}" for figure in figures]
        return f"{ends[0]}{self.unit}" if len(set(ends)) == 1 else f"{ends[0]}–{ends[-1]}{self.unit}"

    @property
    def verdict(self) -> str:
        """The bar, and whether a figure (of a range, its worse end) misses it."""
        bar = re.fullmatch(r"([≤≥>]) ([\d.,]+).*", self.bar)
        numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d.,]*", self.figure)]
        if bar is None or not numbers:
            return self.bar
        limit = float(bar[2].replace(",", ""))
        met = {"≤": max(numbers) <= limit, "≥": min(numbers) >= limit, ">": min(numbers) > limit}[bar[1]]
        return self.bar if met else f"{self.bar}: **missed**"


class Outcome(NamedTuple):
    """A benchmark's output, its messages of errors, its exit status and its seconds."""

    output: str
    errors: str
    code: int
    seconds: float


def main() -> int:
    """Run the benchmarks, rewrite the tables, and list what could not be measured."""
    rows = read_rows()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="BENCHMARK", help=", ".join(dict.fromkeys(r.name for r in rows)))
    parser.add_argument("--list", action="store_true", help="list the commands instead of running them")
    parser.add_argument("--quick", action="store_true", help="run at a small size and write nothing")
    chosen = parser.parse_args()
    for name in chosen.names:
        if not select(rows, [name]):
            parser.error(f"no row quotes {name}: --list shows the commands")
    failed: list[str] = []
    for command in dict.fromkeys(row.command for row in select(rows, chosen.names)):
        if chosen.list:
            print(f"{command:60} {max(row.seconds for row in select(rows, [command])):.0f} s")
            continue
        print(f"benchmarks.{command}", flush=True)
        outcome = _run(f"{command} {QUICK[command.split()[0]]}" if chosen.quick else command)
        error = outcome.errors.strip().rpartition("\n")[2].strip() if outcome.code else ""
        reason = f"it ended with code {outcome.code}{error and f': {error}'}; see {OUTPUTS / _file(command)}"
        for row in select(rows, [command]):
            if figure := row.read(outcome.output):
                print(f"  {figure}  {row.what}")
                rows[rows.index(row)] = replace(
                    row, figure=figure, date=f"{date.today():%Y-%m-%d}", commit=_commit(), machine=_machine(),
                    seconds=round(outcome.seconds),
                )  # fmt: skip
            else:
                failed.append(f"  {row.what} (benchmarks.{command}): {reason}\n")
        print(f"  {outcome.seconds:.0f} s")
        if not chosen.quick:  # after each, so that an interruption loses nothing
            _write(rows)
    if failed:
        sys.stderr.write("\nwithout a figure:\n" + "".join(failed))
    return bool(failed)


def select(rows: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """The rows of benchmarks' names or whole commands; all rows for no names."""
    return [row for row in rows if not names or row.name in names or row.command in names]


def _run(command: str) -> Outcome:
    began, (name, *arguments) = time.monotonic(), command.split()
    process = start([sys.executable, "-u", "-m", f"benchmarks.{name}", *arguments], cwd=ROOT, text=True,
                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    try:
        output, errors = process.communicate(timeout=PATIENCE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt) as error:
        os.killpg(process.pid, signal.SIGINT)  # ends its servers too
        try:
            output, errors = process.communicate(timeout=ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
        if isinstance(error, KeyboardInterrupt):
            raise
        errors += f"\ntook longer than {PATIENCE} s"
    OUTPUTS.mkdir(parents=True, exist_ok=True)
    (OUTPUTS / _file(command)).write_text(f"{output}\n{errors}", "utf-8")
    return Outcome(output, errors, process.returncode, time.monotonic() - began)


def _file(command: str) -> str:
    return re.sub(r"[^\w]+", "-", command).strip("-") + ".txt"


def read_rows() -> list[Row]:
    """The rows of the tables with their last measurements."""
    return [Row(**fields) for fields in json.loads(ROWS.read_text("utf-8"))]


def _write(rows: Sequence[Row]) -> None:
    lines = (json.dumps(asdict(row), ensure_ascii=False) for row in rows)
    ROWS.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
    for path, lines in ((README, readme_table(rows)), (TABLES, tables(rows))):
        path.write_text(rewritten(path.read_text("utf-8"), lines), "utf-8")


def rewritten(text: str, lines: Iterable[str], begin: str = BEGIN, end: str = END) -> str:
    """A text with these lines between its marks."""
    before, rest = text.split(begin)
    return "\n".join((f"{before}{begin}", *lines, f"{end}{rest.split(end)[1]}"))


def readme_table(rows: Sequence[Row]) -> list[str]:
    """The table of README.md."""
    lines = [f"| {row.what} | {row.figure} | {row.verdict} |" for row in rows if row.in_readme and row.figure]
    return ["| | measured | bar |", "| --- | --- | --- |", *lines]


def tables(rows: Sequence[Row]) -> list[str]:
    """The tables of benchmarks/README.md: one line for each row that was measured, with the letter of its machine."""
    rows = [row for row in rows if row.figure]
    machines = dict.fromkeys(row.machine for row in rows)
    letters = dict(zip(machines, "ABCDEFGH", strict=False)) if len(machines) > 1 else {}
    legend = "; ".join(f"{letter}: {machine}" for machine, letter in letters.items())
    where = f"idle machines. {legend}" if letters else f"an idle machine: {next(iter(machines), '')}"
    lines = [f"Measured by the clock on the wall on {where}."]
    for area, group in groupby(rows, lambda row: row.area):
        lines += ["", f"### {area}", "", "| | command | measured | bar | when |", "| --- | --- | --- | --- | --- |"]
        for row in group:
            when = f"{row.date}, `{row.commit}`{f', {letters[row.machine]}' if letters else ''}"
            cells = (row.what, f"`python -m benchmarks.{row.command}`", row.figure, row.verdict, when)
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def _commit() -> str:
    """The commit that is measured; with a plus sign when the code differs from it."""
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", "*.py", "*.js", "*.toml", "pretrained")
    return _git("rev-parse", "--short=7", "HEAD") + ("+" if changed else "")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _machine() -> str:
    info = Path("/proc/cpuinfo")
    flags = info.read_text("utf-8") if info.exists() else ""
    name = re.search(r"model name\s*:\s*(.+)", flags)
    labels = {"amx_bf16": "AMX", "avx512_bf16": "AVX-512 with bfloat16", "avx512f": "AVX-512", "avx2": "AVX2"}
    vectors = next((f", {label}" for flag, label in labels.items() if flag in flags), "")
    processor = name[1].strip() if name else platform.machine()
    return f"{os.cpu_count()} cores ({processor}{vectors}), Python {platform.python_version()}"


if __name__ == "__main__":
    sys.exit(main())
