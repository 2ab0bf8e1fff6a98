"""Each act of each scene fits a small projector: its subject and the button of the next act need no scrolling."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import LANGUAGES, bounding_box, eventually, message_in, wait_until_idle
from viz.lesson.choices import NAMES
from viz.lesson.scenes import SCENES

pytestmark = pytest.mark.nightly
WIDTH, HEIGHT = 1280, 720
LINE = 32
"""Height of a line of large type in pixels."""


def bottom(element: Locator) -> float:
    box = bounding_box(element.first)
    return box["y"] + box["height"]


def paragraph(page: Page, text: str) -> Locator:
    """The paragraph that begins with a text's part before its first number."""
    start = re.split(r"[{`*\\]", text)[0].rstrip("“«「 \u00a0")
    return page.locator("[data-testid=stMain] p").filter(has_text=start[:60])


def expect_in_sight(page: Page, *elements: Locator) -> None:
    """Wait until elements end within the screen, without scrolling."""

    def ends_on_screen() -> None:
        for element in elements:
            assert bottom(element) <= HEIGHT, element
        assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollTop") == 0

    for element in elements:
        expect(element.first).to_be_visible()
    eventually(page, ends_on_screen)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", [*LANGUAGES, "en-normal"])
def test_every_act_is_one_screen(open_page, name, language):
    language, _, is_normal = language.partition("-")
    scene = SCENES[NAMES.index(name)]
    link = f"?model=en-fr&language={language}&lesson.scene={name}{'' if is_normal else '&presenter=1'}"
    page = open_page(link, path="lesson", width=WIDTH, height=HEIGHT)
    wait_until_idle(page)
    options = [page.get_by_text(option, exact=True) for option in message_in(language, scene.options).split("|")]
    question = page.locator(".st-key-lesson-asked")
    expect_in_sight(page, paragraph(page, message_in(language, scene.question)), *options, question)
    expect_in_sight(page, page.locator(".st-key-lesson-vote button"))

    page = open_page(f"{link}&lesson.votes={name}{scene.right + 1}", path="lesson", width=WIDTH, height=HEIGHT)
    explain, undo = page.locator(".st-key-lesson-explain button"), page.locator(".st-key-lesson-undo")
    expect_in_sight(page, explain)
    if name != "train":  # it has its own button, and takes half a minute
        page.locator(".st-key-lesson-change button").click()
        undo.wait_for()
        wait_until_idle(page)
        compared, measured = page.locator(".st-key-lesson-compare"), page.locator("[data-testid=stMain] p > strong")
        outcome = paragraph(page, message_in(language, scene.words("done")))
        expect_in_sight(page, explain, *([outcome] if outcome.count() else []), *([measured] if scene.measured else []))
        if compared.count():
            expect_in_sight(page, compared)
    explain.click()
    expect(page.locator(".st-key-lesson-explain")).to_have_count(0)
    wait_until_idle(page)
    reply = page.locator("[data-testid=stAlert]")
    expect_in_sight(page, page.locator(".st-key-lesson-next button"), reply)
    assert bottom(reply) + 2 * LINE <= HEIGHT, "the explanation begins on the screen"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_running_timer_takes_no_second_line_in_large_type(open_page, language):
    link = f"?model=en-fr&language={language}&lesson.scene=cross&lesson.route=full&presenter=1"
    page = open_page(link, path="lesson", width=WIDTH, height=HEIGHT)
    row = page.locator(".st-key-lesson-steps")
    page.locator(".st-key-lesson-timer button").click()
    expect(page.locator(".st-key-lesson-timer")).to_have_count(0)
    wait_until_idle(page)
    expect(row).to_contain_text(message_in(language, "lesson.timer", spent=0, total=90, until=60).partition(" ")[0])
    box = bounding_box(row)
    assert box["height"] < 80, "one line of buttons"
    expect_in_sight(page, page.locator(".st-key-lesson-vote button"))
