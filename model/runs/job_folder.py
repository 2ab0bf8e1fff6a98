"""The folder through which a server and a run's process communicate.

job.json        the Job, written once (and again when a run continues with other settings)
survey.json     in its place, the job of a survey that waits in the same queue
train.tsv       pairs to learn from           held_out.tsv    pairs to validate by and to compare on
status.json     the Status, replaced at each change
control         "pause", "stop" or nothing
alive           locked as long as the server queues the run or its process lives
probe/          one recorded frame of the probe sentence a file, and the weights of that step
before.json     translations of the held-out pairs before training
comparison.json, comparison.npz    what has changed, once the run has ended
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from model.runs.folder import RunFolder


@dataclass(frozen=True, slots=True)
class JobFolder(RunFolder):
    """A run's folder, with the files of its job."""

    @property
    def job(self) -> Path:
        """The job."""
        return self.path / "job.json"

    @property
    def survey(self) -> Path:
        """The job, where the run is a survey and not a training."""
        return self.path / "survey.json"

    @property
    def status(self) -> Path:
        """The status."""
        return self.path / "status.json"

    @property
    def control(self) -> Path:
        """The last command from the panel."""
        return self.path / "control"

    @property
    def alive(self) -> Path:
        """The lock."""
        return self.path / "alive"

    @property
    def train(self) -> Path:
        """Pairs to learn from."""
        return self.path / "train.tsv"

    @property
    def held_out(self) -> Path:
        """Pairs never trained on."""
        return self.path / "held_out.tsv"

    @property
    def probe(self) -> Path:
        """Recorded frames and weights."""
        return self.path / "probe"

    @property
    def before(self) -> Path:
        """Translations before training."""
        return self.path / "before.json"

    @property
    def comparison(self) -> Path:
        """Scores and translations before and after."""
        return self.path / "comparison.json"

    @property
    def comparison_maps(self) -> Path:
        """How far each head moved, and its maps before and after."""
        return self.path / "comparison.npz"

    @property
    def ballast(self) -> Path:
        """A file that is deleted when the disk is full, so that this can be reported."""
        return self.path / ".ballast"

    @property
    def owner(self) -> Path:
        """Who started it, as a hash; unknown if the file is missing."""
        return self.path / "owner"

    @property
    def log(self) -> Path:
        """The log of the process, for administrators."""
        return self.path / "log.txt"
