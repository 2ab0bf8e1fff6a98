"""The way in, pressed as a new user would, at four sizes and in three languages, by two visitors of one server: nothing
jumps, the focus stays where the reader was, and what stands on screen belongs to the model and the sentence named."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import model
from benchmarks.serving import ROOT
from model.teaching.sentences import front_of
from tests.browser.classroom import LOCALES, message_in
from tests.browser.conftest import ContextPool, page_opener
from tests.browser.static_site import (
    GO_HOME,
    MAN_BITES_DOG,
    enter_sentence,
    expect_translation,
    site_opener,
    url_params,
    wait_for_model,
)
from tests.browser.test_door import FOCUSED, front_text
from tests.browser.test_layout_shift import MOST_SHIFTED, STANDS
from tests.browser.test_site_door import still
from tests.browser.waiting import bounding_box, eventually, wait_until_idle
from viz.i18n import catalogue
from viz.pages import MENUS

pytestmark = pytest.mark.nightly
VISITORS = 2


class Screen(NamedTuple):
    """What a visitor sits before."""

    language: str
    width: int
    height: int
    dark: bool = False

    @property
    def is_phone(self) -> bool:
        return self.width < 640


SIZES = {1440: (1440, 900, False), 1280: (1280, 720, True), 390: (390, 844, False), 320: (320, 640, False)}
EACH = [
    pytest.param(Screen(language, *size), id=f"{language}-{width}") for language in LOCALES
    for width, size in SIZES.items()
]  # fmt: skip
on_every_screen = pytest.mark.parametrize("screen", EACH)


@pytest.fixture
def arrivals(context_pool: ContextPool, server: str, screen: Screen) -> Iterator[Iterator[Page]]:
    """The front page of the application, as each visitor meets it."""
    with page_opener(context_pool, server) as open_page:
        yield (arrive(open_page, screen) for _ in range(VISITORS))


def arrive(open_page: Callable[..., Page], screen: Screen, path: str = "") -> Page:
    page = open_page(
        "?model=en-fr", path=path, width=screen.width, height=screen.height, dark=screen.dark,
        locale=LOCALES[screen.language],
    )  # fmt: skip
    page.locator(".source-row .token").first.wait_for()
    if not path:
        page.locator(".regard[data-drawn-grid]").wait_for()
    wait_until_idle(page)
    return page


def params(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def pins(page: Page) -> set[str]:
    return set(params(page).get("pins", "").split())


def written(page: Page) -> str:
    """The translation on the stage, without spaces."""
    return "".join(page.locator(".target-row .token:not([data-special])").all_text_contents()).replace(" ", "")


def tops(page: Page) -> list[int]:
    """How far from the top the parts of the front page stand."""
    parts = (".target-row", ".regard .toolbar", ".regard .desk")
    boxes = [page.locator(part).first.bounding_box() for part in parts]
    scrolled = page.locator(".stMain").evaluate("main => main.scrollTop")
    return [round(box["y"] + scrolled) for box in boxes if box is not None]


def stay(page: Page, places: list[int]) -> None:
    """Nothing stands more than a pixel, which rounding may give, from where it stood."""
    assert all(abs(now - place) <= 1 for now, place in zip(tops(page), places, strict=True)), (tops(page), places)


def focus_is_on(page: Page, name: str) -> None:
    def holds() -> None:
        assert name in str(page.evaluate(FOCUSED)).split()

    eventually(page, holds)


def pinned(page: Page, *names: str) -> None:
    def holds() -> None:
        assert pins(page) == set(names)

    eventually(page, holds)


def nothing_is_cut_off(page: Page) -> None:
    def fits() -> None:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    eventually(page, fits)


def shares(page: Page, button: Locator) -> None:
    """The dialog that shares a change is on the screen, has its link, and Escape closes it."""
    button.click()
    dialog = page.get_by_role("dialog")
    assert "interventions=" in dialog.get_by_role("textbox").input_value()
    nothing_is_cut_off(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def write(page: Page, screen: Screen, text: str) -> None:
    page.get_by_role("button", name=message_in(screen.language, "sentence.another")).click()
    page.get_by_role("textbox", name=message_in(screen.language, "sentence.box")).fill(text)
    page.keyboard.press("Enter")


@pytest.mark.nightly(but=("zh-320",))
@on_every_screen
def test_a_visitor_is_offered_a_change_undoes_it_and_writes_a_sentence(
    arrivals: Iterator[Page], screen: Screen
) -> None:
    front = front_of(model.load())
    assert front is not None
    for page in arrivals:
        shifted, moved = page.evaluate(STANDS, 800)
        assert shifted < MOST_SHIFTED, moved
        nothing_is_cut_off(page)
        expect(page).to_have_title(
            re.compile(rf"^{message_in(screen.language, 'frame.page_explore')} · {front.text[:10]}")
        )
        expect(page.get_by_role("heading", name=message_in(screen.language, "first.ask"))).to_be_visible()
        before, places = written(page), tops(page)
        offer = page.locator(".way-surprise")
        offer.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".outcome .verdict ins")).not_to_have_count(0)
        wait_until_idle(page)
        assert written(page) in [each.translation.replace(" ", "") for each in front.removals]
        stay(page, places)
        focus_is_on(page, "way")
        expect(page.locator(".in-words")).to_contain_text(off_said(screen))
        shares(page, page.locator(".way-share_change"))
        page.locator(".way-undo").click()
        expect(offer).to_be_visible()
        wait_until_idle(page)
        assert written(page) == before
        stay(page, places)
        assert page.evaluate(FOCUSED) != "BODY"
        write(page, screen, "The dog sleeps.")
        expect(page.locator(".source-row")).to_contain_text("dog")
        wait_until_idle(page)
        focus_is_on(page, "edit")


def off_said(screen: Screen) -> str:
    """How the line over the map of a head that is off begins."""
    return catalogue(screen.language)["attention.words_off"].partition("{")[0].strip()


@on_every_screen
def test_words_and_weights_answer_to_pointer_and_keys(arrivals: Iterator[Page], screen: Screen) -> None:
    weights = model.translate(model.load(), front_text()).attention.cross
    assert weights is not None
    n_rows, n_columns = weights.shape[-2:]
    for page in arrivals:
        words = page.locator(".target-row .token")
        words.nth(0).click()
        pinned(page, "q0")
        words.nth(2).click()
        pinned(page, "q2")
        words.nth(0).click(modifiers=["Shift"])
        pinned(page, "q0", "q2")
        assert [word.get_attribute("aria-pressed") for word in words.all()].count("true") == 2
        words.nth(0).press("Escape")
        pinned(page)
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
        focus_is_on(page, "map-cell")
        radios = page.locator(".grid-radios").get_by_role("radio")
        expect(radios).to_have_count(32)
        page.locator(".grid-radio[tabindex='0']").focus()
        layer = int(params(page)["layer"])
        page.keyboard.press("ArrowDown")
        page.wait_for_url(f"**layer={layer + 1}**")
        wait_until_idle(page)
        focus_is_on(page, "grid-radio")
        places = tops(page)
        switch = page.locator('[data-act="switch_off"]')
        switch.press("Enter")
        expect(page.locator(".in-words")).to_contain_text(off_said(screen))
        wait_until_idle(page)
        stay(page, places)
        assert page.evaluate(FOCUSED) != "BODY"


@on_every_screen
def test_what_is_shown_is_of_the_model_that_is_named(arrivals: Iterator[Page], screen: Screen) -> None:
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
        write(page, screen, "你好，世界")
        expect(page.locator(".notice")).to_contain_text(message_in(screen.language, "doubt.unread_none"))


def choose_below(page: Page, screen: Screen, name: str) -> None:
    """Choose a model by the line under its name; the entry around that takes the click."""
    languages = "{} → {}".format(
        *(message_in(screen.language, f"sentence.language_{code}") for code in name.split("-"))
    )
    page.get_by_test_id("stPopoverBody").get_by_text(languages).first.click(force=True)


def language_of(screen: Screen, name: str) -> str:
    """The language that a shipped model writes, as far as the model's button has room for it."""
    return message_in(screen.language, f"sentence.language_{name[-2:]}")


