"""Runs one visitor's page at a time, unless a page takes long.

PyTorch releases the interpreter's lock in every operation. Pages computed at the same time pass it to each other
thousands of times a second, which delays all of them: twelve together take more than twice as long as in sequence.
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

Params = ParamSpec("Params")
Result = TypeVar("Result")


REMEMBERED = 10.0
"""Seconds over which the server's load is measured."""
QUIET = 0.25
"""Maximum share of them that others' pages take while the server counts as quiet."""


MAX_PER_SESSION = 2
"""Concurrent runs of a session: the new one, and a replaced one until it notices."""
MAX_PER_ADDRESS = 8
"""Concurrent runs of a network address, such as a school's; more than there are processors."""
PATIENCE = 10.0
"""Seconds after which a run begins in spite of the two limits."""
POLL_SECONDS = 0.02
"""Minimum polling interval of a waiting run, in seconds."""


@dataclass(slots=True, eq=False)
class _Run:
    """One run of a page that waits for its turn or has it."""

    session: str
    address: str
    since: float = field(default_factory=lambda: time.monotonic())
    is_called: threading.Event = field(default_factory=lambda: threading.Event())
    has_begun: bool = False
    """Whether it has already had a turn and is yielding to others."""
    is_replaced: bool = False
    """Whether the same session has begun a newer run."""


class Turns:
    """Runs turns one at a time. A turn that takes too long continues while the next begins.

    The next is the longest waiting run of the network address that has waited longest, so a visitor who sends many
    requests delays another's click by one turn. A session has one run that waits: a newer one replaces it.
    """

    def __init__(self, seconds: float) -> None:
        """The next turn waits at most ``seconds``."""
        self.seconds = seconds
        self._guard = threading.Lock()
        self._waiting: deque[_Run] = deque()
        self._running: list[_Run] = []
        """Runs that have their turn, or continue after it."""
        self._last_calls: dict[str, float] = {}
        """When a run of each address was last called, for those of the last ``REMEMBERED`` seconds."""
        self._holder: _Run | None = None
        self._until = 0.0
        self._past_turns: deque[tuple[float, float, str]] = deque()
        """Begin, end and session of the turns of the last ``REMEMBERED`` seconds."""
        self._local = threading.local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for earlier turns, then run; calls inside a turn do not wait. Raises StopException, with which Streamlit
        ends this run, when the same session has begun a newer one meanwhile."""
        if getattr(self._local, "is_inside", False):
            yield
            return
        run = self._local.run = _Run(*_visitor())
        try:
            self._begin(run)
            yield
        finally:
            self._end()

    def let_others_pass(self) -> None:
        """End this thread's turn, and queue behind the runs that wait now."""
        if getattr(self._local, "is_inside", False) and self._waiting:
            before = self._local.run
            self._end()
            run = self._local.run = _Run(before.session, before.address, has_begun=True)
            self._begin(run)

    def _begin(self, run: _Run) -> None:
        self._local.began, self._local.is_inside = 0.0, True
        with self._guard:
            if run.session and not run.has_begun:
                self._replace(run.session)
            self._waiting.append(run)
            self._call()
        while not run.is_called.wait(max(POLL_SECONDS, self._until - time.monotonic())):
            with self._guard:
                self._call()
        if run.is_replaced:
            raise StopException
        self._local.began = time.monotonic()

    def _end(self) -> None:
        run = self._local.run
        self._local.is_inside = False
        with self._guard:
            if self._local.began:
                self._past_turns.append((self._local.began, time.monotonic(), run.session))
                self._forget()
            if run in self._waiting:
                self._waiting.remove(run)
            if run in self._running:
                self._running.remove(run)
            if self._holder is run:
                self._holder = None
            self._call()

    def is_quiet(self) -> bool:
        """Whether nobody waits and other sessions were mostly idle, so that background work may run."""
        this_session = _visitor()[0]
        with self._guard:
            self._forget()
            busy = sum(end - begin for begin, end, session in self._past_turns if session != this_session)
            return not self._waiting and busy <= QUIET * REMEMBERED

    def _forget(self) -> None:
        old = time.monotonic() - REMEMBERED
        while self._past_turns and self._past_turns[0][1] < old:
            self._past_turns.popleft()
        self._last_calls = {address: called for address, called in self._last_calls.items() if called > old}

    def _replace(self, session: str) -> None:
        """Cancel this session's waiting run: Streamlit has told it to stop."""
        for run in [run for run in self._waiting if run.session == session and not run.has_begun]:
            self._waiting.remove(run)
            run.is_replaced = True
            run.is_called.set()

    def _call(self) -> None:
        """Start the next turn if none is running or the running one has exceeded its time."""
        if not self._waiting or (self._holder is not None and time.monotonic() < self._until):
            return
        run = min(filter(self._may_begin, self._waiting), key=lambda run: self._last_calls.get(run.address, 0.0),
                  default=None)  # fmt: skip
        if run is None:
            return
        self._waiting.remove(run)
        self._running.append(run)
        self._last_calls[run.address] = time.monotonic()
        self._until = time.monotonic() + self.seconds
        self._holder = run
        run.is_called.set()

    def _may_begin(self, run: _Run) -> bool:
        if run.has_begun or time.monotonic() - run.since > PATIENCE:
            return True
        session = sum(bool(run.session) and other.session == run.session for other in self._running)
        address = sum(bool(run.address) and other.address == run.address for other in self._running)
        return session < MAX_PER_SESSION and address < MAX_PER_ADDRESS


def _visitor() -> tuple[str, str]:
    """The browser session of this thread and its network address; empty outside the application."""
    context = get_script_run_ctx(suppress_warning=True)
    return ("", "") if context is None else (context.session_id, st.context.ip_address or "")


TURNS = Turns(seconds=0.25)
"""The turns of all pages of this server. The first screen with a new sentence takes 0.1 s of a free processor."""


def in_turn(draw: Callable[Params, Result]) -> Callable[Params, Result]:
    """Let a fragment wait for its turn: it runs without the page around it."""

    @wraps(draw)
    def wrapped(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        with TURNS.turn():
            return draw(*args, **kwargs)

    return wrapped
