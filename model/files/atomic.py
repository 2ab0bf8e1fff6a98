"""Atomic writes."""

import os
import uuid
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write to a temporary file in the same folder, then replace the file.

    Raises:
        OSError: when the disk is full or the folder does not exist; the old file is not changed.
    """
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        with partial.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        error.filename = str(path)
        raise
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
