"""Names for the causes of failed runs, so that the page can say what to change."""

import errno
from dataclasses import dataclass

import torch

from model.checkpoints.basis.errors import CheckpointError
from model.config import ConfigError
from model.runs.errors import FaultKind, RunError

@dataclass(frozen=True, slots=True)
class Fault:
    """The cause of a failed run."""

    kind: FaultKind
    detail: str = ""
    """The original message in English, for details."""


def fault_of(error: BaseException) -> Fault:
    """The cause behind an exception, found along the chain of what it was raised from."""
    for cause in _chain(error):
        kind = _kind(cause)
        if kind:
            return Fault(kind, str(error) or type(error).__name__)
    return Fault("unknown", f"{type(error).__name__}: {error}")


def _kind(error: BaseException) -> FaultKind | None:
    if isinstance(error, torch.cuda.OutOfMemoryError):
        return "device_memory"
    if isinstance(error, RunError) and error.fault != "settings":
        return error.fault
    # safetensors replaces the system's error with its own, which keeps only the message.
    is_full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or "No space left" in str(error)
    if is_full:
        return "disk_full"
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return "memory"
    if isinstance(error, RunError | ConfigError):
        return "settings"
    return "checkpoint" if isinstance(error, CheckpointError) else None


def _chain(error: BaseException) -> list[BaseException]:
    """Innermost first, because "the disk is full" says more than "saving failed"."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain[::-1]
