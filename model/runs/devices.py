"""The devices of this machine with names and free memory, found without initialising a GPU."""

import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import torch

from model.device import DeviceError, device_named
from model.files.memory import free_bytes
from model.runs.errors import RunError

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""Where somebody has set it, the GPUs are theirs to choose, and their numbers are not nvidia-smi's."""


@dataclass(frozen=True, slots=True)
class Device:
    """One place to train."""

    id: str
    """As for TrainingConfig.device: "cpu", "cuda:0"."""
    name: str
    free_bytes: int | None
    """Free memory; None if the system does not report it."""


def devices() -> tuple[Device, ...]:
    """GPUs first, the processor last."""
    return (*_gpus(), Device("cpu", _processor(), free_bytes()))


def _gpus() -> tuple[Device, ...]:
    """From nvidia-smi: PyTorch would hold a context of hundreds of megabytes on the GPU as long as the server runs."""
    if not torch.cuda.is_available():
        return ()
    command = shutil.which("nvidia-smi")
    if command is None or VISIBLE in os.environ:
        return (Device("cuda", "CUDA", None),)
    query = [command, "--query-gpu=index,name,memory.free", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return (Device("cuda", "CUDA", None),)
    gpus = []
    for line in answer.strip().splitlines():
        index, name, free = (part.strip() for part in line.split(",", 2))
        gpus.append(Device(f"cuda:{index}", name, int(free) << 20 if free.isdigit() else None))
    return tuple(gpus)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()} × {os.cpu_count()}"


def choose_device(name: str) -> torch.device:
    """The device of this name; for "auto" the GPU if there is one.

    Raises:
        RunError: when this machine has no such device.
    """
    try:
        return device_named(name)
    except DeviceError as error:
        raise RunError(str(error)) from error
