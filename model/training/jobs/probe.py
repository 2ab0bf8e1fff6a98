"""The probe sentence: its translation and attention every few steps, with the weights of those steps.

Frames are .npz files without pickles, with attention in float16 (error up to 2.4e-4). Weights are stored as float16
differences to the initial weights, which halves their size; the error is at most 1/2048 of the change.
"""

import time
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as tensors_to_bytes

from model.checkpoints import Bundle
from model.checkpoints.basis.assembly import stored_names
from model.files.atomic import write_atomically
from model.inference.translation import translate
from model.interventions import KINDS
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import Transformer
from model.runs.folder import JobFolder
from model.trace import AttentionMaps, TokenSequence, Trace
from model.training.events import Event, StepDone
from model.training.jobs.job import open_of_run
from model.training.settings import TrainingError

MAX_PIECES = 40
"""Maximum tokens of the probe sentence, so that frames stay small and fast."""
MAX_FRAMES = 60
"""Maximum frames of a run, so that the slider's data stay small."""
PROBE_SHARE = 0.03
"""Default share of the training time that recording may take."""
HEAD_START_SECONDS = 6.0
"""Training time that recording may use in advance, because the first steps show the largest changes."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The probe sentence's translation and attention after one step."""

    step: int
    text: str
    """The translation."""
    source: TokenSequence
    target: TokenSequence
    prefix: TokenSequence
    attention: AttentionMaps


class ProbeRecorder:
    """Records frames of one run, within its share of the run's time.

    Args:
        bundle: the run's initial model; parameters that will be trained are copied.
        sentence: the probe sentence.
        every: minimum steps between frames.
        share: share of the training time that recording may take; a frame that would exceed it is recorded later.
    """

    def __init__(self, folder: JobFolder, bundle: Bundle, sentence: str, *, every: int, share: float) -> None:
        self.folder, self.bundle, self.sentence, self.every, self.share = folder, bundle, sentence, every, share
        self.initial = {name: tensor.detach().clone() for name, tensor in stored_names(bundle.model).items()}
        self.spent, self.cost, self.last = 0.0, 0.0, -every
        folder.probe.mkdir(parents=True, exist_ok=True)

    def follow(self, event: Event, model: Transformer) -> None:
        """Record after an optimiser step if a frame is due. Raises as ``record``."""
        if isinstance(event, StepDone) and self.is_due(event.step, event.seconds):
            self.record(model, event.step)

    def is_due(self, step: int, trained_seconds: float) -> bool:
        """Whether to record after this step."""
        return step - self.last >= self.every and self.spent + self.cost <= self.share * (
            trained_seconds + HEAD_START_SECONDS
        )

    def record(self, model: Transformer, step: int) -> None:
        """Write a frame and the weights of a step.

        Raises:
            OSError: when the disk is full.
        """
        started = time.perf_counter()
        was_training = model.training
        model.eval()
        if self.sentence:
            trace = translate(replace(self.bundle, model=model), self.sentence, n_candidates=1)
            write_atomically(frame_path(self.folder, step), frame_bytes(trace, step))
        model.train(was_training)
        write_atomically(frame_path(self.folder, step).with_suffix(".safetensors"), self._changed(model))
        self.cost = time.perf_counter() - started
        if self.last >= 0:
            self.spent += self.cost
        self.last = step

    def _changed(self, model: Transformer) -> bytes:
        trained = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
        now = {name: tensor.detach().cpu() for name, tensor in stored_names(model).items() if name in trained}
        return tensors_to_bytes({name: (tensor - self.initial[name]).half() for name, tensor in now.items()})


def frame_path(folder: JobFolder, step: int) -> Path:
    """The path of a step's frame."""
    return folder.probe / f"{step:06d}.npz"


def recorded_steps(folder: JobFolder) -> tuple[int, ...]:
    """Steps whose weights can be restored, in order."""
    return _steps(folder, ".safetensors")


def frame_steps(folder: JobFolder) -> tuple[int, ...]:
    """Steps with a frame, in order."""
    return _steps(folder, ".npz")


def _steps(folder: JobFolder, ending: str) -> tuple[int, ...]:
    return tuple(sorted(int(path.stem) for path in folder.probe.glob(f"[0-9]*{ending}")))


def forget_after(folder: JobFolder, step: int) -> None:
    """Delete the frames after the step from which a run is resumed."""
    for path in folder.probe.glob("*"):
        if path.name.startswith(".") or int(path.stem) > step:
            path.unlink(missing_ok=True)


def trained_bytes(model: EncoderDecoder, trained: set[str]) -> int:
    """Size on disk of one step's weights if only these parameters are trained."""
    return sum(2 * tensor.numel() for name, tensor in stored_names(model).items() if name in trained)


def bundle_at(folder: JobFolder, step: int) -> Bundle:
    """The model after a recorded step; step 0 is the initial model, bit for bit.

    Raises:
        TrainingError: when the step was not recorded or its file is damaged.
        CheckpointError: when the initial model cannot be opened.
    """
    bundle = open_of_run(folder, folder.initial)
    if step == 0:
        return bundle
    path = frame_path(folder, step).with_suffix(".safetensors")
    try:
        with safe_open(path, framework="pt") as opened, torch.no_grad():
            for name, tensor in stored_names(bundle.model).items():
                if name in opened.keys():  # noqa: SIM118
                    tensor += opened.get_tensor(name).to(tensor.dtype)
    except (OSError, SafetensorError, RuntimeError) as error:
        raise TrainingError(f"the weights of step {step} cannot be read ({error}): choose another step") from error
    return replace(bundle, fingerprint=f"{bundle.fingerprint}+{folder.path.name}@{step}")


def frame_bytes(trace: Trace, step: int) -> bytes:
    """Serialise a frame as .npz."""
    arrays: dict[str, Any] = {"step": np.int64(step), "text": trace.text}
    for side in ("source", "target", "prefix"):
        tokens: TokenSequence = getattr(trace, side)
        arrays |= {
            f"{side}_ids": np.array(tokens.ids, np.int64),
            f"{side}_pieces": np.array(tokens.pieces, np.str_),
            f"{side}_words": np.array(tokens.words, np.int64),
        }
    arrays |= {kind: trace.attention.of(kind).astype(np.float16) for kind in trace.attention.kinds}  # type: ignore[union-attr]
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def read_frame(folder: JobFolder, step: int) -> Frame:
    """The frame of a recorded step.

    Raises:
        TrainingError: when it is missing or damaged.
    """
    try:
        with np.load(frame_path(folder, step), allow_pickle=False) as arrays:
            maps = {kind: arrays[kind].astype(np.float32) if kind in arrays else None for kind in KINDS}
            sides = {side: _tokens(arrays, side) for side in ("source", "target", "prefix")}
            return Frame(int(arrays["step"]), str(arrays["text"]), attention=AttentionMaps(**maps), **sides)
    except (OSError, KeyError, ValueError, EOFError) as error:
        raise TrainingError(f"the frame of step {step} cannot be read ({error}): choose another step") from error


def _tokens(arrays: Any, side: str) -> TokenSequence:
    ids = tuple(int(i) for i in arrays[f"{side}_ids"])
    pieces = tuple(str(piece) for piece in arrays[f"{side}_pieces"])
    return TokenSequence(ids, pieces, tuple(int(i) for i in arrays[f"{side}_words"]), (None,) * len(ids))
