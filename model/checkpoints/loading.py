"""Opening a checkpoint: recognise the family from its content, then hand over to that family's file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from model.checkpoints.bundle import Bundle
from model.checkpoints.errors import UnrecognisedError
from model.checkpoints.own import is_own, load_own

PRETRAINED = Path(__file__).resolve().parents[2] / "pretrained"
DEFAULT = "en-fr"


def load(path: Path | str | None = None, **hints: Any) -> Bundle:
    """Open a checkpoint; without a path, the one that is shipped. A bare name is looked up in ``pretrained/``.

    Args:
        path: a folder or file of any known family.
        hints: answers to what the file lacks, such as ``n_heads=8``.

    Raises:
        CheckpointError: when it cannot be opened; the message says why and what to do.
    """
    found = locate(path)
    if found.is_dir() and is_own(found):
        return load_own(found)
    raise UnrecognisedError(f"{found} is of no known family")


def locate(path: Path | str | None) -> Path:
    """The file or folder that a path or a shipped checkpoint's name stands for.

    Raises:
        UnrecognisedError: when there is none.
    """
    given = Path(DEFAULT if path is None else path)
    shipped = PRETRAINED / given
    if path is not None and given.exists():
        return given
    if len(given.parts) == 1 and shipped.is_dir():
        return shipped
    names = sorted(entry.name for entry in PRETRAINED.iterdir() if entry.is_dir()) if PRETRAINED.is_dir() else []
    raise UnrecognisedError(
        f"there is no checkpoint {given}: give a file or folder, or a shipped name ({', '.join(names) or 'none'})"
    )
