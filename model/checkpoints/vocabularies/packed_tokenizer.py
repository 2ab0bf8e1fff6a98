"""A tokenizer of the ``transformers`` library packed to one file: its original files and its side.

Writing it does not need the library, so a process that never opens the tokenizer can save it.
"""

import base64
import json
from collections.abc import Mapping
from pathlib import Path

KEYS = frozenset({"files", "side", "language"})
"""What such a file holds."""


def content_of(files: Mapping[str, bytes], side: str, language: str | None) -> bytes:
    """The bytes that define the tokenizer, for its fingerprint."""
    parts = (name.encode() + content for name, content in sorted(files.items()))
    return b"".join(parts) + side.encode() + (language or "").encode()


def write_packed(files: Mapping[str, bytes], side: str, language: str | None, folder: Path, stem: str) -> str:
    """Write ``stem.json`` and return its name."""
    name = f"{stem}.json"
    packed = {file: base64.b64encode(content).decode("ascii") for file, content in sorted(files.items())}
    (folder / name).write_text(json.dumps({"side": side, "language": language, "files": packed}), "utf-8")
    return name
