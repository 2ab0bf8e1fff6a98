"""The origin of a report: command, version, model and data."""

import argparse
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.bundle import Bundle
from model.cli.output import say
from model.files.stamped import KEY
from model.provenance import provenance


def stamp(bundle: Bundle, chosen: argparse.Namespace) -> dict[str, Any]:
    """The facts needed to run a command again and to explain a difference.

    Args:
        bundle: the model that was used.
        chosen: the command's arguments; ``command`` has the words as typed (``main``). Other files are data.

    Returns:
        ``command``: the words after ``python -m model``; ``seed``: of its draws, which is 0 where the command has no
        other; what ``provenance`` gives; ``data``: the SHA-256 of each file by its path as it was typed.
    """
    files = [value for value in vars(chosen).values() if isinstance(value, Path) and value.is_file()]
    return {
        "command": chosen.command, "seed": getattr(chosen, "seed", None) or 0, **provenance(bundle),
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
