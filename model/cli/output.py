"""Where words go: results to standard output, everything else to standard error."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def errors() -> Console:
    """Standard error as it is now, so that a redirection is respected."""
    return Console(stderr=True)


def progress(*columns: TextColumn) -> Progress:
    """A bar with count and time left, on standard error; nothing where that is no terminal."""
    console = errors()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
