"""Results go to standard output and everything else to standard error, with control characters written out.

Names of tensors, words and languages in a file may contain control characters, on which a terminal acts. If Rich is
installed, it draws colours and bars; otherwise the same words are printed plainly.
"""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from typing import Any

from model.cli.printable import printable

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


class NoBar:
    """Replaces a progress bar."""

    def __enter__(self) -> NoBar:
        return self

    def __exit__(self, *ended: object) -> None:
        pass

    def add_task(self, *task: object, **fields: object) -> int:
        """Nothing is drawn."""
        return 0

    def update(self, *task: object, **fields: object) -> None:
        """Nothing is drawn."""

    advance = update


def results() -> Any:
    """The current standard output, without colours unless it is a terminal."""
    return _console(stderr=False)


def errors() -> Any:
    """The current standard error, so that a redirection is respected."""
    return _console(stderr=True)


def progress(*fields: str) -> Any:
    """A bar with count and time left, on standard error; nothing without a terminal or without Rich.

    Args:
        fields: names of a task's fields that are written after the count.
    """
    if not _has_rich():
        return NoBar()
    from model.cli.terminal import bar

    return bar(errors(), fields)


def _console(*, stderr: bool) -> Any:
    if not _has_rich():
        return Plain(stderr=stderr)
    from model.cli.terminal import Terminal

    return Terminal(stderr=stderr, highlight=False)


def _has_rich() -> bool:
    return find_spec("rich") is not None
