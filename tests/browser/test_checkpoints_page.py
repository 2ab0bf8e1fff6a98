"""A trained checkpoint in another project's layout is dropped in the browser, recognised, and its attention opened."""

from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, expect

import model
from tests.checkpoints import golden
from tests.checkpoints.foreign import save_foreign
from tests.strangers.authors import Written
from tests.strangers.plain import PLAIN
from viz.state.selection import DEFAULT_TEXT

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
    page.get_by_role("button", name="Another sentence").click()
    box = page.get_by_role("textbox", name="Sentence to translate")
    box.fill(SENTENCE)
    box.press("Enter")
    pieces = model.translate(original, SENTENCE).target_tokens
    expect(page.locator(".target-row .token")).to_have_count(len(pieces))
    expect(page.get_by_role("toolbar")).to_be_visible()
    screenshot(page, "checkpoints-attention")


@pytest.mark.nightly
def test_a_file_of_own_names_is_drawn_once_its_heads_are_known(open_page, screenshot, tmp_path):
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


def test_a_hostile_file_is_answered_in_words(open_page, screenshot, tmp_path):
    bad = tmp_path / "weights.pt"
    bad.write_bytes(b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04true\x85R.")
    page = open_page(path="checkpoints")
    drop(page, [bad])
    expect(page.get_by_text("none of it was run")).to_be_visible()
    screenshot(page, "checkpoints-hostile")


@pytest.mark.nightly
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
