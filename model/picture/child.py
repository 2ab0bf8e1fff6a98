"""The process that decodes one picture: the file on its standard input, height, width and colours on its output."""

import io
import sys
import warnings
from pathlib import Path

from model.files.confinement import confine

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM")
MOST_PIXELS = 40 << 20
LARGEST_SIDE = 2560
"""Pixels; a larger picture is made smaller, which writing survives. Models of documents read as many."""
MEMORY_MB, SECONDS = 600, 20


def main() -> int:
    """Decode the standard input; 1 where it is no picture, with the reason in place of the size."""
    content = sys.stdin.buffer.read()
    try:
        from PIL import Image, ImageOps, UnidentifiedImageError
    except ImportError:
        sys.stdout.buffer.write(b"Pillow is not installed\n")
        return 1
    Image.init()
    confine(Path.cwd(), memory_mb=MEMORY_MB, seconds=SECONDS, wall_seconds=SECONDS, file_mb=0, can_write=False)
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
            opened.draft("RGB", (LARGEST_SIDE, LARGEST_SIDE))
            picture = ImageOps.exif_transpose(opened).convert("RGBA")
        picture.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
        paper = Image.new("RGBA", picture.size, "white")
        coloured = Image.alpha_composite(paper, picture).convert("RGB")
    except Exception as error:  # a decoder may raise anything at a damaged file
        known = not isinstance(error, UnidentifiedImageError)
        message = f"{type(error).__name__}: {error}" if known else "it is not a picture"
        sys.stdout.buffer.write(message.replace("\n", " ")[:200].encode() + b"\n")
        return 1
    sys.stdout.buffer.write(f"{coloured.height} {coloured.width}\n".encode() + coloured.tobytes())
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
