"""Models of a run's folder; an untrusted tokenizer among them is read by a child process."""

from __future__ import annotations

from pathlib import Path

from model.bundle import Bundle
from model.checkpoints import load
from model.checkpoints.sandbox import load_sandboxed
from model.runs.job_folder import JobFolder
from model.training.jobs.job import Job, read_job


def open_of_run(folder: JobFolder, path: Path) -> Bundle:
    """One of the checkpoints in a run's folder.

    Raises:
        CheckpointError: or another error of ``load``.
    """
    return opener(read_job(folder))(path)


def opener(job: Job | None):
    """The function that opens a run's checkpoints: only a vocabulary that the run learned itself is trusted."""
    return load if job is not None and job.beginning is not None else load_sandboxed
