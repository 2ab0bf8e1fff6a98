"""Errors that prevent a run from starting or continuing, and the kinds of fault that end one."""

from typing import ClassVar, Literal

from model.errors import LocalizableError

FaultKind = Literal[
    "device_memory", "not_finite", "killed", "disk_full", "disk_limit", "server_ended", "time_limit", "pause_limit",
    "settings", "checkpoint", "memory", "unknown",
]  # fmt: skip
"""Why a run failed, or stopped without being asked to."""


class RunError(LocalizableError):
    """A run cannot start or continue; the message says why and what to change."""

    fault: ClassVar[FaultKind] = "settings"
    """The kind of fault that a run ends with when this is its cause."""


class QueueError(RunError):
    """The queue does not accept a run now; the message says why."""


def running() -> QueueError:
    """The error for starting a run that has not ended yet."""
    return QueueError("this run is already running: stop it first", "running")
