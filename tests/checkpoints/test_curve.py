"""The curve of learning: several steps of one training, one vocabulary."""

from pathlib import Path

import pytest
import torch

import model
from model.checkpoints import CheckpointError
from model.checkpoints.curve import SHIPPED, curve_at, curve_steps, pack_curve
from tests.training.jobs import trainer

LIMIT = 15_000_000


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("curve") / "run"
    list(trainer(folder, steps=26, validate_every=26, keep_curve=True).run())
    return folder


@pytest.mark.nightly
def test_a_run_is_packed_in_half_the_size_and_opens_at_each_of_its_steps(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "curve"
    pack_curve(run, folder, name="curve")
    assert curve_steps(folder) == (0, 1, 4, 13, 26)
    assert len(list(folder.rglob("tokenizer.model"))) == len(list(folder.rglob("config.json"))) == 1
    bundles = [curve_at(step, folder) for step in curve_steps(folder)]
    assert len({bundle.fingerprint for bundle in bundles}) == 5
    for step, bundle in zip(curve_steps(folder), bundles, strict=True):
        whole = model.load(run / "curve" / f"{step:06d}").model.state_dict()
        for name, tensor in bundle.model.state_dict().items():
            torch.testing.assert_close(tensor, whole[name], atol=1e-3, rtol=1e-3)


def test_the_error_of_a_run_without_a_curve_has_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="train it with --keep-curve"):
        pack_curve(tmp_path, tmp_path / "curve", name="curve")


def test_the_error_of_a_missing_step_lists_the_saved_ones(run: Path) -> None:
    with pytest.raises(CheckpointError, match="step 5 is not in curve: choose one of 0, 1, 4, 13, 26"):
        curve_at(5, run / "curve")


def test_the_shipped_curve_is_small_and_learns() -> None:
    assert len(curve_steps()) == 6
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file()) <= LIMIT
    source, target = "The cat is sleeping.", "Le chat dort."
    gained = [float(model.score(curve_at(step), source, target).log_probs.sum()) for step in curve_steps()]
    assert gained[-1] > gained[3] > gained[0]
