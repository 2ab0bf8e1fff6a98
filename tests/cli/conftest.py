"""A tiny checkpoint, and a function that calls the command line as a person would."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from model.cli.main import main
from tests.checkpoint import save_tiny

Command = Callable[..., "Result"]
LINES = ("the cat is sleeping .\tle chat dort .", "the dog\tle chien", "the cat\tun chat", "the sofa .\tle canapé .")
SMALL = [
    "--vocab-size=80", "--d-model=32", "--d-feed-forward=64", "--heads=4", "--encoder-layers=1", "--decoder-layers=1",
    "--batch-tokens=400", "--warmup-steps=4", "--device=cpu", "--precision=float32",
]  # fmt: skip
"""A model to train in seconds."""
GOLD = "the cat is sleeping .\tle chat dort .\t0-0 1-1 2p2 3-2 4-3\nthe dog\tle chien\t0-0 1-1\n" * 2


@dataclass(frozen=True, slots=True)
class Result:
    """The output and the exit code of a command."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights, twenty words."""
    return save_tiny(tmp_path_factory.mktemp("cli") / "tiny")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs ``python -m model …`` in this process: ``command("translate", "the cat", stdin=b"")``."""

    def run(*arguments: object, stdin: bytes = b"") -> Result:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        monkeypatch.setenv("COLUMNS", "100")
        capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A file of pairs."""
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join(LINES) + "\n", "utf-8")
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Pairs with links."""
    path = tmp_path / "gold.tsv"
    path.write_text(GOLD, "utf-8")
    return path
