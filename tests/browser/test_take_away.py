"""Downloads, uploads and the text of a comparison, in a real browser."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import model
from model.attention_files import read_attention
from tests.browser.views_page import unfold
from tests.browser.waiting import downloaded, open_files, rests
from viz.explore.compare import movers

pytestmark = pytest.mark.nightly
TEXT, OTHER = "the cat is sleeping on the sofa .", "the dog is sleeping on the sofa ."


def opened(open_page: Callable[..., Page], **choices: str) -> Page:
    page = open_page("?" + urlencode({"text": TEXT, **choices}))
    page.get_by_role("toolbar").first.wait_for()
    return page


def download(page: Page, name: str) -> bytes:
    return downloaded(page, page.get_by_role("button", name=name)).content


@pytest.fixture(scope="module")
def bundle(checkpoint: Path) -> model.Bundle:
    return model.load(checkpoint)


@pytest.mark.by_day
def test_files_hold_the_translation_on_screen(open_page: Callable[..., Page], bundle: model.Bundle) -> None:
    trace = model.translate(bundle, TEXT)
    page = opened(open_page)
    open_files(page)
    arrays = read_attention(download(page, "Arrays (NPZ)"))
    assert arrays.target_tokens == trace.target_tokens
    assert arrays.fingerprint == bundle.fingerprint
    assert arrays.maps.cross is not None and trace.attention.cross is not None
    assert np.allclose(arrays.maps.cross, trace.attention.cross, atol=1e-6)
    whole = json.loads(download(page, "Everything (JSON)"))
    assert whole["source_text"] == TEXT and whole["units"].startswith("weight after softmax")
    page_file = download(page, "Interactive page (HTML)").decode()
    assert "default-src 'none'" in page_file and TEXT in page_file


def test_the_printed_head_is_the_one_on_screen(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, layer="1", head="1", language="fr")
    open_files(page, "Exporter", "Données et fichiers")
    assert download(page, "Cette tête, pour l'impression").startswith(b"%PDF")
    assert download(page, "Toutes les têtes, pour l'impression").startswith(b"%PDF")


@pytest.mark.parametrize(
    ("content", "words"),
    [(b'{"encoder_self": [[[[2]]]], "source_tokens": ["a"]}', "sums to 2"), (b"\x80\x04N.", "neither .npz nor .json")],
)
def test_a_file_that_cannot_be_shown_says_why_and_the_page_stays(
    open_page: Callable[..., Page], tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "wrong.json"
    file.write_bytes(content)
    page = opened(open_page)
    open_files(page)
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_role("heading", name="All heads")).to_be_visible()


def test_weights_from_elsewhere_cannot_be_read_in_other_ways(open_page: Callable[..., Page], tmp_path: Path) -> None:
    file = tmp_path / "reader.json"
    file.write_text('{"encoder_self": [[[[0.5, 0.5], [1, 0]]]], "source_tokens": ["left", "right"]}')
    page = opened(open_page)
    unfold(page)
    weights = page.get_by_role("button", name="Weights:")
    expect(weights).to_be_visible()
    open_files(page)
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_role("button", name="left").first).to_be_visible()
    unfold(page)
    expect(weights).to_be_hidden()
    page.get_by_role("button", name="Back to the sentence").click()
    expect(weights).to_be_visible()


def test_a_head_that_moved_is_one_click_away(
    open_page: Callable[..., Page], bundle: model.Bundle, screenshot: Callable[[Page, str], Path]
) -> None:
    first = movers(model.translate(bundle, TEXT), model.translate(bundle, OTHER))[0]
    page = opened(open_page, other_text=OTHER, compare="difference")
    expect(page.locator("mark").first).to_be_visible()
    buttons = page.locator(".st-key-movers").get_by_role("button").filter(has_text="%")
    expect(buttons.first).to_contain_text(f"{first.layer}·{first.head}")
    for place in (0, 1, 0):
        button = buttons.nth(place)
        where = button.inner_text().split(":")[0].split()[-1].split("·")
        button.click()
        expect(page.get_by_role("heading", name=f"Layer {where[0]} · Head {where[1]}")).to_be_visible()
    rests(page)
    expect(page.get_by_role("heading", name=f"Layer {first.layer} · Head {first.head}")).to_be_visible()
    screenshot(page, "compared")


def test_models_of_other_shapes_stand_side_by_side_and_are_never_subtracted(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], Path]
) -> None:
    page = opened(open_page, other_model="tiny", head="1", layer="1", compare="difference")
    expect(page.get_by_text("The two models differ in layers or heads")).to_be_visible()
    expect(page.get_by_role("button", name="difference")).to_be_hidden()
    expect(page.locator(".pane")).to_have_count(2)
    screenshot(page, "compared-models")


def test_a_smaller_model_shows_its_nearest_head_and_says_so(open_page: Callable[..., Page], checkpoint: Path) -> None:
    page = opened(open_page, model="tiny", other_model=str(checkpoint), head="3", layer="0")
    names = page.locator(".pane-title")
    expect(names.nth(1)).to_have_text("tiny → fr · Layer 0 · Head 1")
    expect(names.nth(0)).not_to_contain_text("Head")
