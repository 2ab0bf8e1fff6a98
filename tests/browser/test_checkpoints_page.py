"""Uploaded checkpoints of texts, pictures and sound in the browser: recognised, refused, and their attention opened."""

import base64
import re
import zipfile
from pathlib import Path

import pytest
import torch
from PIL import Image
from playwright.sync_api import Page, expect

import model
from tests.browser.actions import PATIENCE, type_sentence
from tests.checkpoints import golden, senses
from tests.checkpoints.foreign import save_foreign
from tests.checkpoints.senses import SENSES
from tests.strangers.authors import Written
from tests.strangers.plain import PLAIN
from viz.state.selection import DEFAULT_TEXT

pytestmark = pytest.mark.nightly

SENTENCE = "The cat is sleeping."


@pytest.fixture(scope="module")
def original() -> model.Bundle:
    return model.load("tiny")


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = save_foreign(tmp_path_factory.mktemp("foreign"), "my-translator.pth")
    return sorted(folder.iterdir())


def drop(page: Page, files: list[Path]) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files([str(path) for path in files])


@pytest.mark.by_day
def test_a_dropped_checkpoint_translates_as_it_did_at_home(open_page, screenshot, foreign, original):
    page = open_page(path="checkpoints")
    expect(page.get_by_text("Bring your own checkpoint")).to_be_visible()
    drop(page, foreign)
    expect(page.get_by_text("This is a torch.nn.Transformer")).to_be_visible()
    expect(page.get_by_text("rows of attention sum to 1")).to_be_visible()
    screenshot(page, "checkpoints-report")
    expect(page.get_by_role("button", name="Look at its attention")).to_have_count(0)
    page.get_by_role("button", name="These are right: draw it").click()
    page.get_by_role("button", name="Look at its attention").click()
    page.wait_for_url("**model=my-translator**")
    first = model.translate(original, DEFAULT_TEXT).target_tokens
    expect(page.locator(".target-row .token")).to_have_count(len(first))
    type_sentence(page, SENTENCE)
    pieces = model.translate(original, SENTENCE).target_tokens
    expect(page.locator(".target-row .token")).to_have_count(len(pieces))
    expect(page.get_by_role("toolbar")).to_be_visible()
    screenshot(page, "checkpoints-attention")


def test_a_file_with_unknown_tensor_names_is_drawn_once_its_heads_are_known(open_page, screenshot, tmp_path):
    marks = ["<pad>", "<sos>", "<eos>", "<unk>"]
    sides = {side: {word: index for index, word in enumerate([*marks, *(f"{side[0]}{n}" for n in range(size - 4))])}
             for side, size in (("src_vocab", 23), ("tgt_vocab", 29))}  # fmt: skip
    torch.save({"model": Written(PLAIN).state(), **sides}, tmp_path / "mine.pt")
    page = open_page(path="checkpoints")
    drop(page, [tmp_path / "mine.pt"])
    expect(page.get_by_text("Answer this before its attention is drawn")).to_be_visible()
    expect(page.get_by_role("button", name="Look at its attention")).to_have_count(0)
    screenshot(page, "checkpoints-asked")
    page.locator(".st-key-first_n_heads").get_by_text("4", exact=True).click()
    page.get_by_role("button", name="These are right: draw it").click()
    page.get_by_role("button", name="Look at its attention").click()
    page.wait_for_url("**model=mine**")
    expect(page.locator(".target-row .token").first).to_be_visible()
    expect(page.get_by_text("Guessed for this model")).to_be_visible()
    visitor = open_page("?model=mine")  # with the link, but without the file
    expect(visitor.get_by_text("This link was made with the model “mine”")).to_be_visible()


@pytest.mark.by_day
def test_a_hostile_file_is_answered_in_words(open_page, screenshot, tmp_path):
    bad = tmp_path / "weights.pt"
    bad.write_bytes(b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04true\x85R.")
    page = open_page(path="checkpoints")
    drop(page, [bad])
    expect(page.get_by_text("none of it was run")).to_be_visible()
    screenshot(page, "checkpoints-hostile")


def test_a_second_file_of_weights_sets_the_first_aside_and_the_visitor_returns_to_it(open_page, screenshot, tmp_path):
    paths = {}
    for name, file_name in (("d2l-plain", "first.params"), ("hkproj-plain", "second.pt")):
        paths[file_name] = golden.read(name).write(tmp_path).rename(tmp_path / file_name)
    page = open_page(path="checkpoints", width=390, height=844, dark=True)
    drop(page, [paths["first.params"]])
    expect(page.get_by_role("heading", name="Dive into Deep Learning")).to_be_visible()
    drop(page, [paths["second.pt"]])
    expect(page.get_by_role("heading", name="hkproj")).to_be_visible()
    expect(page.get_by_text("first.params is set aside for second.pt")).to_be_visible()
    screenshot(page, "checkpoints-aside")
    page.get_by_role("button", name="Back to first.params").click()
    expect(page.get_by_role("heading", name="Dive into Deep Learning")).to_be_visible()
    expect(page.get_by_text("second.pt is set aside for first.params")).to_be_visible()
    page.get_by_role("button", name="Remove second.pt").click()
    expect(page.get_by_text("set aside")).to_have_count(0)
    expect(page.get_by_role("heading", name="Dive into Deep Learning")).to_be_visible()


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
