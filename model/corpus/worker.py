"""The child process of one survey: ``python -m model.corpus.worker DIR``."""

import dataclasses
import logging
import sys
import threading
import time
from pathlib import Path

import torch

from model.checkpoints.sandbox import load_sandboxed
from model.corpus.batches import translates
from model.corpus.queued import SurveyJob, pairs_of, read_survey_job
from model.corpus.survey import survey
from model.runs.devices import choose_device
from model.runs.folder import JobFolder
from model.runs.processes import device_name, give_way, hold_device, watch_server
from model.runs.status import BALLAST_BYTES, Fault, FaultKind, State, Status, fault_of, requested_control, write_status
from model.text.links import CorpusError
from model.text.pairs import read_pairs

log = logging.getLogger(__name__)
SECONDS_BETWEEN = 0.3
"""Seconds between two progress reports."""


class Stopped(Exception):  # noqa: N818
    """The run was stopped, the server ended, or the time limit was reached."""


class SurveyWorker:
    """Surveys one job's pairs, follows the commands of the page, and reports its state."""

    def __init__(self, folder: JobFolder, job: SurveyJob, server_ended: threading.Event) -> None:
        self.folder, self.job, self.server_ended = folder, job, server_ended
        self.device = choose_device(job.device)
        self.step, self.reported = 0, 0.0
        self.before: int | None = None
        self.started = time.monotonic()
        self.reason: FaultKind | None = None

    def run(self) -> None:
        """Run the job from start to end; a final status is written even when it fails."""
        try:
            self._report("waiting")
            lock = hold_device(self.folder.path.parent, str(self.device), self._should_stop)
            if lock is None:
                raise Stopped
            with lock:
                self._survey()
            self._report("finished")
        except Stopped:
            self._report("stopped")
        except Exception as error:
            log.exception("the survey failed")
            fault = Fault("settings", str(error)) if isinstance(error, CorpusError) else fault_of(error)
            self._report("failed", fault)

    def _survey(self) -> None:
        self._report("preparing")
        # This process sees only its own GPU, so the index is dropped.
        bundle = load_sandboxed(self.folder.initial)
        # The model loaded from the job's copy has the same weights under another name.
        bundle = dataclasses.replace(
            bundle, model=bundle.model.to(self.device.type), name=self.job.model, fingerprint=self.job.fingerprint
        )
        pairs = read_pairs(pairs_of(self.folder))
        texts = pairs if translates(bundle) else [pair.source for pair in pairs]
        self.started = time.monotonic()
        survey(
            bundle, texts, self.folder.result, states=self.job.states, shard_size=self.job.shard_size, resume=True,
            own_targets=self.job.own_targets, on_progress=self._progress,
        )  # fmt: skip

    def _progress(self, done: int, total: int) -> None:
        self.before = done if self.before is None else self.before
        self.step = done
        if time.monotonic() - self.reported > SECONDS_BETWEEN or done == total:
            self.folder.record(
                {"kind": "Surveyed", "step": done, "before": self.before, "seconds": time.monotonic() - self.started}
            )
            self._report("running")
        if done < total and self._should_stop():
            raise Stopped

    def _should_stop(self) -> bool:
        if self.server_ended.is_set():
            self.reason = "server_ended"
        elif time.monotonic() - self.started > self.job.max_seconds and self.step:
            self.reason = "time_limit"
        return self.reason is not None or requested_control(self.folder) == "stop"

    def _report(self, state: State, fault: Fault | None = None) -> None:
        self.reported = time.monotonic()
        if state == "stopped" and self.reason:
            fault = Fault(self.reason)
        write_status(self.folder, Status(state=state, step=self.step, fault=fault, device=device_name(self.device)))


def watch(folder: JobFolder) -> threading.Event:
    """Watch the server process: when it ends, this process writes the fault "server_ended" and ends too."""
    return watch_server(lambda: write_status(folder, Status(state="stopped", fault=Fault("server_ended"))))


def main(arguments: list[str]) -> int:
    """Run the survey of a folder."""
    folder = JobFolder(Path(arguments[0]).resolve())
    server_ended = watch(folder)
    logging.basicConfig(filename=folder.log, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    job = read_survey_job(folder)
    if job is None:
        write_status(folder, Status(state="failed", fault=Fault("settings", "survey.json is missing or damaged")))
        return 1
    give_way(job.niceness)
    torch.set_num_threads(job.threads)
    folder.ballast.write_bytes(bytes(BALLAST_BYTES))
    SurveyWorker(folder, job, server_ended).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
