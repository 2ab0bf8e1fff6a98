"""Every export opens and agrees with the screen for one choice of sentence, head, kind, weighting and threshold."""

import io
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import model
from model.attention_files import read_attention
from model.interpret.attribution import share_of_row, value_weighted
from model.intervention_text import read_changes
from tests.browser.actions import SVG, download, export_picture, open_files_dialog, svg_texts, wait_until_drawn
from tests.browser.views_page import strongest_links
from viz.plain_text import chip_text

pytestmark = pytest.mark.nightly
TEXT, OTHER = "the dog is sleeping on the sofa .", "the cat is on the sofa ."
CHOICES = {
    "text": TEXT, "kind": "encoder_self", "layer": "1", "head": "1", "weighting": "value_weighted", "threshold": "0.1",
    "sinks": "removed", "first_index": "1", "view": "map",
}  # fmt: skip
CAPTION_AIDS = ("× value norm", "sinks removed", "weights of at least 0.10")
HEADING = "Layer 2 · Head 2"


@pytest.fixture(scope="module")
def page(open_shared: Callable[..., Page]) -> Page:
    page = open_shared("?" + urlencode(CHOICES))
    expect(page.get_by_role("heading", name=HEADING)).to_be_visible()
    expect(page.get_by_role("button", name="Weights: × value norm")).to_be_visible()
    page.locator(".regard[data-drawn-grid]").wait_for()
    return page


@pytest.fixture(scope="module")
def truth(checkpoint: Path) -> tuple[model.Trace, np.ndarray, np.ndarray]:
    """The trace, the head's value-weighted weights, and these as the page shows them, without sinks."""
    bundle = model.load(checkpoint)
    trace = model.translate(bundle, TEXT)
    maps = value_weighted(bundle, trace)
    raw, shares = maps.encoder_self, share_of_row(maps).encoder_self
    assert raw is not None and shares is not None
    without_sinks = shares[1, 1] * [piece not in (".", "</s>") for piece in trace.source_tokens]
    return trace, raw[1, 1], without_sinks * (shares[1, 1].sum(-1) / without_sinks.sum(-1))[:, None]


def export_data(page: Page, *names: str) -> list[bytes]:
    """Save files of the Data menu by the labels of their buttons."""
    open_files_dialog(page)
    files = [download(page, page.get_by_role("button", name=name)).content for name in names]
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    return files


def cell_numbers(shown_weights: np.ndarray) -> list[str]:
    """The texts of the cells at or above the threshold, such as ".78"."""
    return sorted(f"{weight:.2f}".removeprefix("0") for weight in shown_weights[shown_weights >= 0.1])


def test_the_weights_on_screen_are_the_models(page: Page, truth) -> None:
    trace, _, shown_weights = truth
    listed = strongest_links(page)
    order = np.argsort(-shown_weights, axis=None)[: len(listed)]
    assert [weight for *_, weight in listed] == pytest.approx(shown_weights.flatten()[order], rel=1e-4)
    query, key = np.unravel_index(order[0], shown_weights.shape)
    assert listed[0][:2] == (chip_text(trace.source_tokens[query]), chip_text(trace.source_tokens[key]))


@pytest.mark.by_day
def test_the_page_opens_on_the_choices_of_the_screen(
    page: Page, open_file: Callable[..., Page], tmp_path: Path
) -> None:
    on_screen = strongest_links(page)
    file = tmp_path / "page.html"
    file.write_bytes(export_data(page, "Interactive page (HTML)")[0])
    exported = open_file(file)
    expect(exported.get_by_role("heading", name=HEADING)).to_be_visible()
    expect(exported.get_by_role("button", name="Encoder")).to_have_attribute("aria-pressed", "true")
    expect(exported.locator(".read-as")).to_contain_text("Weights below 0.10 are not drawn.")
    expect(exported.get_by_role("button", name="Set sinks aside")).to_have_attribute("aria-pressed", "true")
    assert strongest_links(exported) == on_screen
    assert TEXT in exported.title()


def test_the_svg_holds_the_numbers_of_the_screen(page: Page, truth) -> None:
    trace, _, shown_weights = truth
    texts = svg_texts(export_picture(page, "SVG"))
    assert sorted(text for text in texts if re.fullmatch(r"\.\d\d|1", text)) == cell_numbers(shown_weights)
    caption = " ".join(texts)
    assert f"{TEXT} → {trace.text}" in caption and HEADING in caption
    assert all(words in caption for words in CAPTION_AIDS)


