"""Every copied link opens in a fresh browser, and every downloaded file opens."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, expect
from pptx import Presentation
from pypdf import PdfReader

import model
from model.checkpoints.own import save
from tests.browser.classroom import ask_question, close_vote, message_in, open_room
from tests.browser.waiting import download, eventually, select_option, wait_until_idle

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


def params_of(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


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
def test_a_lessons_sheet_is_a_page_of_its_own_with_the_scenes_question(
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
    open_page: Callable[..., Page], phone: Callable[..., Page], tmp_path: Path
) -> None:
    teacher = open_page(f"?{TEXT}", path="room")
    student = phone(open_room(teacher, "en"))
    own_button = teacher.locator(".st-key-room_own button")
    own_button.click()
    teacher.get_by_role("textbox", name=message_in("en", "room.own_words")).fill("=Which is a head?")
    teacher.get_by_role("textbox", name=message_in("en", "room.own_options")).fill("*a map\n+a word\na page")
    teacher.keyboard.press("Control+Enter")
    teacher.get_by_role("button", name=message_in("en", "room.own_add")).click()
    expect(teacher.locator("[class*=st-key-room_own_drop_]")).to_have_count(1)
    saved = download(teacher, teacher.locator(".st-key-room_own_save button"))
    (tmp_path / saved.name).write_bytes(saved.content)
    assert json.loads(saved.content)["questions"][0]["options"] == ["a map", "+a word", "a page"]
    teacher.keyboard.press("Escape")

    other_room = open_page(f"?{TEXT}", path="room")
    phone(open_room(other_room, "en"))
    expect(other_room.get_by_text(message_in("en", "room.here", n=1), exact=True)).to_be_visible()
    other_room.locator(".st-key-room_own button").click()
    other_room.locator(".st-key-room_own_file input[type=file]").set_input_files(tmp_path / saved.name)
    expect(other_room.get_by_text("=Which is a head?")).to_be_visible()

    select_option(teacher, message_in("en", "room.ask"), "=Which is a head?")
    teacher.get_by_role("button", name=message_in("en", "room.ask_open"), exact=True).click()
    student.locator(".answers button").nth(1).click()
    expect(teacher.get_by_text(message_in("en", "room.answers_of", n=1, phones=1))).to_be_visible()
    close_vote(teacher)
    table = download(teacher, teacher.locator(".st-key-room_csv button"), lambda content: b"a word" in content)
    rows = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert [row["votes"] for row in rows] == ["0", "1", "0"]
    assert rows[1]["answer"] == "'+a word"  # so that no spreadsheet computes it


def test_the_table_of_before_and_after_has_a_line_for_each_question(
    open_page: Callable[..., Page], phone: Callable[..., Page]
) -> None:
    teacher = open_page(f"?{TEXT}", path="room")
    student = phone(open_room(teacher, "en"))
    for quiz, place in (("room.ask_before", 0), ("room.ask_after", 1)):
        ask_question(teacher, quiz)
        for number in range(1, 11):
            expect(student.locator(".question .count")).to_have_text(f"{number} / 10")
            student.locator(".answers button").nth(place).click()
        expect(student.get_by_role("heading", level=1)).to_have_text(message_in("en", "room.quiz_done"))
        expect(
            teacher.get_by_text(message_in("en", "room.answers_of", n=1, phones=1))
        ).to_be_visible()  # including the last
        close = "room.close_quiz" if quiz == "room.ask_before" else "room.close_vote"
        teacher.get_by_role("button", name=message_in("en", close), exact=True).click()
    table = download(
        teacher, teacher.locator(".st-key-room_learning button"), lambda content: content.count(b"\n") > 10
    )
    rows = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert len(rows) == 10 and {row["n_both"] for row in rows} == {"1"}
    assert sum(float(row["right_before"]) for row in rows) != sum(float(row["right_after"]) for row in rows)
