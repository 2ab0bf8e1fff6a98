"""Surveys in the queue of trainings: their work, early ends, and their place in the queue."""

import dataclasses
import json
import os
import threading
from pathlib import Path

import pytest

import model
from model.corpus import worker as workers
from model.corpus.queued import SurveyJob, create_survey, pairs_of, read_survey_job, result_of
from model.corpus.survey import survey
from model.corpus.worker import SurveyWorker
from model.runs import processes
from model.runs.folder import JobFolder, read_task
from model.runs.limits import Limits
from model.runs.queue import RunQueue
from model.runs.retention import clean
from model.runs.status import Status, ask, read_status
from model.text.links import CorpusError
from model.text.pairs import Pair, linked
from tests.checkpoint import tiny_bundle
from tests.training.jobs import LIMITS, fault_in, hold, make_run, wait_for, wait_until_ended

PAIRS = [
    Pair("the cat is sleeping .", "le chat dort ."),
    Pair("the dog", "un chien"),
    Pair("the sofa .", "le canapé ."),
]


def make_job(root: Path, bundle: model.Bundle | None = None, **changes: object) -> JobFolder:
    folder = create_survey(root, bundle or tiny_bundle(), PAIRS, LIMITS, title="mine.tsv")
    folder.survey.write_text(json.dumps(dataclasses.asdict(job_of(folder)) | {"shard_size": 1} | changes))
    return folder


def work(folder: JobFolder, server_ended: threading.Event | None = None) -> Status:
    SurveyWorker(folder, job_of(folder), server_ended or threading.Event()).run()
    return read_status(folder)


def job_of(folder: JobFolder) -> SurveyJob:
    job = read_survey_job(folder)
    assert job is not None
    return job


@pytest.mark.nightly
def test_a_survey_in_line_writes_the_tables_of_a_survey(tmp_path: Path) -> None:
    bundle = tiny_bundle()
    folder = make_job(tmp_path / "runs", bundle)
    assert work(folder).state == "finished"
    result, alone = result_of(folder), survey(bundle, PAIRS, tmp_path / "alone", shard_size=1)
    assert result is not None and result.is_complete
    assert (result.model, result.fingerprint) == (bundle.name, bundle.fingerprint)
    for table in ("sentences", "heads", "links"):
        query = f"SELECT * FROM {table} ORDER BY ALL"
        assert result.query(query).equals(alone.query(query))
    assert [event["step"] for event in folder.events()][-1] == len(PAIRS)


def test_a_survey_that_is_stopped_keeps_the_shards_that_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_job(tmp_path)
    real = SurveyWorker._progress

    def ask_then(self: SurveyWorker, done: int, total: int) -> None:
        if done == 2:
            ask(folder, "stop")
        real(self, done, total)

    monkeypatch.setattr(SurveyWorker, "_progress", ask_then)
    assert work(folder).state == "stopped"
    result = result_of(folder)
    assert result is not None and result.n_done == 1
    monkeypatch.undo()
    ask(folder, "")
    assert work(folder).state == "finished", "what is there is gone on with"
    assert [event["before"] for event in folder.events()][-1] == 1, "the rate counts what this run has measured"


@pytest.mark.parametrize("why", ["server_ended", "time_limit"])
def test_a_survey_that_ended_early_has_a_reason(tmp_path: Path, why: str) -> None:
    folder, ended = make_job(tmp_path, max_seconds=0.0 if why == "time_limit" else 100.0), threading.Event()
    if why == "server_ended":
        ended.set()
        hold(tmp_path / ".device-cpu")
    status = work(folder, ended)
    assert status.state == "stopped" and fault_in(status).kind == why


def test_a_survey_that_does_not_stop_in_time_has_the_fault_server_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    has_exited, folder = threading.Event(), make_job(tmp_path)
    monkeypatch.setattr(processes, "SECONDS_TO_SAVE", 0)
    monkeypatch.setattr(processes.os, "_exit", lambda _: has_exited.set())
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(processes.sys, "stdin", stdin)
        workers.watch(folder)
        assert has_exited.wait(60)
    assert fault_in(read_status(folder)).kind == "server_ended"


def test_wrong_pairs_are_reported(tmp_path: Path) -> None:
    folder = make_job(tmp_path)
    pairs_of(folder).write_text("one column\n")
    assert "line 1 has one column" in fault_in(work(folder)).detail


def test_links_travel_with_the_pairs(tmp_path: Path) -> None:
    gold = [linked("the cat", "le chat", "0-0 1p1", where="test")]
    folder = create_survey(tmp_path, tiny_bundle(), gold, LIMITS, title="gold")
    assert pairs_of(folder).read_text("utf-8") == "the cat\tle chat\t0-0 1p1\n"


@pytest.mark.nightly
def test_a_survey_waits_in_line_with_the_trainings_and_runs_in_a_process(tmp_path: Path) -> None:
    queue, stored = RunQueue(LIMITS), hold(tmp_path / ".device-cpu")
    training, folder = make_run(tmp_path, steps=1), make_job(tmp_path)
    queue.submit(training, owner="one")
    queue.submit(folder, owner="two")
    assert queue.place(folder) == 1 and read_status(folder).state == "queued"
    stored.release()
    assert wait_until_ended(training).state == "finished"
    assert wait_until_ended(folder).state == "finished", folder.log.read_text()
    result = result_of(folder)
    assert result is not None and result.n_done == len(PAIRS)
    assert clean(tmp_path, Limits(keep_bytes=1)) and not folder.path.exists(), "old surveys go as old trainings do"


def test_a_survey_leaves_the_line_when_it_is_withdrawn(tmp_path: Path) -> None:
    queue = RunQueue(LIMITS)
    with hold(tmp_path / ".device-cpu"):
        first, second = make_job(tmp_path), make_job(tmp_path)
        queue.submit(first, owner="me")
        queue.submit(second, owner="me")
        assert queue.withdraw(second) and read_status(second).state == "stopped" and result_of(second) is None
        wait_for(lambda: read_status(first).state == "waiting", first)
        ask(first, "stop")
        assert wait_until_ended(first).state == "stopped"


def test_limits_hold_and_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="3 pairs are more than the 2 allowed"):
        create_survey(tmp_path, tiny_bundle(), PAIRS, Limits(max_pairs=2), title="")
    with pytest.raises(CorpusError, match="no states"):
        create_survey(tmp_path, tiny_bundle(), PAIRS, LIMITS, title="", states=("encoder.9",))
    assert not list(tmp_path.iterdir())


def test_a_damaged_job_is_one_clear_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_job(tmp_path)
    folder.survey.write_text("{}")
    monkeypatch.setattr(workers, "watch", lambda _: threading.Event())
    assert workers.main([str(folder.path)]) == 1
    assert read_status(folder).state == "failed"
    with pytest.raises(Exception, match=r"survey\.json is damaged"):
        read_task(folder)
