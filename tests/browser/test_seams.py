"""A new user's first actions at four sizes in three languages, for two visitors of one server: no layout shift, the
focus stays, and everything on screen belongs to the named model and sentence."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import model
from model.teaching.sentences import front_of
from tests.browser.actions import (
    LOCALES,
    bounding_box,
    eventually,
    message_in,
    type_sentence,
    url_params,
    wait_until_idle,
)
from tests.browser.conftest import ContextPool, page_opener
from tests.browser.static_site import (
    GO_HOME,
    MAN_BITES_DOG,
    enter_sentence,
    expect_translation,
    site_opener,
    translation_text,
    wait_for_model,
)
from tests.browser.test_door import FOCUSED, front_text, pins
from tests.browser.test_every_page import MAX_SHIFT, SHIFT_ON_LOAD
from tests.browser.test_site_door import wait_for_animations
from tests.serving import ROOT
from viz.i18n import catalogue
from viz.pages import MENUS

pytestmark = pytest.mark.nightly
VISITORS, TOKENS = 2, ".target-row .token"


class Screen(NamedTuple):
    """A visitor's language, screen size and colour scheme."""

    language: str
    width: int
    height: int
    dark: bool = False

    @property
    def is_phone(self) -> bool:
        return self.width < 640


SIZES = {1440: (1440, 900, False), 1280: (1280, 720, True), 390: (390, 844, False), 320: (320, 640, False)}
SCREENS = [
    pytest.param(Screen(language, *size), id=f"{language}-{width}") for language in LOCALES
    for width, size in SIZES.items()
]  # fmt: skip
on_every_screen = pytest.mark.parametrize("screen", SCREENS)


@pytest.fixture
def arrivals(context_pool: ContextPool, server: str, screen: Screen) -> Iterator[Iterator[Page]]:
    """The front page of the application, opened for each visitor in turn."""
    with page_opener(context_pool, server) as open_page:
        yield (open_front_page(open_page, screen) for _ in range(VISITORS))


def open_front_page(open_page: Callable[..., Page], screen: Screen, path: str = "") -> Page:
    page = open_page(
        "?model=en-fr", path=path, width=screen.width, height=screen.height, dark=screen.dark,
        locale=LOCALES[screen.language],
    )  # fmt: skip
    page.locator(".source-row .token").first.wait_for()
    if not path:
        page.locator(".regard[data-drawn-grid]").wait_for()
    wait_until_idle(page)
    return page


def tops(page: Page) -> list[int]:
    """Distances of the front page's parts from its top."""
    parts = (".target-row", ".regard .toolbar", ".regard .desk")
    boxes = [page.locator(part).first.bounding_box() for part in parts]
    scrolled = page.locator(".stMain").evaluate("main => main.scrollTop")
    return [round(box["y"] + scrolled) for box in boxes if box is not None]


def expect_tops(page: Page, expected: list[int]) -> None:
    """Expect every part within one pixel, for rounding, of where it was."""
    assert all(abs(now - top) <= 1 for now, top in zip(tops(page), expected, strict=True)), (tops(page), expected)


def expect_focus(page: Page, name: str) -> None:
    eventually(page, lambda: name in str(page.evaluate(FOCUSED)).split())


def expect_pins(page: Page, *names: str) -> None:
    eventually(page, lambda: pins(page) == set(names))


def expect_no_overflow(page: Page) -> None:
    eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def check_share_dialog(page: Page, button: Locator) -> None:
    """Expect the dialog of a change to fit the screen, to hold its link, and to close by Escape."""
    button.click()
    dialog = page.get_by_role("dialog")
    assert "interventions=" in dialog.get_by_role("textbox").input_value()
    expect_no_overflow(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.nightly(but=("zh-320",))
@on_every_screen
def test_a_visitor_is_offered_a_change_undoes_it_and_writes_a_sentence(
    arrivals: Iterator[Page], screen: Screen
) -> None:
    front = front_of(model.load())
    assert front is not None
    for page in arrivals:
        shift, elements = page.evaluate(SHIFT_ON_LOAD, 800)
        assert shift < MAX_SHIFT, elements
        expect_no_overflow(page)
        expect(page).to_have_title(
            re.compile(rf"^{message_in(screen.language, 'frame.page_explore')} · {front.text[:10]}")
        )
        expect(page.get_by_role("heading", name=message_in(screen.language, "first.ask"))).to_be_visible()
        before, tops_before, params = translation_text(page, TOKENS), tops(page), url_params(page)
        offer = page.locator(".way-surprise")
        offer.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".outcome .verdict ins")).not_to_have_count(0)
        wait_until_idle(page)
        layer, head = map(int, re.findall(r"x\.(\d+)\.(\d+)", url_params(page)["interventions"])[0])
        assert (layer, head) == (int(params["layer"]), int(params["head"])), "the page opens on the head that it offers"
        (ablated,) = (cut.translation for cut in front.removals if (cut.layer, cut.head) == (layer, head))
        assert translation_text(page, TOKENS) == ablated.replace(" ", "")
        expect_tops(page, tops_before)
        expect_focus(page, "way")
        expect(page.locator(".in-words")).to_contain_text(head_off_caption(screen))
        check_share_dialog(page, page.locator(".way-share_change"))
        page.locator(".way-undo").click()
        expect(offer).to_be_visible()
        wait_until_idle(page)
        assert translation_text(page, TOKENS) == before
        expect_tops(page, tops_before)
        assert page.evaluate(FOCUSED) != "BODY"
        type_sentence(page, "The dog sleeps.", screen.language)
        expect(page.locator(".source-row")).to_contain_text("dog")
        wait_until_idle(page)
        expect_focus(page, "edit")


