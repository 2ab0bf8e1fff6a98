"""Folders of uploaded files, one for each browser session."""

import shutil
from pathlib import Path
from tempfile import mkdtemp

from model.files.workspace import workspace

_PREFIX = "uploads-"
_LONGEST_NAME, _LONGEST_ENDING = 120, 30
"""The longest file name in bytes; file systems allow 255."""


def new_folder() -> Path:
    """Make a folder for one session's files."""
    return Path(mkdtemp(prefix=_PREFIX, dir=workspace()))


def plain_name(given: str, otherwise: str) -> str:
    """An uploaded file's name, made safe for every file system, because a program may send any name."""
    last = given.replace("\\", "/").rpartition("/")[2]
    name = "".join(character for character in last if character.isprintable())
    if not name.strip(". "):
        return otherwise
    stem, ending = Path(name).stem.encode(), Path(name).suffix.encode()[:_LONGEST_ENDING]
    return (stem[: _LONGEST_NAME - len(ending)] + ending).decode("utf-8", "ignore")


def remove_folder(folder: Path) -> None:
    """Remove the folder with its contents."""
    shutil.rmtree(folder, ignore_errors=True)