MENU = (
    "overview",
    "inside",
    "decode",
    "lesson",
    "positions",
    "laboratory",
    "causal",
    "corpus",
    "fine_tune",
    "checkpoints",
)
"""The pages that the navigation leads to from the front page."""
WITHOUT_SENTENCE = ("corpus", "fine_tune", "checkpoints")
"""Pages that open on a question about something else than the sentence."""


@on_every_screen
def test_every_page_is_found_by_what_one_wants_to_do_and_asks_a_question(
    arrivals: Iterator[Page], screen: Screen
) -> None:
    for page in arrivals:
        for name in MENU:
            open_by_menu(page, screen, name)
            page.wait_for_url(f"**/{name}?**")
            asks = (
                None if name == "lesson" else message_in(screen.language, f"frame.ask_{name}")
            )  # a scene is called by its own
            expect(page.get_by_role("heading", name=asks).first).to_be_visible()
            expect(page).to_have_title(
                re.compile(rf"^{re.escape(message_in(screen.language, f'frame.page_{name}'))} · ")
            )
            word = page.locator(".source-row .token").first
            expect(word).to_be_visible(visible=name not in WITHOUT_SENTENCE)
            wait_until_idle(page)
            nothing_is_cut_off(page)


def open_by_menu(page: Page, screen: Screen, name: str) -> None:
    """Choose a page in the navigation, which a phone keeps at the side."""
    link = page.get_by_role("link", name=message_in(screen.language, f"frame.page_{name}"), exact=True)
    if screen.is_phone:
        side = page.get_by_test_id("stExpandSidebarButton")
        if side.is_visible():
            side.click()
        link = page.get_by_test_id("stSidebar").get_by_role(
            "link", name=message_in(screen.language, f"frame.page_{name}")
        )
    else:
        menu = next((menu for menu, names in MENUS.items() if name in names), None)
        if menu:
            section = page.get_by_test_id("stTopNavSection")
            section.filter(has_text=re.compile(rf"^{message_in(screen.language, f'frame.menu_{menu}')}")).click()
            link = page.get_by_test_id("stTopNavDropdownLink").filter(
                has_text=re.compile(rf"^{re.escape(message_in(screen.language, f'frame.page_{name}'))}$")
            )
    link.first.click()