def head_off_caption(screen: Screen) -> str:
    """The beginning of the line over the map of a head that is off."""
    return catalogue(screen.language)["attention.words_off"].partition("{")[0].strip()


@on_every_screen
def test_words_and_weights_answer_to_pointer_and_keys(arrivals: Iterator[Page], screen: Screen) -> None:
    weights = model.translate(model.load(), front_text()).attention.cross
    assert weights is not None
    n_rows, n_columns = weights.shape[-2:]
    for page in arrivals:
        words = page.locator(".target-row .token")
        words.nth(0).click()
        expect_pins(page, "q0")
        words.nth(2).click()
        expect_pins(page, "q2")
        words.nth(0).click(modifiers=["Shift"])
        expect_pins(page, "q0", "q2")
        assert [word.get_attribute("aria-pressed") for word in words.all()].count("true") == 2
        words.nth(2).click(modifiers=["Shift"])
        expect_pins(page, "q0")
        words.nth(0).click()
        expect_pins(page)
        words.nth(0).click()
        expect_pins(page, "q0")
        words.nth(0).press("Escape")
        expect_pins(page)
        cell = page.get_by_role("gridcell")
        cell.focus()
        keys = {
            "ArrowDown": (1, 0),
            "End": (1, n_columns - 1),
            "Home": (1, 0),
            "Control+End": (n_rows - 1, n_columns - 1),
        }
        for key, (row, column) in keys.items():
            page.keyboard.press(key)
            expect(cell).to_have_attribute("aria-colindex", str(column + 1))
            expect(page.get_by_role("grid").get_by_role("row")).to_have_attribute("aria-rowindex", str(row + 1))
        page.keyboard.press("a")
        expect(page.locator("table.weights").get_by_role("row")).to_have_count(n_rows + 1)
        page.keyboard.press("a")
        expect_focus(page, "map-cell")
        radios = page.locator(".grid-radios").get_by_role("radio")
        expect(radios).to_have_count(32)
        page.locator(".grid-radio[tabindex='0']").focus()
        layer = int(url_params(page)["layer"])
        page.keyboard.press("ArrowDown")
        page.wait_for_url(f"**layer={layer + 1}**")
        wait_until_idle(page)
        expect_focus(page, "grid-radio")
        tops_before = tops(page)
        switch = page.locator('[data-act="switch_off"]')
        switch.press("Enter")
        expect(page.locator(".in-words")).to_contain_text(head_off_caption(screen))
        wait_until_idle(page)
        expect_tops(page, tops_before)
        assert page.evaluate(FOCUSED) != "BODY"


@on_every_screen
def test_everything_shown_belongs_to_the_named_model(arrivals: Iterator[Page], screen: Screen) -> None:
    for page in arrivals:
        pill = page.locator(".st-key-model_picker button").first
        box = bounding_box(pill)
        assert box["x"] >= 0 and box["x"] + box["width"] <= screen.width
        page.locator('[data-act="switch_off"]').click()
        page.wait_for_url("**interventions=off**")
        wait_until_idle(page)
        for name in ("en-de", "en-zh"):
            pill.click()
            choose_below(page, screen, name)
            page.wait_for_url(f"**model={name}**")
            wait_until_idle(page)
            page.keyboard.press("Escape")
            expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
            expect(pill).to_contain_text(language_of(screen, name))
        for name in ("en-de", "en-fr"):
            page.go_back()
            page.wait_for_url(f"**model={name}**")
            expect(pill).to_contain_text(language_of(screen, name))
            wait_until_idle(page)
        type_sentence(page, "你好，世界", screen.language)
        expect(page.locator(".notice")).to_contain_text(message_in(screen.language, "doubt.unread_none"))


def choose_below(page: Page, screen: Screen, name: str) -> None:
    """Choose a model by the line under its name; the surrounding entry receives the click."""
    languages = "{} → {}".format(
        *(message_in(screen.language, f"sentence.language_{code}") for code in name.split("-"))
    )
    page.get_by_test_id("stPopoverBody").get_by_text(languages).first.click(force=True)


def language_of(screen: Screen, name: str) -> str:
    """The target language of a shipped model, as on the model's button."""
    return message_in(screen.language, f"sentence.language_{name[-2:]}")


MENU = ("overview", "inside", "decode", "lesson", "positions", "laboratory", "causal", "corpus", "fine_tune",
        "checkpoints")  # fmt: skip
"""The pages of the navigation except the front page."""
WITHOUT_SENTENCE = ("corpus", "fine_tune", "checkpoints")
"""Pages that do not open on the sentence."""


