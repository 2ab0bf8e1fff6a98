"""A picture of writing as a value, which a model reads in strips."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from model.errors import EmptyTextError, TextError
from model.picture import png, runs, strokes
from model.picture.preparing import finish, prepare
from model.picture_source import PictureSource

_TEXT_FORM = "data:image/"
_PNG_FORM = f"{_TEXT_FORM}png;base64,"
MOST_PIXELS = 16 << 20
"""Pixels of the largest picture that is read: the camera of a phone takes about 12 million."""
MOST_CHARACTERS = 12 << 20
"""Characters of the longest text form that is read."""


class PictureError(TextError):
    """A picture cannot be read; the message says why and what to do."""


def is_picture(text: str) -> bool:
    """Whether a text is the text form of a picture, which begins with ``ink.``, or a ``data:`` URL of one."""
    return runs.is_runs(text) or text.startswith(_TEXT_FORM)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Picture:
    """A picture, without transparency."""

    pixels: png.Pixels
    """uint8 from 0, black, to 255: (H, W) without colours, otherwise red, green and blue, (H, W, 3)."""

    def __repr__(self) -> str:
        return f"Picture({self.pixels.shape[0]} × {self.pixels.shape[1]})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and np.array_equal(self.pixels, other.pixels)

    def __hash__(self) -> int:
        return hash((self.pixels.shape, self.pixels.tobytes()))

    @classmethod
    def of(cls, source: Any) -> Picture:
        """A picture from an array (H, W), (H, W, 3) or (H, W, 4) of bytes or of numbers from 0 to 1; from a PIL image,
        a file's bytes, a path or a text form.

        Raises:
            PictureError: for anything else, an empty or a large picture.
        """
        if isinstance(source, Picture):
            return source
        if isinstance(source, bytes):
            return cls(_decode(source))
        if isinstance(source, str) and is_picture(source):
            return cls.of_text(source)
        if isinstance(source, str | Path):
            return cls.open(source)
        return cls(_of_array(source.convert("RGBA") if hasattr(source, "convert") else source))

    @classmethod
    def open(cls, path: str | Path) -> Picture:
        """Read a file: a PNG, or with Pillow installed any other kind of picture.

        Raises:
            PictureError: when there is no such file, or it is not a picture.
        """
        try:
            with Path(path).open("rb") as file:
                content = file.read(MOST_CHARACTERS + 1)
        except OSError as error:
            raise PictureError(f"cannot read the picture {str(path)[:80]}: {error.strerror}") from error
        if len(content) > MOST_CHARACTERS:
            raise PictureError(f"{Path(path).name} has more than {MOST_CHARACTERS >> 20} MB: give a smaller picture")
        return cls(_decode(content))

    @classmethod
    def of_text(cls, text: str) -> Picture:
        """Read a text form.

        Raises:
            PictureError: when it is damaged or too long.
        """
        if runs.is_runs(text):
            try:
                return cls(runs.read(text))
            except ValueError as error:
                raise PictureError(f"the picture's text is damaged ({error}): copy the whole of it") from error
        head, _, body = text.partition(";base64,")
        if not is_picture(text) or not body or len(text) > MOST_CHARACTERS:
            raise PictureError(f"{head[:40]!r} is not a picture: give {_PNG_FORM}… with at most 12 MB")
        try:
            content = base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError) as error:
            raise PictureError("the picture's text is damaged: copy the whole of it") from error
        return cls(_decode(content))

    @classmethod
    def drawn(
        cls, lines: Sequence[strokes.Stroke], source: PictureSource | None = None, *, pen: float = strokes.PEN
    ) -> Picture:
        """Pen strokes as a prepared picture; the line width does not depend on the size of the writing.

        Args:
            lines: points (x, y) of each stroke in order, in any unit; y points down.
            source: the model's input format; None: 32 × 384 pixels.
            pen: line width in pixels.

        Raises:
            EmptyTextError: when there is no stroke.
        """
        source = PictureSource() if source is None else source
        grey = finish(strokes.draw_strokes(lines, source, pen), source)
        if grey is None:
            raise EmptyTextError(NO_INK)
        return cls(grey)

    def prepared(self, source: PictureSource) -> Picture:
        """The picture as model input: light ink on black, cropped, of the model's height, at the left.

        Raises:
            EmptyTextError: when there is no ink.
        """
        grey = prepare(png.as_grey(self.pixels), source)
        if grey is None:
            raise EmptyTextError(NO_INK)
        return Picture(grey)

    @property
    def text(self) -> str:
        """The lossless text form of a prepared picture: its runs of equal pixels, or a PNG as a ``data:`` URL if its
        height is not 32."""
        grey = png.as_grey(self.pixels)
        if len(grey) == runs.HEIGHT:
            return runs.write_runs(grey)
        levels = (np.rint(grey / 17) * 17).astype(np.uint8)
        return _PNG_FORM + base64.b64encode(png.write_png(levels)).decode("ascii")

    @property
    def exact_text(self) -> str:
        """The text form with every pixel: a PNG as a ``data:`` URL."""
        return _PNG_FORM + base64.b64encode(png.written_exactly(self.pixels)).decode("ascii")

    @property
    def coloured(self) -> png.Pixels:
        """Red, green and blue, (H, W, 3)."""
        return self.pixels if self.pixels.ndim == 3 else np.repeat(self.pixels[..., None], 3, axis=2)

    def strips(self, source: PictureSource) -> tuple[tuple[int, ...], ...]:
        """The S strips of a prepared picture from left to right, each its P pixels row by row."""
        grey = png.as_grey(self.pixels)
        high, wide = grey.shape
        cut = grey.reshape(high, wide // source.strip, source.strip).transpose(1, 0, 2)  # (S, H, strip)
        return tuple(map(tuple, cut.reshape(len(cut), -1).tolist()))


NO_INK = "there is no ink in the picture: write a word in it, dark on light or light on dark"


def _of_array(values: Any) -> png.Pixels:
    array = np.asarray(values)
    is_number = array.dtype.kind in "uif" and array.ndim in (2, 3) and array.size > 0
    if not is_number or (array.ndim == 3 and array.shape[2] not in (2, 3, 4)):
        raise PictureError(
            f"{type(values).__name__} of shape {array.shape} is not a picture: give (height, width) or (height, width, "
            "3), bytes from 0 to 255 or numbers from 0 to 1"
        )
    if array.shape[0] * array.shape[1] > MOST_PIXELS:
        raise PictureError(f"the picture has {array.shape[0]} × {array.shape[1]} pixels: at most {MOST_PIXELS:,}")
    if array.dtype.kind == "f":
        if not np.isfinite(array).all() or array.min() < 0 or array.max() > 1:
            raise PictureError("a picture of floating-point numbers must lie within 0 and 1: divide it by its maximum")
        array = np.rint(255 * array)
    elif array.min() < 0 or array.max() > 255:
        raise PictureError("a picture of whole numbers must lie within 0 and 255")
    return png.opaque(array.astype(np.uint8))


def _decode(content: bytes) -> png.Pixels:
    """The pixels of a file; a small PNG is read here, everything else in a confined process."""
    try:
        return png.read(content)
    except png.PngError as error:
        reason = error
    from model.picture.opening import decode_picture  # only now: it needs Pillow

    return png.opaque(decode_picture(content, str(reason)))
