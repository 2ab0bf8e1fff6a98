"""``reproduce``: run again what a saved report says was run, and compare every number."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from model.cli.arguments import add_command
from model.cli.output import errors, say
from model.cli.stamp import KEY, digest
from model.errors import RegardError
from model.text.counting import counted

EPILOGUE = """\
examples:
  python -m model align gold.tsv --json > aligned.json    a report with its stamp
  python -m model reproduce aligned.json                  the same command again, and what differs
  python -m model reproduce aligned.json --within 1e-4    numbers may differ by so much of their size

Reports of evaluate, align, prune and compare with --json have a stamp: the command, versions, the model's fingerprint
and the SHA-256 of the data. The status is 1 when a number differs, or when the data is not the same.
"""
_REPEATABLE = ("evaluate", "align", "prune", "compare")
_TIMES = frozenset({"seconds", "sentences_per_second", "tokens_per_second", KEY})
"""Fields that no second run has again."""
_N_SHOWN = 10
_MISSING = object()


class ReproduceError(RegardError):
    """A report that cannot be run again; the message says why."""


def add_to(commands: object) -> None:
    """Describe the command."""
    parser = add_command(
        commands, "reproduce", run, summary="run a saved report's command again, and compare", epilogue=EPILOGUE
    )
    parser.add_argument("report", type=Path, help="a file that a command wrote with --json")
    parser.add_argument(
        "--within", type=float, default=1e-6, metavar="X", help="difference that counts as none, of a number's size"
    )


def run(chosen: argparse.Namespace) -> int:
    """Run the command again, and say what differs."""
    report = _read(chosen.report)
    stamp = report[KEY]
    _check_data(stamp["data"])
    again = _run_again(stamp["command"])
    now = again[KEY]
    for name in ("regard", "commit", "torch", "python", "fingerprint"):
        if stamp.get(name) != now[name]:
            errors().print(f"{name} was {stamp.get(name)}, is {now[name]}", markup=False, soft_wrap=True)
    pairs = list(_pairs(report, again, ""))
    wrong = [(place, was, value) for place, was, value in pairs if not _is_same(was, value, chosen.within)]
    for place, was, value in wrong[:_N_SHOWN]:
        say(f"{place}: was {_told(was)}, is {_told(value)}")
    say(f"{len(pairs) - len(wrong):,} of {counted(len(pairs), 'value')} are the same")
    return 1 if wrong else 0


def _read(path: Path) -> dict[str, Any]:
    """A report with a stamp of a command that may be run.

    Raises:
        ReproduceError: when the file holds none.
    """
    try:
        report = json.loads(path.read_text("utf-8"))
        command, data = report[KEY]["command"], report[KEY]["data"]
    except (ValueError, KeyError, TypeError) as error:
        raise ReproduceError(
            f"{path} is no report with a stamp: save one with --json, such as python -m model align gold.tsv --json"
        ) from error
    is_command = isinstance(command, list) and all(isinstance(word, str) for word in command)
    if not is_command or command[:1] not in [[name] for name in _REPEATABLE] or not isinstance(data, dict):
        raise ReproduceError(f"{path} has the stamp of no command that can be run again: {', '.join(_REPEATABLE)}")
    if "--output" in command or any(word.startswith("--output=") for word in command):
        raise ReproduceError(f"{path} was made by a command that also writes a file: run it again by hand")
    return report


def _check_data(data: Mapping[str, str]) -> None:
    for name, known in data.items():
        if not Path(name).is_file():
            raise ReproduceError(f"{name} is not here: run this in the folder in which the report was made")
        if digest(Path(name)) != known:
            raise ReproduceError(f"{name} is not the file that the report was made from: its SHA-256 differs")


def _run_again(command: list[str]) -> dict[str, Any]:
    """The report that the command prints now."""
    from model.cli.main import main

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = main(command)
    if status:
        raise ReproduceError("the command failed, as said above")
    return json.loads(printed.getvalue())


def _pairs(was: Any, now: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """Every value of either report, with its place and its counterpart."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in (*was, *(name for name in now if name not in was)):
            if name not in _TIMES:
                yield from _pairs(was.get(name, _MISSING), now.get(name, _MISSING), f"{place}.{name}".lstrip("."))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for index, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from _pairs(one, other, f"{place}[{index}]")
    else:
        yield place, was, now


def _is_same(was: Any, now: Any, within: float) -> bool:
    numbers = [value for value in (was, now) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2:
        return math.isclose(was, now, rel_tol=within, abs_tol=within) or (was != was and now != now)
    return was == now


def _told(value: Any) -> str:
    return "absent" if value is _MISSING else f"{json.dumps(value):.60}"
