"""This process's folder for temporary files, and the removal of folders of earlier processes.

A killed process cannot clean up. Its folder has a lock that is released with the process, so that a later process can
distinguish folders in use from abandoned ones.
"""

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from model.files.locking import try_lock

_LOCK = "in-use"


def root() -> Path:
    """The parent of the folders of this user's processes, which only this user can read."""
    return Path(tempfile.gettempdir()) / f"regard-{_user()}"


@cache
def workspace() -> Path:
    """This process's folder, created on first use; the folders of ended processes are then removed.

    Raises:
        OSError: when the system's temporary folder cannot be written, or the name is taken by somebody else.
    """
    place = root()
    place.mkdir(mode=0o700, exist_ok=True)
    if place.is_symlink() or place.stat().st_uid != _user():
        raise PermissionError(f"{place} belongs to another user: set TMPDIR to a folder of your own")
    sweep(place)
    folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=place))
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try_lock(descriptor)  # held until the process ends, however it ends
    return folder


def sweep(place: Path) -> list[str]:
    """Remove the folders of processes that have ended; returns their names."""
    removed = []
    for folder in place.iterdir():
        if not folder.is_dir() or folder.is_symlink() or not _is_left(folder):
            continue
        shutil.rmtree(folder, ignore_errors=True)
        removed.append(folder.name)
    return removed


def _is_left(folder: Path) -> bool:
    try:
        descriptor = os.open(folder / _LOCK, os.O_RDWR)
    except OSError:
        # Created a moment ago and not locked yet, or abandoned by a process that was killed at that moment.
        return not _is_alive(folder.name.partition("-")[0])
    try:
        return try_lock(descriptor)
    finally:
        os.close(descriptor)


def _user() -> int:
    """The user id; 0 on Windows, where each user has a separate temporary folder."""
    return os.getuid() if hasattr(os, "getuid") else 0


def _is_alive(process: str) -> bool:
    if os.name == "nt":
        return True  # on Windows, os.kill would end the process
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
