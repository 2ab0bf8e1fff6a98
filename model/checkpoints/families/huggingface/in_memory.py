"""A model of the ``transformers`` library that is in memory: it is saved to a folder of its own and read from there, so
that one reader decides what it is, and what is trained further leaves the bundle as it was."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from model.bundle import Bundle
from model.checkpoints.errors import UnrecognisedError
from model.checkpoints.families.huggingface.folder import load_huggingface
from model.checkpoints.families.huggingface.network import quiet
from model.checkpoints.hints import Hints
from model.checkpoints.naming import name_in


def load_network(network: Any, hints: Hints) -> Bundle:
    """Open a copy of a model of the library, with the tokenizer in the hints.

    Raises:
        UnrecognisedError: when it is no such model.
        CheckpointError: as for a folder.
    """
    if not hasattr(network, "save_pretrained") or not hasattr(network, "config"):
        raise UnrecognisedError(
            f"a {type(network).__name__} cannot be opened: give a path, a shipped name or a model of transformers"
        )
    with TemporaryDirectory(prefix="regard-model-") as place, quiet():
        network.save_pretrained(place)
        if hints.tokenizer is not None:
            hints.tokenizer.save_pretrained(place)
        return load_huggingface(Path(place), name_in(getattr(network, "name_or_path", "")), hints)
