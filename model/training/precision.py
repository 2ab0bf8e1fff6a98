"""Chooses the arithmetic of a training by a quick measurement, and its device."""

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
    """As ``choose_device``, for a process that is about to train: a GPU with a number becomes its current one.

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
    """bfloat16 autocast, or nothing."""
    if precision == "bfloat16":
        return torch.autocast(device.type, torch.bfloat16)
    return contextlib.nullcontext()


def choose_precision(model: Transformer, batch: Batch, wanted: Precision) -> Precision:
    """bfloat16 where it makes a training step faster: on a GPU that supports it, or on a CPU where a measurement is
    faster.

    A CPU without such instructions may take fifty times as long, so a few sentences are tried before a whole batch.
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
            if bfloat16 < 2 * hope * float32:  # the first pass may have prepared kernels
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
