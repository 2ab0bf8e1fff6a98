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
from datetime import date
from pathlib import Path
from typing import NamedTuple

from benchmarks.figure_rows import AREAS, QUICK, ROWS, Row
from benchmarks.serving import ROOT, started

README, TABLES = ROOT / "README.md", ROOT / "benchmarks" / "README.md"
MEASURED, KEPT = ROOT / "benchmarks" / "figures.json", ROOT / "build" / "figures"
BEGIN, END = "<!-- figures: written by make figures -->", "<!-- end of figures -->"
HEAD = ("| | command | measured | bar | when |", "| --- | --- | --- | --- | --- |")
FIRST_HEAD = ("| | measured | bar |", "| --- | --- | --- |")
PATIENCE = 1200
"""Time limit of one benchmark in seconds; then it is ended together with the servers and browsers that it started."""
LEAVES_WITHIN = 30
"""Seconds in which a benchmark that is interrupted ends its servers."""


class Measured(NamedTuple):
    """A row's figure, and when and where it was measured."""

    figure: str
    date: str
    commit: str
    machine: str
    seconds: float = 0.0
    """How long the command took; 0 where that is not known."""


class Ended(NamedTuple):
    """What a benchmark has printed, its exit status and its seconds."""

    output: str
    complaint: str
    code: int
    seconds: float

    @property
    def reason(self) -> str:
        """Why there may be a figure missing."""
        last = self.complaint.strip().rpartition("\n")[2].strip() if self.code else ""
        return f"it ended with code {self.code}{last and f': {last}'}"


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
    began, (name, *arguments) = time.monotonic(), command.split()
    process = started([sys.executable, "-u", "-m", f"benchmarks.{name}", *arguments], cwd=ROOT, text=True,
                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    try:
        output, complaint = process.communicate(timeout=PATIENCE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt) as error:
        os.killpg(process.pid, signal.SIGINT)  # ends its servers too
        try:
            output, complaint = process.communicate(timeout=LEAVES_WITHIN)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, complaint = process.communicate()
        if isinstance(error, KeyboardInterrupt):
            raise
        complaint += f"\ntook longer than {PATIENCE} s"
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / _file(command)).write_text(f"{output}\n{complaint}", "utf-8")
    return Ended(output, complaint, process.returncode, time.monotonic() - began)


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
    ordered = {row.what: known[row.what]._asdict() for row in ROWS if row.what in known}
    lines = (json.dumps({what: fields}, ensure_ascii=False)[1:-1] for what, fields in ordered.items())
    MEASURED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    for path, lines in ((README, first(known)), (TABLES, tables(known))):
        path.write_text(rewritten(path.read_text("utf-8"), lines), "utf-8")


def rewritten(text: str, lines: Iterable[str], begin: str = BEGIN, end: str = END) -> str:
    """A text with these lines between its marks."""
    before, rest = text.split(begin)
    return "\n".join((f"{before}{begin}", *lines, f"{end}{rest.split(end)[1]}"))


def first(known: dict[str, Measured]) -> list[str]:
    """The table of README.md."""
    shown = ((row, known[row.what].figure) for row in ROWS if row.in_readme and row.what in known)
    return [*FIRST_HEAD, *(f"| {row.what} | {figure} | {row.verdict(figure)} |" for row, figure in shown)]


def tables(known: dict[str, Measured]) -> list[str]:
    """The tables of benchmarks/README.md: one line for each row that was measured, with the letter of its machine."""
    machines = dict.fromkeys(known[row.what].machine for row in ROWS if row.what in known)
    marks = dict(zip(machines, "ABCDEFGH", strict=False)) if len(machines) > 1 else {}
    named = "; ".join(f"{mark}: {machine}" for machine, mark in marks.items())
    where = f"idle machines. {named}" if marks else f"an idle machine: {next(iter(machines), '')}"
    lines = [f"Measured by the clock on the wall on {where}."]
    for area, names in AREAS.items():
        shown = [(row, known[row.what]) for row in ROWS if row.begins(*names) and row.what in known]
        lines += ["", f"### {area}", "", *HEAD] if shown else []
        for row, (figure, day, commit, machine, _) in shown:
            lines.append(row.line(figure, f"{day}, `{commit}`{f', {marks[machine]}' if marks else ''}"))
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
    known = [label for flag, label in (("amx_bf16", "AMX"), ("avx512_bf16", "AVX-512 with bfloat16"),
                                       ("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags]  # fmt: skip
    processor = name[1].strip() if name else platform.machine()
    return f"{os.cpu_count()} cores ({processor}{', ' + known[0] if known else ''}), Python {platform.python_version()}"


if __name__ == "__main__":
    sys.exit(main())
