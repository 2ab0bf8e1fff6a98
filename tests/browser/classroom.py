"""A class in real browsers: the teacher's actions, and the text that each screen must show."""

import re

from playwright.sync_api import Page

from tests.browser.waiting import choose
from viz.i18n import speaking, tr

LANGUAGES = ("en", "zh", "fr")
LOCALES = {"en": "en-US", "zh": "zh-CN", "fr": "fr-FR"}


def say(language: str, key: str, **values: object) -> str:
    with speaking(language):
        return tr(key, **values)


def open_room(page: Page, language: str) -> str:
    page.get_by_role("button", name=say(language, "room.open")).click()
    title = page.locator(".st-key-room_code h1")
    title.wait_for()
    return title.inner_text().replace(" ", "")


def go_to_the_lesson(page: Page) -> None:
    page.goto(page.url.replace("/room?", "/lesson?"))


def ask(teacher: Page, question: str) -> None:
    choose(teacher, say("en", "room.ask"), say("en", question))
    teacher.get_by_role("button", name=say("en", "room.ask_open"), exact=True).click()


def named(label: str) -> re.Pattern[str]:
    """The accessible name of a button that may have a shortcut, which its name then ends with."""
    return re.compile(rf"^{re.escape(label)}( Shortcut .*)?$")


def close_vote(teacher: Page, language: str = "en") -> None:
    teacher.get_by_role("button", name=named(say(language, "room.close_vote"))).click()


def show_answer(teacher: Page, language: str = "en") -> None:
    teacher.get_by_role("button", name=say(language, "room.show_answer"), exact=True).click()
