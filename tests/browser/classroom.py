"""A class in real browsers: the teacher's actions, and the interface's messages by language."""

import re

from playwright.sync_api import Page

from tests.browser.waiting import select_option
from viz.i18n import speaking, tr

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


def close_vote(teacher: Page, language: str = "en") -> None:
    teacher.get_by_role("button", name=button_name(message_in(language, "room.close_vote"))).click()


def show_answer(teacher: Page, language: str = "en") -> None:
    teacher.get_by_role("button", name=message_in(language, "room.show_answer"), exact=True).click()
