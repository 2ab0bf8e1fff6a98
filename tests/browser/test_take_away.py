"""Downloads, uploads and comparisons on the Explore page."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import model
from model.attention_files import read_attention
from tests.browser.views_page import open_controls
from tests.browser.waiting import download, open_files_dialog, wait_until_idle
from viz.explore.compare import movers

pytestmark = pytest.mark.nightly
TEXT, OTHER = "the cat is sleeping on the sofa .", "the dog is sleeping on the sofa ."


def open_comparison(open_page: Callable[..., Page], **choices: str) -> Page:
    page = open_page("?" + urlencode({"text": TEXT, **choices}))
    page.get_by_role("toolbar").first.wait_for()
    return page


def content_of(page: Page, name: str) -> bytes:
    return download(page, page.get_by_role("button", name=name)).content


@pytest.fixture(scope="module")
def bundle(checkpoint: Path) -> model.Bundle:
    return model.load(checkpoint)


@pytest.mark.by_day
def test_files_hold_the_translation_on_screen(open_page: Callable[..., Page], bundle: model.Bundle) -> None:
    trace = model.translate(bundle, TEXT)
    page = open_comparison(open_page)
    open_files_dialog(page)
    arrays = read_attention(content_of(page, "Arrays (NPZ)"))
    assert arrays.target_tokens == trace.target_tokens
    assert arrays.fingerprint == bundle.fingerprint
    assert arrays.maps.cross is not None and trace.attention.cross is not None
    assert np.allclose(arrays.maps.cross, trace.attention.cross, atol=1e-6)
    everything = json.loads(content_of(page, "Everything (JSON)"))
    assert everything["source_text"] == TEXT and everything["units"].startswith("weight after softmax")
    html = content_of(page, "Interactive page (HTML)").decode()
    assert "default-src 'none'" in html and TEXT in html


def test_the_printed_head_is_the_one_on_screen(open_page: Callable[..., Page]) -> None:
    page = open_comparison(open_page, layer="1", head="1", language="fr")
    open_files_dialog(page, "Exporter", "Données et fichiers")
    assert content_of(page, "Cette tête, pour l'impression").startswith(b"%PDF")
    assert content_of(page, "Toutes les têtes, pour l'impression").startswith(b"%PDF")


@pytest.mark.parametrize(
    ("content", "words"),
    [(b'{"encoder_self": [[[[2]]]], "source_tokens": ["a"]}', "sums to 2"), (b"\x80\x04N.", "neither .npz nor .json")],
)
def test_a_file_that_cannot_be_shown_says_why_and_the_page_stays(
    open_page: Callable[..., Page], tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "wrong.json"
    file.write_bytes(content)
    page = open_comparison(open_page)
    open_files_dialog(page)
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_role("heading", name="All heads")).to_be_visible()


def test_weights_from_elsewhere_cannot_be_read_in_other_ways(open_page: Callable[..., Page], tmp_path: Path) -> None:
    file = tmp_path / "reader.json"
    file.write_text('{"encoder_self": [[[[0.5, 0.5], [1, 0]]]], "source_tokens": ["left", "right"]}')
    page = open_comparison(open_page)
    open_controls(page)
    weights = page.get_by_role("button", name="Weights:")
    expect(weights).to_be_visible()
    open_files_dialog(page)
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_role("button", name="left").first).to_be_visible()
    open_controls(page)
    expect(weights).to_be_hidden()
    page.get_by_role("button", name="Back to the sentence").click()
    expect(weights).to_be_visible()


def test_a_head_that_moved_is_one_click_away(
    open_page: Callable[..., Page], bundle: model.Bundle, screenshot: Callable[[Page, str], Path]
) -> None:
    most_moved = movers(model.translate(bundle, TEXT), model.translate(bundle, OTHER))[0]
    page = open_comparison(open_page, other_text=OTHER, compare="difference")
    expect(page.locator("mark").first).to_be_visible()
    buttons = page.locator(".st-key-movers").get_by_role("button").filter(has_text="%")
    expect(buttons.first).to_contain_text(f"{most_moved.layer}·{most_moved.head}")
    for index in (0, 1, 0):
        button = buttons.nth(index)
        coordinates = button.inner_text().split(":")[0].split()[-1].split("·")
        button.click()
        expect(page.get_by_role("heading", name=f"Layer {coordinates[0]} · Head {coordinates[1]}")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_role("heading", name=f"Layer {most_moved.layer} · Head {most_moved.head}")).to_be_visible()
    screenshot(page, "compared")


def test_models_of_other_shapes_stand_side_by_side_and_are_never_subtracted(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], Path]
) -> None:
    page = open_comparison(open_page, other_model="tiny", head="1", layer="1", compare="difference")
    expect(page.get_by_text("The two models differ in layers or heads")).to_be_visible()
    expect(page.get_by_role("button", name="difference")).to_be_hidden()
    expect(page.locator(".pane")).to_have_count(2)
    screenshot(page, "compared-models")


def test_a_smaller_model_shows_its_nearest_head_and_says_so(open_page: Callable[..., Page], checkpoint: Path) -> None:
    page = open_comparison(open_page, model="tiny", other_model=str(checkpoint), head="3", layer="0")
    names = page.locator(".pane-title")
    expect(names.nth(1)).to_have_text("tiny → fr · Layer 0 · Head 1")
    expect(names.nth(0)).not_to_contain_text("Head")
