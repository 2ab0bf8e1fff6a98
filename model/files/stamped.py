"""Embeds a report in the figure that was drawn from it: in the text of a PNG, the metadata of an SVG, the document
information of a PDF. The figure then has its numbers and its stamp, and can be reproduced."""

import html
import io
import json
import logging
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

KEY = "stamp"
"""The field of a report with its stamp."""
NAME = "regard"
"""The report's name in a file."""
MOST_BYTES = 64_000_000
"""Maximum bytes of a report; a file that claims more is not decompressed."""
_PNG = b"\x89PNG\r\n\x1a\n"
_SVG_START = re.compile(rb"<svg\b[^>]*>")
_SVG_REPORT = re.compile(rb'<metadata id="regard">(.*?)</metadata>', re.DOTALL)
_PDF_KEY = f"/{NAME.capitalize()}"


def with_report(content: bytes, report: Mapping[str, Any]) -> bytes:
    """A figure with an embedded report; the picture does not change.

    Args:
        content: a PNG, SVG or PDF.

    Raises:
        ValueError: for another format.
        ModuleNotFoundError: for a PDF if pypdf is not installed.
    """
    text = json.dumps(report)
    if content.startswith(_PNG):
        packed = NAME.encode() + b"\0\0" + zlib.compress(text.encode("ascii"), 9)
        end = len(content) - 12  # IEND, the last chunk, is empty
        return content[:end] + _chunk(b"zTXt", packed) + content[end:]
    if start := _SVG_START.search(content):
        written = f'<metadata id="{NAME}">{html.escape(text, quote=False)}</metadata>'
        return content[: start.end()] + written.encode() + content[start.end() :]
    if content.startswith(b"%PDF"):
        from pypdf import PdfWriter

        stream, log = io.BytesIO(), logging.getLogger("pypdf")
        level = log.level
        log.setLevel(logging.ERROR)  # the renderer's PDF says that it has fewer objects, which is mended here
        try:
            writer = PdfWriter(clone_from=io.BytesIO(content))
        finally:
            log.setLevel(level)
        writer.add_metadata({_PDF_KEY: text})
        writer.write(stream)
        return stream.getvalue()
    raise ValueError("a report is written into a PNG, an SVG or a PDF")


def report_of(path: Path) -> Any:
    """The report of a JSON file or figure; None if a figure has none.

    Raises:
        ValueError: when the file is none of these, or is damaged.
        OSError: when it cannot be read.
    """
    content = path.read_bytes()
    if content.startswith(_PNG):
        found = next((data for kind, data in _chunks(content) if kind == b"zTXt" and data[:8] == b"regard\0\0"), None)
        return None if found is None else json.loads(_unpack(found[8:]))
    if content.startswith(b"%PDF"):
        return _report_of_pdf(content)
    if content.lstrip()[:1] == b"<":
        found = _SVG_REPORT.search(content)
        return None if found is None else json.loads(html.unescape(found[1].decode("utf-8")))
    return json.loads(content.decode("utf-8"))


def _report_of_pdf(content: bytes) -> Any:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        text = (PdfReader(io.BytesIO(content)).metadata or {}).get(_PDF_KEY)
    except PyPdfError as error:
        raise ValueError(f"the PDF cannot be read: {error}") from error
    return None if text is None else json.loads(str(text))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(_PNG)
    while place + 8 <= len(content):
        length = int.from_bytes(content[place : place + 4], "big")
        yield content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        place += 12 + length


def _unpack(data: bytes) -> str:
    try:
        return zlib.decompressobj().decompress(data, MOST_BYTES).decode("ascii")
    except zlib.error as error:
        raise ValueError("the report in the picture is damaged") from error
