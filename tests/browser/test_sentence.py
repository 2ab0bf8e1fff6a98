"""The sentence: typing it, its translation, and links to it."""

import re
from io import BytesIO
from itertools import pairwise
from urllib.parse import quote_plus

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import model
from tests.browser.actions import bounding_box, eventually, message_in, type_sentence, wait_until_drawn, wait_until_idle
from viz.plain_text import chip_text
from viz.state.selection import DEFAULT_TEXT

pytestmark = pytest.mark.nightly
SENTENCE = "the dog is on the sofa ."


@pytest.fixture(scope="module")
def bundle(checkpoint):
    return model.load(checkpoint)


def expect_translation(page: Page, bundle: model.Bundle, text: str) -> None:
    tokens = model.translate(bundle, text).target_tokens
    expect(page.locator(".target-row .token")).to_have_text(list(map(chip_text, tokens)))


@pytest.mark.by_day
def test_a_typed_sentence_is_translated_and_restored_by_its_link(open_page, bundle):
    page = open_page()
    expect(page.locator(".target-row .token").first).to_be_visible()
    type_sentence(page, SENTENCE)
    expect_translation(page, bundle, SENTENCE)
    expect(page.locator(".source-row .token")).to_have_text([*SENTENCE.split(), "end"])
    expect(page).to_have_url(re.compile(re.escape(quote_plus(SENTENCE))))
    expect_translation(open_page("?" + page.url.partition("?")[2]), bundle, SENTENCE)


def test_the_explorer_is_not_rebuilt_when_the_first_sentence_is_replaced(open_page, bundle):
    """The introduction disappears but its container stays; otherwise everything below would be rebuilt."""
    page = wait_until_drawn(open_page())
    page.locator(".regard").evaluate("root => { root.isTheFirst = true }")
    type_sentence(page, SENTENCE)
    expect_translation(page, bundle, SENTENCE)
    page.wait_for_url(re.compile("text="))
    wait_until_idle(page)
    assert page.locator(".regard").evaluate("root => root.isTheFirst === true")


@pytest.mark.by_day
def test_typed_text_stays_when_an_answer_arrives(open_page, bundle):
    page = open_page()
    expect_translation(page, bundle, DEFAULT_TEXT)
    page.get_by_role("button", name="Another sentence").click()
    page.locator(".stage", has=page.locator("textarea")).evaluate(
        """(root, text) => {
          root.querySelector("textarea").value = text;
          root.querySelector("form").requestSubmit();
          root.querySelector(".edit").click();
        }""",
        SENTENCE,
    )
    expect_translation(page, bundle, SENTENCE)
    box = page.get_by_role("textbox", name="Sentence to translate")
    expect(box).to_be_focused()
    box.fill("the cat")
    page.get_by_role("button", name="EN", exact=True).click()
    page.get_by_text("Français").click()
    expect(page.get_by_role("textbox", name="Phrase à traduire")).to_have_value("the cat")


@pytest.mark.by_day
def test_an_empty_sentence_is_answered_with_advice_and_escape_restores_the_one_before(open_page, bundle):
    page = open_page("?text=" + SENTENCE.replace(" ", "+"))
    page.get_by_role("button", name="Another sentence").click()
    box = page.get_by_role("textbox", name="Sentence to translate")
    box.fill("  ")
    box.press("Enter")
    expect(page.get_by_text("Write a sentence first")).to_be_visible()
    box.fill("something else")
    box.press("Escape")
    expect_translation(page, bundle, SENTENCE)


def test_a_text_that_is_too_long_for_a_link_is_translated_and_back_returns_to_it(open_page, bundle):
    """Regression: the model's first sentence replaced the typed one, and the stage stayed grey."""
    text = "the dog is sleeping . " * 92
    page = open_page("?model=en-fr")
    expect(page.locator(".target-row .token").first).to_be_visible()
    type_sentence(page, text.strip())
    page.wait_for_url("**long=**")
    expect(page.locator(".stage[data-waiting]")).to_have_count(0)
    expect(page.locator(".source-row")).to_contain_text("dog")
    page.get_by_role("link", name="Decode").click()
    page.wait_for_url("**/decode?**long=**")
    expect(page.locator(".source-row")).to_contain_text("dog")
    type_sentence(page, "I like tea.")
    page.wait_for_url("**text=I+like+tea.**")
    page.go_back()
    expect(page.locator(".source-row")).to_contain_text("dog")
    reopened = open_page("?" + page.url.partition("?")[2])
    expect(reopened.locator(".notice")).to_contain_text("too long for a link")


@pytest.mark.by_day
def test_an_example_is_one_click_away(open_page, bundle):
    page = open_page("?text=" + SENTENCE.replace(" ", "+"))
    page.get_by_role("button", name="Another sentence").click()
    example = page.locator(".examples .chip bdi").last
    text = example.inner_text()
    example.click()
    expect_translation(page, bundle, text)


def test_an_empty_sentence_opens_the_box(open_page):
    page = open_page("?text=+")
    expect(page.get_by_role("textbox", name="Sentence to translate")).to_be_visible()
    expect(page.get_by_text("Write a sentence, or choose an example.")).to_be_visible()


