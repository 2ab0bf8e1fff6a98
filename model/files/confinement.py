"""Limits a child's memory, processor time, running time, processes and files, as far as the system can.

``python -m model.files.confined`` tries what a confined process can do on this system, and prints it.
"""

import contextlib
import ctypes
import os
import signal
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from model.files import linux_rules

try:
    import resource
except ImportError:  # Windows
    resource = None

CAN_CONFINE = resource is not None and hasattr(os, "fork")
"""Whether this system supports ``confine``; if not, uploads and visitors' SQL are refused."""

_NEW_NETWORK, _NEW_USER = 0x40000000, 0x10000000
_OPEN_FILES = 128
_MORE_TASKS = 64
"""Threads and processes that a child may start in addition to the user's current ones."""
_SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/dev/null", "/dev/zero",
           "/dev/urandom", "/dev/random", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm",
           "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm")  # fmt: skip
"""System paths that libraries read, in addition to the packages of this Python."""


def confine(
    folder: Path,
    *,
    memory_mb: int,
    seconds: int,
    wall_seconds: int,
    file_mb: int,
    reads: Iterable[Path] = (),
    can_write: bool = True,
) -> None:
    """Set the limits of this process; they cannot be raised again.

    Args:
        folder: the only folder for its temporary files.
        reads: files and folders that it may read in addition to ``folder`` and the installed packages.
        can_write: whether it may write in ``folder``.
        memory_mb: address space in addition to the current one, MiB.
        seconds: processor time since its start.
        wall_seconds: time after which the system ends the process.
        file_mb: size of the largest file that it may write, MiB.
    """
    assert resource is not None, "callers ask CAN_CONFINE first"
    os.chdir(folder)
    tempfile.tempdir = str(folder)
    os.environ.update(TMPDIR=str(folder), HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    _deny_network()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(linux_rules.NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    signal.alarm(wall_seconds)
    for kind, limit in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_FSIZE, file_mb << 20),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, _address_space() + (memory_mb << 20)),
        (resource.RLIMIT_NPROC, _tasks_of_user() + _MORE_TASKS if sys.platform == "linux" else 0),
    ):
        hard = resource.getrlimit(kind)[1]
        bounded = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError, OSError):  # some systems do not know some limits
            resource.setrlimit(kind, (bounded, bounded))
    linux_rules.allow_files_beneath([*_readable(), *reads, folder], [folder] if can_write else [])
    linux_rules.refuse_calls()


def _readable() -> set[Path]:
    """The installed packages, this source, and what libraries read of the system."""
    source = Path(__file__).resolve().parents[2]
    packages = {Path(path).resolve() for path in (sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path) if path}
    # The folder of the source may contain anything, such as the runs of all visitors.
    return (packages - {source}) | {source / "model", *map(Path, _SYSTEM)}


def _tasks_of_user() -> int:
    """Threads of all processes of this user, which the kernel counts against RLIMIT_NPROC."""
    user, count = os.getuid(), 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.stat().st_uid == user:
                count += sum(1 for _ in (process / "task").iterdir())
    return count


def _deny_network() -> None:
    """Enter an empty network namespace; not every system allows it."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        if library.unshare(_NEW_NETWORK) != 0:
            library.unshare(_NEW_USER | _NEW_NETWORK)


def _address_space() -> int:
    """Bytes mapped so far: PyTorch's libraries are large and must not count against the file's limit."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 4 << 30
