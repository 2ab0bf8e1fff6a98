"""A training curve: one small model at several steps of its training, to show how its attention developed.

It is a folder with a subfolder per step, written by ``train --keep-curve``. The last step is a complete checkpoint; the
others have only weights, since configuration and vocabulary are the same.
"""

import shutil
from dataclasses import replace
from pathlib import Path

from model.bundle import Bundle
from model.checkpoints.basis.assembly import assemble, fingerprint_of
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.basis.precision import USUAL
from model.checkpoints.formats.safetensors_file import read_weights
from model.checkpoints.native_format import WEIGHTS, load_native, save

SHIPPED = Path(__file__).parents[2] / "pretrained" / "curve"


def curve_steps(folder: Path = SHIPPED) -> tuple[int, ...]:
    """Steps of a curve, in order; empty if the folder is missing."""
    return tuple(sorted(int(path.parent.name) for path in folder.glob(f"[0-9]*/{WEIGHTS}")))


def curve_at(step: int, folder: Path = SHIPPED) -> Bundle:
    """The model after a step."""
    steps = curve_steps(folder)
    if step not in steps:
        raise CheckpointError(f"step {step} is not in {folder.name}: choose one of {', '.join(map(str, steps))}")
    last = load_native(_at(folder, steps[-1]))
    if step == steps[-1]:
        return last
    tensors = read_weights([_at(folder, step) / WEIGHTS], USUAL)
    model = assemble(last.config, tensors, where=f"{step:06d}/{WEIGHTS}")
    return replace(
        last, model=model, name=f"{last.name} {step}", fingerprint=fingerprint_of(model, last.source_tokenizer,
                                                                                  last.target_tokenizer)
    )  # fmt: skip


def pack_curve(run: Path, folder: Path, *, name: str) -> None:
    """Write the curve of a finished run for shipping: float16, with a single copy of the vocabulary."""
    steps = curve_steps(run / "curve")
    if len(steps) < 2:
        raise CheckpointError(f"{run} has no curve of learning: train it with --keep-curve")
    for step in steps:
        place = _at(folder, step)
        save(replace(load_native(_at(run / "curve", step)), name=name), place, dtype="float16")
        if step != steps[-1]:
            for path in place.iterdir():
                if path.name != WEIGHTS:
                    path.unlink() if path.is_file() else shutil.rmtree(path)


def _at(folder: Path, step: int) -> Path:
    return folder / f"{step:06d}"
