"""The name of an opened model: from its file, its folder or its configuration, if that is specific.

Every Hugging Face folder has a ``model.safetensors`` and every fairseq run a ``checkpoint_best.pt``; several of them
open at the same time need different names.
"""

import re
from pathlib import Path

_WORDS = frozenset({"model", "pytorch", "checkpoint", "checkpoints", "ckpt", "weights", "params", "state", "dict",
                    "best", "last", "latest", "final", "avg", "average", "averaged", "ema", "step", "epoch",
                    "of"})  # fmt: skip
"""Words that are common in names of model files."""
_LONGEST = 60


def name_of(path: Path, opened: Path) -> str:
    """The name that a path suggests, or "" if it would fit any model.

    Args:
        path: the file or folder that the user named.
        opened: the folder to which it was unpacked, or the same path.
    """
    if path.parent.name == "snapshots" and path.parents[1].name.startswith("models--"):  # the cache of the hub
        return _telling(path.parents[1].name.rpartition("--")[2])
    inner = "" if opened.name == path.name else opened.name
    return next(filter(None, map(_telling, (path.name.split(".")[0], inner))), "")


def name_in(described: object) -> str:
    """The name in a configuration's ``_name_or_path``: the last part of a hub's name or of a path; or ""."""
    if not isinstance(described, str):
        return ""
    parts = [part for part in re.split(r"[/\\]", described[-300:]) if part.strip(". ")]
    return next(filter(None, map(_telling, reversed(parts[-2:]))), "")


def _telling(name: str) -> str:
    """The name, printable and short, or "" if every word in it is common."""
    printed = "".join(character if character.isprintable() else " " for character in name)
    name = " ".join(printed.split())[:_LONGEST]
    words = [word for word in re.split(r"[^a-z]+", name.lower()) if word]
    is_common = all(word in _WORDS for word in words) and name.isascii()
    return "" if is_common else name
