"""The job of a training run, stored as a file in its folder, and access to the folder's models."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from model.bundle import Bundle
from model.checkpoints import load
from model.checkpoints.sandbox import load_sandboxed
from model.runs.folder import JobFolder
from model.training.preparation import NewModel
from model.training.settings import TrainingConfig, TrainingError


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The job of a training run."""

    config: TrainingConfig
    probe: str = ""
    """The sentence to record; empty for none."""
    record_every: int = 1
    """Minimum steps between recorded frames."""
    probe_share: float = 0.03
    """Share of the training time that recording may take."""
    lesson: str = ""
    """Name of the lesson that the pairs belong to; empty for a user's own pairs."""
    beginning: NewModel | None = None
    """The shape of a new model; None to continue from the checkpoint in ``initial``."""
    max_seconds: float = 1_800.0
    max_pause_seconds: float = 600.0
    max_bytes: int = 8 << 30
    """Maximum size of its folder on disk."""
    threads: int = 1
    niceness: int = 10
    created: float = field(default_factory=time.time)
    """Seconds since 1970."""

    def to_json(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)


def read_job(folder: JobFolder) -> Job | None:
    """The job; None for a run that was started from the command line.

    Raises:
        TrainingError: when the file is damaged.
    """
    if not folder.job.exists():
        return None
    try:
        fields = json.loads(folder.job.read_text("utf-8"))
        config = TrainingConfig.from_mapping(fields.pop("config"))
        beginning = fields.pop("beginning")
        return Job(config=config, beginning=NewModel(**beginning) if beginning else None, **fields)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise TrainingError(f"the run's job.json is damaged ({error}): start the run again") from error


def open_of_run(folder: JobFolder, path: Path) -> Bundle:
    """Open a checkpoint in a run's folder.

    Raises:
        CheckpointError: or another error of ``load``.
    """
    return opener(read_job(folder))(path)


def opener(job: Job | None) -> Callable[[Path], Bundle]:
    """The function that opens a run's checkpoints: a vocabulary that the run learned itself is trusted; any other is
    read in a child process."""
    return load if job is not None and job.beginning is not None else load_sandboxed
