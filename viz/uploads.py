"""Folders of uploaded files: one for each browser session, all of them within the server's bound."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

from model.checkpoints.errors import LimitError
from model.checkpoints.limits import limits
from model.files.workspace import workspace

_PREFIX = "uploads-"
_MIB = 1 << 20


def new_folder() -> Path:
    """A folder for one session's files."""
    return Path(mkdtemp(prefix=_PREFIX, dir=workspace()))


def remove_folder(folder: Path) -> None:
    """Remove it with all that lies in it."""
    shutil.rmtree(folder, ignore_errors=True)


def check_room(n_bytes: int) -> None:
    """Raise LimitError when the files of all sessions together would take more than the server's bound."""
    held = 0
    for folder in workspace().glob(f"{_PREFIX}*"):
        for path in folder.rglob("*"):
            held += path.stat().st_size if path.is_file() else 0
    most = limits().uploads_mb
    if held + n_bytes > most * _MIB:
        raise LimitError(
            f"{n_bytes // _MIB:,} MiB do not fit beside the {held // _MIB:,} MiB of files that all visitors have here, "
            f"and {most:,} MiB is the limit: try later, or raise REGARD_UPLOADS_MB on a server of your own"
        )
