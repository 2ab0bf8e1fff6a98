"""Tries a tokenizer file in a child process before this one opens it."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from model.checkpoints.basis.errors import LimitError
from model.checkpoints.basis.limits import limits
from model.checkpoints.vocabularies import tokenizer_probe
from model.text.tokenizer import TokenizerError

elsewhere: Callable[[Path, str], tuple[str, int | None]] | None = None
"""Replaces trying a file in a child process: a process that may start none asks its parent to do it."""


def probe(path: Path, kind: str) -> int:
    """Parse a tokenizer file and try it on expensive texts, in a child process with limits; return its number of
    entries.
    """
    bounds, place = limits(), _place_of(kind)
    output, code = elsewhere(path, kind) if elsewhere is not None else _in_a_process(path, kind, place)
    parsed, _, size = output.strip().partition("\n")
    if parsed == tokenizer_probe.PARSED and (code is None or code < 0 or code == tokenizer_probe.ENDLESS):
        raise LimitError(
            f"the rules in {path.name} did not finish on a short text, such as one letter a thousand times, "
            f"within {bounds.tokenizer_seconds} s and {bounds.tokenizer_memory_mb:,} MiB: give the tokenizer that "
            "the model was trained with"
        )
    if code is None:
        raise LimitError(
            f"{path.name} took more than {6 * bounds.tokenizer_seconds} s to parse, which is the limit: give the "
            "tokenizer that the model was trained with"
        )
    if code or not size.isdigit():
        raise TokenizerError(
            f"{path.name} is damaged or not a {kind} tokenizer: give the file that the model was trained with"
        )
    return int(size)


def _in_a_process(path: Path, kind: str, place: str) -> tuple[str, int | None]:
    """Output and exit code of a process that tries the file; the code is None if it took too long."""
    bounds = limits()
    command = [sys.executable, "-I", tokenizer_probe.__file__, kind, str(path.resolve()),
               str(bounds.tokenizer_seconds), str(bounds.tokenizer_memory_mb), place]  # fmt: skip
    environment = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    if "SYSTEMROOT" in os.environ:  # without it no Python starts on Windows
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    try:
        done = subprocess.run(command, capture_output=True, env=environment, timeout=6 * bounds.tokenizer_seconds)
        return done.stdout.decode("ascii", "replace"), done.returncode
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode("ascii", "replace"), None


def _place_of(library: str) -> str:
    """The folder from which this process imports a library; an isolated child ignores PYTHONPATH."""
    spec = importlib.util.find_spec(library)
    if spec is None or spec.origin is None:
        raise TokenizerError(
            f"this tokenizer needs the package {library}, which is not installed: pip install {library}"
        )
    return str(Path(spec.origin).resolve().parents[1])
