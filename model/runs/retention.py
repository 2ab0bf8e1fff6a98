"""Folders of runs are removed by age and by total size, oldest first, and never one that is in use."""

import logging
import shutil
import time
from pathlib import Path

from model.files.size import size_of
from model.runs.errors import RunError
from model.runs.job_folder import JobFolder, read_task
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
    own: frozenset[str] = frozenset(),
    now: float | None = None,
    needed: int = 0,
) -> list[str]:
    """Remove runs that are too old, then the oldest until the rest fits, the caller's first; returns their names.

    A run that waits or runs counts with what it may come to write.

    Args:
        keep: names of runs that somebody has open.
        own: names of the runs of the visitor for whom room is made; they are removed before those of others.
        now: seconds since 1970; None is this moment, and 0 removes nothing by its age.
        needed: bytes to make room for beside the runs that stay.
    """
    if not root.is_dir():
        return []
    for left_over in root.glob(f"{_MARK}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    now = time.time() if now is None else now
    folders = sorted((JobFolder(path) for path in root.iterdir() if _is_run(path)), key=last_used)
    folders.sort(key=lambda folder: folder.path.name not in own)
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
    """Disk space of a run: what it has written, and while it waits or runs what it may still write."""
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
    """When something was last written into it, seconds since 1970."""
    times = [
        path.stat().st_mtime
        for path in (folder.status, folder.metrics, folder.job, folder.survey, folder.path)
        if path.exists()
    ]
    return max(times, default=0.0)


def _is_run(path: Path) -> bool:
    """Only folders that the panel made: a run of the command line belongs to the person who named its folder."""
    folder = JobFolder(path)
    return path.is_dir() and not path.name.startswith(".") and (folder.job.exists() or folder.survey.exists())