@pytest.fixture
def site_arrivals(browser: Browser, site_address: str, screen: Screen) -> Iterator[Iterator[Page]]:
    """The page without a server, as each visitor meets it: the change that it plays has come to its end."""
    with site_opener(browser, site_address) as open_site:
        yield (site_arrival(open_site, screen) for _ in range(VISITORS))


def site_arrival(open_site: Callable[..., Page], screen: Screen) -> Page:
    def prepare(page: Page) -> None:
        theme: Literal["dark", "light"] = "dark" if screen.dark else "light"
        page.emulate_media(color_scheme=theme)

    page = open_site(
        width=screen.width, height=screen.height, locale=LOCALES[screen.language], is_new=True, prepare=prepare
    )
    wait_for_model(page)
    page.locator(".stage-target del").wait_for()
    still(page)
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
        nothing_is_cut_off(page)
        places = page.evaluate(TOPS)
        shares(page, page.locator('[data-name="share_change"]'))
        page.locator('[data-name="undo"]').click()
        expect_translation(page, plain)
        expect(page.locator(".way-surprise")).to_be_focused()
        still(page)
        assert page.evaluate(TOPS) == places
        page.locator(".way-surprise").press("Enter")
        page.locator(".stage-target del").wait_for()
        page.locator('[data-name="try_own"]').click()
        expect(page.get_by_role("textbox")).to_be_focused()
        enter_sentence(page, MAN_BITES_DOG)
        expect_translation(page, model.translate(model.load(), MAN_BITES_DOG).text)


@on_every_screen
def test_the_levels_and_models_of_the_site_stay_with_what_is_named(
    site_arrivals: Iterator[Page], screen: Screen
) -> None:
    plain = model.translate(model.load(), GO_HOME).text
    tiny = model.translate(model.load(ROOT / "pretrained" / "tiny"), GO_HOME).text
    for page in site_arrivals:
        page.locator('[data-name="undo"]').click()
        expect_translation(page, plain)
        for view in ("heads", "model", "head", "break", "sentence"):
            page.locator(f'[role="tab"][data-view="{view}"]').click()
            expect(page.locator(f'[role="tab"][data-view="{view}"]')).to_be_focused()
            expect(page.locator(f'[role="tab"][data-view="{view}"]')).to_have_attribute("aria-selected", "true")
            nothing_is_cut_off(page)
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
