"""The errors that Python's ``zipfile`` raises for a damaged archive; its documentation names only the first.

One of them is ValueError, so catch your own subclasses of it first.
"""

import lzma
import struct
import zipfile
import zlib

ZIP_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, ValueError, EOFError, OSError,
    NotImplementedError, RuntimeError,
)  # fmt: skip
