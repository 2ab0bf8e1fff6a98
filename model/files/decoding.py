"""Decodes an untrusted picture or sound in a confined child process."""

import os
import subprocess
import sys
import tempfile

from model.lazy import START_CHILD, code_folder

SECONDS = 25
"""Time limit of the process."""


class TooSlowError(Exception):
    """The process was ended because it took too long."""


def decoded_apart(module: str, content: bytes) -> tuple[tuple[int, ...], bytes, str]:
    """Decode a file in a child process that confines itself before it reads its standard input.

    Args:
        module: a module that writes a line of integers and then bytes, or a line with the reason of failure.
        content: the file.

    Returns:
        The integers, the bytes, and the message of the process; no integers if the file cannot be read.

    Raises:
        TooSlowError: after ``SECONDS``.
    """
    command = [sys.executable, "-I", "-c", START_CHILD, module, str(code_folder())]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    try:
        with tempfile.TemporaryDirectory(prefix="regard-decoding-") as folder:  # the child may remove nothing
            done = subprocess.run(command, env=environment, input=content, capture_output=True, timeout=SECONDS,
                                  cwd=folder, start_new_session=True, check=False)  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise TooSlowError from error
    head, _, body = done.stdout.partition(b"\n")
    words = head.split()
    if words and all(word.isdigit() for word in words):
        return tuple(map(int, words)), body, ""
    return (), b"", head.decode("utf-8", "replace")[:200] or "it is too large, or damaged"