@pytest.mark.by_day
def test_markup_in_a_sentence_stays_text(open_page):
    page = open_page(f"?text={quote_plus('<img src=x onerror=document.title=1> the cat')}")
    expect(page.locator(".target-row .token").first).to_be_visible()
    assert page.locator(".source-row img").count() == 0
    assert page.title().startswith("Explore · <img src=x")


def test_the_browsers_language_is_spoken_first(open_page):
    page = open_page(locale="fr-FR")
    expect(page.get_by_role("button", name="Autre phrase")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "fr"


def test_popovers_and_the_name_of_the_application_follow_a_change_of_theme_at_once(open_page):
    page = open_page()
    expect(page.locator(".target-row .token").first).to_be_visible()
    wait_until_idle(page)
    page.locator(".st-key-icon_settings button").first.click()
    for theme in ("light", "dark", "light"):
        page.emulate_media(color_scheme=theme)
        expect(page.get_by_test_id("stPopoverBody")).to_have_css("color-scheme", theme)
        shades = np.asarray(Image.open(BytesIO(page.get_by_test_id("stHeaderLogo").screenshot())).convert("L"))
        assert shades.max() > 200 if theme == "dark" else shades.min() < 60


@pytest.mark.parametrize("width", [1280, 390])
def test_the_pickers_hide_neither_each_other_nor_the_navigation(open_page, width):
    page = open_page(locale="fr-FR", width=width, height=720)
    expect(page.locator(".target-row .token").first).to_be_visible()
    last = page.get_by_test_id("stTopNavSection").last
    if width == 1280:
        # All entries of the navigation fit: otherwise some would be under "2 more", in English.
        expect(last).to_have_text("Modèles")

    def they_have_room() -> None:
        picker = bounding_box(page.locator(".st-key-model_picker button").first)
        assert picker["x"] >= 0
        if width == 1280:
            entry = bounding_box(last)
            assert entry["x"] + entry["width"] <= picker["x"]

    eventually(page, they_have_room)


@pytest.mark.parametrize(("theme", "ground"), [("light", "rgb(250, 250, 248)"), ("dark", "rgb(18, 19, 23)")])
def test_nothing_is_wider_than_the_screen(open_page, screenshot, theme, ground):
    page = open_page(dark=theme == "dark")
    expect(page.locator(".target-row .token").first).to_be_visible()
    expect(page.locator(".stApp")).to_have_css("background-color", ground)
    for width in (1440, 820, 390):
        page.set_viewport_size({"width": width, "height": 844 if width == 390 else 900})
        page.wait_for_function("document.documentElement.scrollWidth <= window.innerWidth")
        screenshot(page, f"stage-{theme}-{width}")


INK = """canvas => {
  const { top } = canvas.getBoundingClientRect();
  const root = canvas.getRootNode();
  const from = root.querySelector(".source-row").getBoundingClientRect().bottom - top;
  const to = root.querySelector(".target-row").getBoundingClientRect().top - top;
  const ratio = canvas.height / canvas.clientHeight;
  const height = Math.max(1, (to - from) * ratio);
  const { data } = canvas.getContext("2d").getImageData(0, from * ratio, canvas.width, height);
  return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}"""
"""The number of pixels of ribbons between the sentence and its translation."""


def test_ribbons_lead_from_the_word_that_is_pointed_at_to_the_other_line(open_page):
    page = open_page("?kind=cross")
    ribbons = page.locator(".stage .stage-ribbons")
    token = page.locator(".target-row .token").nth(1)
    token.hover()
    eventually(page, lambda: ribbons.evaluate(INK) > 20)
    page.locator(".source-row .token").nth(1).hover()
    eventually(page, lambda: ribbons.evaluate(INK) > 20)
    phone = open_page("?kind=cross", width=390)
    phone.locator(".target-row .token").nth(1).hover()
    expect(phone.locator(".source-row .token[style*='--weight']").first).to_be_visible()
    assert phone.locator(".stage .stage-ribbons").evaluate(INK) == 0  # a phone has no ribbons


@pytest.mark.parametrize(("language", "width"), [("zh", 1280), ("fr", 390)])
def test_the_suggested_sentences_are_in_one_column(open_page, language, width):
    page = wait_until_drawn(open_page(f"?model=en-fr&language={language}", width=width, height=844))
    page.get_by_role("button", name=message_in(language, "sentence.another")).click()
    chips = page.locator(".examples .chip")
    expect(chips.nth(5)).to_be_visible()

    def they_begin_and_end_together():
        boxes = [box for box in (chip.bounding_box() for chip in chips.all()) if box is not None]
        assert len(boxes) >= 6
        assert len({(round(box["x"]), round(box["width"])) for box in boxes}) == 1
        assert all(above["y"] + above["height"] <= below["y"] + 1 for above, below in pairwise(boxes))
        assert boxes[0]["x"] >= 0 and boxes[0]["x"] + boxes[0]["width"] <= width

    eventually(page, they_begin_and_end_together)
