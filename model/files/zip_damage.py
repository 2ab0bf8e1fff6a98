"""What Python's ``zipfile`` raises for a damaged archive; its documentation names the first alone.

Among them is ValueError, so an error of one's own is to be caught first.
"""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib

ZIP_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, ValueError, EOFError, OSError,
    NotImplementedError, RuntimeError,
)  # fmt: skip
