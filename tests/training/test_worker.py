"""A run's work, done in the test's process: its output, its reaction to commands, and why it ends."""

import json
import threading
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
import sentencepiece
import torch

from model import Bundle, load, save
from model.checkpoints.sandbox import examine_sandboxed
from model.checkpoints.sandbox.tokenizer import SandboxedTokenizer
from model.cli.main import main
from model.runs.status import ask, find, read_status
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer
from model.training.jobs import worker
from model.training.jobs.comparison import read_change, read_comparison
from model.training.jobs.creation import continue_with, result_of
from model.training.jobs.job import read_job
from model.training.jobs.probe import bundle_at, frame_steps, read_frame, recorded_steps
from tests.cli.conftest import SMALL as SMALL_OPTIONS
from tests.tiny import tiny_model
from tests.training.jobs import (
    LIMITS,
    SMALL,
    every_third,
    fault_in,
    job_of,
    last_step,
    make_run,
    pairs,
    wait_for,
    work,
    write_tsv,
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = make_run(tmp_path_factory.mktemp("runs"))
    assert work(folder).state == "finished"
    return folder


def test_the_probe_is_recorded_from_the_first_step_to_the_last(finished):
    steps = frame_steps(finished)
    assert (steps[0], steps[-1]) == (0, 12) and recorded_steps(finished) == steps
    frame = read_frame(finished, 12)
    cross = frame.attention.cross
    assert cross is not None and cross.shape[:2] == (2, 4) and frame.source.pieces[-1] == "</s>"
    rows = cross.sum(-1)
    assert np.allclose(rows, 1, atol=5e-3)


@pytest.mark.nightly
def test_going_back_to_a_step_gives_the_weights_of_its_snapshot(finished):
    snapshot, recorded = load(finished.snapshot(8)).model, bundle_at(finished, 8).model
    first = dict(load(finished.initial).model.named_parameters())
    for (name, exact), (_, back) in zip(snapshot.named_parameters(), recorded.named_parameters(), strict=True):
        change = (exact - first[name]).abs().max()
        assert (exact - back).abs().max() <= change / 1024 + 1e-7, name


def test_going_back_to_the_start_gives_the_first_weights_bit_by_bit(finished):
    start = dict(load(finished.initial).model.named_parameters())
    assert all(torch.equal(start[name], p) for name, p in bundle_at(finished, 0).model.named_parameters())


def test_held_out_pairs_are_translated_before_and_after(finished):
    comparison = read_comparison(finished)
    assert comparison is not None and comparison.step == 12
    held_out = {line.split("\t")[0] for line in finished.held_out.read_text().splitlines()}
    assert set(comparison.sources) == held_out and len(comparison.after.translations) == len(held_out)
    train = {line.split("\t")[0] for line in finished.train.read_text().splitlines()}
    assert not train & held_out and train | held_out == {pair.source for pair in every_third(200)}


def test_heads_that_trained_have_moved_and_the_share_is_a_share(finished):
    change = read_change(finished)
    assert change is not None
    assert all(0 < moved.max() <= 1 and moved.min() >= 0 for moved in change.moved.values())
    assert change.before.cross is not None and change.after.cross is not None
    assert change.before.cross.shape == change.after.cross.shape


@pytest.mark.nightly("last-layers")
@pytest.mark.parametrize("part", ["cross-attention", "last-layers"])
def test_parameters_that_do_not_train_stay_bit_identical(tmp_path, part):
    folder = make_run(tmp_path, steps=3, trains=part)
    assert work(folder).state == "finished"
    first, after = (dict(bundle_at(folder, step).model.named_parameters()) for step in (0, 3))
    snapshot = dict(load(folder.snapshot(3)).model.named_parameters())
    trained = {"cross-attention": "cross_attention", "last-layers": ".layers.1."}[part]
    for name in first:
        assert torch.equal(first[name], snapshot[name]) == (trained not in name), name
        assert torch.equal(first[name], after[name]) == (trained not in name), name


def test_a_stopped_run_saves_its_step_and_resumes_from_it(tmp_path):
    folder = make_run(tmp_path, steps=1000)

    def stop_soon() -> None:
        wait_for(lambda: last_step(folder) > 2, folder)
        ask(folder, "stop")

    thread = threading.Thread(target=stop_soon)
    thread.start()
    stopped = work(folder)
    thread.join()
    assert stopped.state == "stopped" and stopped.fault is None and 0 < stopped.step < 1000
    assert folder.snapshot(stopped.step).is_dir() and recorded_steps(folder)[-1] == stopped.step
    folder.control.unlink()
    continue_with(folder, replace(job_of(folder).config, steps=stopped.step + 2, learning_rate=1e-5), LIMITS)
    assert work(folder).step == stopped.step + 2
    steps = [event["step"] for event in folder.events() if event["kind"] == "StepDone"]
    assert steps == list(range(1, stopped.step + 3))
    assert [event["learning_rate"] for event in folder.events() if event["kind"] == "StepDone"][-1] <= 1e-5


def test_a_paused_run_takes_no_step_until_it_goes_on(tmp_path):
    folder = make_run(tmp_path, steps=6)
    ask(folder, "pause")
    thread = threading.Thread(target=work, args=(folder,))
    thread.start()
    while state_of(folder) != "paused":
        assert thread.is_alive()
    assert last_step(folder) == 1
    threading.Event().wait(0.5)
    assert last_step(folder) == 1
    ask(folder, "")
    thread.join()
    assert state_of(folder) == "finished" and last_step(folder) == 6


def state_of(folder):
    """The state in the file, because no lock is held when the work is done in this process."""
    try:
        return json.loads(folder.status.read_text())["state"]
    except FileNotFoundError:
        return ""


@pytest.mark.parametrize(
    ("limits", "requested", "kind"),
    [
        (replace(LIMITS, max_seconds=cast(Any, 0.01)), "", "time_limit"),
        (replace(LIMITS, max_pause_seconds=cast(Any, 0.2)), "pause", "pause_limit"),
    ],
)
def test_a_limit_stops_the_run_with_a_fault(tmp_path, limits, requested, kind):
    folder = make_run(tmp_path, limits=limits, steps=500)
    ask(folder, requested)
    status = work(folder)
    assert status.state == "stopped" and fault_in(status).kind == kind
    assert folder.snapshot(status.step).is_dir()


@pytest.mark.nightly
def test_pauses_are_counted_together(tmp_path):
    folder = make_run(tmp_path, limits=replace(LIMITS, max_pause_seconds=cast(Any, 0.4)), steps=400, validate_every=400)
    thread = threading.Thread(target=work, args=(folder,))
    thread.start()
    for _ in range(50):
        if not thread.is_alive() or state_of(folder) == "stopped":
            break
        ask(folder, "pause")
        wait_for(lambda: state_of(folder) in ("paused", "stopped"), folder)
        ask(folder, "")
        wait_for(lambda: state_of(folder) in ("running", "stopped"), folder)
    thread.join()
    assert fault_in(read_status(folder)).kind == "pause_limit"


def test_a_server_that_has_ended_ends_the_run_after_its_step(tmp_path):
    ended = threading.Event()
    ended.set()
    status = work(make_run(tmp_path, steps=500), ended)
    assert (status.state, fault_in(status).kind, status.step) == ("stopped", "server_ended", 0)


def test_a_nan_from_the_data_fails_and_the_last_good_step_is_saved(tmp_path, finished):
    tokenizer = result_of(finished).source_tokenizer
    assert tokenizer is not None
    # Untied, so that the NaN only occurs when the encoder reads the word.
    net = tiny_model(
        source_vocab_size=tokenizer.size, target_vocab_size=tokenizer.size, tie_embeddings=False, tie_output=False
    )
    poisoned = set(tokenizer.encode("sofa").ids)
    with torch.no_grad():
        net.encoder.embedding.weight[list(poisoned)] = torch.nan
    clean = [pair for pair in pairs() if not set(tokenizer.encode(pair.source).ids) & poisoned][:30]
    bundle = Bundle("poisoned", net, net.config, tokenizer, tokenizer)
    folder = make_run(tmp_path, beginning=bundle, steps=400, batch_tokens=40, held_out_share=0.0)
    lines = [f"{pair.source}\t{pair.target}\n" for pair in (*clean, Pair("The cat sleeps on the sofa", "Le chat dort"))]
    folder.train.write_text("".join(lines))
    folder.job.write_text(replace(job_of(folder), probe=clean[0].source).to_json())
    status = work(folder)
    assert (status.state, fault_in(status).kind) == ("failed", "not_finite") and status.step >= 1
    assert "lower the learning rate" in fault_in(status).detail
    retained = load(folder.snapshot(status.step)).model.state_dict()
    assert [name for name, tensor in retained.items() if not tensor.isfinite().all()] == ["encoder.embedding.weight"]
    folder.train.write_text("".join(lines[:-1]))
    continue_with(folder, replace(job_of(folder).config, steps=status.step + 2), LIMITS)
    assert work(folder).state == "finished"


@pytest.mark.nightly
def test_a_run_on_a_strangers_model_reads_its_vocabulary_in_a_child(tmp_path, monkeypatch):
    """In the worker, and in the process that opens its result."""
    learned = SMALL.begin(every_third(200), seed=1)
    stranger = examine_sandboxed(save(learned, tmp_path / "theirs")).bundle
    folder = make_run(tmp_path / "runs", beginning=stranger, steps=4)

    def refused(*_, **__):
        raise AssertionError("a stranger's vocabulary was read here")

    monkeypatch.setattr(sentencepiece, "SentencePieceProcessor", refused)
    assert work(folder).state == "finished"
    assert isinstance(result_of(folder).source_tokenizer, SandboxedTokenizer)
    assert isinstance(bundle_at(folder, 0).source_tokenizer, SandboxedTokenizer)


def test_a_vocabulary_that_the_run_learned_is_opened_here(finished):
    assert isinstance(result_of(finished).source_tokenizer, SentencePieceTokenizer)


@pytest.mark.nightly("its own")
@pytest.mark.parametrize(
    ("change", "free"), [({"max_bytes": 1000}, 1 << 40), ({}, 1000)], ids=["its own", "the disk's"]
)
def test_a_run_over_its_disk_limit_stops_with_its_weights_saved(tmp_path, monkeypatch, change, free):
    folder = make_run(tmp_path, steps=40, validate_every=40)
    folder.job.write_text(replace(job_of(folder), **change).to_json())
    monkeypatch.setattr(worker.shutil, "disk_usage", lambda _: type("", (), {"free": free}))
    status = work(folder)
    assert status.state == "stopped" and fault_in(status).kind == "disk_limit"
    assert 0 < status.step < 40 and result_of(folder).config.d_model == SMALL.d_model


def test_a_run_with_a_probe_has_frames_and_a_name(tmp_path):
    run = tmp_path / "mine"
    pairs = write_tsv(tmp_path / "pairs.tsv", 300)
    options = ["--steps", "4", "--validate-every", "2", "--probe", "The cat sleeps here."]
    assert main(["train", str(pairs), "--run", str(run), *options, *SMALL_OPTIONS]) == 0
    folder = find(tmp_path, "mine")
    assert folder is not None and read_job(folder) is None
    assert (read_status(folder).state, read_status(folder).step) == ("finished", 4)
    steps = frame_steps(folder)
    assert (steps[0], steps[-1]) == (0, 4)
    assert read_frame(folder, 0).source.pieces[-1] == "</s>"
    assert result_of(folder).config.d_model == 32