@pytest.mark.by_day
def test_the_png_is_the_same_picture_at_the_same_size_on_paper(page: Page) -> None:
    svg, png = ElementTree.fromstring(export_picture(page, "SVG")), export_picture(page, "PNG")
    image = Image.open(io.BytesIO(png))
    assert [round(dots) for dots in image.info["dpi"]] == [288, 288]
    inches = image.width / image.info["dpi"][0]
    assert inches == pytest.approx(float(svg.get("width", "0")) / 96, abs=0.02)
    fills = {node.get("fill") for node in svg.iter(f"{SVG}rect")} - {None, "none", "#ffffff"}
    pixels = np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)
    drawn_colours = {f"rgb({r}, {g}, {b})" for r, g, b in pixels.tolist()}
    assert {"".join(fill.split()) for fill in fills if fill} <= {"".join(colour.split()) for colour in drawn_colours}


def test_tables_and_arrays_hold_the_weights_that_are_on_screen(page: Page, truth) -> None:
    trace, raw, _ = truth
    csv, npz, json = export_data(page, "Table (CSV)", "Arrays (NPZ)", "Everything (JSON)")
    lines = [line.split(",") for line in csv.decode().splitlines()[1:]]
    csv_weights = [float(line[-1]) for line in lines if line[:3] == ["encoder_self", "1", "1"]]
    assert csv_weights == pytest.approx(raw.flatten(), rel=1e-4)
    for content in (npz, json):
        record = read_attention(content)
        assert record.weighting == "value_weighted" and record.source_tokens == trace.source_tokens
        assert record.maps.encoder_self is not None
        assert record.maps.encoder_self[1, 1] == pytest.approx(raw, rel=1e-4)


