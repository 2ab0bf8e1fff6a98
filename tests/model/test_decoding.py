"""What stays of a stranger's picture or sound once it has been decoded in a process of its own."""

import io
import tempfile
from pathlib import Path

import pytest
from PIL import Image

from model import TextError
from model.picture import Picture
from model.sound import Sound, SoundError
from tests.checkpoints.senses import sound, wav_file


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
