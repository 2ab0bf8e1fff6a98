"""A lock on an open file, which the system releases when the process that holds it ends, even if it is killed."""

import os

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    fcntl = None

_FAR = 1 << 30
"""Windows locks bytes, not files, and nobody else may read a locked byte: so it is one that no file here has."""


def try_lock(descriptor: int, *, shared: bool = False) -> bool:
    """Lock the file; False when another process holds a lock that excludes this one.

    Args:
        descriptor: of the open file; closing it releases the lock.
        shared: a lock that excludes only exclusive ones. Windows has none here, and takes an exclusive one.
    """
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        else:
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # pyrefly: ignore[missing-attribute]
    except (BlockingIOError, PermissionError):  # as POSIX and as Windows say that it is taken
        return False
    return True
