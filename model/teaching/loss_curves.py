"""Three trainings that go wrong and one that goes right, as loss curves.

``python -m model.teaching.loss_curves PAIRS.tsv --out loss_curves.json`` runs the project's own training command four
times on sentence pairs and keeps what it wrote. The runs that are shipped used 8,000 English-French pairs of Tatoeba
with at most eight words (400 for the one that overfits), and 100 others to validate.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

STEPS = 800
_VALIDATE_EVERY = 50
_SHARED = (
    "--vocab-size 800 --heads 4 --d-feed-forward 128 --batch-tokens 1200 --precision float32 --schedule constant "
    f"--label-smoothing 0 --no-keep-curve --steps {STEPS} --validate-every {_VALIDATE_EVERY}"
)
_USUAL = "--d-model 64 --encoder-layers 2 --decoder-layers 2"
_STEADY = "--learning-rate 2e-3 --warmup-steps 100"
RUNS = {
    "fits": (8000, f"{_USUAL} {_STEADY} --dropout 0.1"),
    "overfits": (400, f"{_USUAL} {_STEADY} --dropout 0"),
    "underfits": (8000, f"--d-model 4 --encoder-layers 1 --decoder-layers 1 {_STEADY} --dropout 0.1"),
    "diverges": (8000, f"{_USUAL} --learning-rate 0.3 --warmup-steps 1 --dropout 0.1 --max-gradient-norm 1000000"),
}
"""For each run: pairs at most, and what sets it apart."""


@dataclass(frozen=True, slots=True)
class LossCurve:
    """One run."""

    steps: tuple[int, ...]
    """The steps of ``training``, every tenth."""
    training: tuple[float, ...]
    """Mean loss of the ten batches up to a step, nats per token."""
    validation_steps: tuple[int, ...]
    validation: tuple[float, ...]
    """Loss on sentences that were not trained on, nats per token."""
    gradient_norms: tuple[float, ...]
    """Largest norm of the gradient in the ten steps, before clipping."""


@cache
def loss_curves() -> dict[str, LossCurve]:
    """The shipped runs, by name."""
    runs = json.loads(Path(__file__).with_name("loss_curves.json").read_text("utf-8"))
    return {name: LossCurve(**{key: tuple(values) for key, values in curve.items()}) for name, curve in runs.items()}


def read_run(lines: Iterator[str]) -> dict[str, list]:
    """The curve of a run from its ``metrics.jsonl``, as ``LossCurve`` has it."""
    events = [json.loads(line) for line in lines]
    steps = [event for event in events if event["kind"] == "StepDone"]
    checked = {event["step"]: event["loss"] for event in events if event["kind"] == "Validated"}
    tens = [steps[i : i + 10] for i in range(0, len(steps), 10)]
    return {
        "steps": [ten[-1]["step"] for ten in tens],
        "training": [round(sum(each["loss"] for each in ten) / len(ten), 4) for ten in tens],
        "validation_steps": list(checked),
        "validation": [round(loss, 4) for loss in checked.values()],
        "gradient_norms": [round(max(each["gradient_norm"] for each in ten), 4) for ten in tens],
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Run all four and write the curves."""
    parser = argparse.ArgumentParser(prog="python -m model.teaching.loss_curves", description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("loss_curves.json"))
    wished = parser.parse_args(argv)
    lines = wished.pairs.read_text("utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        curves = {name: _run(name, lines, Path(folder)) for name in RUNS}
    wished.out.write_text(json.dumps(curves, indent=0), "utf-8")


def _run(name: str, lines: list[str], folder: Path) -> dict[str, list]:
    most, options = RUNS[name]
    data, run = folder / f"{name}.tsv", folder / name
    data.write_text("\n".join(lines[:most]) + "\n", "utf-8")
    subprocess.run(
        [sys.executable, "-m", "model.__main__", "train", str(data), "--run", str(run), *options, *_SHARED], check=True
    )
    with (run / "metrics.jsonl").open(encoding="utf-8") as metrics:
        return read_run(metrics)


if __name__ == "__main__":
    main()
