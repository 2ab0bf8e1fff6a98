"""The trainer is repeatable and resumable, and never loses what was saved."""

import dataclasses
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

import model
from model.runs.devices import choose_device
from model.runs.errors import RunError
from model.runs.folder import RunFolder
from model.text.pairs import Pair
from model.training import precision
from model.training.data import Batch, Split
from model.training.evaluation import evaluate
from model.training.events import Finished, StepDone, Validated
from model.training.preparation import prepare
from model.training.settings import TrainingError
from model.training.trainer import average
from tests.tiny import tiny_model
from tests.training.jobs import SETTINGS, SMALL, pairs, trainer


def weights(folder: Path) -> dict[str, Tensor]:
    return model.load(folder).model.state_dict()


def losses(folder: Path) -> list[float]:
    return [event["loss"] for event in RunFolder(folder).events() if event["kind"] == "StepDone"]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of twelve steps."""
    folder = tmp_path_factory.mktemp("runs") / "unbroken"
    list(trainer(folder).run())
    return folder


def test_a_run_learns_and_leaves_settings_metrics_snapshots_and_a_result(unbroken: Path) -> None:
    run = RunFolder(unbroken)
    assert [event["kind"] for event in run.events()].count("StepDone") == 12
    assert losses(unbroken)[-1] < losses(unbroken)[0] - 0.3
    assert json.loads(run.settings.read_text())["steps"] == 12
    assert [path.name for path in run.snapshots()] == ["000006", "000012"]
    result = model.load(run.result)
    assert result.model.config.d_model == 32 and result.source_tokenizer is not None
    assert not [path for path in unbroken.rglob("*") if path.name.startswith(".")]


@pytest.mark.nightly
def test_the_same_seed_gives_the_same_run_and_another_another(unbroken: Path, tmp_path: Path) -> None:
    list(trainer(tmp_path / "again").run())
    list(trainer(tmp_path / "other", seed=2).run())
    assert losses(tmp_path / "again") == losses(unbroken)
    assert losses(tmp_path / "other") != losses(unbroken)


@pytest.mark.nightly
@pytest.mark.parametrize("stop_after", [4, 6, 9])
def test_a_resumed_run_equals_an_unbroken_one(unbroken: Path, tmp_path: Path, stop_after: int) -> None:
    folder = tmp_path / "broken"
    first = trainer(folder)
    list(first.run(should_stop=lambda: first.step == stop_after))
    assert not RunFolder(folder).result.exists()
    events = list(trainer(folder).run())
    assert [event.step for event in events if isinstance(event, StepDone)] == list(range(stop_after + 1, 13))
    assert losses(folder) == losses(unbroken)
    resumed, expected = weights(folder / "result"), weights(unbroken / "result")
    assert all(torch.equal(resumed[name], expected[name]) for name in expected)


@pytest.mark.nightly
def test_steps_after_the_last_snapshot_are_taken_again_after_a_crash(unbroken: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crashed"
    for event in trainer(folder).run():
        if isinstance(event, StepDone) and event.step == 8:
            break
    assert len(losses(folder)) == 8
    list(trainer(folder).run())
    assert losses(folder) == losses(unbroken)


@pytest.mark.nightly
def test_the_original_model_is_never_changed(tmp_path: Path) -> None:
    bundle = SMALL.begin(pairs(), seed=1)
    before = {name: value.clone() for name, value in bundle.model.state_dict().items()}
    list(prepare(bundle, pairs(), SETTINGS, RunFolder(tmp_path / "run")).run())
    assert all(torch.equal(value, before[name]) for name, value in bundle.model.state_dict().items())
    assert not any(parameter.grad is not None for parameter in bundle.model.parameters())


@pytest.mark.nightly(but=("last-layers-<lambda>",))
@pytest.mark.parametrize(
    ("trains", "moves"),
    [("cross-attention", lambda name: "cross_attention" in name), ("last-layers", lambda name: "layers.1." in name)],
)
def test_frozen_parameters_stay_bit_identical(tmp_path: Path, trains: str, moves: Any) -> None:
    folder = tmp_path / "run"
    list(trainer(folder, trains=trains, weight_decay=0.1).run())
    before, after = weights(folder / "initial"), weights(folder / "snapshots" / "000012")
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert changed and all(moves(name) for name in changed)


def test_the_average_is_the_mean_of_the_snapshots(unbroken: Path) -> None:
    snapshots = RunFolder(unbroken).snapshots()
    mean = average(snapshots).state_dict()
    first, second = map(weights, snapshots)
    for name in mean:
        assert_close(mean[name], (first[name] + second[name]) / 2)


def test_gradients_are_clipped_and_accumulation_equals_one_large_batch(tmp_path: Path) -> None:
    calm = {"dropout": 0.0, "bare_share": 0.0, "steps": 1, "validate_every": 1}
    run = trainer(tmp_path / "run", **calm, accumulation=3, max_gradient_norm=1e9)
    before = {name: value.clone() for name, value in run.model.state_dict().items()}
    stream = run.batches.iterate()
    micro = [next(stream) for _ in range(3)]
    event = next(iter(run.run()))
    assert isinstance(event, StepDone)
    run.model.load_state_dict(before)
    run.model.eval()
    total = torch.zeros(())
    for batch in micro:
        logits = run.model(batch.source, batch.prefix).logits[batch.is_real]
        total = total + torch.nn.functional.cross_entropy(
            logits, batch.target[batch.is_real], reduction="sum", label_smoothing=0.1
        )
    loss = total / sum(batch.n_tokens for batch in micro)
    gradients = torch.autograd.grad(loss, [p for p in run.model.parameters() if p.requires_grad])
    assert event.loss == pytest.approx(float(loss.detach()), rel=1e-5)
    assert event.gradient_norm == pytest.approx(float(torch.cat([g.flatten() for g in gradients]).norm()), rel=1e-4)


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_snapshot(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = trainer(folder)
    events = run.run()
    while not isinstance(next(events), Validated):
        pass
    retained = weights(folder / "snapshots" / "000006")
    with torch.no_grad():
        run.model.encoder.embedding.weight[5] = math.nan
    with pytest.raises(TrainingError, match=r"is nan at step 7: lower the learning rate"):
        next(events)
    again = weights(folder / "snapshots" / "000006")
    assert all(torch.equal(again[name], retained[name]) for name in retained)
    assert isinstance(list(trainer(folder).run())[-1], Finished)


@pytest.mark.nightly
def test_a_set_too_small_for_validation_still_trains(tmp_path: Path) -> None:
    few = dataclasses.replace(SMALL, vocab_size=36)
    run = prepare(few, pairs()[:9], SETTINGS, RunFolder(tmp_path / "run"))
    finished = list(run.run())[-1]
    assert isinstance(finished, Finished) and math.isnan(finished.bleu)
    assert model.load(tmp_path / "run" / "result").name == "new"


def test_a_failed_write_loses_nothing(unbroken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    shutil.copytree(unbroken, folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    run = trainer(folder, steps=18)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("model.files.atomic.os.fsync", full)
    monkeypatch.setattr("model.checkpoints.native_format.os.fsync", full)
    with pytest.raises((OSError, model.CheckpointError), match="No space left on device"):
        list(run.run())
    monkeypatch.undo()
    for path, content in before.items():
        if path.name not in ("metrics.jsonl", "settings.json"):
            assert path.read_bytes() == content
    assert not [path for path in folder.rglob("*") if path.name.startswith(".")]
    assert isinstance(list(trainer(folder, steps=18).run())[-1], Finished)


def test_absent_cuda_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(RunError, match='no CUDA device that PyTorch can use; use "cpu" or "auto"'):
        choose_device("cuda")
    with pytest.raises(RunError, match=r"device \('toaster'\) is unknown: use \"cpu\", \"auto\""):
        choose_device("toaster")
    assert choose_device("auto").type == "cpu"


@pytest.mark.parametrize(
    ("costs", "chosen", "widest"),
    [({2: 50.0, 8: 50.0}, "float32", 2), ({2: 2.0, 8: 1.5}, "float32", 8), ({2: 2.0, 8: 0.5}, "bfloat16", 8)],
    ids=["emulated", "slower", "faster"],
)
def test_the_arithmetic_is_measured_and_a_slow_one_on_a_few_sentences_alone(
    monkeypatch: pytest.MonkeyPatch, costs: dict[int, float], chosen: str, widest: int
) -> None:
    tried = []

    def seconds(_: object, batch: Batch, arithmetic: str) -> float:
        tried.append(len(batch.source))
        return costs[len(batch.source)] if arithmetic == "bfloat16" else 1.0

    monkeypatch.setattr(precision, "_seconds", seconds)
    ids = torch.full((8, 3), 5)
    assert precision.choose_precision(tiny_model(), Batch(ids, ids, ids, ids > 0), "auto") == chosen
    assert max(tried) == widest


def test_memory_that_runs_out_in_the_middle_of_a_backward_pass_changes_no_gradient(tmp_path: Path) -> None:
    plain = trainer(tmp_path / "plain", dropout=0.0, steps=1)
    short = trainer(tmp_path / "short", dropout=0.0, steps=1)
    broken_off = []

    def run_out_once(*_: object) -> None:
        if not broken_off:
            broken_off.append(True)
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    # When the backward pass reaches the encoder, all gradients of the decoder exist already.
    short.model.encoder.layers[0].register_full_backward_hook(run_out_once)
    list(plain.run())
    steps = [event for event in short.run() if isinstance(event, StepDone)]
    assert steps[0].n_halved == 1
    assert losses(tmp_path / "short") == pytest.approx(losses(tmp_path / "plain"), abs=1e-5)
    # After one step AdamW's first moment is the gradient times 1 - beta1. The weights would not do: AdamW scales a
    # gradient of nearly zero, which is rounding, up to the learning rate.
    for first, second in zip(plain.model.parameters(), short.model.parameters(), strict=True):
        moments = plain.optimiser.state[first]["exp_avg"], short.optimiser.state[second]["exp_avg"]
        assert_close(*moments, atol=1e-6, rtol=1e-3)
    norms = [next(RunFolder(tmp_path / name).events())["gradient_norm"] for name in ("plain", "short")]
    assert norms[0] == pytest.approx(norms[1], rel=1e-4)


@pytest.mark.nightly
def test_the_learning_curve_runs_from_the_first_weights_to_the_last(tmp_path: Path) -> None:
    list(trainer(tmp_path, steps=26, validate_every=13, keep_curve=True).run())
    retained = sorted(path.name for path in (tmp_path / "curve").iterdir())
    assert retained == ["000000", "000001", "000004", "000013", "000026"]
    first, last = weights(tmp_path / "curve" / "000000"), weights(tmp_path / "curve" / "000026")
    assert_close(first, weights(tmp_path / "initial"))
    assert_close(last, weights(tmp_path / "snapshots" / "000026"))


@pytest.mark.nightly
def test_a_validation_decodes_with_the_weights_of_its_step(tmp_path: Path) -> None:
    run = trainer(tmp_path, steps=60, validate_every=20, learning_rate=1e-2)
    events = [event for event in run.run() if isinstance(event, Validated)]
    assert len({event.chrf for event in events}) == 3, "the model must have changed between validations"
    for event in events[-2:]:
        scores = evaluate(model.load(RunFolder(tmp_path).snapshot(event.step)), run.validation)
        assert (event.bleu, event.chrf) == (scores.bleu, scores.chrf)


def test_validation_pairs_that_are_all_too_long_are_refused_before_the_start(tmp_path: Path) -> None:
    long = tuple(Pair(" ".join([pair.source] * 30), pair.target) for pair in pairs()[:3])
    with pytest.raises(TrainingError, match=r"all 3 validation pairs have more than max_length \(60\) pieces"):
        prepare(SMALL, Split(pairs(), long, ()), SETTINGS, RunFolder(tmp_path / "run"))


def test_going_on_with_fewer_steps_than_were_taken_is_refused(unbroken: Path, tmp_path: Path) -> None:
    shutil.copytree(unbroken, tmp_path / "run")
    with pytest.raises(
        TrainingError, match=r"steps \(3\) must be at least 12, the steps that this run has already taken"
    ):
        trainer(tmp_path / "run", steps=3)


def test_metrics_are_strict_json(tmp_path: Path) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    few = dataclasses.replace(SMALL, vocab_size=36)
    folder = RunFolder(tmp_path / "run")
    list(prepare(few, pairs()[:9], dataclasses.replace(SETTINGS, steps=2), folder).run())
    folder.forget_after(1_000)
    lines = folder.metrics.read_text().splitlines()
    events = [json.loads(line, parse_constant=refuse) for line in lines]
    assert [event["bleu"] for event in events if event["kind"] == "Finished"] == [None]


def test_snapshots_are_sorted_by_their_steps(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for step in (1_000_000, 999_999, 5):
        folder.snapshot(step).mkdir(parents=True)
    assert [int(path.name) for path in folder.snapshots()] == [5, 999_999, 1_000_000]


def test_a_gpu_with_a_number_becomes_the_current_one(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", taken.append)
    assert precision.take_device("cuda:1") == torch.device("cuda", 1)
    assert taken == [torch.device("cuda", 1)]
    with pytest.raises(RunError, match="has 2 CUDA devices, counted from 0"):
        precision.take_device("cuda:2")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(RunError, match=r"one GPU but 2 processes need one GPU each: use cuda"):
        precision.take_device("cuda:1")
    assert taken == [torch.device("cuda", 1)]
