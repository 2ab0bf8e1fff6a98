"""What the queue needs to know of any run: the module that works on it, its device, threads and disk space."""

from __future__ import annotations

import json
from dataclasses import dataclass

from model.runs.errors import RunError
from model.runs.job_folder import JobFolder

TRAINING, SURVEY = "model.training.jobs.worker", "model.corpus.worker"
MAX_BYTES = 1 << 30
"""Of a run that does not say: one of an earlier version."""


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
