"""At 390 px: the sentence, one picture and one action; nothing is cut off, and rarely used controls are folded."""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import LOCALES, eventually, message_in, wait_until_drawn, wait_until_idle
from tests.browser.actions import bounding_box as box

pytestmark = pytest.mark.nightly
TEXT = "?text=the+cat+is+sleeping+on+the+sofa+."
WIDTH, HEIGHT = 390, 844
PAGES = {
    "": "en", "inside": "fr", "decode": "en", "positions": "zh", "lesson": "zh", "laboratory": "fr", "overview": "en",
}  # fmt: skip
"""Pages, each in one language."""
FORMULA = ".stLatex .katex-html, .katex-display .katex-html"
Open = Callable[..., Page]


def phone(open_page: Open, path: str = "", query: str = TEXT, **options: object) -> Page:
    page = open_page(query, path=path, **{"width": WIDTH, "height": HEIGHT} | options)
    expect(page.locator(".target-row .token").first).to_be_visible()
    return page


@pytest.mark.by_day
def test_one_button_unfolds_the_controls_and_folds_them_again(open_page: Open) -> None:
    page = phone(open_page)
    page.locator(".regard[data-drawn-grid]").wait_for()
    controls = page.get_by_role("button", name="Controls")
    folded = [page.get_by_role("button", name=name) for name in ("Sinks:", "Export")]
    for control in folded:
        expect(control).to_be_hidden()
    expect(controls).to_have_attribute("aria-expanded", "false")
    controls.click()
    for control in folded:
        expect(control).to_be_visible()
    expect(controls).to_have_attribute("aria-expanded", "true")
    page.get_by_role("button", name="Lines").click()
    expect(controls).to_have_attribute("aria-expanded", "true")
    controls.click()
    for control in folded:
        expect(control).to_be_hidden()


def test_every_tool_of_the_sentence_is_on_the_screen_of_a_phone(open_page: Open) -> None:
    page = phone(open_page)
    for name in ("Glossary", "Tour", "Link", "Tools", "Type another sentence"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport()
    page.get_by_role("button", name="Glossary", exact=True).click()
    terms = page.locator(".terms")
    expect(terms).to_contain_text("one way of looking, learned in training")
    terms_box = box(terms)
    assert terms_box["x"] >= 0 and terms_box["x"] + terms_box["width"] <= WIDTH
    page.keyboard.press("Escape")
    expect(terms).to_be_hidden()
    page.get_by_role("button", name="Type another sentence").click()
    example = page.locator(".examples .chip").last
    text = example.locator("bdi").inner_text()
    terms_box = box(page.locator(".examples"))
    assert terms_box["x"] >= 0 and terms_box["x"] + terms_box["width"] <= WIDTH
    example.click()
    page.wait_for_url("**text=**")
    expect(page.locator(".source-row .token").first).to_contain_text(text.split()[0])


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [WIDTH, 320])
@pytest.mark.parametrize("language", LOCALES)
def test_content_below_the_front_pages_question_does_not_overlap_it(
    open_page: Open, language: str, width: int, dark: bool
) -> None:
    for change in ("", "&interventions=off:x.0.0"):
        page = phone(open_page, "", f"{TEXT}&language={language}{change}", width=width, dark=dark)
        heading = page.get_by_role("heading", name=message_in(language, "first.ask"))
        parts_below = page.locator(".st-key-changes button:visible, .st-key-first_steps > :nth-child(2)")
        eventually(page, partial(is_below, parts_below.last if change else parts_below.first, heading))


def is_below(locator: Locator, heading: Locator) -> bool:
    return box(locator)["y"] >= box(heading)["y"] + box(heading)["height"] + 4


