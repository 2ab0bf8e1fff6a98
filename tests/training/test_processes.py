"""Several processes train the same model as one; only the speed differs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

import model
from model.cli.main import main
from model.runs.folder import RunFolder
from tests.serving import free_port
from tests.training.jobs import trainer, write_tsv

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).parents[2]
SETTINGS = {
    "steps": 8, "batch-tokens": 300, "accumulation": 4, "warmup-steps": 4, "validate-every": 4, "vocab-size": 80,
    "d-model": 32, "d-feed-forward": 64, "heads": 4, "encoder-layers": 2, "decoder-layers": 2,
    "device": "cpu", "precision": "float32",
}  # fmt: skip
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def train(pairs: Path, run: Path, *, n_processes: int) -> None:
    """Run the command line in two processes, or in this one, which has already imported everything."""
    words = ["train", str(pairs), "--run", str(run), *(f"--{name}={value}" for name, value in SETTINGS.items())]
    if n_processes == 1:
        assert main(words) == 0
    else:
        launched(["-m", "model", *words])


def launched(words: list[str]) -> None:
    """Run Python with these arguments in two processes under ``accelerate launch``."""
    launch = ["-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"]
    launch += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"]
    launch += ["--main_process_port", str(free_port())]
    done = subprocess.run(
        [sys.executable, *launch, *words], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def on_two_ranks(words: list[str]) -> None:
    """Run Python with these arguments in two processes, with the variables that a launcher sets for each."""
    address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "WORLD_SIZE": "2"}
    ranks = [
        subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, env={**ENVIRONMENT, **address, "RANK": rank, "LOCAL_RANK": rank},
            stderr=subprocess.PIPE, text=True,
        )
        for rank in ("0", "1")
    ]  # fmt: skip
    try:
        for rank in ranks:
            _, errors = rank.communicate(timeout=300)
            assert rank.returncode == 0, errors
    finally:
        for rank in ranks:
            rank.kill()


ON_EACH_RANK = """
import os, sys, torch
from pathlib import Path
from model.training import gradients as module
from tests.training.jobs import trainer

rank, broken_off = int(os.environ["RANK"]), []
module.choose_precision = lambda *_: "bfloat16" if rank else "float32"
run = trainer(Path(sys.argv[1]), dropout=0.0, steps=3, accumulation=4, precision="auto")

def run_out_once(*_):
    if rank == 1 and not broken_off:
        broken_off.append(True)
        raise torch.cuda.OutOfMemoryError("CUDA out of memory")

run.model.encoder.layers[0].register_full_backward_hook(run_out_once)
list(run.run())
assert run.precision == "float32" and bool(broken_off) == (rank == 1)
"""
"""Processes that would each choose a different precision, and one that runs out of memory in its first step."""


def curve(run: Path) -> list[float]:
    return [event["loss"] for event in RunFolder(run).events() if event["kind"] == "StepDone"]


def test_two_processes_give_the_loss_curve_and_the_weights_of_one(tmp_path: Path) -> None:
    pairs, one, two = write_tsv(tmp_path / "pairs.tsv"), tmp_path / "one", tmp_path / "two"
    train(pairs, one, n_processes=1)
    train(pairs, two, n_processes=2)
    assert len(curve(two)) == 8
    assert_close(torch.tensor(curve(two)), torch.tensor(curve(one)), rtol=1e-5, atol=0)
    alone, shared = (model.load(run / "snapshots" / "000008").model.state_dict() for run in (one, two))
    for name, weight in alone.items():
        if name.endswith("key.bias"):
            continue  # softmax does not depend on it: its gradient is rounding error, which Adam scales to full size
        assert_close(shared[name], weight, rtol=1e-3, atol=1e-4)
    assert [event["kind"] for event in RunFolder(two).events()].count("Finished") == 1


def test_processes_agree_on_arithmetic_and_one_that_runs_out_of_memory_does_not_disturb_the_other(
    tmp_path: Path,
) -> None:
    script = tmp_path / "script.py"
    script.write_text(ON_EACH_RANK)
    on_two_ranks([str(script), str(tmp_path / "two")])
    list(trainer(tmp_path / "one", dropout=0.0, steps=3, accumulation=4).run())
    assert_close(torch.tensor(curve(tmp_path / "two")), torch.tensor(curve(tmp_path / "one")), rtol=1e-4, atol=0)
