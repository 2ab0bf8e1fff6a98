"""The type of progress callbacks."""

from collections.abc import Callable

Progress = Callable[[int, int], object]
"""Called with the number of finished parts and the total."""


def ignore_progress(done: int, total: int) -> None:
    """Ignore progress: the default callback."""
