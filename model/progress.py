"""The type of progress callbacks."""

from collections.abc import Callable

Progress = Callable[[int, int], object]
"""Called with the number of parts that are done, and of all."""


def unreported(done: int, total: int) -> None:
    """Tell nobody."""
