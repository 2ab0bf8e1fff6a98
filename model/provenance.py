"""The provenance of a result: the version, the commit and the model."""

import platform
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import torch

from model.bundle import Bundle

_OWN = Path(__file__).parents[1]


def provenance(bundle: Bundle) -> dict[str, Any]:
    """Versions: ``regard``, ``commit`` (None outside a clone, with + if files were changed), ``torch`` and ``python``.
    The model: ``model`` and ``fingerprint``."""
    import model

    return {
        "regard": model.__version__, "commit": _commit(), "torch": torch.__version__,
        "python": platform.python_version(), "model": bundle.name, "fingerprint": bundle.fingerprint,
    }  # fmt: skip


@cache
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
