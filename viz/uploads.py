"""Folders of uploaded files, one for each browser session."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

from model.files.workspace import workspace

_PREFIX = "uploads-"


def new_folder() -> Path:
    """A folder for one session's files."""
    return Path(mkdtemp(prefix=_PREFIX, dir=workspace()))


def remove_folder(folder: Path) -> None:
    """Remove it with all that lies in it."""
    shutil.rmtree(folder, ignore_errors=True)
