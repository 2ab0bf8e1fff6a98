"""A user's mistake prints one clear line, ends with exit code 1, and loses no data."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.cli.conftest import SMALL, Command
from tests.training.jobs import write_tsv

ROOT = Path(__file__).parents[2]


def one_line(err: str) -> str:
    """The error message, which must be the only line."""
    assert err.startswith("error: ") and err.count("\n") == 1, err
    return err


@pytest.fixture
def copied(checkpoint: Path, tmp_path: Path) -> Path:
    """A copy of the checkpoint, to be broken."""
    return Path(shutil.copytree(checkpoint, tmp_path / "broken"))


@pytest.mark.parametrize("arguments", [["translate", "hello"], ["inspect"]])
def test_a_missing_checkpoint(command: Command, arguments: list[str], tmp_path: Path) -> None:
    result = command(*arguments, "--checkpoint", tmp_path / "nowhere")
    assert result.code == 1 and f"there is no checkpoint {tmp_path / 'nowhere'}" in one_line(result.err)


def test_a_truncated_checkpoint(command: Command, copied: Path) -> None:
    weights = copied / "model.safetensors"
    os.truncate(weights, weights.stat().st_size // 2)
    result = command("inspect", "--checkpoint", copied)
    assert result.code == 1 and "damaged or cut short" in one_line(result.err)


def test_a_foreign_file(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "holiday.pt"
    path.write_bytes(b"\xff\xd8\xff\xe0 not a model at all" * 50)
    result = command("inspect", "--checkpoint", path)
    assert result.code == 1 and one_line(result.err)


def test_a_checkpoint_with_a_tensor_missing_names_it(command: Command, copied: Path) -> None:
    tensors = load_file(copied / "model.safetensors")
    del tensors["encoder.layers.0.feed_forward.fc1.weight"]
    save_file(tensors, copied / "model.safetensors")
    result = command("inspect", "--checkpoint", copied)
    assert result.code == 1 and "1 missing: encoder.layers.0.feed_forward.fc1.weight" in one_line(result.err)


def test_absent_cuda_is_refused(command: Command, checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    result = command("translate", "the cat", "--device", "cuda", "--checkpoint", checkpoint)
    assert result.code == 1 and 'no CUDA device that PyTorch can use; use "cpu" or "auto"' in one_line(result.err)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"only one column\n", "line 1 has one column: write source, a tab, target"),
        (b"", "holds no pair"),
        ("Ça\tva".encode("latin-1"), "line 1 is not UTF-8: save it as UTF-8"),
    ],
)
@pytest.mark.parametrize("name", ["train", "evaluate", "survey", "prune"])
def test_a_bad_file_of_pairs(
    command: Command, checkpoint: Path, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path, out = tmp_path / "pairs.tsv", tmp_path / "out"
    path.write_bytes(content)
    more = {"train": ["--run", out], "survey": ["--out", out, "--checkpoint", checkpoint]}
    result = command(name, path, *more.get(name, ["--checkpoint", checkpoint]))
    assert result.code == 1 and message in one_line(result.err) and not out.exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("align", "the cat\tle chat\t0-7\n", "names target word 7"),
        ("prune", "\tle\n", "none of the"),
        ("steer", "the cat\tle chat\n", "is translated with"),
    ],
)
def test_pairs_that_cannot_be_used(
    command: Command, checkpoint: Path, tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / "pairs.tsv").write_text(content)
    result = command(name, tmp_path / "pairs.tsv", "--checkpoint", checkpoint)
    assert result.code == 1 and message in one_line(result.err)


def test_standard_input_in_another_encoding(command: Command, checkpoint: Path) -> None:
    result = command("translate", "--checkpoint", checkpoint, stdin="the cat\ncafé".encode("latin-1"))
    assert result.code == 1 and "standard input line 2 is not UTF-8: save it as UTF-8" in one_line(result.err)


def test_nothing_to_translate(command: Command, checkpoint: Path) -> None:
    for arguments in ([""], ["  "], []):
        result = command("translate", *arguments, "--checkpoint", checkpoint)
        assert result.code == 1 and "there is nothing to translate" in one_line(result.err)


def test_one_unreadable_line_of_many_is_named_and_the_others_are_translated(command: Command, checkpoint: Path) -> None:
    result = command("translate", "--checkpoint", checkpoint, stdin=b"the cat\n" + b"the " * 5000 + b"\nthe dog\n")
    assert result.code == 1 and result.err.startswith("sentence 2: the text has 5,001 tokens")
    lines = result.out.split("\n")
    assert lines[0] and not lines[1] and lines[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--show", "crosss"], "--show “crosss”: write KIND, KIND:LAYER or KIND:LAYER:HEAD"),
        (["--show", "cross:7"], "cross has no layer 7: choose 0 to 1"),
        (["--head-off", "cross:0:9"], "cross has no head 9: choose 0 to 1"),
        (["--method", "beam", "--beam-size", "0"], "beam_size (0) must be between 1 and 16"),
        (["--method", "sample", "--temperature", "0"], "temperature (0.0) must be above 0"),
        (["--max-length", "0"], "max_length (0) must be at least 1"),
        (["--attention", "/nowhere/at/all.npz"], "/nowhere/at/all.npz: No such file or directory"),
    ],
)
def test_an_option_out_of_range(command: Command, checkpoint: Path, arguments: list[str], message: str) -> None:
    result = command("translate", "the cat", *arguments, "--checkpoint", checkpoint)
    assert result.code == 1 and message in one_line(result.err)


@pytest.mark.parametrize("arguments", [[], ["translat"], ["translate", "--head-off", "cross"], ["train", "x.tsv"]])
def test_wrong_usage_is_code_2_with_a_hint(command: Command, arguments: list[str]) -> None:
    result = command(*arguments)
    assert result.code == 2 and result.err.startswith("usage: ")


@pytest.mark.parametrize("name", ["", "translate", "evaluate", "train", "inspect"])
def test_help_teaches_by_examples(command: Command, name: str) -> None:
    result = command(*([name] if name else []), "--help")
    assert result.code == 0 and result.out.count("python -m model") >= 4


def run_with_file_limit(arguments: list, *, n_bytes: int) -> subprocess.CompletedProcess[str]:
    """A command whose process may write no longer files than these."""
    return subprocess.run(
        [sys.executable, "-m", "model", *arguments], cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True, text=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes)),
    )  # fmt: skip


@pytest.mark.nightly
def test_a_full_disk_is_reported_and_the_old_file_stays(checkpoint: Path, tmp_path: Path) -> None:
    path = tmp_path / "maps.npz"
    path.write_bytes(b"what was there before")
    done = run_with_file_limit(["translate", "the cat", "--attention", path, "--checkpoint", checkpoint], n_bytes=1000)
    assert done.returncode == 1 and "File too large" in one_line(done.stderr)
    assert path.read_bytes() == b"what was there before" and list(tmp_path.iterdir()) == [path]


@pytest.mark.nightly
def test_a_disk_that_fills_while_training_keeps_the_last_snapshot(command: Command, tmp_path: Path) -> None:
    pairs, run = write_tsv(tmp_path / "pairs.tsv"), tmp_path / "run"
    larger = ["--encoder-layers=2", "--decoder-layers=2", "--steps=4", "--validate-every=2"]
    done = run_with_file_limit(["train", str(pairs), "--run", str(run), *SMALL, *larger], n_bytes=300_000)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1 and last.startswith("error: ") and "File too large" in last
    assert "Traceback" not in done.stderr
    assert (run / "initial" / "model.safetensors").exists()
    assert not [path for path in run.rglob("*") if path.name.startswith(".")]
    again = command("train", pairs, "--run", run, "--resume")
    assert again.code == 0, again.err
