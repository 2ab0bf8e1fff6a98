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

from streamlit.runtime.scriptrunner import get_script_run_ctx

Given = ParamSpec("Given")
Result = TypeVar("Result")


REMEMBERED = 10.0
"""Seconds by which it is judged how busy the server is."""
QUIET = 0.25
"""Share of them that others' pages may take while the server still counts as quiet."""


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
        self._taken: deque[tuple[float, float, str]] = deque()
        """Begin, end and session of the turns of the last ``REMEMBERED`` seconds."""
        self._own = threading.local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for earlier turns, then run; calls inside a turn do not wait."""
        if getattr(self._own, "is_inside", False):
            yield
            return
        try:
            self._begin()
            yield
        finally:
            self._end()

    def let_others_pass(self) -> None:
        """End the turn of this thread, and wait for another behind those who wait now."""
        if getattr(self._own, "is_inside", False) and self._waiting:
            self._end()
            self._begin()

    def _begin(self) -> None:
        mine = threading.Event()
        self._own.event, self._own.began, self._own.is_inside = mine, 0.0, True
        with self._guard:
            self._waiting.append(mine)
            self._call()
        while not mine.wait(max(0.0, self._until - time.monotonic())):
            with self._guard:
                self._call()
        self._own.began = time.monotonic()

    def _end(self) -> None:
        mine, began = self._own.event, self._own.began
        self._own.is_inside = False
        with self._guard:
            if began:
                self._taken.append((began, time.monotonic(), _session()))
                self._forget()
            if mine in self._waiting:
                self._waiting.remove(mine)
            if self._holder is mine:
                self._holder = None
                self._call()

    def is_quiet(self) -> bool:
        """Whether nobody waits, and other sessions took little of the last seconds: there is room for unasked work."""
        own = _session()
        with self._guard:
            self._forget()
            taken = sum(end - begin for begin, end, session in self._taken if session != own)
            return not self._waiting and taken <= QUIET * REMEMBERED

    def _forget(self) -> None:
        while self._taken and self._taken[0][1] < time.monotonic() - REMEMBERED:
            self._taken.popleft()

    def _call(self) -> None:
        """Start the next turn if none is running or the running one has exceeded its time."""
        if self._waiting and (self._holder is None or time.monotonic() >= self._until):
            self._until = time.monotonic() + self.seconds
            self._holder = self._waiting.popleft()
            self._holder.set()


def _session() -> str:
    """The browser session of this thread; empty outside the application."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None else ""


TURNS = Turns(seconds=0.25)
"""The turns of all pages of this server. The first screen with a new sentence takes 0.1 s of a free processor."""


def in_turn(draw: Callable[Given, Result]) -> Callable[Given, Result]:
    """Let a fragment wait for its turn: it runs without the page around it."""

    @wraps(draw)
    def drawn(*given: Given.args, **named: Given.kwargs) -> Result:
        with TURNS.turn():
            return draw(*given, **named)

    return drawn
