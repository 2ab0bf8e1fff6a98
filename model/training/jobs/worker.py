"""The child process of one training run: ``python -m model.training.jobs.worker DIR``."""

import logging
import shutil
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import torch

from model.checkpoints import Bundle
from model.checkpoints.native_format import load_weights
from model.files.size import size_of
from model.runs.devices import choose_device
from model.runs.errors import RunError
from model.runs.folder import JobFolder
from model.runs.processes import POLL_SECONDS, SECONDS_TO_SAVE, device_name, give_way, hold_device, watch_server
from model.runs.status import BALLAST_BYTES, Fault, FaultKind, State, Status, fault_of, requested_control, write_status
from model.text.pairs import Pair
from model.training.data import Split, read_pairs
from model.training.events import NotFiniteError, StepDone
from model.training.jobs.comparison import (
    MAX_PAIRS,
    Comparison,
    compare_heads,
    read_before,
    translate_held_out,
    write_change,
    write_json,
)
from model.training.jobs.job import Job, opener, read_job
from model.training.jobs.probe import ProbeRecorder, forget_after
from model.training.lessons import find_lesson
from model.training.preparation import prepare
from model.training.settings import TrainingError
from model.training.trainer import Trainer

log = logging.getLogger(__name__)
STEPS_BETWEEN_SIZES = 5
LEAST_FREE_BYTES = 1 << 28
"""Free bytes below which a run ends: other runs and all visitors' files share the disk."""


