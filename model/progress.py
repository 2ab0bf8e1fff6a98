"""The type of progress callbacks."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], object]
"""Called with the number of parts that are done, and of all."""


def unreported(done: int, total: int) -> None:
    """Tell nobody."""
