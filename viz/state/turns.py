"""Runs one visitor's page at a time, unless a page takes long.

The interpreter runs one thread at a time, and PyTorch releases it in every operation. Pages that are computed at the
same time pass it to each other thousands of times a second, which delays all of them: twelve together take more than
twice as long as one after the other.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

Given = ParamSpec("Given")
Result = TypeVar("Result")


REMEMBERED = 10.0
"""Seconds by which it is judged how busy the server is."""
QUIET = 0.25
"""Share of them that others' pages may take while the server still counts as quiet."""


MOST_OF_SESSION = 2
"""Runs of one session at a time: the one that its visitor has replaced, until it notices, and the new one."""
MOST_OF_ADDRESS = 8
"""Runs of one network address at a time. A school behind one address has as many, which is more than processors."""
PATIENCE = 10.0
"""Seconds after which a run that the two limits hold back begins all the same."""
LOOK_AGAIN = 0.02
"""Seconds at least between two looks of a waiting run at whether it may begin."""


@dataclass(slots=True, eq=False)
class _Run:
    """One run of a page that waits for its turn or has it."""

    session: str
    address: str
    since: float = field(default_factory=lambda: time.monotonic())
    is_called: threading.Event = field(default_factory=lambda: threading.Event())
    has_begun: bool = False
    """Whether it has had a turn already, and only let others pass."""
    is_replaced: bool = False
    """Whether the same session has begun a newer run, so that nobody will see this one."""


class Turns:
    """Runs turns one at a time. A turn that takes too long continues while the next begins.

    The next is the longest waiting run of the network address that has waited longest, so a visitor who sends many
    requests delays another's click by one turn. A session has one run that waits: a newer one replaces it.
    """

    def __init__(self, seconds: float) -> None:
        """
        Args:
            seconds: the next turn waits at most this long.
        """
        self.seconds = seconds
        self._guard = threading.Lock()
        self._waiting: deque[_Run] = deque()
        self._begun: list[_Run] = []
        """Runs that have their turn, or have had it and go on."""
        self._called: dict[str, float] = {}
        """When a run of each address was last called, for those of the last ``REMEMBERED`` seconds."""
        self._holder: _Run | None = None
        self._until = 0.0
        self._taken: deque[tuple[float, float, str]] = deque()
        """Begin, end and session of the turns of the last ``REMEMBERED`` seconds."""
        self._own = threading.local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for earlier turns, then run; calls inside a turn do not wait.

        Raises:
            StopException: when the same session has begun a newer run meanwhile; Streamlit ends this one.
        """
        if getattr(self._own, "is_inside", False):
            yield
            return
        run = self._own.run = _Run(*_visitor())
        try:
            self._begin(run)
            yield
        finally:
            self._end()

    def let_others_pass(self) -> None:
        """End the turn of this thread, and wait for another behind those who wait now."""
        if getattr(self._own, "is_inside", False) and self._waiting:
            before = self._own.run
            self._end()
            run = self._own.run = _Run(before.session, before.address, has_begun=True)
            self._begin(run)

    def _begin(self, run: _Run) -> None:
        self._own.began, self._own.is_inside = 0.0, True
        with self._guard:
            if run.session and not run.has_begun:
                self._replace(run.session)
            self._waiting.append(run)
            self._call()
        while not run.is_called.wait(max(LOOK_AGAIN, self._until - time.monotonic())):
            with self._guard:
                self._call()
        if run.is_replaced:
            raise StopException
        self._own.began = time.monotonic()

    def _end(self) -> None:
        run = self._own.run
        self._own.is_inside = False
        with self._guard:
            if self._own.began:
                self._taken.append((self._own.began, time.monotonic(), run.session))
                self._forget()
            if run in self._waiting:
                self._waiting.remove(run)
            if run in self._begun:
                self._begun.remove(run)
            if self._holder is run:
                self._holder = None
            self._call()

    def is_quiet(self) -> bool:
        """Whether nobody waits, and other sessions took little of the last seconds: there is room for unasked work."""
        own = _visitor()[0]
        with self._guard:
            self._forget()
            taken = sum(end - begin for begin, end, session in self._taken if session != own)
            return not self._waiting and taken <= QUIET * REMEMBERED

    def _forget(self) -> None:
        old = time.monotonic() - REMEMBERED
        while self._taken and self._taken[0][1] < old:
            self._taken.popleft()
        self._called = {address: called for address, called in self._called.items() if called > old}

    def _replace(self, session: str) -> None:
        """Let the run of this session that waits give up: Streamlit has told it to stop."""
        for run in [each for each in self._waiting if each.session == session and not each.has_begun]:
            self._waiting.remove(run)
            run.is_replaced = True
            run.is_called.set()

    def _call(self) -> None:
        """Start the next turn if none is running or the running one has exceeded its time."""
        if not self._waiting or (self._holder is not None and time.monotonic() < self._until):
            return
        run = min(filter(self._may_begin, self._waiting), key=lambda each: self._called.get(each.address, 0.0),
                  default=None)  # fmt: skip
        if run is None:
            return
        self._waiting.remove(run)
        self._begun.append(run)
        self._called[run.address] = time.monotonic()
        self._until = time.monotonic() + self.seconds
        self._holder = run
        run.is_called.set()

    def _may_begin(self, run: _Run) -> bool:
        if run.has_begun or time.monotonic() - run.since > PATIENCE:
            return True
        session = sum(bool(run.session) and each.session == run.session for each in self._begun)
        address = sum(bool(run.address) and each.address == run.address for each in self._begun)
        return session < MOST_OF_SESSION and address < MOST_OF_ADDRESS


def _visitor() -> tuple[str, str]:
    """The browser session of this thread and its network address; empty outside the application."""
    context = get_script_run_ctx(suppress_warning=True)
    return ("", "") if context is None else (context.session_id, st.context.ip_address or "")


TURNS = Turns(seconds=0.25)
"""The turns of all pages of this server. The first screen with a new sentence takes 0.1 s of a free processor."""


def in_turn(draw: Callable[Given, Result]) -> Callable[Given, Result]:
    """Let a fragment wait for its turn: it runs without the page around it."""

    @wraps(draw)
    def drawn(*given: Given.args, **named: Given.kwargs) -> Result:
        with TURNS.turn():
            return draw(*given, **named)

    return drawn
