"""``train``: every setting has an option, a run is never overwritten, and Ctrl-C saves."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

import model
from model.cli.train import MODEL_HELP, SETTINGS_HELP
from model.runs.folder import RunFolder
from model.training.preparation import NewModel
from model.training.settings import TrainingConfig
from tests.cli.conftest import SMALL, Command
from tests.training.jobs import write_tsv

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tsv(tmp_path_factory.mktemp("train") / "pairs.tsv")


def test_every_setting_has_an_option_that_explains_itself() -> None:
    assert set(SETTINGS_HELP) == {field.name for field in dataclasses.fields(TrainingConfig)}
    assert set(MODEL_HELP) == {field.name for field in dataclasses.fields(NewModel)} - {"norm_first"}


@pytest.mark.nightly
def test_a_run_trains_reports_and_its_result_translates(command: Command, pairs: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = command("train", pairs, "--run", run, *SMALL, "--steps=6", "--validate-every=3", "--post-norm",
                   "--source-language=en", "--target-language=fr")  # fmt: skip
    assert result.code == 0, result.err
    assert result.out.strip() == str(run / "result")
    assert "step 1/6  loss" in result.err and "validation loss" in result.err and "finished after step 6" in result.err
    bundle = model.load(run / "result")
    assert bundle.name == "run" and (bundle.source_language, bundle.target_language) == ("en", "fr")
    assert not bundle.config.encoder_norm_first
    assert command("translate", "The cat sleeps here.", "--checkpoint", run / "result").code == 0


def test_a_run_is_never_overwritten_and_resumes_with_its_own_settings(
    command: Command, pairs: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    assert command("train", pairs, "--run", run, *SMALL, "--steps=2", "--seed=7").code == 0
    refused = command("train", pairs, "--run", run, *SMALL)
    assert refused.code == 1 and "holds a run: add --resume to continue it" in refused.err
    assert command("train", pairs, "--run", run, "--resume", "--steps=4").code == 0
    settings = json.loads((run / "settings.json").read_text())
    assert settings["steps"] == 4 and settings["seed"] == 7 and settings["batch_tokens"] == 400
    none = command("train", pairs, "--run", tmp_path / "none", "--resume")
    assert none.code == 1 and "holds no run to resume" in none.err


def test_a_checkpoint_is_trained_further_with_its_own_size(command: Command, pairs: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    command("train", pairs, "--run", first, *SMALL, "--steps=2")
    on = ["--from", first / "result", "--steps=2", "--device=cpu", "--batch-tokens=400", "--precision=float32"]
    assert command("train", pairs, "--run", second, *on).code == 0
    assert model.load(second / "result").config == model.load(first / "result").config
    assert model.load(second / "result").target_language is None
    renamed = ["--source-language=de", "--target-language=pt-BR", "--name=mine"]
    assert command("train", pairs, "--run", tmp_path / "renamed", *on, *renamed).code == 0
    other = model.load(tmp_path / "renamed" / "result")
    assert (other.name, other.source_language, other.target_language) == ("mine", "de", "pt-BR")
    result = command("train", pairs, "--run", tmp_path / "wrong", *on, "--target-language=German!")
    assert result.code == 1 and "--target-language 'German!' is not a language code" in result.err
    result = command("train", pairs, "--run", tmp_path / "third", *on, "--d-model=64", "--heads=8")
    assert result.code == 1 and "--d-model, --heads: the checkpoint given with --from sets this already" in result.err
    assert not (tmp_path / "third").exists()


def test_several_checkpoints_are_trained_further_from_the_mean_of_their_weights(
    command: Command, pairs: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, seed in ((first, "--seed=1"), (second, "--seed=2")):
        assert command("train", pairs, "--run", folder, *SMALL, "--steps=1", seed).code == 0
    small = ["--steps=1", "--device=cpu", "--batch-tokens=400", "--precision=float32"]
    both = ["--from", first / "result", "--from", second / "result", "--from", second / "result"]
    assert command("train", pairs, "--run", tmp_path / "mean", *both, *small).code == 0
    one, two, mean = (model.load(path).model.state_dict() for path in
                      (first / "result", second / "result", tmp_path / "mean" / "initial"))  # fmt: skip
    for name, weights in mean.items():
        torch.testing.assert_close(weights, (one[name] + 2 * two[name]) / 3)
    other = ["--from", first / "result", "--from", ROOT / "pretrained" / "tiny"]
    result = command("train", pairs, "--run", tmp_path / "other", *other, *small)
    assert result.code == 1 and "so they have no mean" in result.err and not (tmp_path / "other").exists()


def test_fixed_settings_of_a_resumed_run_are_refused(command: Command, pairs: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    begun = ["train", pairs, "--run", run, *SMALL, "--source-language=en", "--target-language=fr"]
    assert command(*begun, "--steps=2").code == 0
    result = command(*begun[:-1], "--resume", "--steps=4", "--target-language=de")
    assert result.code == 1 and "--target-language de: the run in" in result.err and "began with fr" in result.err
    vocabulary = ROOT / "pretrained" / "tiny" / "tokenizer.model"
    result = command("train", pairs, "--run", run, "--resume", "--steps=4", "--tokenizer", vocabulary)
    assert result.code == 1 and "began with another vocabulary" in result.err
    vocabulary = run / "result" / "tokenizer.model"
    assert command(*begun, "--resume", "--steps=4", "--tokenizer", vocabulary).code == 0


@pytest.mark.nightly
def test_ctrl_c_finishes_the_step_saves_and_the_run_goes_on(pairs: Path, tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    command = [sys.executable, "-m", "model", "train", str(pairs), "--run", str(run.path), *SMALL]
    process = subprocess.Popen(
        [*command, "--steps=100000"], cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while sum(1 for _ in run.events()) < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "and saved: add --resume to continue" in err and "Traceback" not in err
    step = int(run.snapshots()[-1].name)
    assert step >= 3 and len(list(run.events())) == step


def test_sets_are_mixed_and_a_checkpoint_goes_on_with_their_vocabulary(
    command: Command, pairs: Path, tmp_path: Path
) -> None:
    first, second, mixed = tmp_path / "first", tmp_path / "second", tmp_path / "mixed"
    other = tmp_path / "other.tsv"
    towns = ("Berlin", "Madrid", "Lisbon", "Vienna", "Warsaw", "Prague", "Dublin", "Athens", "Oslo", "Helsinki")
    other.write_text("".join(f"Report {i} from {towns[i % 10]}.\tRapport {i} de {towns[i % 10]}.\n" for i in range(60)))
    assert command("train", pairs, "--run", first, *SMALL, "--steps=1").code == 0
    result = command("prepare", pairs, other, "--limit", "other=50", "--vocab-size=545", "--extend", first / "result",
                   "--out", mixed)  # fmt: skip
    assert result.code == 0, result.err
    assert "50  other" in result.out and "pairs to train on" in result.out
    settings = [option for option in SMALL if not option.startswith(("--vocab", "--d-", "--heads", "--enc", "--dec"))]
    result = command("train", mixed, "--run", second, "--from", first / "result", "--tokenizer",
                   mixed / "tokenizer.model", *settings, "--steps=1")  # fmt: skip
    assert result.code == 0, result.err
    assert model.load(second / "result").config.source_vocab_size == 545


def test_the_error_of_a_limit_that_is_no_number_has_a_remedy(command: Command, pairs: Path, tmp_path: Path) -> None:
    result = command("prepare", pairs, "--limit", "pairs:5", "--out", tmp_path / "mixed")
    assert result.code == 1 and "such as pydocs=6000" in result.err
