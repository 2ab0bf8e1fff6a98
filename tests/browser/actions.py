"""What readers, teachers and pupils do on the pages, and waits for what follows."""

import io
import json
import re
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

import numpy as np
from PIL import Image, ImageChops, ImageSequence
from playwright.sync_api import Error, FloatRect, Locator, Page, expect

from viz.i18n import speaking, tr

PATIENCE = 30_000
"""Timeout of every wait in milliseconds; on two busy cores the first screen may take tens of seconds."""
_DOWNLOAD_TIMEOUT = 15_000
SVG = "{http://www.w3.org/2000/svg}"


def params_of(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


def url_params(page: Page) -> dict[str, str]:
    return params_of(page.url)


def eventually(page: Page, check: Callable[[], object]) -> None:
    """Repeat a check until it asserts nothing false and does not return False."""
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            assert check() in (None, True)
            return
        except AssertionError:
            if time.monotonic() > deadline:
                raise
        page.wait_for_timeout(50)


def wait_until_idle(page: Page) -> None:
    """Wait until no message to or from the page is pending (viz/components/shared/pending.js)."""
    page.locator("html:not([data-pending]) [data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def wait_until_drawn(page: Page) -> Page:
    """Wait until the thumbnails of all heads are drawn, and return the page."""
    page.locator(".regard[data-drawn-grid]").wait_for(timeout=PATIENCE)
    return page


def bounding_box(part: Locator) -> FloatRect:
    """The bounding box of an element that must be visible."""
    box = part.bounding_box()
    assert box is not None
    return box


def type_sentence(page: Page, text: str, language: str = "en") -> None:
    """Replace the sentence of the application's stage."""
    page.get_by_role("button", name=message_in(language, "sentence.another")).click()
    page.get_by_role("textbox", name=message_in(language, "sentence.box")).fill(text)
    page.keyboard.press("Enter")


def select_option(page: Page, name: str, option: str) -> None:
    """Select an option of a combobox, again if the page closes the list because it still scrolls."""
    item = page.get_by_role("option", name=option)

    def try_to_select() -> None:
        if not item.is_visible():
            page.get_by_role("combobox", name=name).click()
        expect(item).to_be_visible(timeout=5000)
        try:
            item.click(timeout=5000)
        except Error as error:
            raise AssertionError from error

    eventually(page, try_to_select)


class Download(NamedTuple):
    name: str
    content: bytes


def open_files_dialog(page: Page, export: str = "Export", files: str = "Data and files") -> None:
    """Open the dialog of files through the menu Export."""
    page.locator(".regard").get_by_role("button", name=export, exact=True).click()
    page.get_by_role("button", name=files).click()
    page.get_by_role("dialog").wait_for()
    wait_until_idle(page)  # at the end of a run Streamlit deletes the files that the run before it offered


def export_picture(page: Page, format: str, *, menu: str = "Export", transparent: bool | None = None) -> bytes:
    """Save a picture of the open view through the explorer's menu."""
    page.get_by_role("button", name=menu).click()
    if transparent is not None:
        page.get_by_label("transparent background").set_checked(transparent)
    with page.expect_download() as saved:
        page.get_by_role("button", name=format, exact=True).click()
    return Path(saved.value.path()).read_bytes()


def svg_texts(svg: str | bytes) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def download(page: Page, button: Locator, is_expected: Callable[[bytes], bool] = bool) -> Download:
    """Download the file of a button.

    A click during a rerun may download the file of the previous choice, show Streamlit's error, or start a download
    that the browser cancels: click again until the content is as expected.
    """
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            with page.expect_download(timeout=_DOWNLOAD_TIMEOUT) as saved:
                button.click()
            content = Path(saved.value.path()).read_bytes()
            if is_expected(content):
                return Download(saved.value.suggested_filename, content)
        except Error:
            pass
        assert time.monotonic() < deadline
        page.wait_for_timeout(300)


LANGUAGES = ("en", "zh", "fr")
LOCALES = {"en": "en-US", "zh": "zh-CN", "fr": "fr-FR"}


def message_in(language: str, key: str, **values: object) -> str:
    with speaking(language):
        return tr(key, **values)


def open_room(page: Page, language: str) -> str:
    page.get_by_role("button", name=message_in(language, "room.open")).click()
    title = page.locator(".st-key-room_code h1")
    title.wait_for()
    return title.inner_text().replace(" ", "")


def go_to_lesson(page: Page) -> None:
    page.goto(page.url.replace("/room?", "/lesson?"))


def ask_question(teacher: Page, question: str) -> None:
    select_option(teacher, message_in("en", "room.ask"), message_in("en", question))
    teacher.get_by_role("button", name=message_in("en", "room.ask_open"), exact=True).click()


def button_name(label: str) -> re.Pattern[str]:
    """Match the accessible name of a button, which ends with its keyboard shortcut if it has one."""
    return re.compile(rf"^{re.escape(label)}( Shortcut .*)?$")


def expect_answers(teacher: Page, n: int, phones: int, language: str = "en") -> None:
    expect(teacher.get_by_text(message_in(language, "room.answers_of", n=n, phones=phones))).to_be_visible()


def expect_status(phone: Page, key: str, language: str = "en") -> None:
    expect(phone.get_by_role("status").filter(has_text=message_in(language, key))).to_be_visible()


def answer_quiz(phone: Page, place: int) -> None:
    """Choose the answer at one place of each of the ten questions."""
    for number in range(1, 11):
        expect(phone.locator(".question .count")).to_have_text(f"{number} / 10")
        phone.locator(".answers button").nth(place).click()
    expect(phone.get_by_role("heading", level=1)).to_have_text(message_in("en", "room.quiz_done"))


def close_vote(teacher: Page, language: str = "en") -> None:
    teacher.get_by_role("button", name=button_name(message_in(language, "room.close_vote"))).click()


def show_answer(teacher: Page, language: str = "en") -> None:
    teacher.get_by_role("button", name=message_in(language, "room.show_answer"), exact=True).click()


LETTERS = json.loads((Path(__file__).parents[1] / "js/letters.json").read_text("utf-8"))
_GAP, _TOP_MARGIN = 0.25, 1.5  # in x-heights: between letters, and from the pad's upper edge to the small letters


def write_word(pad: Locator, word: str) -> None:
    """Draw a word's strokes with pointer events, as large as the pad allows."""
    box, mouse = pad.bounding_box(), pad.page.mouse
    assert box is not None
    width = sum(LETTERS[letter]["width"] + _GAP for letter in word)
    size = min(box["height"] / 4, (box["width"] - 20) / width)
    left, top = box["x"] + 10, box["y"] + _TOP_MARGIN * size
    for letter in word:
        for stroke in LETTERS[letter]["strokes"]:
            (x, y), *rest = stroke
            mouse.move(left + x * size, top + y * size)
            mouse.down()
            for x, y in rest:
                mouse.move(left + x * size, top + y * size, steps=2)
            mouse.up()
        left += (LETTERS[letter]["width"] + _GAP) * size


def assert_shared_files(page: Page, dialog: Locator) -> None:
    """The picture shows the changed translation; the ten-second loop leads from the first translation to it."""
    picture = Image.open(io.BytesIO(download(page, dialog.get_by_role("button", name="Save the picture")).content))
    assert picture.size == (960, 540)
    loop_file = download(page, dialog.get_by_role("button", name="Save the loop"))
    loop = Image.open(io.BytesIO(loop_file.content))
    assert loop_file.name == "regard.webp" and loop.size == picture.size and loop.info["loop"] == 0
    frames = []
    duration = 0
    for frame in ImageSequence.Iterator(loop):
        frames.append(frame.convert("RGB"))
        duration += loop.info["duration"]
    assert 9_800 <= duration <= 10_200 and len(frames) > 20
    assert ImageChops.difference(frames[0], frames[-20]).getbbox() is not None
    last_still = frames[-10]
    assert np.abs(np.asarray(last_still, float) - np.asarray(picture.convert("RGB"), float)).mean() < 3
