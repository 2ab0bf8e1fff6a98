"""A run's folder: settings, metrics and checkpoints, each written so that a reader never sees half of it."""

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
