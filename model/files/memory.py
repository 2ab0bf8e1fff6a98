"""Free memory for this process."""

from pathlib import Path

_GROUP = Path("/sys/fs/cgroup")
"""Linux's files of a container's memory limit."""


def free_bytes() -> int | None:
    """Memory available without swapping, in bytes; None if the system does not report it."""
    limits = [free for free in (_of_machine(), _of_container()) if free is not None]
    return min(limits, default=None)


def _of_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")), None)


def _of_container() -> int | None:
    try:
        most, used = (_GROUP / "memory.max").read_text("utf-8"), (_GROUP / "memory.current").read_text("utf-8")
        counted = dict(line.split() for line in (_GROUP / "memory.stat").read_text("utf-8").splitlines())
    except (OSError, ValueError):
        return None
    if not most.strip().isdigit():
        return None
    return int(most) - int(used) + int(counted.get("inactive_file", 0))  # cached files can be evicted
