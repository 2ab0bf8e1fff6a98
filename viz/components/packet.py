"""Packs one bytes object for the browser: Streamlit passes only top-level bytes to a component unchanged.

Layout: ``uint32`` little-endian length of the header; the header, UTF-8 JSON padded with spaces so that the arrays
start on four bytes; the arrays. ``shared/packet.js`` reads it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(slots=True)
class Arrays:
    """Arrays one after another, each on four bytes."""

    parts: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, *arrays: NDArray) -> int:
        """Append arrays without a gap between them; returns the offset of the first."""
        offset = self.size
        raw = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
        raw += bytes(-len(raw) % 4)
        self.parts.append(raw)
        self.size += len(raw)
        return offset

    def join(self, header: Mapping[str, Any]) -> bytes:
        """The finished packet."""
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        encoded = text.encode("utf-8", "replace")
        encoded += b" " * (-len(encoded) % 4)
        return b"".join([len(encoded).to_bytes(4, "little"), encoded, *self.parts])
