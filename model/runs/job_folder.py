"""The folder through which a server and a run's process communicate.

job.json        the Job, written once (and again when a run continues with other settings)
survey.json     in its place, the job of a survey that waits in the same queue
train.tsv       pairs to learn from           held_out.tsv    pairs to validate by and to compare on
status.json     the Status, replaced at each change
control         "pause", "stop" or nothing
alive           locked as long as the server queues the run or its process lives
probe/          one recorded frame of the probe sentence a file, and the weights of that step
before.json     translations of the held-out pairs before training
comparison.json, comparison.npz    the changes, once the run has ended
"""

from __future__ import annotations

from dataclasses import dataclass

from model.runs.folder import Inside, RunFolder


@dataclass(frozen=True, slots=True)
class JobFolder(RunFolder):
    """A run's folder, with the files of its job."""

    job = Inside("job.json")
    """The job."""
    survey = Inside("survey.json")
    """The job, where the run is a survey and not a training."""
    status = Inside("status.json")
    """The status."""
    control = Inside("control")
    """The last command from the panel."""
    alive = Inside("alive")
    """The lock."""
    train = Inside("train.tsv")
    """Pairs to learn from."""
    held_out = Inside("held_out.tsv")
    """Pairs never trained on."""
    probe = Inside("probe")
    """Recorded frames and weights."""
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
