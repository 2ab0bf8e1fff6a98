"""WAV files (RIFF): PCM of 8 to 32 bits and floating-point numbers, read and written in NumPy."""

import struct

import numpy as np
from numpy.typing import NDArray

from model.errors import RegardError

Samples = NDArray[np.int16]
"""One channel, (N,)."""
_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_HEAD = 44
RATES = range(1000, 384_001)
"""Samples a second that a file may have."""
_DEPTHS = {(_PCM, 8), (_PCM, 16), (_PCM, 24), (_PCM, 32), (_FLOAT, 32), (_FLOAT, 64)}


class WavError(RegardError, ValueError):
    """A file that is not such a WAV."""


def write_wav(samples: Samples, rate: int) -> bytes:
    """One channel of 16 bits as a file whose head has 44 bytes."""
    data = samples.astype("<i2").tobytes()
    return _head(len(data), rate) + data


def _head(n_bytes: int, rate: int) -> bytes:
    shape = struct.pack("<HHIIHH", _PCM, 1, rate, 2 * rate, 2, 16)
    return struct.pack("<4sI4s4sI16s4sI", b"RIFF", 36 + n_bytes, b"WAVE", b"fmt ", 16, shape, b"data", n_bytes)


def is_plain(content: bytes) -> bool:
    """Whether a file is laid out as ``write_wav`` does it: reading it is a copy of its bytes."""
    if len(content) < _HEAD or len(content) % 2:
        return False
    (rate,) = struct.unpack("<I", content[24:28])
    return rate in RATES and content[:_HEAD] == _head(len(content) - _HEAD, rate)


def read(content: bytes) -> tuple[Samples, int]:
    """The mean of a file's channels and its samples a second.

    Raises:
        WavError: for a damaged file, and for kinds that are not read.
    """
    if len(content) < 12 or content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        raise WavError("it is not a WAV")
    shape, data, place = b"", None, 12
    while place + 8 <= len(content) and data is None:
        name, (length,) = content[place : place + 4], struct.unpack("<I", content[place + 4 : place + 8])
        body = content[place + 8 : place + 8 + length]
        shape = body if name == b"fmt " else shape
        data = body if name == b"data" else None
        place += 8 + length + length % 2
    if data is None or len(shape) < 16:
        raise WavError("it is damaged")
    kind, n_channels, rate, _, _, bits = struct.unpack("<HHIIHH", shape[:16])
    if kind == _EXTENSIBLE and len(shape) >= 26:
        (kind,) = struct.unpack("<H", shape[24:26])
    if (kind, bits) not in _DEPTHS:
        raise WavError("its samples are compressed, or of a size that is not read")
    if rate not in RATES or not 1 <= n_channels <= 64:
        raise WavError(f"it says {n_channels} channels of {rate:,} samples a second")
    values = _values(data, kind, bits)
    frames = values[: len(values) - len(values) % n_channels].reshape(-1, n_channels)
    mono = frames[:, 0] if n_channels == 1 else frames.mean(1)
    if not np.isfinite(mono).all():
        raise WavError("it holds numbers that are not finite")
    return np.clip(np.rint(mono), -32768, 32767).astype(np.int16), rate


def _values(data: bytes, kind: int, bits: int) -> NDArray[np.float64]:
    """Every channel's samples in turn, scaled to 16 bits."""
    size = bits // 8
    data = data[: len(data) - len(data) % size]
    if kind == _FLOAT:
        return np.frombuffer(data, f"<f{size}").astype(np.float64) * 32768
    if bits == 8:
        return (np.frombuffer(data, np.uint8).astype(np.float64) - 128) * 256
    if bits == 24:
        parts = np.frombuffer(data, np.uint8).reshape(-1, 3).astype(np.int32)
        whole = parts[:, 0] << 8 | parts[:, 1] << 16 | parts[:, 2] << 24  # in the upper bytes, so that the sign is kept
        return whole.astype(np.float64) / 65536
    return np.frombuffer(data, f"<i{size}").astype(np.float64) / (1 << (bits - 16))


def resample(samples: Samples, rate: int, wanted: int) -> Samples:
    """Samples at another rate, limited to the frequencies that both have, by Fourier transforms.

    Args:
        samples: (N,).
        rate: samples a second.
        wanted: likewise.
    """
    if rate == wanted or not len(samples):
        return samples
    around = rate // 10  # silence, so that the end does not reach into the beginning
    padded = np.pad(samples.astype(np.float64), around)
    n = round(len(padded) * wanted / rate)
    spectrum = np.fft.rfft(padded)
    resized = np.zeros(n // 2 + 1, complex)
    common = min(len(spectrum), len(resized))
    resized[:common] = spectrum[:common]
    found = np.fft.irfft(resized, n) * (n / len(padded))
    first, length = round(around * wanted / rate), round(len(samples) * wanted / rate)
    return np.clip(np.rint(found[first : first + length]), -32768, 32767).astype(np.int16)
