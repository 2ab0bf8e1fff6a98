"""Folders of the ``transformers`` library."""

from model.checkpoints.families.huggingface.folder import (
    WEIGHTS,
    is_huggingface,
    load_huggingface,
    refuse_adapter,
    roles,
)

__all__ = ["WEIGHTS", "is_huggingface", "load_huggingface", "refuse_adapter", "roles"]
