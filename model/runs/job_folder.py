"""The folder through which a server and a run's process communicate, and what the queue needs to know of any run."""

import json
from dataclasses import dataclass

from model.runs.errors import RunError
from model.runs.folder import Inside, RunFolder

TRAINING, SURVEY = "model.training.jobs.worker", "model.corpus.worker"
MAX_BYTES = 1 << 30
"""Of a run that does not say: one of an earlier version."""


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
