"""Runs one visitor's page at a time, unless a page takes long.

The interpreter runs one thread at a time, and PyTorch releases it in every operation. Pages that are computed at the
same time pass it to each other thousands of times a second, which delays all of them: twelve together take more than
twice as long as one after the other.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


class Turns:
    """Runs turns in the order of arrival. A turn that takes too long continues while the next begins."""

    def __init__(self, seconds: float) -> None:
        """
        Args:
            seconds: the next turn waits at most this long.
        """
        self.seconds = seconds
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._holder: threading.Event | None = None
        self._until = 0.0
        self._own = threading.local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for earlier turns, then run; calls inside a turn do not wait."""
        if getattr(self._own, "is_inside", False):
            yield
            return
        mine = threading.Event()
        with self._guard:
            self._waiting.append(mine)
            self._call()
        try:
            while not mine.wait(max(0.0, self._until - time.monotonic())):
                with self._guard:
                    self._call()
            self._own.is_inside = True
            yield
        finally:
            self._own.is_inside = False
            with self._guard:
                if mine in self._waiting:
                    self._waiting.remove(mine)
                if self._holder is mine:
                    self._holder = None
                    self._call()

    def _call(self) -> None:
        """Start the next turn if none is running or the running one has exceeded its time."""
        if self._waiting and (self._holder is None or time.monotonic() >= self._until):
            self._until = time.monotonic() + self.seconds
            self._holder = self._waiting.popleft()
            self._holder.set()


TURNS = Turns(seconds=0.25)
"""The turns of all pages of this server. The first screen with a new sentence takes 0.1 s of a free processor."""


def in_turn(draw: Callable[Given, Result]) -> Callable[Given, Result]:
    """Let a fragment wait for its turn: it runs without the page around it."""

    @wraps(draw)
    def drawn(*given: Given.args, **named: Given.kwargs) -> Result:
        with TURNS.turn():
            return draw(*given, **named)

    return drawn
