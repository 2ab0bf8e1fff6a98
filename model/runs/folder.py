"""A run's folder: settings, metrics, checkpoints, and the files through which a server and the run's process communicate.

A reader never sees half of a file.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.files.atomic import write_atomically
from model.runs.errors import RunError

TRAINING, SURVEY = "model.training.jobs.worker", "model.corpus.worker"
MAX_BYTES = 1 << 30
"""Of a run that does not say: one of an earlier version."""


class Inside:
    """Descriptor of the path of a file or folder within a run's folder."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, folder: RunFolder, kind: type | None = None) -> Path:
        return folder.path / self.name


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of one run."""

    path: Path

    initial = Inside("initial")
    """The checkpoint that the run began from, in the project's own format."""
    settings = Inside("settings.json")
    """TrainingConfig as JSON."""
    metrics = Inside("metrics.jsonl")
    """JSON lines, one event each."""
    state = Inside("state.pt")
    """State for resuming, in addition to the weights: step, seconds, precision, best score and optimiser of the newest
    snapshot; random draws follow from the step."""
    result = Inside("result")
    """The finished checkpoint."""
    best = Inside("best")
    """A file that names the best snapshot."""

    def snapshot(self, step: int) -> Path:
        """The checkpoint of one step."""
        return self.path / "snapshots" / f"{step:06d}"

    def snapshots(self) -> list[Path]:
        """Kept checkpoints, oldest first."""
        folders = (path for path in (self.path / "snapshots").glob("[0-9]*") if path.is_dir())
        return sorted(folders, key=lambda path: int(path.name))

    def curve(self, step: int) -> Path:
        """The checkpoint of one step of the training curve."""
        return self.path / "curve" / f"{step:06d}"

    def best_snapshot(self) -> Path | None:
        """The snapshot with the highest validation score, once there is one."""
        return self.path / "snapshots" / self.best.read_text() if self.best.exists() else None

    def record(self, event: dict[str, Any]) -> None:
        """Append one event to the metrics atomically; a number that is not finite is written as null.

        Raises:
            OSError: when the disk is full; the earlier file stays.
        """
        line = _line(event)
        file = os.open(self.metrics, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            size = os.fstat(file).st_size
            written = os.write(file, line)
            if written < len(line):
                os.ftruncate(file, size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.metrics))
        finally:
            os.close(file)

    def events(self) -> Iterator[dict[str, Any]]:
        """Events so far, without incomplete or damaged lines."""
        if not self.metrics.exists():
            return
        for line in self.metrics.read_text("utf-8", "replace").splitlines(keepends=True):
            if line.endswith("\n"):
                with contextlib.suppress(ValueError, RecursionError):
                    event = json.loads(line)
                    if isinstance(event, dict):
                        yield event

    def forget_after(self, step: int) -> None:
        """Delete the events of steps that a resumed run will repeat."""
        earlier = [event for event in self.events() if event.get("step", 0) <= step]
        write_atomically(self.metrics, b"".join(map(_line, earlier)))


def _line(event: dict[str, Any]) -> bytes:
    """One line of strict JSON, which has no NaN."""
    finite = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in event.items()
    }
    return (json.dumps(finite, allow_nan=False) + "\n").encode()


@dataclass(frozen=True, slots=True)
class JobFolder(RunFolder):
    """A run's folder, with the files of its job."""

    job = Inside("job.json")
    """The job, written once, and again when a run continues with other settings."""
    survey = Inside("survey.json")
    """In its place, the job of a survey that waits in the same queue."""
    status = Inside("status.json")
    """The status, replaced at each change."""
    control = Inside("control")
    """The last command from the panel: "pause", "stop" or nothing."""
    alive = Inside("alive")
    """Locked as long as the server queues the run or its process lives."""
    train = Inside("train.tsv")
    """Pairs to learn from."""
    held_out = Inside("held_out.tsv")
    """Pairs to validate by and to compare on, never trained on."""
    probe = Inside("probe")
    """One recorded frame of the probe sentence a file, and the weights of that step."""
    before = Inside("before.json")
    """Translations before training."""
    comparison = Inside("comparison.json")
    """Scores and translations before and after."""
    comparison_maps = Inside("comparison.npz")
    """How far each head moved, and its maps before and after."""
    ballast = Inside(".ballast")
    """A file that is deleted when the disk is full, so that this can be reported."""
    owner = Inside("owner")
    """Who started it, as a hash; unknown if the file is missing."""
    log = Inside("log.txt")
    """The log of the process, for administrators."""


@dataclass(frozen=True, slots=True)
class Task:
    """A run as the queue knows it."""

    worker: str
    """The module that works in the child process, called with the run's folder."""
    device: str
    threads: int
    max_bytes: int = MAX_BYTES
    """What its folder may come to take of the disk."""


def read_task(folder: JobFolder) -> Task | None:
    """The task of a folder; None when it has no job.

    Raises:
        RunError: when its file is damaged.
    """
    for path, worker in ((folder.job, TRAINING), (folder.survey, SURVEY)):
        if path.exists():
            try:
                fields = json.loads(path.read_text("utf-8"))
                device, most = fields.get("config", fields)["device"], fields.get("max_bytes", MAX_BYTES)
                return Task(worker, str(device), int(fields["threads"]), int(most))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise RunError(f"the run's {path.name} is damaged ({error}): start it again") from error
    return None
