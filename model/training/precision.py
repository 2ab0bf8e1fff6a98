"""Chooses the precision of a training by a quick measurement, and its device."""

import contextlib
import os
import time
from contextlib import AbstractContextManager

import torch

from model.nn.transformer import Transformer
from model.runs.devices import choose_device
from model.training.data import Batch
from model.training.evaluation import batch_loss
from model.training.settings import Precision, TrainingError


def take_device(wanted: str) -> torch.device:
    """As ``choose_device``, for a training process: a GPU with an index becomes PyTorch's current device.

    Raises:
        TrainingError: when there is no such GPU, or several processes would have to share it.
    """
    device = choose_device(wanted)
    if device.type != "cuda" or device.index is None:
        return device
    n_processes = int(os.environ.get("WORLD_SIZE", "1"))
    if n_processes > 1:
        raise TrainingError(f"device ({wanted}) is one GPU but {n_processes} processes need one GPU each: use cuda")
    torch.cuda.set_device(device)
    return device


def autocast(device: torch.device, precision: Precision) -> AbstractContextManager[object]:
    """A context of bfloat16 autocast, or a null context."""
    if precision == "bfloat16":
        return torch.autocast(device.type, torch.bfloat16)
    return contextlib.nullcontext()


def choose_precision(model: Transformer, batch: Batch, wanted: Precision) -> Precision:
    """Choose bfloat16 if it makes a training step faster: on a GPU that supports it, or on a CPU by measurement.

    A CPU without bfloat16 instructions may take fifty times as long, so a few sentences are tried before a whole batch.
    """
    device = batch.source.device
    if wanted != "auto":
        return wanted
    if device.type == "cuda":
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    with torch.random.fork_rng(devices=[]):
        for tried, hope in ((batch.rows(0, 2), 3.0), (batch, 1.0)):
            float32 = min(_seconds(model, tried, "float32") for _ in range(2))
            bfloat16 = _seconds(model, tried, "bfloat16")
            if bfloat16 < 2 * hope * float32:  # tolerant, since the first pass may include kernel setup
                bfloat16 = min(bfloat16, _seconds(model, tried, "bfloat16"))
            if bfloat16 >= hope * float32:
                return "float32"
    return "bfloat16"


def _seconds(model: Transformer, batch: Batch, precision: Precision) -> float:
    started = time.perf_counter()
    with autocast(batch.source.device, precision):
        loss = batch_loss(model, batch.source, batch.prefix, batch.target, batch.is_real, smoothing=0.1)
    loss.backward()
    model.zero_grad(set_to_none=True)
    return time.perf_counter() - started
