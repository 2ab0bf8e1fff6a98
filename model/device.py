"""Devices and dtypes by name, checked before a model moves there."""

from typing import Any

import torch

from model.errors import RegardError


class DeviceError(RegardError, ValueError):
    """This machine does not have the device, or the name is no device or dtype."""


def device_named(wanted: Any) -> torch.device:
    """A device of this machine by name; "auto" is the GPU if there is one.

    It does not initialise the GPU.

    Raises:
        DeviceError: when there is no such device.
    """
    n_gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if isinstance(wanted, str) and wanted == "auto":
        return torch.device("cuda" if n_gpus else "cpu")
    try:
        device = torch.device(wanted)
    except (RuntimeError, TypeError):
        raise DeviceError(
            f'device ({str(wanted)[:40]!r}) is unknown: use "cpu", "auto", "cuda", or one GPU such as "cuda:1"'
        ) from None
    if device.type == "cuda" and (device.index or 0) >= n_gpus:
        counted = f"has {n_gpus} CUDA devices, counted from 0" if n_gpus else "has no CUDA device that PyTorch can use"
        raise DeviceError(f'device ({str(device)!r}): this machine {counted}; use "cpu" or "auto"')
    if device.type not in ("cpu", "cuda"):
        _try(device)
    return device


def type_named(wanted: Any) -> torch.dtype:
    """A floating dtype, from itself or its name such as "bfloat16".

    Raises:
        DeviceError: for anything else.
    """
    dtype: Any = getattr(torch, wanted, None) if isinstance(wanted, str) else wanted
    if dtype not in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        raise DeviceError(f'dtype ({str(wanted)[:40]!r}) must be "float32", "float64", "bfloat16", "float16" or "auto"')
    return dtype


def _try(device: torch.device) -> None:
    """Write and read a tensor on a device of another kind; "meta", for example, holds no values."""
    try:
        torch.zeros(1, device=device).tolist()
    except (RuntimeError, AssertionError, ImportError) as error:  # NotImplementedError is a RuntimeError
        raise DeviceError(
            f'device ({str(device)!r}): PyTorch cannot compute on it here; use "cpu" or "auto"'
        ) from error
