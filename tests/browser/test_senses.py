"""Uploaded models of pictures and of sound: a file is dropped, and attention is shown on it."""

import base64
import re
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.waiting import PATIENCE
from tests.checkpoints import senses
from tests.checkpoints.senses import SENSES

pytestmark = pytest.mark.nightly

DROP = """(stage, [name, type, body]) => {
  const bytes = Uint8Array.from(atob(body), (each) => each.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], name, { type }));
  for (const kind of ["dragover", "drop"])
    stage.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


def zip_model(name: str, folder: Path) -> Path:
    """A .zip of a model saved by transformers."""
    senses.save(SENSES[name], folder / "saved")
    path = folder / f"tiny-{name}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in (folder / "saved").iterdir():
            archive.write(file, file.name)
    return path


def drop_file(page: Page, name: str, kind: str, content: bytes) -> None:
    page.locator(".stage[data-width]").evaluate(DROP, [name, kind, base64.b64encode(content).decode()])


def upload_model(page: Page, path: Path) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(str(path))
    page.get_by_role("button", name="Look at its attention").click(timeout=PATIENCE)


def test_a_picture_is_dropped_on_an_uploaded_trocr(open_page, screenshot, tmp_path):
    page = open_page(path="checkpoints")
    upload_model(page, zip_model("trocr", tmp_path))
    expect(page.get_by_text("Drop a picture: the patches")).to_be_visible()
    Image.fromarray(senses.picture()).save(tmp_path / "line.png")
    drop_file(page, "line.png", "image/png", (tmp_path / "line.png").read_bytes())
    cells = page.locator(".stage .cell")
    expect(cells).to_have_count(15)
    expect(page.locator(".stage .apart")).to_have_text("[CLS]")
    expect(page.get_by_text("The link does not hold the file")).to_be_visible()
    expect(page.locator(".target-row .token").first).to_be_visible()
    page.locator(".target-row .token").first.hover()
    expect(
        page.locator(".stage .cell[style*='--weight: 1.000'], .stage .apart[style*='--weight: 1.000']")
    ).to_have_count(1)
    assert len(page.url) < 1000 and re.search(r"text=picture\.[0-9a-f]{16}", page.url)
    screenshot(page, "trocr-patches")
    drop_file(page, "line.png", "image/png", b"\x89PNG" + bytes(40))
    expect(page.get_by_text("the picture cannot be read")).to_be_visible()


def test_a_sound_is_dropped_on_an_uploaded_whisper(open_page, screenshot, tmp_path):
    page = open_page(path="checkpoints")
    upload_model(page, zip_model("whisper", tmp_path))
    expect(page.get_by_text("Drop a WAV: the moments")).to_be_visible()
    drop_file(page, "word.wav", "audio/wav", senses.wav_file(senses.sound()))
    expect(page.locator(".stage .sound .cell")).to_have_count(50)
    expect(page.locator(".target-row .token").first).to_be_visible()
    screenshot(page, "whisper-frames")