def test_figures_for_print_hold_the_numbers_of_the_screen(page: Page, truth, tmp_path: Path) -> None:
    _, _, shown_weights = truth
    expected = sorted(f"{weight:.2f}" for weight in shown_weights[shown_weights >= 0.1])
    pdf, every = export_data(page, "This head, for print (PDF)", "All heads, for print (PDF)")
    assert pdf.startswith(b"%PDF") and every.startswith(b"%PDF")
    if program := shutil.which("pdftotext"):
        file = tmp_path / "head.pdf"
        file.write_bytes(pdf)
        text = subprocess.run([program, "-layout", file, "-"], capture_output=True, check=True).stdout.decode()
        text = " ".join(text.split())  # the caption is broken into lines
        assert sorted(re.findall(r"\b[01]\.\d\d\b", text.partition(TEXT)[0])) == expected
        assert "layer 2, head 2" in text and all(words in text for words in CAPTION_AIDS)
    open_files_dialog(page)
    page.get_by_text("A figure for a paper").click()
    expect(page.locator("code")).to_contain_text("layer 2, head 2")
    for format, read_numbers in (("SVG", svg_numbers), ("TikZ", tikz_numbers)):
        page.get_by_role("radio", name=format).or_(page.get_by_role("button", name=format, exact=True)).last.click()
        assert sorted(read_numbers(figure_saved(page, "<svg" if format == "SVG" else r"\begin{figure}"))) == expected
    page.get_by_text("Two columns (174 mm)", exact=True).click()
    assert figure_saved(page, r"\begin{figure*}")
    page.get_by_label("Width in mm").fill("30")
    page.get_by_label("Font size in points").fill("24")
    page.keyboard.press("Enter")
    expect(page.get_by_text("do not fit into 30 mm")).to_be_visible()
    expect(page.get_by_role("button", name="Save the figure of this head")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_printed_cells_have_the_colours_of_the_screen(open_page: Callable[..., Page]) -> None:
    look = {"scale": "row", "curve": "sqrt", "palette": "cividis", "sinks": "greyed", "threshold": "0.02"}
    page = wait_until_drawn(
        open_page("?" + urlencode({"text": TEXT, "kind": "cross", "layer": "1", "head": "0", **look}))
    )
    on_screen = colours(export_picture(page, "SVG").decode())
    open_files_dialog(page)
    page.get_by_text("A figure for a paper").click()
    page.get_by_role("radio", name="SVG").or_(page.get_by_role("button", name="SVG", exact=True)).last.click()
    printed = colours(figure_saved(page, "<svg"))
    assert min(len(on_screen), len(printed)) > 10
    distances = np.abs(on_screen[:, None] - printed[None]).max(-1)  # weights arrive in float32, ramps have 256 steps
    assert distances.min(1).max() <= 4 and distances.min(0).max() <= 4


def figure_saved(page: Page, mark: str) -> str:
    """Save the figure until the file contains a mark that the last choice adds."""
    button = page.get_by_role("button", name="Save the figure of this head")
    return download(page, button, lambda content: mark.encode() in content).content.decode()


def colours(svg: str) -> np.ndarray:
    """The distinct fill colours of a picture's cells, (n, 3)."""
    values = re.findall(r'<(?:rect|path)[^>]* fill="(#\w{6}|rgb\([\d, ]+\))"', svg)
    channels = (re.findall(r"\d+", fill) if fill.startswith("rgb") else [int(fill[i : i + 2], 16) for i in (1, 3, 5)]
                for fill in values)  # fmt: skip
    return np.array(sorted({tuple(map(int, channel)) for channel in channels} - {(255, 255, 255)}))


def svg_numbers(svg: str) -> list[str]:
    return [text for text in svg_texts(svg) if re.fullmatch(r"[01]\.\d\d", text)]


def tikz_numbers(text: str) -> list[str]:
    return re.findall(r"\\node\[value.*\{([01]\.\d\d)\};", text)


@pytest.mark.parametrize("compare", ["side", "difference"])
def test_a_comparison_carries_both_captions_in_every_export(
    open_page: Callable[..., Page], open_file: Callable[..., Page], checkpoint: Path, tmp_path: Path, compare: str
) -> None:
    bundle = model.load(checkpoint)
    sentences = [f"{text} → {model.translate(bundle, text).text}" for text in (TEXT, OTHER)]
    page = open_page("?" + urlencode({"text": TEXT, "other_text": OTHER, "compare": compare, "first_index": "1"}))
    page.locator(".regard[data-drawn-grid]").wait_for()
    expect(page.locator(".pane")).to_have_count(2 if compare == "side" else 1)
    caption = " ".join(svg_texts(export_picture(page, "SVG")))
    assert all(f"{place}: {words}" in caption for place, words in enumerate(sentences, 1))
    file = tmp_path / "both.html"
    file.write_bytes(export_data(page, "Interactive page (HTML)")[0])
    exported = open_file(file)
    expect(exported.locator(".pane")).to_have_count(2 if compare == "side" else 1)
    assert strongest_links(exported) == strongest_links(page)
    open_files_dialog(page)
    page.locator(".st-key-export_which").get_by_text(f"2: {OTHER}").click()
    page.locator(".st-key-export_which [aria-checked=true]", has_text=f"2: {OTHER}").wait_for()
    button = page.get_by_role("button", name="Everything (JSON)")
    assert download(page, button, lambda content: read_attention(content).source_text == OTHER)


def test_every_export_names_the_changes_in_the_language_of_the_screen(
    open_page: Callable[..., Page], open_file: Callable[..., Page], checkpoint: Path, tmp_path: Path
) -> None:
    bundle = model.load(checkpoint)
    forced = tuple(reversed(model.translate(bundle, TEXT).target.ids[:2]))
    edits = "off:x.1.0 block:e.2..."
    interventions, _ = read_changes(edits)
    trace = model.translate(bundle, TEXT, interventions=interventions, prefix=forced)
    begins = " ".join(trace.target_tokens[:2])
    words = f"croisée 2·1 désactivée, encodeur clé is masquée, commence par «\xa0{begins}\xa0»"
    prefix = ".".join(map(str, forced))
    choices = {"kind": "cross", "layer": "1", "head": "1", "interventions": edits, "prefix": prefix, "first_index": "1"}
    page = wait_until_drawn(open_page("?" + urlencode({"text": TEXT, "language": "fr", **choices})))
    on_screen = strongest_links(page)
    svg = export_picture(page, "SVG", menu="Exporter")
    open_files_dialog(page, "Exporter", "Données et fichiers")
    files = {}
    for name in ("html", "npz", "json", "head-pdf"):
        files[name] = download(page, page.locator(f".st-key-save_{name} button")).content
    caption = f"{TEXT} → {trace.text} · {words} · {bundle.name} → {bundle.target_language}"
    assert caption in " ".join(svg_texts(svg))
    for content in (files["npz"], files["json"]):
        record = read_attention(content)
        assert record.changes == f"{edits} begin:2"
        assert record.text == trace.text
        assert record.maps.cross == pytest.approx(trace.attention.cross, rel=1e-4, abs=1e-6)
    (tmp_path / "page.html").write_bytes(files["html"])
    exported = open_file(tmp_path / "page.html")
    expect(exported.get_by_role("heading", name="Couche 2 · Tête 2")).to_be_visible()
    assert exported.title() == caption and strongest_links(exported) == on_screen
    page.locator(".st-key-attention_file input[type=file]").set_input_files(
        {"name": "again.json", "mimeType": "application/json", "buffer": files["json"]}
    )
    expect(page.get_by_text("again.json").first).to_be_visible()
    svg = export_picture(page, "SVG", menu="Exporter")
    assert caption in " ".join(svg_texts(svg)), "the caption of an opened file names the changes too"
