"""Sounds: windows, spectra and words, and what is left of a file once it has been decoded."""

import io
import struct
import tempfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from model import TextError
from model.picture import Picture
from model.sound import Sound, SoundError, is_sound, wav
from tests.checkpoints.senses import sound, wav_file


def riff(kind: int, n_channels: int, rate: int, bits: int, data: bytes, *, extensible: bool = False) -> bytes:
    shape = struct.pack("<HHIIHH", 0xFFFE if extensible else kind, n_channels, rate, 0, n_channels * bits // 8, bits)
    shape += struct.pack("<HHIH14s", 22, bits, 0, kind, b"") if extensible else b""
    chunks = b"LIST\x03\0\0\0abc\0" + b"fmt " + struct.pack("<I", len(shape)) + shape
    chunks += b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def test_a_wav_is_read_as_it_was_written(tmp_path: Path) -> None:
    samples = sound()
    path = tmp_path / "word.wav"
    path.write_bytes(wav_file(samples))
    read = Sound.open(path)
    np.testing.assert_array_equal(read.samples, samples)
    assert read.rate == 16_000 and read == Sound.of(samples) == Sound.of_text(read.text)
    assert is_sound(read.text) and hash(read) == hash(Sound.of(samples))
    assert Sound.of(wav_file(samples, n_channels=2)) == read


@pytest.mark.nightly("1", "64")
@pytest.mark.parametrize(
    ("kind", "bits", "made"),
    [(1, 8, lambda x: (x / 256 + 128).astype(np.uint8)), (1, 32, lambda x: (x * 65536).astype("<i4")),
     (3, 32, lambda x: (x / 32768).astype("<f4")), (3, 64, lambda x: x / 32768)],
)  # fmt: skip
def test_every_kind_of_wav_gives_the_same_samples(kind: int, bits: int, made: object) -> None:
    values = np.round(np.sin(np.arange(4000) / 9) * 20_000 / 256) * 256
    for extensible in (False, True):
        content = riff(kind, 1, 8000, bits, made(values).tobytes(), extensible=extensible)  # type: ignore[operator]
        result = Sound.of(content)
        np.testing.assert_array_equal(result.samples, values)
        assert result.rate == 8000
    parts = values.astype("<i4").view(np.uint8).reshape(-1, 4)
    in_24 = np.concatenate((np.zeros((4000, 1), np.uint8), parts[:, :2]), 1).tobytes()
    np.testing.assert_array_equal(Sound.of(riff(1, 1, 8000, 24, in_24)).samples, values)


def test_another_rate_keeps_the_tone() -> None:
    time = np.arange(22_050) / 44_100
    tone = (12_000 * np.sin(2 * np.pi * 440 * time)).astype(np.int16)
    result = Sound.of(tone, 44_100).at(16_000)
    assert result.rate == 16_000 and len(result.samples) == 8000
    expected = 12_000 * np.sin(2 * np.pi * 440 * np.arange(8000) / 16_000)
    assert np.abs(result.samples[400:-400] - expected[400:-400]).max() < 120
    too_high = (12_000 * np.sin(2 * np.pi * 12_000 * time)).astype(np.int16)  # above what 16 kHz can hold
    assert np.abs(Sound.of(too_high, 44_100).at(16_000).samples[400:-400]).max() < 120


@pytest.mark.nightly(but=("is empty", "content9", "content10", "RIFF\\x04\\x00\\x00\\x00WAVE"))
@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "it is not a WAV"), (b"RIFF\x04\0\0\0WAVE", "it is damaged"), (b"ID3" + bytes(100), "it is not a WAV"),
     (wav_file(sound())[:30], "it is damaged"), (riff(85, 1, 16_000, 16, bytes(64)), "compressed"),
     (riff(1, 1, 0, 16, bytes(64)), "samples a second"), (riff(1, 0, 16_000, 16, bytes(64)), "channels"),
     (riff(1, 1, 16_000, 16, b""), "is empty"), (riff(3, 1, 16_000, 32, struct.pack("<2f", 1, np.nan)), "finite"),
     (riff(1, 1, 1000, 8, bytes(61_000)), "lasts 61 s"), (bytes(25 << 20), "more than 24 MB")],
)  # fmt: skip
def test_a_damaged_or_hostile_sound_is_refused_in_a_sentence(content: bytes, message: str) -> None:
    with pytest.raises(SoundError, match=message):
        Sound.of(content)


def test_only_a_file_as_it_is_written_here_is_read_without_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("model.sound.sound.decoded_apart", refuse)
    plain = wav.write_wav(sound(), 16_000)
    assert wav.is_plain(plain) and Sound.of(plain) == Sound.of(sound())
    for other in (plain + b"\0\0", riff(1, 1, 16_000, 16, sound().tobytes())):
        assert not wav.is_plain(other)
        with pytest.raises(AssertionError):
            Sound.of(other)


@pytest.mark.parametrize("value", [np.zeros((2, 2), np.int16), np.zeros(4, np.int64), np.full(4, 2.0), "data:audio/wav",
                                   "data:audio/wav;base64,§"])  # fmt: skip
def test_other_values_than_sounds_are_refused(value: object) -> None:
    with pytest.raises(SoundError):
        Sound.of(value)


def _jpeg() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), (200, 30, 60)).save(stream, "JPEG")
    return stream.getvalue()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_no_folder_stays_of_a_file_that_was_decoded_or_refused(temporary: Path) -> None:
    Picture.of(_jpeg())
    Sound.of(wav_file(sound()) + b"\0\0")
    with pytest.raises(TextError):
        Picture.of(_jpeg()[:60])
    with pytest.raises(SoundError):
        Sound.of(b"RIFF\x04\0\0\0WAVE")
    assert not list(temporary.iterdir())
