"""Checkpoints by their name on the Hugging Face hub, where the server's owner allows it: ``REGARD_ALLOW_HUB=1``."""

from __future__ import annotations

import os
import re
from pathlib import Path

from model.checkpoints.errors import CheckpointError, HintError
from model.public import is_public

VARIABLE = "REGARD_ALLOW_HUB"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?")
_WANTED = ("config.json", "generation_config.json", "model.safetensors", "model*.safetensors", "*.index.json",
           "pytorch_model.bin", "*.spm", "*.model", "vocab.json", "vocab.txt", "merges.txt", "tokenizer*.json",
           "special_tokens_map.json")  # fmt: skip


def is_allowed() -> bool:
    """Whether this installation may fetch from the hub."""
    return os.environ.get(VARIABLE, "").strip() in ("1", "true", "yes") and not is_public()


def fetch(name: str, *, cache_folder: Path | None = None, is_offline: bool = False) -> Path:
    """The folder of a model of the hub, fetched if need be; weights, configuration and tokens only, never code.

    Args:
        cache_folder: where the hub's library keeps its files; None for its usual place.
        is_offline: take only what is there already.

    Raises:
        HintError: when it is no name of a model.
        CheckpointError: when it is not allowed here, or cannot be fetched.
    """
    if not is_allowed():
        raise CheckpointError(f"fetching from the hub is off here: the server's owner can set {VARIABLE}=1")
    if not _NAME.fullmatch(name) or ".." in name:
        raise HintError(f"{name[:80]!r} is no model's name: it looks like Helsinki-NLP/opus-mt-en-fr")
    from huggingface_hub import snapshot_download

    try:
        return Path(
            snapshot_download(name, cache_dir=cache_folder, local_files_only=is_offline, allow_patterns=list(_WANTED))
        )
    except Exception as error:  # the library raises its own, the network's and the disk's
        raise CheckpointError(
            f"{name} could not be fetched ({str(error)[:160]}): check the name and the network"
        ) from error
