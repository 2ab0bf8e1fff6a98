"""Shared by the queue's child processes: each ends with its server and sees one device.

A child is started with a pipe on its standard input to which nothing is written. When the server ends for any reason,
the system closes the pipe; a thread that waits on it then sets a flag, and ends the process if stopping takes too long.
"""

import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import torch

from model.runs.locks import FileLock

POLL_SECONDS = 0.1
SECONDS_TO_SAVE = 20.0
"""Time for a last snapshot after the server has ended."""


def watch_server(before_exit: Callable[[], object] = lambda: None) -> threading.Event:
    """An event that is set when the server has closed the pipe; the process ends if it does not stop by itself.

    Args:
        before_exit: called before that, to report the reason.
    """
    server_ended = threading.Event()

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        server_ended.set()
        time.sleep(SECONDS_TO_SAVE)
        try:
            before_exit()
        finally:
            os._exit(3)

    threading.Thread(target=wait, daemon=True, name="server-watch").start()
    return server_ended


def give_way(niceness: int) -> None:
    """Lower this process's priority, if the system supports it."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def hold_device(root: Path, device: str, should_stop: Callable[[], bool]) -> FileLock | None:
    """Wait for the lock of a device, which is shared by all servers with the same folder of runs.

    Args:
        root: the folder of all runs.
        device: a name for ``choose_device``.

    Returns:
        None if ``should_stop`` ended the wait.
    """
    path = root / f".device-{device.replace(':', '-')}"
    while (lock := FileLock.take(path)) is None:
        if should_stop():
            return None
        time.sleep(POLL_SECONDS)
    return lock


def device_name(device: torch.device) -> str:
    """The display name of a device."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else f"CPU ({platform.machine()})"
