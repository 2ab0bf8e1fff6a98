"""Pairs from a small grammar, small runs and jobs on them, and functions that wait for these."""

import dataclasses
import threading
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

from model import Bundle
from model.runs.folder import JobFolder, RunFolder
from model.runs.limits import Limits
from model.runs.processes import FileLock
from model.runs.status import Fault, Status, read_status
from model.text.pairs import Pair
from model.training.jobs.creation import create
from model.training.jobs.job import Job, read_job
from model.training.jobs.worker import Worker
from model.training.preparation import NewModel, prepare
from model.training.settings import TrainingConfig
from model.training.trainer import Trainer

SUBJECTS = (("the cat", "le chat"), ("the dog", "le chien"), ("a child", "un enfant"), ("my sister", "ma sœur"),
            ("the teacher", "le professeur"), ("he", "il"), ("she", "elle"))  # fmt: skip
VERBS = (("sleeps", "dort"), ("eats", "mange"), ("sings", "chante"), ("works", "travaille"), ("laughs", "rit"))
PLACES = (("here", "ici"), ("at home", "à la maison"), ("in the garden", "dans le jardin"), ("on the sofa", "sur le "
          "canapé"), ("every day", "tous les jours"), ("with us", "avec nous"), ("again", "encore"))  # fmt: skip
MARKS = (("", ""), (".", "."), ("!", " !"))


def pairs() -> tuple[Pair, ...]:
    """All sentences of the grammar, capitalised and with final punctuation."""
    return tuple(
        Pair(f"{s[0]} {v[0]} {p[0]}{m[0]}".capitalize(), f"{s[1]} {v[1]} {p[1]}{m[1]}".capitalize())
        for s, v, p, m in product(SUBJECTS, VERBS, PLACES, MARKS)
    )


def write_tsv(path: Path, n: int | None = None) -> Path:
    """The pairs, or the first n, as a TSV."""
    lines = (f"{pair.source}\t{pair.target}\n" for pair in pairs()[:n])
    path.write_text("".join(lines), "utf-8")
    return path


SMALL = NewModel(vocab_size=80, d_model=32, d_feed_forward=64, n_encoder_layers=2, n_decoder_layers=2, n_heads=4)
SETTINGS = TrainingConfig(
    steps=12, batch_tokens=300, accumulation=2, warmup_steps=4, validate_every=6, keep_last=2,
    device="cpu", precision="float32",
)  # fmt: skip


def trainer(folder: Path, **changes: Any) -> Trainer:
    """A trainer of a 32-wide model, two layers a side, ready to run."""
    return prepare(SMALL, pairs(), dataclasses.replace(SETTINGS, **changes), RunFolder(folder))


LIMITS = Limits(niceness=0, probe_share=1.0)
PROBE = "The cat sleeps here."
PATIENCE = 180.0
"""Seconds; a child process first imports PyTorch, which takes long on a busy machine."""


def make_run(
    root: Path,
    *,
    beginning: Bundle | NewModel = SMALL,
    limits: Limits = LIMITS,
    n_pairs: int = 200,
    held_out_share: float = 0.1,
    **changes: Any,
) -> JobFolder:
    """The folder of a run on the small grammar that is not in the queue yet."""
    usual: dict[str, Any] = {"accumulation": 1, "validate_every": 4}
    config = dataclasses.replace(SETTINGS, **usual | changes)
    return create(root, beginning, every_third(n_pairs), config, limits, probe=PROBE, held_out_share=held_out_share)


def wait_for(what: Callable[[], bool], folder: JobFolder) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, (read_status(folder), folder.log.read_text() if folder.log.exists() else "")
        time.sleep(0.02)


def wait_until_ended(folder: JobFolder) -> Status:
    """Wait until no process works on the run any more, and return its state."""
    wait_for(lambda: not read_status(folder).is_alive, folder)
    return read_status(folder)


def hold(path: Path) -> FileLock:
    """The lock of a run or of a device, as another process would hold it."""
    lock = FileLock.take(path)
    assert lock is not None
    return lock


def job_of(folder: JobFolder) -> Job:
    """The job of a run that this module made."""
    job = read_job(folder)
    assert job is not None
    return job


def fault_in(status: Status) -> Fault:
    """The reason why a run ended that should still be running."""
    assert status.fault is not None
    return status.fault


def work(folder: JobFolder, server_ended: threading.Event | None = None) -> Status:
    """Do a run's work in this process, and return how it ended."""
    worker = Worker(folder, job_of(folder), server_ended or threading.Event())
    worker.run()
    if hasattr(worker, "lock"):
        worker.lock.release()
    return read_status(folder)


def last_step(folder: JobFolder) -> int:
    """The newest recorded optimiser step."""
    return max((event["step"] for event in folder.events() if event["kind"] == "StepDone"), default=0)


def every_third(n_pairs: int) -> tuple[Pair, ...]:
    """Every third pair of the small grammar, the first n of them."""
    return pairs()[::3][:n_pairs]
