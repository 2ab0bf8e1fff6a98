"""A stranger's picture of any kind, decoded by Pillow in a confined process."""

import numpy as np

from model.errors import TextError
from model.files.confinement import CAN_CONFINE
from model.files.decoding import TooSlowError, decoded_apart
from model.picture.png import Pixels


def decode_picture(content: bytes, reason: str) -> Pixels:
    """The colours (H, W, 3) of a file; a large picture is made smaller.

    Args:
        content: the file.
        reason: why it was not read as a small PNG.

    Raises:
        TextError: when it is not a picture, is damaged or too large, or this system cannot confine a process.
    """
    if not CAN_CONFINE:
        raise TextError(f"the picture cannot be read ({reason}): give a PNG of at most 500 × 500 pixels")
    try:
        size, pixels, message = decoded_apart("model.picture.child", content)
    except TooSlowError as error:
        raise TextError("the picture took too long to decode: give a smaller one") from error
    if len(size) != 2:
        raise TextError(f"the picture cannot be read ({message or 'it is damaged'}): give a PNG or a JPEG")
    high, wide = size
    if 3 * high * wide != len(pixels) or not len(pixels):
        raise TextError("the picture cannot be read (it is damaged): give a PNG or a JPEG")
    return np.frombuffer(pixels, np.uint8).reshape(high, wide, 3)
