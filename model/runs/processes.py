"""The queue's child processes: locks, and a child that ends with its server and uses one device.

A child is started with a pipe on its standard input to which nothing is written. When the server ends for any reason,
the system closes the pipe; a thread that waits on it then sets a flag, and ends the process if stopping takes too long.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import torch

from model.files.locking import try_lock

_LOCK_POLL_SECONDS = 0.05
POLL_SECONDS = 0.1
SECONDS_TO_SAVE = 20.0
"""Time for a last snapshot after the server has ended."""


class FileLock(AbstractContextManager["FileLock"]):
    """An exclusive lock on a file; except on Windows it can be handed to a child process by its descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    @classmethod
    def take(cls, path: Path, *, patience: float = 0.0) -> FileLock | None:
        """Take the lock; None if another process still holds it after ``patience`` seconds."""
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        end = time.monotonic() + patience
        while not try_lock(descriptor):
            if time.monotonic() >= end:
                os.close(descriptor)
                return None
            time.sleep(_LOCK_POLL_SECONDS)
        return cls(descriptor)

    def release(self) -> None:
        """Release the lock in this process, once; a child that inherited the descriptor keeps it."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __exit__(self, *ended: object) -> None:
        self.release()


def is_held(path: Path) -> bool:
    """Whether any process holds the lock."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        # A shared lock, so that two processes that only check do not mistake each other for the holder.
        return not try_lock(descriptor, shared=True)
    finally:
        os.close(descriptor)


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
