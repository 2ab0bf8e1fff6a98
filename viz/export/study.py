"""A figure for a paper from one command; the file also holds its numbers and the stamp to reproduce them."""

import contextlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast, get_args

from model.cli.main import main as model_main
from model.errors import RegardError
from model.files.atomic import write_atomically
from model.files.stamped import KEY, report_of, with_report
from viz.figures.paper import Paper, render_for
from viz.figures.rendering import FigureFormat
from viz.figures.study import figure_of

COMMANDS = ("prune", "align", "steer", "compare", "sweep")


class FigureError(RegardError, ValueError):
    """A figure that cannot be drawn; the message says why and what to do."""


def write_figure(of: Sequence[str], out: Path, *, width_mm: float, font_points: float) -> None:
    """Draw a figure.

    Args:
        of: the path of a report, or a command of ``python -m model`` with its arguments.
        out: a .pdf, .svg or .png, into which the numbers and their stamp are written; ``python -m model reproduce``
            recomputes them.

    Raises:
        FigureError: for another format, a report without a figure, or a failed command.
        OSError: when a file cannot be read or written.
    """
    file_format = out.suffix.removeprefix(".").lower()
    if file_format not in get_args(FigureFormat):
        raise FigureError(f"{out.name} is no figure: give a name that ends with .pdf, .svg or .png")
    try:
        paper = Paper(width_mm=width_mm, font_points=font_points)
        report = _report(list(of))
        content = render_for(figure_of(report, paper=paper), paper, cast(FigureFormat, file_format))
    except ValueError as error:
        raise FigureError(str(error)) from error
    write_atomically(out, with_report(content, report))


def _report(of: list[str]) -> Mapping[str, Any]:
    if not of:
        raise FigureError("give a report, or a command such as prune pairs.tsv")
    if of[0] in COMMANDS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = model_main([*of, *([] if "--json" in of else ["--json"])])
        if status:
            raise FigureError("the command failed, as said above")
        return json.loads(printed.getvalue())
    try:
        report = report_of(Path(of[0]))
    except ValueError as error:
        raise FigureError(f"{of[0]} is no report: save one with --json") from error
    if len(of) > 1 or not isinstance(report, dict) or KEY not in report:
        raise FigureError(f"{of[0]} is no report with a stamp and no command: choose one of {', '.join(COMMANDS)}")
    return report
