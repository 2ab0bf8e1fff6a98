"""Attention of any model as a value, and the files that store it."""

from model.attention_files.formats import (
    MAX_FILE_BYTES,
    SCHEMA,
    AttentionFileError,
    json_bytes,
    npz_bytes,
    read_attention,
)
from model.attention_files.outputs import from_generation, from_tensors
from model.attention_files.record import AttentionRecord, RecordError

__all__ = [
    "MAX_FILE_BYTES",
    "SCHEMA",
    "AttentionFileError",
    "AttentionRecord",
    "RecordError",
    "from_generation",
    "from_tensors",
    "json_bytes",
    "npz_bytes",
    "read_attention",
]
