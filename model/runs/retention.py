"""Removes folders of runs by age and total size, oldest first, and never one in use."""

import logging
import shutil
import time
from pathlib import Path

from model.files.size import size_of
from model.runs.errors import RunError
from model.runs.folder import JobFolder, read_task
from model.runs.limits import Limits
from model.runs.status import read_status, take_over

log = logging.getLogger(__name__)
DAY = 86_400.0
_MARK = ".removed-"


def remove(folder: JobFolder) -> bool:
    """Delete a run; return False while it is running."""
    lock = take_over(folder)
    if lock is None:
        return False
    gone = folder.path.with_name(_MARK + folder.path.name)
    try:
        # Renamed first, so that nobody finds a half-removed folder under its name.
        folder.path.rename(gone)
    finally:
        lock.release()
    shutil.rmtree(gone, ignore_errors=True)
    return True


def clean(
    root: Path,
    limits: Limits,
    *,
    keep: frozenset[str] = frozenset(),
    owned: frozenset[str] = frozenset(),
    now: float | None = None,
    needed: int = 0,
) -> list[str]:
    """Remove expired runs, then the oldest until the rest fits, the visitor's own first; returns their names.

    A waiting or active run counts with the maximum that it may write.

    Args:
        keep: names of runs that are open on a page.
        owned: names of the visitor's runs, which are removed before those of others.
        now: seconds since 1970; None means the present, and 0 removes nothing by age.
        needed: bytes that must be free in addition to the remaining runs.
    """
    if not root.is_dir():
        return []
    for left_over in root.glob(f"{_MARK}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    now = time.time() if now is None else now
    folders = sorted((JobFolder(path) for path in root.iterdir() if _is_run(path)), key=last_used)
    folders.sort(key=lambda folder: folder.path.name not in owned)
    sizes = {folder.path: bytes_of(folder) for folder in folders}
    total, removed = needed + sum(sizes.values()), []
    for folder in folders:
        is_old = now - last_used(folder) > limits.keep_days * DAY
        if folder.path.name in keep or not (is_old or total > limits.keep_bytes):
            continue
        if remove(folder):
            total -= sizes[folder.path]
            removed.append(folder.path.name)
            log.info("removed the run %s", folder.path.name)
    return removed


def bytes_of(folder: JobFolder) -> int:
    """Disk space of a run: its size, or its maximum while it waits or runs."""
    written = size_of(folder.path)
    try:
        task = read_task(folder) if read_status(folder).is_alive else None
    except RunError:  # its file is damaged: it will not run
        task = None
    return written if task is None else max(written, task.max_bytes)


def total_bytes(root: Path) -> int:
    """Disk space of all runs, as ``bytes_of`` counts each."""
    return sum(bytes_of(JobFolder(path)) for path in root.iterdir() if _is_run(path)) if root.is_dir() else 0


def last_used(folder: JobFolder) -> float:
    """Time of the last write to the folder, seconds since 1970."""
    times = [
        path.stat().st_mtime
        for path in (folder.status, folder.metrics, folder.job, folder.survey, folder.path)
        if path.exists()
    ]
    return max(times, default=0.0)


def _is_run(path: Path) -> bool:
    """Whether the app created the folder; runs from the command line belong to the person who named the folder."""
    folder = JobFolder(path)
    return path.is_dir() and not path.name.startswith(".") and (folder.job.exists() or folder.survey.exists())