class Worker:
    """Trains one job, records the probe, follows the commands of the page, and reports its state."""

    def __init__(self, folder: JobFolder, job: Job, server_ended: threading.Event) -> None:
        self.folder, self.job, self.server_ended = folder, job, server_ended
        self.lesson = find_lesson(job.lesson)
        # The process sees only its own GPU, with index 0.
        self.device = torch.device(choose_device(job.config.device).type)
        self.step, self.precision = 0, ""
        self.reason: FaultKind | None = None
        self.is_stopping = False
        self.paused_seconds = 0.0
        self.trainer: Trainer | None = None

    def run(self) -> None:
        """Run the job from start to end; a final status is written even when it fails."""
        try:
            self._report("waiting")
            name = str(choose_device(self.job.config.device))
            lock = hold_device(self.folder.path.parent, name, self._should_stop)
            if lock is not None:
                self.lock = lock  # held until the process ends
            if not self._should_stop():
                self._train()
            self._report("stopped" if self.is_stopping else "finished")
        except Exception as error:
            log.exception("the run failed")
            self._keep_last_good(error)
            self._report("failed", fault_of(error))

    def _train(self) -> None:
        self._report("preparing")
        _clear_left_overs(self.folder)
        held_out = read_pairs(self.folder.held_out) if self.folder.held_out.exists() else ()
        self.trainer = trainer = prepare(
            self.job.beginning or load_weights(self.folder.initial),
            Split(read_pairs(self.folder.train), held_out, ()),
            # This process sees only its own GPU, so the index is dropped.
            replace(self.job.config, device=self.device.type),
            self.folder,
            open_initial=opener(self.job),
        )
        self.step = trainer.step
        forget_after(self.folder, trainer.step)
        first = trainer.bundle
        compared = held_out[:MAX_PAIRS]
        recorder = ProbeRecorder(
            self.folder, first, self.job.probe, every=self.job.record_every, share=self.job.probe_share
        )
        recorder.record(trainer.model, trainer.step)
        self._report("running")
        self._follow(trainer, recorder)
        if recorder.last != trainer.step:
            recorder.record(trainer.model, trainer.step)
        if self.reason != "server_ended":
            self._compare(first, trainer, compared)

    def _follow(self, trainer: Trainer, recorder: ProbeRecorder) -> None:
        for event in trainer.run(should_stop=self._should_stop):
            if not isinstance(event, StepDone):
                continue
            self.step = event.step
            if self.precision != trainer.precision:
                self.precision = trainer.precision
                self._report("running")
            recorder.follow(event, trainer.model)
            self._pause_while_asked()
            if event.seconds >= self.job.max_seconds and event.step < self.job.config.steps:
                self._stop("time_limit")
            if event.step % STEPS_BETWEEN_SIZES == 0:
                root = self.folder.path
                if size_of(root) > self.job.max_bytes or shutil.disk_usage(root).free < LEAST_FREE_BYTES:
                    self._stop("disk_limit")

    def _pause_while_asked(self) -> None:
        if requested_control(self.folder) != "pause":
            return
        self._report("paused")
        began = time.monotonic() - self.paused_seconds
        while requested_control(self.folder) == "pause" and not self.server_ended.is_set():
            if time.monotonic() - began > self.job.max_pause_seconds:
                self._stop("pause_limit")
                break
            time.sleep(POLL_SECONDS)
        self.paused_seconds = time.monotonic() - began
        self._report("running")

    def _should_stop(self) -> bool:
        if self.server_ended.is_set():
            self._stop("server_ended")
        elif requested_control(self.folder) == "stop":
            self._stop(None)
        return self.is_stopping

    def _stop(self, reason: FaultKind | None) -> None:
        if not self.is_stopping:
            self.is_stopping, self.reason = True, reason

    def _compare(self, first: Bundle, trainer: Trainer, pairs: tuple[Pair, ...]) -> None:
        if not pairs:
            return
        self._report("comparing")
        before = read_before(self.folder)
        if before is None:  # after the training, which a reader has waited for
            before = translate_held_out(first, pairs, self.lesson)[0]
            write_json(self.folder.before, before)
        result = self.folder.result
        is_whole = result.is_dir() and not self.is_stopping
        last = replace(first, model=load_weights(result).model if is_whole else trainer.model.eval())
        if self.is_stopping and result.is_dir():
            log.info("comparing with the weights of step %d, not with an earlier result", trainer.step)
        after, scores = translate_held_out(last, pairs, self.lesson)
        grouped = {pair.source: pair.target for pair in reversed(pairs)}
        sources = tuple(dict.fromkeys(pair.source for pair in pairs))
        write_json(
            self.folder.comparison,
            Comparison(sources, tuple(grouped[source] for source in sources), before, after, trainer.step,
                       scores.bleu_signature, scores.chrf_signature),
        )  # fmt: skip
        on_device = replace(first, model=first.model.to(self.device))
        write_change(self.folder, compare_heads(on_device, last.model.to(self.device), pairs, self.job.probe))

    def _keep_last_good(self, error: Exception) -> None:
        """After a NaN, save the weights of the previous step, which are still in memory, so that no step is lost."""
        if isinstance(error, NotFiniteError) and self.trainer is not None and self.trainer.step:
            try:
                self.trainer.snapshot()
            except (OSError, ValueError):
                log.exception("the last good step could not be kept")

    def _report(self, state: State, fault: Fault | None = None) -> None:
        if self.reason and state == "stopped":
            fault = Fault(self.reason)
        write_status(self.folder, Status(state=state, step=self.step, fault=fault, device=device_name(self.device),
                                         precision=self.precision))  # fmt: skip


def _clear_left_overs(folder: JobFolder) -> None:
    """Remove files that a killed process left half-written, but not those that the server is writing now."""
    recent = time.time() - SECONDS_TO_SAVE
    for path in (*(folder.path / "snapshots").glob(".*"), *folder.path.glob(".*")):
        if path == folder.ballast or (path.parent == folder.path and path.stat().st_mtime > recent):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def main(arguments: list[str]) -> int:
    """Run the job of a folder."""
    folder = JobFolder(Path(arguments[0]).resolve())
    server_ended = watch_server()
    logging.basicConfig(filename=folder.log, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    try:
        job = read_job(folder)
        if job is None:
            raise TrainingError(f"{folder.path} holds no job.json: start the run on the Fine-tune page")
        give_way(job.niceness)
        torch.set_num_threads(job.threads)
        folder.ballast.write_bytes(bytes(BALLAST_BYTES))
        worker = Worker(folder, job, server_ended)
    except (OSError, RunError) as error:
        write_status(folder, Status(state="failed", fault=fault_of(error)))
        return 1
    worker.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
