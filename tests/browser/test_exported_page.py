"""The exported page, opened from disk in an offline browser."""

import html
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

import viz
from model import AttentionMaps
from model.attention_files import AttentionRecord
from tests.browser.actions import bounding_box, eventually
from tests.tiny import random_rows as rows
from viz.plain_text import chip_text

HOSTILE = ("</script><script>window.hurt=1</script>", "<img src=x onerror='window.hurt=1'>", "\u202egnp.exe",
           "x" * 5000, "${hurt}", "javascript:window.hurt=1", "日本", "🙂", "مرحبا")  # fmt: skip

BRIGHTNESS = """() => {
    window.brightness = () => {
        const { data } = (map => map.getContext("2d").getImageData(0, 0, map.width, map.height))(
            document.querySelector("canvas.map-base"));
        let sum = 0, n = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) {
            sum += (data[i] + data[i + 1] + data[i + 2]) / 3; n += 1;
        }
        return sum / n;
    };
}"""
"""Of the map's opaque pixels, from 0 to 255."""


def table_rows(page: Page, name: str) -> Locator:
    """Unfold the table of the strongest "links" or of all "weights" and read its rows."""
    details = page.locator(f"details.{name}-details")
    details.locator("summary").click()
    return details.get_by_role("table").get_by_role("row")


@pytest.mark.nightly("True")
@pytest.mark.parametrize("dark", [False, True])
def test_a_page_from_the_disk_shows_the_known_weights(
    open_file: Callable[..., Page], screenshot: Callable, tmp_path: Path, dark: bool
) -> None:
    weights = rows(2, 2, 3, 4)
    record = AttentionRecord(
        maps=AttentionMaps(None, None, weights), source_tokens=("The", "cat", "sat", "</s>"),
        target_tokens=("Le", "chat", "</s>"), source_text="The cat sat", text="Le chat", model="tiny",
    )  # fmt: skip
    page = open_file(viz.export_html(record, tmp_path / "page.html"), dark=dark)
    assert page.title() == "The cat sat → Le chat · tiny"
    cells = table_rows(page, "links").nth(1).get_by_role("cell")
    query, key = np.unravel_index(weights[0, 0].argmax(), weights[0, 0].shape)
    assert cells.nth(0).inner_text() == chip_text(record.target_tokens[query])
    assert cells.nth(1).inner_text() == chip_text(record.source_tokens[key])
    assert float(cells.nth(2).inner_text()) == pytest.approx(float(weights[0, 0].max()), rel=1e-6)
    all_weights = table_rows(page, "weights")
    headers = all_weights.nth(0).get_by_role("columnheader").all_inner_texts()
    assert headers == list(map(chip_text, record.source_tokens))
    for row, word in enumerate(record.target_tokens):
        assert all_weights.nth(row + 1).get_by_role("rowheader").inner_text() == chip_text(word)
        values = all_weights.nth(row + 1).get_by_role("cell").all_inner_texts()
        assert [float(value) for value in values] == pytest.approx(weights[0, 0, row].tolist(), abs=6e-4)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(18, 19, 23)" if dark else "rgb(250, 250, 248)")
    screenshot(page, f"exported-{'dark' if dark else 'light'}")


def test_hostile_tokens_stay_text(open_file: Callable[..., Page], screenshot: Callable, tmp_path: Path) -> None:
    n = len(HOSTILE)
    record = AttentionRecord(
        maps=AttentionMaps(rows(1, 2, n, n), None, None), source_tokens=HOSTILE, source_text=HOSTILE[0]
    )
    page = open_file(viz.export_html(record, tmp_path / "hostile.html"), width=390)
    page.get_by_role("button", name="<img src=x onerror='window.hurt=1'>", exact=True).first.hover()
    table_rows(page, "links")
    table_rows(page, "weights")
    assert page.evaluate("window.hurt") is None
    assert page.locator("img, body script:not([type=module]), iframe").count() == 0
    # wait_for_function would evaluate a string in the page, which its Content-Security-Policy refuses.
    eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth") <= 390)
    screenshot(page, "exported-hostile")


def test_a_notebook_cell_draws_the_same_page_in_its_frame(open_file: Callable[..., Page], tmp_path: Path) -> None:
    record = AttentionRecord(maps=AttentionMaps(rows(1, 1, 2, 2), None, None), source_tokens=("left", "right"))
    cell = viz.show(record, height=700)
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset=utf-8><body>{cell._repr_html_()}</body>", "utf-8")
    page = open_file(notebook)
    page.frame_locator("iframe").get_by_role("button", name="right").first.wait_for()
    assert bounding_box(page.locator("iframe"))["height"] == 700
    assert html.unescape(page.locator("iframe").get_attribute("srcdoc") or "") == cell.page


def test_one_token_and_an_empty_translation_are_drawn(open_file: Callable[..., Page], tmp_path: Path) -> None:
    record = AttentionRecord(maps=AttentionMaps(rows(1, 1, 1, 1), None, None), source_tokens=("alone",))
    page = open_file(viz.export_html(record, tmp_path / "one.html"))
    assert table_rows(page, "links").nth(1).inner_text().split() == ["alone", "alone", "1"]
    assert table_rows(page, "weights").nth(1).inner_text().split() == ["alone", "1.000"]


def test_paper_holds_all_heads_and_the_whole_map(open_file, tmp_path):
    record = AttentionRecord(
        maps=AttentionMaps(None, None, rows(4, 8, 9, 9)), source_tokens=tuple("abcdefghi"),
        target_tokens=tuple("abcdefghi"),
    )  # fmt: skip
    page = open_file(viz.export_html(record, tmp_path / "page.html"))
    # For printing a browser lays the page out at the paper's 700 pixels without notifying observers.
    page.add_init_script("window.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} }")
    page.reload()
    page.locator("canvas.map-base").wait_for()
    page.emulate_media(media="print")
    page.evaluate("document.body.style.width = '700px'")
    for name in ("canvas.grid-base", "canvas.map-base"):
        box = bounding_box(page.locator(name))
        assert box["x"] + box["width"] <= 700
    expect(page.get_by_role("toolbar")).to_be_hidden()


def test_a_dark_page_is_printed_in_light_colours_and_stays_dark_on_screen(open_file, tmp_path):
    record = AttentionRecord(
        maps=AttentionMaps(None, None, rows(2, 2, 4, 4)), source_tokens=tuple("abcd"), target_tokens=tuple("abcd")
    )
    page = open_file(viz.export_html(record, tmp_path / "page.html"), dark=True)
    page.locator("canvas.map-base").wait_for()
    page.evaluate(BRIGHTNESS)
    assert page.evaluate("brightness() < 110"), "the map is dark on a dark screen"
    page.evaluate("addEventListener('beforeprint', () => { window.printed = brightness(); })")
    paper = tmp_path / "page.pdf"
    page.pdf(path=paper, print_background=True)
    assert page.evaluate("printed > 150")
    assert page.evaluate("brightness() < 110")
    if program := shutil.which("pdftoppm"):
        subprocess.run([program, "-r", "40", "-singlefile", paper, tmp_path / "paper"], check=True)
        red, green, blue = np.moveaxis(np.asarray(Image.open(tmp_path / "paper.ppm"), int), -1, 0)
        assert (red + green + blue > 600).mean() > 0.8, "paper is light"
        assert (blue - green > 60).mean() > 0.005, "and the map is on it"
