"""Models of a run's folder, whose tokenizer may be a stranger's: then it is read by a child and not here."""

from __future__ import annotations

from pathlib import Path

from model.bundle import Bundle
from model.checkpoints import load
from model.checkpoints.sandbox import load_apart
from model.training.job import Job, JobFolder, read_job


def open_of_run(folder: JobFolder, path: Path) -> Bundle:
    """One of the checkpoints in a run's folder.

    Raises:
        CheckpointError: or another error of ``load``.
    """
    return opener(read_job(folder))(path)


def opener(job: Job | None):
    """What opens a run's checkpoints: a vocabulary that a run learned itself is ours, any other is not."""
    return load if job is not None and job.beginning is not None else load_apart
