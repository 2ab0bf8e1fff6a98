"""Results go to standard output and everything else to standard error, with control characters written out.

Names of tensors, words and languages in a file may contain control characters, on which a terminal acts. If Rich is
installed, it draws colours and bars; otherwise the same words are printed plainly.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from model.cli.printable import printable
from model.progress import Progress

_MARKUP = re.compile(r"\[/?(?:dim|bold)\]")
_NO_MARKUP = "\0"
"""Marks a bracket that is not markup, until it is printed plainly."""


def say(text: str) -> None:
    """A line of results."""
    print(printable(text), flush=True)


def escape(text: str) -> str:
    """Escape brackets, so that they are not read as markup."""
    if not _has_rich():
        return text.replace("[", f"[{_NO_MARKUP}")
    from rich import markup

    return markup.escape(text)


class Plain:
    """Prints the same words as Rich's console, without styles."""

    is_terminal = False

    def __init__(self, *, stderr: bool) -> None:
        self._stream = sys.stderr if stderr else sys.stdout

    def print(self, text: str, *, markup: bool = True, end: str = "\n", **look: object) -> None:
        """Write a line."""
        if markup:
            text = _MARKUP.sub("", text).replace(f"[{_NO_MARKUP}", "[")
        self._stream.write(printable(text) + end)
        self._stream.flush()


class Lines:
    """Replaces a progress bar where none can be drawn: a line on standard error each ten seconds."""

    SECONDS = 10.0

    def __init__(self, fields: tuple[str, ...] = ()) -> None:
        self._fields = fields
        self._tasks: list[tuple[str, float]] = []
        self._done: list[float] = []
        self._last = time.monotonic()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *ended: object) -> None:
        pass

    def add_task(self, description: str, *, total: float | None = None, **fields: object) -> int:
        """Add a task with this many steps; returns its id."""
        self._tasks.append((description, total or 0))
        self._done.append(0)
        return len(self._tasks) - 1

    def update(
        self, task: int, *, completed: float | None = None, total: float | None = None, advance: float = 0,
        **fields: object,
    ) -> None:  # fmt: skip
        """Update a task's progress."""
        name, known = self._tasks[task]
        self._tasks[task] = name, known if total is None else total
        self._done[task] = self._done[task] + advance if completed is None else completed
        if time.monotonic() - self._last >= self.SECONDS:
            self._last = time.monotonic()
            values = " ".join(str(fields[name]) for name in self._fields if name in fields)
            line = f"{name}: {self._done[task]:,.0f} of {self._tasks[task][1]:,.0f} {values}".rstrip()
            errors().print(line, markup=False, soft_wrap=True)

    def advance(self, task: int, advance: float = 1) -> None:
        """Advance a task by some steps."""
        self.update(task, advance=advance)


def results() -> Any:
    """The current standard output, without colours unless it is a terminal."""
    return _console(stderr=False)


def errors() -> Any:
    """The current standard error, so that a redirection is respected."""
    return _console(stderr=True)


def progress(*fields: str) -> Any:
    """A bar with count and time left, on standard error; without a terminal or without Rich a line each ten seconds.

    Args:
        fields: names of a task's fields that are written after the count.
    """
    console = errors()
    if not _has_rich() or not console.is_terminal:
        return Lines(fields)
    from model.cli.terminal import bar

    return bar(console, fields)


@contextmanager
def progress_of(name: str) -> Iterator[Progress]:
    """A bar for one task, and the function that moves it."""
    with progress() as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def in_order(name: str, numbered: Iterable[tuple[int, str]], n: int) -> list[str]:
    """The ``n`` texts that come with their numbers, which may be in any order, with a bar."""
    texts = [""] * n
    with progress_of(name) as on_progress:
        for done, (number, text) in enumerate(numbered, start=1):
            texts[number] = text
            on_progress(done, n)
    return texts


def _console(*, stderr: bool) -> Any:
    if not _has_rich():
        return Plain(stderr=stderr)
    from model.cli.terminal import Terminal

    return Terminal(stderr=stderr, highlight=False)


def _has_rich() -> bool:
    return find_spec("rich") is not None
