"""A stranger's picture of any kind, decoded by Pillow in a confined process."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from model.errors import TextError
from model.files.confinement import CAN_CONFINE
from model.lazy import START_CHILD, code_folder
from model.picture.preparing import Grey

SECONDS = 25
"""After which the process is ended."""


def decoded(content: bytes, reason: str) -> Grey:
    """The grey levels (H, W) of a file; a large picture is made smaller.

    Args:
        content: the file.
        reason: why it was not read as a small PNG.

    Raises:
        TextError: when it is not a picture, is damaged or too large, or this system cannot confine a process.
    """
    if not CAN_CONFINE:
        raise TextError(f"the picture cannot be read ({reason}): give a PNG of at most 500 × 500 pixels")
    command = [sys.executable, "-I", "-c", START_CHILD, "model.picture.child", str(code_folder())]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    try:
        done = subprocess.run(command, env=environment, input=content, capture_output=True, timeout=SECONDS,
                              start_new_session=True, check=False)  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise TextError("the picture took too long to decode: give a smaller one") from error
    head, _, pixels = done.stdout.partition(b"\n")
    numbers = head.split()
    if len(numbers) != 2 or not all(number.isdigit() for number in numbers):
        said = head.decode("utf-8", "replace")[:200] or "it is too large, or damaged"
        raise TextError(f"the picture cannot be read ({said}): give a PNG or a JPEG")
    high, wide = map(int, numbers)
    if high * wide != len(pixels) or not len(pixels):
        raise TextError("the picture cannot be read (it is damaged): give a PNG or a JPEG")
    return np.frombuffer(pixels, np.uint8).reshape(high, wide)
