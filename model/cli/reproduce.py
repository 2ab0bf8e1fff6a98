"""``reproduce``: run again what a saved report says was run, and compare every number."""

import argparse
import contextlib
import io
import json
import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from model.cli.output import errors, say
from model.cli.stamp import digest
from model.errors import RegardError
from model.files.stamped import KEY, report_of
from model.text.counting import format_count

SUMMARY = "run a saved report's command again, and compare"
EPILOGUE = """\
examples:
  python -m model align gold.tsv --json > aligned.json    a report with its stamp
  python -m model reproduce aligned.json                  the same command again, and what differs
  python -m model reproduce aligned.json --within 1e-4    numbers may differ by so much of their size
  python -m model reproduce curve.pdf                     the numbers behind a figure that viz figure drew
  python -m model reproduce survey/                       all tables of a survey; or one of its files

Reports of evaluate, align, prune, compare, steer and sweep with --json, the figures drawn from them and the tables of
a survey have a stamp: the command, versions, the model's fingerprint, the seed and the SHA-256 of the data. The status
is 1 when a number differs, or when the data is not the same.
"""
_REPEATABLE = ("evaluate", "align", "prune", "compare", "steer", "sweep")
_TIMES = frozenset({"seconds", "sentences_per_second", "tokens_per_second", KEY})
"""Fields that no second run has again."""
_N_SHOWN = 10
_MISSING = object()


class ReproduceError(RegardError):
    """A report that cannot be reproduced; the message says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=Path, help="what a command wrote with --json, a figure of it, or a survey")
    parser.add_argument(
        "--within", type=float, default=1e-6, metavar="X", help="difference that counts as none, of a number's size"
    )


def run(chosen: argparse.Namespace) -> int:
    """Run the command again and print what differs."""
    if chosen.report.is_dir() or chosen.report.suffix == ".parquet":
        report, again = _surveys(chosen.report)
    else:
        report = _read_report(chosen.report)
        _check_data(report[KEY]["data"])
        again = json.loads(_run_again(report[KEY]["command"]))
    stamp, now = report[KEY], again[KEY]
    for name in ("regard", "commit", "torch", "python", "fingerprint"):
        if stamp.get(name) != now[name]:
            errors().print(f"{name} was {stamp.get(name)}, is {now[name]}", markup=False, soft_wrap=True)
    pairs = list(_pairs(report, again, ""))
    wrong = [(place, was, value) for place, was, value in pairs if not _is_same(was, value, chosen.within)]
    for place, was, value in wrong[:_N_SHOWN]:
        say(f"{place}: was {_format_value(was)}, is {_format_value(value)}")
    say(f"{len(pairs) - len(wrong):,} of {format_count(len(pairs), 'value')} are the same")
    return 1 if wrong else 0


def _read_report(path: Path) -> dict[str, Any]:
    """A report with a stamp of a command that may be run.

    Raises:
        ReproduceError: when the file holds none.
    """
    try:
        report = report_of(path)
        command, data = report[KEY]["command"], report[KEY]["data"]
    except (ValueError, KeyError, TypeError) as error:
        raise ReproduceError(
            f"{path} is no report with a stamp: save one with --json, such as python -m model align gold.tsv --json"
        ) from error
    _check_command(path, command, data, _REPEATABLE)
    if "--output" in command or any(word.startswith("--output=") for word in command):
        raise ReproduceError(f"{path} was made by a command that also writes a file: run it again by hand")
    return report


def _check_command(path: Path, command: Any, data: Any, allowed: Sequence[str]) -> None:
    is_command = isinstance(command, list) and all(isinstance(word, str) for word in command)
    if not is_command or command[:1] not in [[name] for name in allowed] or not isinstance(data, dict):
        raise ReproduceError(f"{path} has the stamp of no command that can be run again: {', '.join(allowed)}")


def _surveys(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tables of a survey, or of one of its files, and the same of a survey that is made now: by file and column.

    Raises:
        ReproduceError: when they were not made by the command.
    """
    from model.corpus.shards import Stamp  # imports pyarrow; other reports do not need it

    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise ReproduceError(f"{path} holds no survey: give the folder or a file of one")
    stamp = dict(Stamp.of(files[0]).made_by)
    if stamp.get("command") is None:
        raise ReproduceError(f"{path} was written by regard.survey, not by the command: run it again by hand")
    command, data = stamp["command"], stamp.get("data")
    _check_command(path, command, data, ("survey",))
    _check_data(data or {})
    with tempfile.TemporaryDirectory() as folder:
        _run_again([*_without_out(command), "--out", folder])
        made = [Path(folder) / file.name for file in files]
        missing = next((file.name for file in made if not file.is_file()), None)
        if missing is not None:
            raise ReproduceError(f"the survey that is made now has no {missing}")
        now = Stamp.of(made[0]).made_by
        return {KEY: stamp, **_columns(files)}, {KEY: now, **_columns(made)}


def _columns(files: Sequence[Path]) -> dict[str, Any]:
    import pyarrow.parquet as pq

    return {file.name: pq.read_table(file).to_pydict() for file in files}


def _without_out(command: Sequence[str]) -> list[str]:
    """A survey's command without its folder."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--out")
    parser.add_argument("--resume", action="store_true")
    return parser.parse_known_args(command)[1]


def _check_data(data: Mapping[str, str]) -> None:
    for name, known in data.items():
        if not Path(name).is_file():
            raise ReproduceError(f"{name} is not here: run this in the folder in which the report was made")
        if digest(Path(name)) != known:
            raise ReproduceError(f"{name} is not the file that the report was made from: its SHA-256 differs")


def _run_again(command: list[str]) -> str:
    """Run the command again; returns what it prints."""
    from model.cli.main import main

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = main(command)
    if status:
        raise ReproduceError("the command failed, as said above")
    return printed.getvalue()


def _pairs(was: Any, now: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """Every value of either report, with its place and its counterpart."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in (*was, *(name for name in now if name not in was)):
            if name not in _TIMES:
                yield from _pairs(was.get(name, _MISSING), now.get(name, _MISSING), f"{place}.{name}".lstrip("."))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for index, (before, other) in enumerate(zip(was, now, strict=True)):
            yield from _pairs(before, other, f"{place}[{index}]")
    else:
        yield place, was, now


def _is_same(was: Any, now: Any, within: float) -> bool:
    numbers = [value for value in (was, now) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2:
        return math.isclose(was, now, rel_tol=within, abs_tol=within) or (was != was and now != now)
    return was == now


def _format_value(value: Any) -> str:
    return "absent" if value is _MISSING else f"{json.dumps(value, default=repr):.60}"
