"""The status of a run, the cause of its failure, and the requests to it, as files in its folder."""

import errno
import hashlib
import hmac
import json
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import torch

from model.checkpoints.basis.errors import CheckpointError
from model.config import ConfigError
from model.files.atomic import write_atomically
from model.runs.errors import FaultKind, RunError
from model.runs.folder import JobFolder
from model.runs.processes import FileLock, is_held

State = Literal["queued", "waiting", "preparing", "running", "paused", "comparing", "finished", "stopped", "failed"]
Control = Literal["", "pause", "stop"]
ALIVE: frozenset[State] = frozenset({"queued", "waiting", "preparing", "running", "paused", "comparing"})
SECONDS_TO_LEAVE = 15.0
BALLAST_BYTES = 1 << 18
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SECRET = re.compile(r"[0-9a-f]{24}")
"""How ``new_folder`` names a run."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of a run."""

    state: State
    step: int = 0
    fault: Fault | None = None
    """The reason of a failure, or of a stop without a command."""
    device: str = ""
    precision: str = ""
    changed: float = field(default_factory=time.time)
    """Seconds since 1970."""

    @property
    def is_alive(self) -> bool:
        """Whether a process trains or will train."""
        return self.state in ALIVE


@contextmanager
def new_folder(root: Path) -> Iterator[JobFolder]:
    """Create a new run's folder with an unguessable name, so that only those with the link find it.

    If the block fails, nothing is left on disk.
    """
    folder = JobFolder(root / secrets.token_hex(12))
    folder.path.mkdir(parents=True)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder.path, ignore_errors=True)
        raise


def find(root: Path, run_id: str, *, secret_only: bool = False) -> JobFolder | None:
    """The folder of a run; None if the name is invalid or there is no such run.

    Args:
        secret_only: exclude names that a person has chosen, which others can guess.
    """
    if not (_SECRET if secret_only else _NAME).fullmatch(run_id) or not (root / run_id).is_dir():
        return None
    return JobFolder(root / run_id)


def write_owner(folder: JobFolder, owner: str) -> None:
    """Store who started a run as a hash, so that reading the folder is not enough to act as the owner."""
    write_atomically(folder.owner, hashlib.sha256(owner.encode()).hexdigest().encode())


def can_control(folder: JobFolder, owner: str) -> bool:
    """Whether this person may pause, stop, resume and remove the run: its owner, or anyone if it has none."""
    try:
        stored = folder.owner.read_text("utf-8")
    except OSError:
        return True
    return hmac.compare_digest(stored, hashlib.sha256(owner.encode()).hexdigest())


def write_status(folder: JobFolder, status: Status) -> None:
    """Replace the status; on a full disk, delete the ballast file to make room for it."""
    content = json.dumps(asdict(status)).encode()
    try:
        write_atomically(folder.status, content)
    except OSError:
        folder.ballast.unlink(missing_ok=True)
        write_atomically(folder.status, content)


def read_status(folder: JobFolder) -> Status:
    """A run's status from its file, corrected if the process that wrote it has died since."""
    is_alive = is_held(folder.alive)
    try:
        fields = json.loads(folder.status.read_text("utf-8"))
        status = _parse(fields)
    except (OSError, ValueError, TypeError, KeyError):
        return _from_command_line(folder)
    if not status.is_alive or is_alive:
        return status
    # The process may have written its final status after the lock was checked and before the file was read.
    status = _parse(json.loads(folder.status.read_text("utf-8")))
    if not status.is_alive:
        return status
    kind: FaultKind = "server_ended" if status.state == "queued" else "killed"
    return Status(state="failed", step=status.step, fault=Fault(kind), device=status.device, changed=status.changed)


def take_over(folder: JobFolder) -> FileLock | None:
    """Take the lock of an ended run; None if it is still alive."""
    # A process takes a moment to exit after it has written its final status.
    patience = 0.0 if read_status(folder).is_alive else SECONDS_TO_LEAVE
    return FileLock.take(folder.alive, patience=patience)


def ask(folder: JobFolder, control: Control) -> None:
    """Ask a run to pause or stop, or with an empty control to continue."""
    assert control in get_args(Control)
    write_atomically(folder.control, control.encode())


def requested_control(folder: JobFolder) -> Control:
    """The control that was requested last."""
    try:
        word = folder.control.read_text("utf-8")
    except OSError:
        return ""
    return word if word in ("pause", "stop") else ""


def _parse(fields: dict[str, Any]) -> Status:
    fault = fields.pop("fault")
    if fields["state"] not in get_args(State):
        raise ValueError(fields["state"])
    return Status(**fields, fault=Fault(**fault) if fault else None)


def _from_command_line(folder: JobFolder) -> Status:
    """The status of a run that ``python -m model train`` started, from its other files."""
    steps = [event["step"] for event in folder.events() if "step" in event]
    step = max(steps, default=0)
    if folder.result.is_dir():
        return Status(state="finished", step=step)
    is_fresh = folder.metrics.exists() and time.time() - folder.metrics.stat().st_mtime < 120
    return Status(state="running" if is_fresh else "stopped", step=step)
