"""Folders of the ``transformers`` library."""

from model.checkpoints.families.huggingface.folder import (
    WEIGHTS,
    is_huggingface,
    is_only_weights,
    load_huggingface,
    refuse_adapter,
    roles,
)
from model.checkpoints.families.huggingface.in_memory import load_network

__all__ = [
    "WEIGHTS",
    "is_huggingface",
    "is_only_weights",
    "load_huggingface",
    "load_network",
    "refuse_adapter",
    "roles",
]
