"""All limits on reading untrusted files, with defaults that are safe for a public server.

Each can be set by the environment, ``REGARD_MAX_UPLOAD_MB=2000`` and so on.
"""

import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from model.checkpoints.basis.errors import LimitError
from model.deployment import is_public

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper bounds, checked before allocation."""

    max_upload_mb: int = 512
    """Size of an upload, or of an archive, MiB."""
    max_file_mb: int = 65_536
    """Size of one file of weights, MiB."""
    max_expanded_mb: int = 2048
    """Size of an archive's contents, MiB."""
    max_ratio: int = 100
    """Expanded over compressed size of one archive entry."""
    max_entries: int = 2_000
    """Files in an archive or folder."""
    max_nesting: int = 4
    """Folders within folders in an archive."""
    max_header_mb: int = 16
    """Header of a safetensors file, MiB."""
    max_json_mb: int = 32
    """A configuration or vocabulary file, MiB."""
    max_tensors: int = 20_000
    max_parameters: int = 20_000_000_000
    max_layers: int = 128
    """Per stack."""
    max_heads: int = 256
    max_width: int = 65_536
    """d_model, d_feed_forward, and heads times their width."""
    max_vocabulary: int = 1_000_000
    max_positions: int = 65_536
    max_table: int = 1 << 24
    """Elements of a position table."""
    tokenizer_seconds: int = 10
    """Processor time to parse a tokenizer file."""
    tokenizer_children: int = 8
    """Idle processes of untrusted tokenizers; one more ends the longest idle, which restarts with its next text."""
    tokenizer_memory_mb: int = 1024
    """Memory of the process that parses a tokenizer file, MiB."""
    sandbox_seconds: int = 60
    """Processor time of the process that reads an untrusted checkpoint; the wall-clock limit is three times that."""
    sandbox_memory_mb: int = 6144
    """Maximum memory of that process beyond its libraries, MiB."""
    sandbox_base_mb: int = 896
    """Its limit for the smallest file, MiB; each byte of the file adds twelve bytes."""
    sandbox_children: int = 2
    """Untrusted checkpoints that are read at the same time."""
    attention_mb: int = 256
    """Attention weights in a file, in float32, MiB."""
    uploads_mb: int = 2048
    """Files of all browser sessions on the server, MiB: in memory, and once more on disk."""
    session_uploads_mb: int = 1024
    """Files of one browser session on the server's disk, MiB."""
    models_mb: int = 8192
    """Weights of models open in all browser sessions, MiB."""
    results_mb: int = 2048
    """Attention that all browser sessions have opened from files, MiB."""
    session_memory_mb: int = 2048
    """Weights of models open in one browser session, MiB."""

    @property
    def max_upload_bytes(self) -> int:
        """Size of an upload, or of an archive, bytes."""
        return self.max_upload_mb * _MIB

    @property
    def max_expanded_bytes(self) -> int:
        """Size of an archive's contents, bytes."""
        return self.max_expanded_mb * _MIB

    @property
    def max_header_bytes(self) -> int:
        """Header of a safetensors file, bytes."""
        return self.max_header_mb * _MIB

    @property
    def max_json_bytes(self) -> int:
        """A configuration or vocabulary file, bytes."""
        return self.max_json_mb * _MIB


_PUBLIC = {
    "max_upload_mb": 64,
    "max_file_mb": 1024,
    "attention_mb": 128,
    "uploads_mb": 512,
    "session_uploads_mb": 128,
    "models_mb": 2048,
    "results_mb": 512,
    "session_memory_mb": 512,
    "max_parameters": 150_000_000,
}
"""Other defaults on a public server."""


def limits() -> Limits:
    """The limits in force: the defaults, those of a public server, and what ``REGARD_…`` variables change."""
    chosen = dict(_PUBLIC) if is_public() else {}
    for field in dataclasses.fields(Limits):
        value = os.environ.get(f"REGARD_{field.name.upper()}", "")
        if value.isdigit() and int(value) > 0:
            chosen[field.name] = int(value)
    return Limits(**chosen)


def check_file_size(size: int, where: str) -> None:
    """Raise LimitError for a weights file that is larger than this installation reads."""
    most = limits().max_file_mb
    if size > most * _MIB:
        raise LimitError(f"{where} has {size:,} bytes: the limit is {most * _MIB:,} (REGARD_MAX_FILE_MB)")


def check_json_size(path: Path) -> None:
    """Raise LimitError for a configuration or vocabulary that is larger than this installation reads."""
    size, most = path.stat().st_size, limits().max_json_bytes
    if size > most:
        raise LimitError(f"{path.name} has {size:,} bytes: the limit is {most:,} (REGARD_MAX_JSON_MB)")


def check_count(n: int, what: Literal["tensors", "parameters"], where: str) -> None:
    """Raise LimitError for more tensors or parameters than this installation reads."""
    most = getattr(limits(), f"max_{what}")
    if n > most:
        raise LimitError(f"{where} has {n:,} {what}: the limit is {most:,} (REGARD_MAX_{what.upper()})")
