"""A visitor's runs in the background, trainings and surveys alike: queued, found by name, redrawn, and stopped."""

import os
from collections.abc import Callable

import streamlit as st

from model.deployment import is_public
from model.runs.errors import RunError
from model.runs.folder import JobFolder
from model.runs.limits import runs_root
from model.runs.retention import remove
from model.runs.status import ask, find, write_owner
from viz import cache
from viz.environment import NAMED_RUNS_VARIABLE, REPLICA_VARIABLE
from viz.i18n import tr
from viz.state import session
from viz.state.turns import in_turn

_POLL_SECONDS = 1.0
_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


def submit(folder: JobFolder, *, owned: frozenset[str]) -> None:
    """Queue a new run of this visitor; if the queue does not take it, nothing is left of it on the disk.

    Args:
        owned: names of the visitor's other runs.
    """
    write_owner(folder, session.visitor())
    try:
        cache.run_queue().submit(folder, owner=session.visitor(), owned=owned)
    except RunError:
        remove(folder)
        raise


def run_named(name: str) -> JobFolder | None:
    """The run that a link names; None without a name, or when the run was removed.

    Runs of a terminal have names that can be guessed: they open where only their owner can reach the server.
    """
    return find(runs_root(), name, secret_only=not _names_are_open()) if name else None


def _names_are_open() -> bool:
    if os.environ.get(NAMED_RUNS_VARIABLE) == "1":
        return True
    is_behind_proxy = is_public() or bool(os.environ.get(REPLICA_VARIABLE))
    return not is_behind_proxy and st.get_option("server.address") in _THIS_MACHINE


def redraw_every_second(draw: Callable[[], None]) -> None:
    """Draw the progress of a run, now and in a fragment every second."""
    st.fragment(in_turn(draw), run_every=_POLL_SECONDS)()


def queue_place(folder: JobFolder) -> str:
    """How many runs a queued one waits for, in words."""
    n_before = cache.run_queue().place(folder)
    return tr("fine_tune.state_queued", n=n_before) if n_before else tr("fine_tune.state_next")


def stop(folder: JobFolder) -> None:
    """Remove a run from the queue, or let it end after its current step."""
    if not cache.run_queue().withdraw(folder):
        ask(folder, "stop")
