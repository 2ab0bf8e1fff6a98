"""Results go to standard output and everything else to standard error, with control characters written out.

A file names its tensors, words and languages as it likes, and a terminal obeys control characters.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment

_OBEYED = (code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t")
_WRITTEN_OUT = {code: f"\\u{code:04x}" for code in _OBEYED}


def printable(text: str) -> str:
    """The text with its control characters written out, as JSON does: ``\\u001b``."""
    return text.translate(_WRITTEN_OUT)


def say(text: str) -> None:
    """A line of results."""
    print(printable(text), flush=True)


class _Terminal(Console):
    """A console whose styles are its own: control characters in what it is given are written out."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The renderable's pieces."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def results() -> Console:
    """The current standard output, without colours unless it is a terminal."""
    return _Terminal(highlight=False)


def errors() -> Console:
    """The current standard error, so that a redirection is respected."""
    return _Terminal(stderr=True)


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