@on_every_screen
def test_every_page_is_in_the_menu_of_its_task_and_asks_a_question(arrivals: Iterator[Page], screen: Screen) -> None:
    for page in arrivals:
        for name in MENU:
            open_by_menu(page, screen, name)
            page.wait_for_url(f"**/{name}?**")
            # A scene has its own heading.
            question = None if name == "lesson" else message_in(screen.language, f"frame.ask_{name}")
            expect(page.get_by_role("heading", name=question).first).to_be_visible()
            title = re.escape(message_in(screen.language, f"frame.page_{name}"))
            expect(page).to_have_title(re.compile(rf"^{title} · "))
            word = page.locator(".source-row .token").first
            expect(word).to_be_visible(visible=name not in WITHOUT_SENTENCE)
            wait_until_idle(page)
            expect_no_overflow(page)


def open_by_menu(page: Page, screen: Screen, name: str) -> None:
    """Choose a page in the navigation, which on a phone is in the sidebar."""
    title = message_in(screen.language, f"frame.page_{name}")
    link = page.get_by_role("link", name=title, exact=True)
    if screen.is_phone:
        side = page.get_by_test_id("stExpandSidebarButton")
        if side.is_visible():
            side.click()
        link = page.get_by_test_id("stSidebar").get_by_role("link", name=title)
    elif menu := next((menu for menu, names in MENUS.items() if name in names), None):
        section = page.get_by_test_id("stTopNavSection")
        section.filter(has_text=re.compile(rf"^{message_in(screen.language, f'frame.menu_{menu}')}")).click()
        link = page.get_by_test_id("stTopNavDropdownLink").filter(has_text=re.compile(rf"^{re.escape(title)}$"))
    link.first.click()


@pytest.fixture
def site_arrivals(browser: Browser, site_address: str, screen: Screen) -> Iterator[Iterator[Page]]:
    """The static site, opened for each visitor in turn, after the change that it plays."""
    with site_opener(browser, site_address) as open_site:
        yield (open_played_site(open_site, screen) for _ in range(VISITORS))


def open_played_site(open_site: Callable[..., Page], screen: Screen) -> Page:
    def prepare(page: Page) -> None:
        theme: Literal["dark", "light"] = "dark" if screen.dark else "light"
        page.emulate_media(color_scheme=theme)

    page = open_site(
        width=screen.width, height=screen.height, locale=LOCALES[screen.language], is_new=True, prepare=prepare
    )
    wait_for_model(page)
    page.locator(".stage-target del").wait_for()
    wait_for_animations(page)
    return page


TOPS = """() => [".stage-source", ".stage-target", ".levels-nav"].map(each => {
    const part = document.querySelector(each);
    const nav = part.closest(".page-nav"); // stays at the edge of a phone's screen
    const scrolled = nav && getComputedStyle(nav).position === "fixed" ? 0 : scrollY;
    return Math.round(part.getBoundingClientRect().top + scrolled);
})"""


@on_every_screen
def test_the_site_plays_a_change_and_each_way_on_from_there_works(
    site_arrivals: Iterator[Page], screen: Screen
) -> None:
    plain = model.translate(model.load(), GO_HOME).text
    for page in site_arrivals:
        expect_no_overflow(page)
        tops_before = page.evaluate(TOPS)
        check_share_dialog(page, page.locator('[data-name="share_change"]'))
        page.locator('[data-name="undo"]').click()
        expect_translation(page, plain)
        expect(page.locator(".way-surprise")).to_be_focused()
        wait_for_animations(page)
        assert page.evaluate(TOPS) == tops_before
        page.locator(".way-surprise").press("Enter")
        page.locator(".stage-target del").wait_for()
        page.locator('[data-name="try_own"]').click()
        expect(page.get_by_role("textbox")).to_be_focused()
        enter_sentence(page, MAN_BITES_DOG)
        expect_translation(page, model.translate(model.load(), MAN_BITES_DOG).text)


@on_every_screen
def test_the_levels_and_models_of_the_site_match_their_names(site_arrivals: Iterator[Page], screen: Screen) -> None:
    plain = model.translate(model.load(), GO_HOME).text
    tiny = model.translate(model.load(ROOT / "pretrained" / "tiny"), GO_HOME).text
    for page in site_arrivals:
        page.locator('[data-name="undo"]').click()
        expect_translation(page, plain)
        for view in ("heads", "model", "head", "break", "sentence"):
            tab = page.locator(f'[role="tab"][data-view="{view}"]')
            tab.click()
            expect(tab).to_be_focused()
            expect(tab).to_have_attribute("aria-selected", "true")
            expect_no_overflow(page)
            if view == "heads":
                cell = page.get_by_role("gridcell")
                cell.focus()
                for key, column in (("ArrowRight", "2"), ("Home", "1")):
                    page.keyboard.press(key)
                    expect(cell).to_have_attribute("aria-colindex", column)
        models = page.get_by_role("combobox", name=message_in(screen.language, "site.model"))
        for name in ("tiny", "en-fr", "tiny"):
            models.select_option(name)
        expect_translation(page, tiny)
        assert url_params(page)["model"] == "tiny"
