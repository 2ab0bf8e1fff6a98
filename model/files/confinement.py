"""Limits a child's memory, processor time, running time and files, and denies it the network where the system can."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import tempfile
from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None

CAN_CONFINE = resource is not None and hasattr(os, "fork")
"""Whether this system can limit a process as ``confine`` does; where not, uploads and visitors' SQL are refused."""

_NEW_NETWORK, _NEW_USER = 0x40000000, 0x10000000
_NO_NEW_PRIVILEGES = 38
_OPEN_FILES = 128


def confine(folder: Path, *, memory_mb: int, seconds: int, wall_seconds: int, file_mb: int) -> None:
    """Set the limits of this process; they cannot be raised again.

    Args:
        folder: the only place for its temporary files.
        memory_mb: address space that it may add to what it has now, MiB.
        seconds: processor time since its start.
        wall_seconds: the system ends the process after this time.
        file_mb: size of the largest file that it may write, MiB.
    """
    assert resource is not None, "callers ask CAN_CONFINE first"
    os.chdir(folder)
    tempfile.tempdir = str(folder)
    os.environ.update(TMPDIR=str(folder), HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    _deny_network()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    signal.alarm(wall_seconds)
    for kind, limit in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_FSIZE, file_mb << 20),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, _address_space() + (memory_mb << 20)),
    ):
        hard = resource.getrlimit(kind)[1]
        wanted = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError, OSError):  # some systems do not know some limits
            resource.setrlimit(kind, (wanted, wanted))


def _deny_network() -> None:
    """Enter an empty network namespace; not every system allows it."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        if library.unshare(_NEW_NETWORK) != 0:
            library.unshare(_NEW_USER | _NEW_NETWORK)


def _address_space() -> int:
    """The bytes that are mapped already: PyTorch's libraries are large and must not count against the file's limit."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 4 << 30
