"""A lock that is released when the process that holds it ends, even if it is killed."""

from __future__ import annotations

import os
import time
from contextlib import AbstractContextManager
from pathlib import Path

from model.files.locking import try_lock

POLL_SECONDS = 0.05


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
            time.sleep(POLL_SECONDS)
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
