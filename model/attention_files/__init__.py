"""Attention of any model as a value, and the files that store it."""

from model.attention_files.reading import MAX_FILE_BYTES, AttentionFileError, read_attention
from model.attention_files.record import AttentionRecord, RecordError
from model.attention_files.tensors import from_generation, from_tensors
from model.attention_files.writing import SCHEMA, json_bytes, npz_bytes

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