def test_a_wider_screen_folds_only_what_few_readers_need(open_page: Open) -> None:
    page = wait_until_drawn(open_page(TEXT, width=1280, height=720))
    expect(page.get_by_role("button", name="Controls")).to_be_hidden()
    for name in ("Export", "Tools", "Glossary", "Tour", "Link"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    more_button = page.get_by_role("button", name="More", exact=True)
    expert = [page.get_by_role("button", name=name) for name in ("Sinks:", "Scale", "Weights:", "words")]
    for control in expert:
        expect(control).to_be_hidden()
    more_button.click()
    expect(more_button).to_have_attribute("aria-expanded", "true")
    for control in expert:
        expect(control).to_be_visible()
    more_button.click()
    for control in expert:
        expect(control).to_be_hidden()


def test_a_control_that_a_link_has_set_is_in_sight(open_page: Open) -> None:
    page = wait_until_drawn(open_page(f"{TEXT}&unit=words", width=1280, height=720))
    expect(page.get_by_role("button", name="words")).to_be_visible()


def test_the_formula_of_inside_is_whole_at_every_wide_step(open_page: Open) -> None:
    page = phone(open_page, "inside", f"{TEXT}&inside.step=scores")
    for step in ("scores", "softmax", "output", "feed", "top"):
        if step != "scores":
            page.get_by_text(re.compile(rf"^\d+ {message_in('en', f'inside.step_{step}')}$")).click()
            page.wait_for_url(f"**inside.step={step}**")
            wait_until_idle(page)
        expect(page.locator(FORMULA).first).to_be_visible()
        eventually(page, partial(the_formula_is_whole, page))


def the_formula_is_whole(page: Page) -> None:
    parts = [box(part) for part in page.locator(FORMULA).first.locator(".base").all()]
    assert parts
    for part in parts:
        assert part["x"] >= 0 and part["x"] + part["width"] <= WIDTH, page.url
    hidden = page.locator(".katex-display").first.evaluate("node => node.scrollWidth - node.clientWidth")
    assert hidden <= 0, page.url


def test_four_columns_and_four_buttons_are_whole_in_french(open_page: Open) -> None:
    page = phone(open_page, "laboratory", f"{TEXT}&laboratory.part=masks&language=fr")
    table = page.locator(".stMarkdown table").first
    eventually(page, lambda: box(table)["x"] + box(table)["width"] <= WIDTH)
    page = phone(open_page, "decode", f"{TEXT}&language=fr")
    last = page.get_by_text("Teacher forcing", exact=True)
    eventually(page, lambda: box(last)["x"] + box(last)["width"] <= WIDTH - 16)


@pytest.mark.nightly("positions", "laboratory", "overview", "lesson", "decode", "inside")
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_as_wide_as_the_phone_and_keeps_the_two_lines_of_the_sentence_together(
    open_page: Open, screenshot, path: str
) -> None:
    page = phone(open_page, path, f"{TEXT}&language={PAGES[path]}")
    eventually(page, lambda: nothing_stands_between_the_lines(page))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator(".stApp")).to_have_css("color-scheme", theme)
        page.wait_for_load_state("networkidle")
        eventually(page, lambda: nothing_is_wider_or_covered(page))
        if not path:
            page.locator(".regard[data-drawn-grid]").wait_for()
            eventually(page, lambda: the_open_head_comes_before_half_a_screen_of_controls(page))
        screenshot(page, f"phone-{path or 'explore'}-{theme}")


def the_open_head_comes_before_half_a_screen_of_controls(page: Page) -> None:
    translation, first = box(page.locator(".target-row")), box(page.locator(".regard .desk > .card:not(.heads)"))
    assert first["y"] - translation["y"] - translation["height"] < HEIGHT / 4
    assert first["y"] + 80 < HEIGHT


def nothing_stands_between_the_lines(page: Page) -> None:
    source, target = box(page.locator(".source-row")), box(page.locator(".target-row"))
    between = [
        button for button in page.locator(".stage button:visible").all()
        if source["y"] + source["height"] <= box(button)["y"] < target["y"]
    ]  # fmt: skip
    assert not between
    assert target["y"] - source["y"] - source["height"] < 45
    tools = box(page.locator(".stage .tools"))
    assert tools["y"] + tools["height"] <= source["y"] + 1


def nothing_is_wider_or_covered(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    bar = sorted(
        (box(button) for button in page.locator(".st-key-top_bar button:visible, .stage .tools button:visible").all()),
        key=lambda button: (round(button["y"] / 20), button["x"]),
    )
    for left, right in pairwise(bar):
        if abs(left["y"] - right["y"]) < 20:
            assert left["x"] + left["width"] <= right["x"] + 1
        assert right["x"] + right["width"] <= WIDTH


def test_the_column_of_sentences_is_wide_enough_for_their_words(open_page: Open) -> None:
    page = open_page("?model=en-fr&language=fr&corpus.view=find", path="corpus", width=WIDTH, height=HEIGHT, touch=True)
    words = page.locator("[class*='st-key-corpus_hit_find_0'] .stVerticalBlock").first
    expect(words).to_be_visible()
    eventually(page, lambda: box(words)["width"] > 200)
