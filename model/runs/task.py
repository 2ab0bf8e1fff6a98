"""What the queue needs to know of a run, whatever it does: the module that works on it, its device and its threads."""

from __future__ import annotations

import json
from dataclasses import dataclass

from model.runs.errors import RunError
from model.runs.job_folder import JobFolder

TRAINING, SURVEY = "model.training.jobs.worker", "model.corpus.worker"


@dataclass(frozen=True, slots=True)
class Task:
    """What the queue knows of a run."""

    worker: str
    """The module that works in the child process, called with the run's folder."""
    device: str
    threads: int


def read_task(folder: JobFolder) -> Task | None:
    """The task of a folder; None when it has no job.

    Raises:
        RunError: when its file is damaged.
    """
    for path, worker in ((folder.job, TRAINING), (folder.survey, SURVEY)):
        if path.exists():
            try:
                fields = json.loads(path.read_text("utf-8"))
                return Task(worker, str(fields.get("config", fields)["device"]), int(fields["threads"]))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise RunError(f"the run's {path.name} is damaged ({error}): start it again") from error
    return None
