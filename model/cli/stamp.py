"""Where a report comes from: what was run, by which version, on which model and data."""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

import model
from model.bundle import Bundle
from model.cli.output import say

KEY = "stamp"
"""The report's field that holds the stamp."""
_OWN = Path(__file__).parents[2]


def stamp(bundle: Bundle, chosen: argparse.Namespace) -> dict[str, Any]:
    """What is needed to run a command again and to see what differs.

    Args:
        bundle: the model that was used.
        chosen: the command's arguments; ``command`` is what was typed (``main``). Every file among the others is data.

    Returns:
        ``command``: the words after ``python -m model``; ``regard``, ``commit`` (None outside a clone, with + where
        files were changed), ``torch`` and ``python``: versions; ``model`` and ``fingerprint``; ``data``: the SHA-256 of
        each file by its path as it was typed.
    """
    files = [value for value in vars(chosen).values() if isinstance(value, Path) and value.is_file()]
    return {
        "command": chosen.command, "regard": model.__version__, "commit": _commit(), "torch": torch.__version__,
        "python": platform.python_version(), "model": bundle.name, "fingerprint": bundle.fingerprint,
        "data": {str(path): digest(path) for path in files},
    }  # fmt: skip


def say_json(report: Mapping[str, Any], bundle: Bundle, chosen: argparse.Namespace) -> None:
    """Print a report as JSON, with its stamp."""
    say(json.dumps({**report, KEY: stamp(bundle, chosen)}, indent=2))


def digest(path: Path) -> str:
    """The SHA-256 of a file, hex.

    Raises:
        OSError: when it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _commit() -> str | None:
    """The commit of the clone that this code belongs to."""
    if not (_OWN / ".git").exists():
        return None
    try:
        return _git("rev-parse", "HEAD") + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(*words: str) -> str:
    asked = subprocess.run(["git", "-C", str(_OWN), *words], capture_output=True, text=True, check=True)
    return asked.stdout.strip()
