"""Runs the benchmarks, and writes the tables of benchmarks/README.md and the first six figures in README.md.

    python -m benchmarks.figures                     all of them, one after the other
    python -m benchmarks.figures capture visitors    these alone; the other rows stay as they are
    python -m benchmarks.figures "survey rate"       one command of a benchmark
    python -m benchmarks.figures --list              the commands, and how long each took last
    python -m benchmarks.figures --quick             each at a small size, to see that it runs; nothing is written

Run it on an idle machine. Each row keeps the day, the commit and the machine of its own measurement, in
benchmarks/figures.json; the tables are written from there after each benchmark. When a benchmark fails, or its
output lacks the figure of a row, that row stays as it was, and the reason is said at the end. The output of each
benchmark is kept in build/figures/.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from benchmarks.figure_rows import AREAS, FIRST, QUICK, ROWS, Row

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TABLES = ROOT / "benchmarks" / "README.md"
MEASURED = ROOT / "benchmarks" / "figures.json"
KEPT = ROOT / "build" / "figures"
BEGIN, END = "<!-- figures: written by make figures -->", "<!-- end of figures -->"
HEAD = ("| | command | measured | bar | when |", "| --- | --- | --- | --- | --- |")
FIRST_HEAD = ("| | measured | bar |", "| --- | --- | --- |")
PATIENCE = 1200
"""Time limit of one benchmark in seconds; then it is ended together with the servers and browsers that it started."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A row's figure, and when and where it was measured."""

    figure: str
    date: str
    commit: str
    machine: str
    seconds: float = 0.0
    """How long the command took; 0 where that is not known."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a benchmark has printed, its exit status and its seconds."""

    output: str
    complaint: str
    code: int
    seconds: float

    @property
    def reason(self) -> str:
        """Why there may be a figure missing."""
        lines = [line for line in self.complaint.splitlines() if line.strip()]
        return f"it ended with code {self.code}{': ' + lines[-1].strip() if lines and self.code else ''}"


def main() -> int:
    """Run the benchmarks, rewrite the table, and list what could not be measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="BENCHMARK", help=", ".join(dict.fromkeys(r.name for r in ROWS)))
    parser.add_argument("--list", action="store_true", help="list the commands instead of running them")
    parser.add_argument("--quick", action="store_true", help="run at a small size and write nothing")
    chosen = parser.parse_args()
    for name in chosen.names:
        if not meant([name]):
            parser.error(f"no row quotes {name}: --list shows the commands")
    failed: list[str] = []
    for command in dict.fromkeys(row.command for row in meant(chosen.names)):
        rows = [row for row in ROWS if row.command == command]
        if chosen.list:
            known = read_measured()
            took = max((known[row.what].seconds for row in rows if row.what in known), default=0)
            print(f"{command:60} {took:.0f} s")
            continue
        print(f"benchmarks.{command}", flush=True)
        ended = _run(f"{command} {QUICK[rows[0].name]}" if chosen.quick else command)
        found = {row.what: figure for row in rows if (figure := row.read(ended.output))}
        failed += [f"  {row.what} (benchmarks.{row.command}): {ended.reason}; see {KEPT / _file(row.command)}\n"
                   for row in rows if row.what not in found]  # fmt: skip
        print(*(f"  {figure}  {what}" for what, figure in found.items()), f"  {ended.seconds:.0f} s", sep="\n")
        if not chosen.quick:  # after each, so that an interruption loses nothing
            _keep(found, ended.seconds)
    if failed:
        sys.stderr.write("\nwithout a figure:\n" + "".join(failed))
    return bool(failed)


def meant(names: Sequence[str]) -> list[Row]:
    """The rows that are asked for, by a benchmark's name or a whole command; all for no names."""
    return [row for row in ROWS if not names or row.name in names or row.command in names]


def _run(command: str) -> Ended:
    began = time.monotonic()
    started = subprocess.Popen(
        [sys.executable, "-u", "-m", f"benchmarks.{command.split()[0]}", *command.split()[1:]],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        output, complaint = started.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGINT)  # ends its servers too
        time.sleep(30)
        os.killpg(started.pid, signal.SIGKILL)
        output, complaint = started.communicate()
        complaint += f"\ntook longer than {PATIENCE} s"
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / _file(command)).write_text(f"{output}\n{complaint}", "utf-8")
    return Ended(output, complaint, started.returncode, time.monotonic() - began)


def _file(command: str) -> str:
    return re.sub(r"[^\w]+", "-", command).strip("-") + ".txt"


def read_measured() -> dict[str, Measured]:
    """What was measured last, by the rows' descriptions."""
    return {what: Measured(**fields) for what, fields in json.loads(MEASURED.read_text("utf-8")).items()}


def _keep(found: dict[str, str], seconds: float) -> None:
    """Merge new figures into those of other days, and write the table."""
    known = read_measured()
    for what, figure in found.items():
        known[what] = Measured(figure, f"{date.today():%Y-%m-%d}", _commit(), _machine(), round(seconds))
    ordered = {row.what: asdict(known[row.what]) for row in ROWS if row.what in known}
    lines = (json.dumps({what: fields}, ensure_ascii=False)[1:-1] for what, fields in ordered.items())
    MEASURED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    for path, lines in ((README, first(known)), (TABLES, tables(known))):
        path.write_text(rewritten(path.read_text("utf-8"), lines), "utf-8")


def rewritten(text: str, lines: Sequence[str]) -> str:
    """A text with these lines between its marks."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}"


def first(known: dict[str, Measured]) -> list[str]:
    """The table of README.md."""
    shown = [row for row in ROWS if row.what in FIRST and row.what in known]
    cells = ((FIRST[row.what] or row.what, known[row.what].figure, row) for row in shown)
    return [*FIRST_HEAD, *(f"| {what} | {figure} | {row.verdict(figure)} |" for what, figure, row in cells)]


def tables(known: dict[str, Measured]) -> list[str]:
    """The tables of benchmarks/README.md: one line for each row that was measured."""
    machines = list(dict.fromkeys(known[row.what].machine for row in ROWS if row.what in known))
    marks = {machine: chr(ord("A") + index) for index, machine in enumerate(machines)}
    lines = [_where(marks)]
    for area, names in AREAS.items():
        shown = [(row, known[row.what]) for row in ROWS if row.begins(*names) and row.what in known]
        lines += ["", f"### {area}", "", *HEAD] if shown else []
        for row, one in shown:
            mark = f", {marks[one.machine]}" if len(machines) > 1 else ""
            lines.append(row.line(one.figure, f"{one.date}, `{one.commit}`{mark}"))
    return lines


def _where(marks: dict[str, str]) -> str:
    """The machines that the rows name by their letters."""
    if len(marks) < 2:
        return f"Measured by the clock on the wall on an idle machine: {next(iter(marks), '')}."
    named = "; ".join(f"{mark}: {machine}" for machine, mark in marks.items())
    return f"Measured by the clock on the wall on idle machines. {named}."


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
    known = [label for flag, label in (("amx_bf16", "AMX"), ("avx512_bf16", "AVX-512 with bfloat16"),
                                       ("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags]  # fmt: skip
    processor = name[1].strip() if name else platform.machine()
    return f"{os.cpu_count()} cores ({processor}{', ' + known[0] if known else ''}), Python {platform.python_version()}"


if __name__ == "__main__":
    sys.exit(main())
