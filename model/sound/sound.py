"""A sound as a value, which a model reads frame by frame."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from model.errors import TextError
from model.files.confinement import CAN_CONFINE
from model.files.decoding import TooSlowError, decoded_apart
from model.sound import wav

_WAV_FORM = "data:audio/wav;base64,"
_TEXT_FORM = "data:audio/"
MOST_BYTES = 24 << 20
"""Bytes of the largest file that is read: a minute in stereo at 96 kHz."""
MOST_SECONDS = 60
"""Seconds of the longest sound."""


class SoundError(TextError):
    """A sound cannot be read; the message says why and what to do."""


def is_sound(text: str) -> bool:
    """Whether a text is the text form of a sound, a ``data:`` URL of a WAV."""
    return text.startswith(_TEXT_FORM)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sound:
    """A sound of one channel."""

    samples: wav.Samples
    """int16 (N,)."""
    rate: int
    """Samples per second."""

    def __post_init__(self) -> None:
        if not len(self.samples):
            raise SoundError("the sound is empty: record something, or give another file")
        if self.seconds > MOST_SECONDS:
            raise SoundError(f"the sound lasts {self.seconds:.0f} s: give one of at most {MOST_SECONDS} s")

    def __repr__(self) -> str:
        return f"Sound({self.seconds:.2f} s at {self.rate} Hz)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sound) and self.rate == other.rate and np.array_equal(self.samples, other.samples)

    def __hash__(self) -> int:
        return hash((self.rate, self.samples.tobytes()))

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return len(self.samples) / self.rate

    @classmethod
    def of(cls, source: Any, rate: int = 16_000) -> Sound:
        """A sound from an array (N,) of int16 or of numbers from -1 to 1; from a file's bytes, a path or its text form.

        Args:
            rate: samples per second of an array.

        Raises:
            SoundError: for anything else, an empty or a long sound.
        """
        if isinstance(source, Sound):
            return source
        if isinstance(source, bytes):
            return _decode(source)
        if isinstance(source, str) and is_sound(source):
            return cls.of_text(source)
        if isinstance(source, str | Path):
            return cls.open(source)
        array = np.asarray(source)
        if array.ndim != 1 or array.dtype.kind not in "if" or rate not in wav.RATES:
            raise SoundError(f"an array {array.shape} of {array.dtype} is no sound: give (samples,) of one channel")
        if array.dtype.kind == "f":
            if not np.isfinite(array).all() or (len(array) and np.abs(array).max() > 1):
                raise SoundError("a sound of floating-point numbers must lie within ±1: divide it by its maximum")
            array = np.clip(np.rint(array.astype(np.float64) * 32768), -32768, 32767)
        elif array.dtype != np.int16:
            raise SoundError(f"samples are int16 or floating-point numbers, not {array.dtype}")
        return cls(array.astype(np.int16), int(rate))

    @classmethod
    def open(cls, path: str | Path) -> Sound:
        """Read a WAV.

        Raises:
            SoundError: when there is no such file, or it is not a WAV.
        """
        try:
            with Path(path).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise SoundError(f"cannot read the sound {str(path)[:80]}: {error.strerror}") from error
        return _decode(content)

    @classmethod
    def of_text(cls, text: str) -> Sound:
        """Read a text form.

        Raises:
            SoundError: when it is damaged or too long.
        """
        _, _, body = text.partition(";base64,")
        if not is_sound(text) or not body or len(body) > MOST_BYTES * 4 // 3 + 4:
            raise SoundError(f"{text[:40]!r} is not a sound: give {_WAV_FORM}… with at most {MOST_BYTES >> 20} MB")
        try:
            return _decode(base64.b64decode(body, validate=True))
        except (binascii.Error, ValueError) as error:
            if isinstance(error, SoundError):
                raise
            raise SoundError("the sound's text is damaged: copy the whole of it") from error

    def at(self, rate: int) -> Sound:
        """The sound resampled to ``rate`` samples per second."""
        return self if rate == self.rate else Sound(wav.resample(self.samples, self.rate, rate), rate)

    @property
    def text(self) -> str:
        """The text form with every sample: a WAV as a ``data:`` URL."""
        return _WAV_FORM + base64.b64encode(wav.write_wav(self.samples, self.rate)).decode("ascii")


def _decode(content: bytes) -> Sound:
    """A file's sound: one as ``Sound.text`` writes it is read here, everything else in a confined process."""
    if len(content) > MOST_BYTES:
        raise SoundError(f"the sound has more than {MOST_BYTES >> 20} MB: give a shorter one")
    if wav.is_plain(content):
        return Sound(*wav.read(content))
    if not CAN_CONFINE:
        raise SoundError("the sound cannot be read on this system: give a WAV of one channel and 16 bits")
    try:
        numbers, samples, message = decoded_apart("model.sound.child", content)
    except TooSlowError as error:
        raise SoundError("the sound took too long to decode: give a shorter one") from error
    if len(numbers) != 2 or 2 * numbers[0] != len(samples) or numbers[1] not in wav.RATES:
        raise SoundError(f"the sound cannot be read ({message or 'it is damaged'}): give a WAV, PCM or floating-point")
    return Sound(np.frombuffer(samples, "<i2").astype(np.int16), numbers[1])
