"""Folders of uploaded files, one for each browser session."""

import shutil
from pathlib import Path
from tempfile import mkdtemp

from model.files.workspace import workspace

_PREFIX = "uploads-"
_MAX_NAME, _MAX_SUFFIX = 120, 30
"""Bytes; file systems allow 255 in a name."""


def new_folder() -> Path:
    """Make a folder for one session's files."""
    return Path(mkdtemp(prefix=_PREFIX, dir=workspace()))


def plain_name(uploaded: str, default: str) -> str:
    """An uploaded file's name, made safe for every file system, because a program may send any name."""
    last = uploaded.replace("\\", "/").rpartition("/")[2]
    name = "".join(character for character in last if character.isprintable())
    if not name.strip(". "):
        return default
    stem, suffix = Path(name).stem.encode(), Path(name).suffix.encode()[:_MAX_SUFFIX]
    return (stem[: _MAX_NAME - len(suffix)] + suffix).decode("utf-8", "ignore")


def remove_folder(folder: Path) -> None:
    """Remove the folder with its contents."""
    shutil.rmtree(folder, ignore_errors=True)
