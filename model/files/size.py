"""Disk usage of files and folders while others write and delete there."""

import os
from contextlib import suppress
from pathlib import Path


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; files deleted meanwhile count as 0."""
    total = 0
    files = (Path(folder, name) for folder, _, names in os.walk(path) for name in names) if path.is_dir() else (path,)
    for file in files:
        with suppress(OSError):
            total += file.stat().st_size
    return total
