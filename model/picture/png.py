"""PNG files (ISO/IEC 15948), read and written in plain NumPy: a stranger's small picture needs no other library.

Read are pictures of 8 bits a sample or fewer that are not interlaced; written are 16 grey levels, or every level of
grey or of three colours.
"""

import struct
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from model.errors import RegardError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_BYTES = 1 << 20
"""Bytes of the decompressed pixels that are read here: filters are undone one pixel at a time."""
_GREY, _RGB, _PALETTE, _GREY_ALPHA, _RGBA = 0, 2, 3, 4, 6
_SAMPLES = {_GREY: 1, _RGB: 3, _PALETTE: 1, _GREY_ALPHA: 2, _RGBA: 4}
Pixels = NDArray[np.uint8]
"""Grey levels (H, W), or red, green and blue (H, W, 3)."""
_WEIGHTS = np.array((299, 587, 114), np.int64)
"""Of red, green and blue in grey, thousandths (ITU-R BT.601)."""


class PngError(RegardError, ValueError):
    """A file that is not such a PNG."""


def write_png(grey: NDArray[np.uint8]) -> bytes:
    """A picture (H, W) whose values are multiples of 17, as a PNG of four bits a pixel."""
    high, wide = grey.shape
    levels = np.zeros((high, wide + wide % 2), np.uint8)
    levels[:, :wide] = grey // 17
    rows = np.zeros((high, 1 + levels.shape[1] // 2), np.uint8)  # each begins with its filter, 0: none
    rows[:, 1:] = levels[:, ::2] << 4 | levels[:, 1::2]
    head = struct.pack(">IIBBBBB", wide, high, 4, _GREY, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def written_exactly(pixels: Pixels, *, is_even: bool = False) -> bytes:
    """A picture as a PNG of eight bits a sample, each a difference from its left neighbour, which is read fast; one of
    even areas (``is_even``) without differences, which makes a smaller file."""
    high, wide = pixels.shape[:2]
    lines = pixels.reshape(high, wide, -1)
    step = lines.shape[2]
    rows = np.full((high, 1 + wide * step), 0 if is_even else 1, np.uint8)
    rows[:, 1:] = (lines if is_even else np.diff(lines, axis=1, prepend=np.uint8(0))).reshape(high, -1)
    head = struct.pack(">IIBBBBB", wide, high, 8, _RGB if step == 3 else _GREY, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 9 if is_even else 6)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def size_of(content: bytes) -> tuple[int, int]:
    """Height and width, from the head alone.

    Raises:
        PngError: when it is not a PNG.
    """
    if len(content) < 33 or not content.startswith(SIGNATURE) or content[12:16] != b"IHDR":
        raise PngError("it is not a PNG")
    wide, high = struct.unpack(">II", content[16:24])
    if not 0 < wide < 1 << 20 or not 0 < high < 1 << 20:
        raise PngError(f"it says that it has {wide} × {high} pixels")
    return high, wide


def read(content: bytes) -> Pixels:
    """A PNG as it is, with transparent pixels turned white.

    Raises:
        PngError: for a damaged or large file, and for the kinds that are not read here.
    """
    high, wide = size_of(content)
    depth, colour, compression, filtering, interlaced = content[24:29]
    if colour not in _SAMPLES or depth not in (1, 2, 4, 8) or compression or filtering or interlaced:
        raise PngError("it has 16 bits a sample, or is interlaced")
    samples = _SAMPLES[colour]
    if depth < 8 and samples > 1:
        raise PngError("its colours have fewer than 8 bits")
    stride = -(-wide * samples * depth // 8)
    if high * (stride + 1) > MOST_BYTES:
        raise PngError(f"it has {wide} × {high} pixels")
    data, palette, transparent = b"", b"", b""
    for name, part in _chunks(content):
        data += part if name == b"IDAT" else b""
        palette = part if name == b"PLTE" else palette
        transparent = part if name == b"tRNS" else transparent
    rows = _unfilter(_inflate(data, high * (stride + 1)), high, stride, max(1, samples * depth // 8))
    values = _samples(rows, depth)[:, : wide * samples].reshape(high, wide, samples)
    return _opaque(values, colour, depth, palette, transparent)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(SIGNATURE)
    while place + 12 <= len(content):
        (length,) = struct.unpack(">I", content[place : place + 4])
        name, data = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        if name == b"IEND":
            return
        yield name, data
        place += 12 + length
    raise PngError("it ends too early")


def _inflate(data: bytes, size: int) -> NDArray[np.uint8]:
    try:
        whole = zlib.decompressobj().decompress(data, size)
    except zlib.error as error:
        raise PngError("it is damaged") from error
    if len(whole) < size:
        raise PngError("it ends too early")
    return np.frombuffer(whole, np.uint8)


def _unfilter(data: NDArray[np.uint8], high: int, stride: int, step: int) -> NDArray[np.uint8]:
    """Bytes (H, stride) of the rows, each of which was written as a difference from its neighbours."""
    lines = data.reshape(high, stride + 1)
    out = np.zeros((high, stride), np.uint8)
    above = np.zeros(stride, np.uint8)
    for index, line in enumerate(lines):
        kind, encoded = int(line[0]), line[1:]
        if kind > 4:
            raise PngError("it is damaged")
        if kind == 0:
            row = encoded
        elif kind == 1:
            row = _left_sums(encoded, step)
        elif kind == 2:
            row = encoded + above
        else:
            row = _one_by_one(encoded, above, step, is_mean=kind == 3)
        out[index] = above = row
    return out


def _left_sums(encoded: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    padded = np.zeros(-(-len(encoded) // step) * step, np.uint8)
    padded[: len(encoded)] = encoded
    return padded.reshape(-1, step).cumsum(0, dtype=np.uint8).ravel()[: len(encoded)]


def _one_by_one(encoded: NDArray[np.uint8], above: NDArray[np.uint8], step: int, *, is_mean: bool) -> NDArray[np.uint8]:
    row, up = [0] * step + encoded.tolist(), [0] * step + above.tolist()
    for i in range(step, len(row)):
        left, over, corner = row[i - step], up[i], up[i - step]
        if is_mean:
            guess = (left + over) // 2
        else:  # the neighbour nearest to left + over - corner (Paeth)
            by_left, by_over, by_corner = abs(over - corner), abs(left - corner), abs(left + over - 2 * corner)
            guess = left if by_left <= by_over and by_left <= by_corner else over if by_over <= by_corner else corner
        row[i] = (row[i] + guess) & 255
    return np.array(row[step:], np.uint8)


def _samples(rows: NDArray[np.uint8], depth: int) -> NDArray[np.uint8]:
    """Bytes (H, N) as the samples that they hold, as many as fit."""
    if depth == 8:
        return rows
    bits = np.unpackbits(rows, axis=1).reshape(len(rows), -1, depth)
    return (bits << np.arange(depth - 1, -1, -1, dtype=np.uint8)).sum(2, dtype=np.uint8)


def _opaque(values: NDArray[np.uint8], colour: int, depth: int, palette: bytes, transparent: bytes) -> Pixels:
    if colour == _PALETTE:
        table = np.zeros((256, 4), np.uint8)
        table[:, 3] = 255
        colours = np.frombuffer(palette[: 3 * min(256, len(palette) // 3)], np.uint8).reshape(-1, 3)
        table[: len(colours), :3] = colours
        alphas = np.frombuffer(transparent[:256], np.uint8)
        table[: len(alphas), 3] = alphas
        values, colour = table[values[..., 0]], _RGBA
    elif colour == _GREY and depth < 8:
        values = values * np.uint8(255 // (2**depth - 1))
    return opaque(values[..., 0] if colour == _GREY else values)


def opaque(pixels: NDArray[np.uint8]) -> Pixels:
    """A picture without transparency, on white: of grey (H, W), of grey with alpha (H, W, 2), RGB or RGBA.

    One without colours is grey (H, W).
    """
    if pixels.ndim == 2:
        return pixels
    n = pixels.shape[2]
    colours = pixels[..., : 1 if n < 3 else 3]
    if n in (2, 4):
        alpha = pixels[..., -1:].astype(np.int64)
        colours = ((colours * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)
    return colours[..., 0] if (colours == colours[..., :1]).all() else colours


def as_grey(pixels: Pixels) -> NDArray[np.uint8]:
    """Grey levels (H, W) of a picture."""
    if pixels.ndim == 2:
        return pixels
    return ((pixels.astype(np.int64) @ _WEIGHTS + 500) // 1000).astype(np.uint8)
