"""A check for tests of the sandbox: after each of them neither files nor processes are left."""

import gc
import time
from collections.abc import Iterator
from pathlib import Path

from model.checkpoints.sandbox import client
from model.files.workspace import workspace


def nothing_is_left() -> Iterator[None]:
    """Each test must leave no new files and no new child processes."""
    before = set(workspace().iterdir())

    def new_files() -> set[str]:
        return {path.name for path in set(workspace().iterdir()) - before if path.name != "in-use"}

    yield
    if new_files():
        gc.collect()
    assert new_files() == set()
    zygote = client._ZYGOTE._process
    if zygote is not None and zygote.poll() is None:
        end = time.monotonic() + 30
        while children_of(zygote.pid) and time.monotonic() < end:
            time.sleep(0.05)
        assert not children_of(zygote.pid)


def memory_mb(process: int | str, kind: str = "VmRSS") -> float:
    """Memory of a process in MiB, of a kind that /proc/PID/status names; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text("utf-8").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{kind}:")), 0) / 1024


def children_of(process: int) -> list[str]:
    """The ids of a process's children."""
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()
