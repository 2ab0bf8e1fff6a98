"""Copied links open in another browser, downloaded files open, and uploads are shown or refused."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from pptx import Presentation
from pypdf import PdfReader

import model
from model.attention_files import read_attention
from model.checkpoints.native_format import save
from tests.browser.actions import (
    close_vote,
    download,
    eventually,
    expect_answers,
    message_in,
    open_files_dialog,
    params_of,
    select_option,
    wait_until_idle,
)
from tests.browser.views_page import open_controls
from viz.explore.compare import movers

pytestmark = pytest.mark.nightly

TEXT = "text=the+cat+is+sleeping+on+the+sofa+."
PAGES = {
    "": f"{TEXT}&kind=cross&layer=1&head=1&view=lines&interventions=cross-0-0",
    "decode": f"{TEXT}&method=beam&beam.width=3",
    "overview": f"{TEXT}&kind=decoder_self&layer=1&head=0",
    "inside": f"{TEXT}&kind=encoder_self&layer=1&head=1",
    "positions": f"{TEXT}&language=fr",
    "causal": f"{TEXT}&causal.other=the+dog+is+sleeping+on+the+sofa+.",
    "lesson": f"{TEXT}&lesson.scene=3&lesson.votes=1.1.1.1&language=zh",
}


def settled_text(page: Page) -> str:
    """The text of the page once it has loaded."""
    page.locator(".stage .source-row .token").first.wait_for()
    expect(page.locator("[data-testid=stSkeleton], [data-testid=stSpinner]")).to_have_count(0)
    wait_until_idle(page)
    return page.get_by_test_id("stMain").inner_text()


@pytest.mark.nightly("positions", "overview", "decode", "lesson", "inside", "causal")
@pytest.mark.parametrize("path", PAGES)
def test_a_copied_link_shows_the_same_page_in_another_browser(open_page: Callable[..., Page], path: str) -> None:
    page = open_page(f"?{PAGES[path]}", path=path)
    settled_text(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".stage button.link").click()
    page.wait_for_function("() => navigator.clipboard.readText().then((text) => text.startsWith('http'))")
    copied = page.evaluate("navigator.clipboard.readText()")
    params = params_of(f"?{PAGES[path]}")
    assert params.items() <= params_of(copied).items()
    recipient = open_page(f"?{urlsplit(copied).query}", path=urlsplit(copied).path.strip("/"))

    def expect_same() -> None:
        assert settled_text(recipient) == settled_text(page)
        assert params_of(recipient.url) == params_of(page.url)

    eventually(page, expect_same)


def test_a_model_that_was_saved_is_dropped_again_by_somebody_else(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page(path="checkpoints")
    bundle = model.load("tiny")
    save(bundle, tmp_path / "mine")
    files = [str(path) for path in sorted((tmp_path / "mine").iterdir())]
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(files)
    expect(page.get_by_role("button", name="Look at its attention")).to_be_visible()
    saved = download(page, page.locator("[class*=st-key-download_] button").first)
    (tmp_path / saved.name).write_bytes(saved.content)
    assert model.load(tmp_path / saved.name).fingerprint == bundle.fingerprint
    recipient = open_page(path="checkpoints")
    recipient.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(tmp_path / saved.name)
    expect(recipient.get_by_role("button", name="Look at its attention")).to_be_visible()


@pytest.mark.parametrize("name", ["notes", "outline"])
def test_a_lessons_sheet_is_a_separate_page_with_the_scenes_question(
    open_shared: Callable[..., Page], tmp_path: Path, name: str
) -> None:
    page = open_shared(f"?{TEXT}&lesson.scene=3", path="lesson")
    settled_text(page)
    page.get_by_text(message_in("en", "lesson.teacher"), exact=True).click()
    saved = download(page, page.locator(f".st-key-lesson-{name} button"))
    (tmp_path / saved.name).write_bytes(saved.content)
    requests: list[str] = []
    page.context.on("request", lambda request: requests.append(request.url))
    sheet = page.context.new_page()
    sheet.goto((tmp_path / saved.name).as_uri())
    question = re.sub(r"[*_$`\\]", "", message_in("en", "lesson.head_question"))
    expect(sheet.locator("body")).to_contain_text(question[:25])
    assert all(address.startswith("file:") for address in requests)


def test_slides_and_worksheets_come_out_with_text_and_pictures(open_shared: Callable[..., Page]) -> None:
    """In one language; tests/viz/test_lesson_handouts.py covers all."""
    language = "zh"
    page = open_shared(f"?{TEXT}&language={language}&lesson.scene=3&lesson.route=short", path="lesson")
    settled_text(page)
    page.get_by_text(message_in(language, "lesson.teacher"), exact=True).click()
    question = without_spaces(message_in(language, "lesson.layer_question"))
    for name, n_pictures in (("slides", 2), ("worksheets", 1)):
        saved = download(page, page.locator(f".st-key-lesson-{name}-pptx button"))
        slides: list[Any] = list(Presentation(io.BytesIO(saved.content)).slides)
        texts = [
            without_spaces("".join(s.text_frame.text for s in slide.shapes if s.has_text_frame)) for slide in slides
        ]
        assert saved.name == f"regard-{name}.pptx" and sum(question in text for text in texts) == 1
        assert sum(shape.shape_type == 13 for slide in slides for shape in slide.shapes) >= 8 * n_pictures - 1
        saved = download(page, page.locator(f".st-key-lesson-{name}-pdf button"))
        pages: list[Any] = list(PdfReader(io.BytesIO(saved.content)).pages)
        assert sum(question in without_spaces(slide.extract_text()) for slide in pages) == 1
        assert sum("/XObject" in slide["/Resources"] for slide in pages) >= 8 * n_pictures - 1
    saved = download(page, page.locator(".st-key-lesson-worksheet button"))
    (sheet,) = PdfReader(io.BytesIO(saved.content)).pages
    assert without_spaces(message_in(language, "lesson.head_question"))[:40] in without_spaces(sheet.extract_text())


def without_spaces(text: str) -> str:
    """A text without white space, which a PDF does not preserve."""
    return re.sub(r"[\s*_$`\\\u200b]+", "", text)


def test_the_tables_of_a_room_count_its_votes_and_its_questions_open_in_another_room(
    open_class: Callable[..., tuple[Page, Page, str]], tmp_path: Path
) -> None:
    teacher, student, _ = open_class()
    teacher.locator(".st-key-room_own button").click()
    teacher.get_by_role("textbox", name=message_in("en", "room.own_words")).fill("=Which is a head?")
    teacher.get_by_role("textbox", name=message_in("en", "room.own_options")).fill("*a map\n+a word\na page")
    teacher.keyboard.press("Control+Enter")
    teacher.get_by_role("button", name=message_in("en", "room.own_add")).click()
    expect(teacher.locator("[class*=st-key-room_own_drop_]")).to_have_count(1)
    saved = download(teacher, teacher.locator(".st-key-room_own_save button"))
    (tmp_path / saved.name).write_bytes(saved.content)
    assert json.loads(saved.content)["questions"][0]["options"] == ["a map", "+a word", "a page"]
    teacher.keyboard.press("Escape")

    other_room, _, _ = open_class()
    expect(other_room.get_by_text(message_in("en", "room.here", n=1), exact=True)).to_be_visible()
    other_room.locator(".st-key-room_own button").click()
    other_room.locator(".st-key-room_own_file input[type=file]").set_input_files(tmp_path / saved.name)
    expect(other_room.get_by_text("=Which is a head?")).to_be_visible()

    select_option(teacher, message_in("en", "room.ask"), "=Which is a head?")
    teacher.get_by_role("button", name=message_in("en", "room.ask_open"), exact=True).click()
    student.locator(".answers button").nth(1).click()
    expect_answers(teacher, 1, 1)
    close_vote(teacher)
    table = download(teacher, teacher.locator(".st-key-room_csv button"), lambda content: b"a word" in content)
    rows = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert [row["votes"] for row in rows] == ["0", "1", "0"]
    assert rows[1]["answer"] == "'+a word"  # so that no spreadsheet computes it


SENTENCE, OTHER = "the cat is sleeping on the sofa .", "the dog is sleeping on the sofa ."


def open_comparison(open_page: Callable[..., Page], **choices: str) -> Page:
    page = open_page("?" + urlencode({"text": SENTENCE, **choices}))
    page.get_by_role("toolbar").first.wait_for()
    return page


def content_of(page: Page, name: str) -> bytes:
    return download(page, page.get_by_role("button", name=name)).content


@pytest.fixture(scope="module")
def bundle(checkpoint: Path) -> model.Bundle:
    return model.load(checkpoint)


@pytest.mark.by_day
def test_files_hold_the_translation_on_screen(open_page: Callable[..., Page], bundle: model.Bundle) -> None:
    trace = model.translate(bundle, SENTENCE)
    page = open_comparison(open_page)
    open_files_dialog(page)
    arrays = read_attention(content_of(page, "Arrays (NPZ)"))
    assert arrays.target_tokens == trace.target_tokens
    assert arrays.fingerprint == bundle.fingerprint
    assert arrays.maps.cross is not None and trace.attention.cross is not None
    assert np.allclose(arrays.maps.cross, trace.attention.cross, atol=1e-6)
    everything = json.loads(content_of(page, "Everything (JSON)"))
    assert everything["source_text"] == SENTENCE and everything["units"].startswith("weight after softmax")
    html = content_of(page, "Interactive page (HTML)").decode()
    assert "default-src 'none'" in html and SENTENCE in html


@pytest.mark.parametrize(
    ("content", "words"),
    [(b'{"encoder_self": [[[[2]]]], "source_tokens": ["a"]}', "sums to 2"), (b"\x80\x04N.", "neither .npz nor .json")],
)
def test_a_file_that_cannot_be_shown_is_refused_with_the_reason_and_the_page_stays(
    open_page: Callable[..., Page], tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "wrong.json"
    file.write_bytes(content)
    page = open_comparison(open_page)
    open_files_dialog(page)
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_role("heading", name="All heads")).to_be_visible()


def test_weights_of_a_file_have_no_other_weightings_and_lead_back_to_the_sentence(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    file = tmp_path / "reader.json"
    file.write_text('{"encoder_self": [[[[0.5, 0.5], [1, 0]]]], "source_tokens": ["left", "right"]}')
    page = open_comparison(open_page)
    open_controls(page)
    weights = page.get_by_role("button", name="Weights:")
    expect(weights).to_be_visible()
    open_files_dialog(page)
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_role("button", name="left").first).to_be_visible()
    expect(page.get_by_text("Showing reader.json")).to_be_visible()
    open_controls(page)
    expect(weights).to_be_hidden()
    page.get_by_role("button", name="Back to the sentence").click()
    expect(weights).to_be_visible()


def test_a_head_that_moved_is_one_click_away(
    open_page: Callable[..., Page], bundle: model.Bundle, screenshot: Callable[[Page, str], Path]
) -> None:
    most_moved = movers(model.translate(bundle, SENTENCE), model.translate(bundle, OTHER))[0]
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


def test_models_of_different_shapes_are_shown_side_by_side_and_never_subtracted(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], Path]
) -> None:
    page = open_comparison(open_page, other_model="tiny", head="1", layer="1", compare="difference")
    expect(page.get_by_text("The two models differ in layers or heads")).to_be_visible()
    expect(page.get_by_role("button", name="difference")).to_be_hidden()
    expect(page.locator(".pane")).to_have_count(2)
    screenshot(page, "compared-models")


def test_a_smaller_model_shows_its_nearest_head_and_names_it(open_page: Callable[..., Page], checkpoint: Path) -> None:
    page = open_comparison(open_page, model="tiny", other_model=str(checkpoint), head="3", layer="0")
    names = page.locator(".pane-title")
    expect(names.nth(1)).to_have_text("tiny → fr · Layer 0 · Head 1")
    expect(names.nth(0)).not_to_contain_text("Head")
