"""Overview, Causal and the top of every page, in a browser."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import eventually, select_option, url_params, wait_until_drawn, wait_until_idle
from viz.i18n import speaking, tr

Open = Callable[..., Page]
TEXT = "?text=the+cat+is+sleeping+on+the+sofa+."
MOVES = {"test_the_model_runs_on_the_map_for_the_word_that_is_followed"}
"""Tests of animations (``open_page`` in conftest.py)."""


def expect_followed(page: Page, index: int) -> None:
    expect(page.locator(".target-row .token").nth(index)).to_have_attribute("data-focus", "")
    page.wait_for_url(f"**overview.step={index}**" if index != 2 else "**/overview**")


@pytest.mark.nightly("1440")
@pytest.mark.parametrize("width", [1440, 390])
def test_the_map_follows_the_sentences_word_and_its_selected_word(open_page: Open, width: int) -> None:
    page = open_page(TEXT, path="overview", width=width)
    page.locator(".overview .box").first.wait_for()
    expect_followed(page, 2)
    page.locator(".target-row .token").nth(3).click()
    expect_followed(page, 3)
    lit = page.locator(".overview .token.lit")
    n_source = page.locator(".source-row .token").count()
    expect(lit).to_have_count(n_source + 4)
    page.locator(".overview .token").nth(n_source + 2).click()  # the token predicted at step 1
    expect_followed(page, 1)
    expect(lit).to_have_count(n_source + 2)
    page.locator(".source-row .token").nth(1).click()
    page.wait_for_url(lambda url: "overview.step=1" not in url)


@pytest.mark.nightly
@pytest.mark.parametrize(("language", "width"), [("en", 1440), ("fr", 1280), ("en", 768), ("fr", 390)])
def test_no_letter_of_the_map_is_smaller_than_eleven_pixels_or_cut_off(open_page: Open, width: int, language) -> None:
    page = open_page(
        f"?model=en-fr&text=She+often+comes+late.&overview.step=2&language={language}", path="overview", width=width
    )
    expect(page.locator(".overview .candidate").first).to_contain_text("souvent")

    def letters_keep_their_size() -> None:
        sizes = page.locator(".overview svg text").evaluate_all(
            "all => all.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"
        )
        assert len(sizes) > 20 and min(sizes) >= 10.99, min(sizes)
        overflowing = page.locator(".overview .box").evaluate_all(
            """all => all.flatMap((box) => {
              const edge = box.querySelector("rect").getBoundingClientRect();
              return [...box.querySelectorAll("text")].filter((text) => {
                const { right, bottom } = text.getBoundingClientRect();
                return right > edge.right + 1 || bottom > edge.bottom + 2;
              }).map((text) => text.textContent);
            })"""
        )
        assert not overflowing
        candidates = page.locator(".overview .candidate").evaluate_all(
            "all => all.map((text) => text.getBoundingClientRect()).map(({ left, right }) => [left, right])"
        )
        assert len(candidates) > 2
        assert all(lower[1] < higher[0] for lower, higher in itertools.pairwise(candidates)), candidates

    eventually(page, letters_keep_their_size)


def test_the_explanation_is_above_the_drawing(open_page: Open) -> None:
    page = open_page(TEXT, path="overview")
    explanation, drawing = page.get_by_text("From bottom to top").first, page.locator(".overview svg")
    drawing.wait_for()

    def it_is_above() -> None:
        above, below = explanation.bounding_box(), drawing.bounding_box()
        assert above is not None and below is not None and above["y"] < below["y"]

    eventually(page, it_is_above)


@pytest.mark.nightly
def test_the_model_runs_on_the_map_for_the_word_that_is_followed(open_page: Open) -> None:
    page = open_page(TEXT, path="overview")
    page.locator(".overview .box").first.wait_for()
    page.locator(".target-row .token").nth(3).click()
    expect_followed(page, 3)
    word = page.locator(".target-row .token").nth(3).inner_text()
    page.locator(".overview").evaluate(
        """root => {
          window.ran = [];
          const note = ([{ addedNodes }]) => [...addedNodes].forEach(each => ran.push(each.getAttribute("class")));
          new MutationObserver(list => list.forEach(each => note([each])))
            .observe(root.querySelector("svg"), { childList: true });
        }"""
    )
    page.get_by_role("button", name="Run the model").click()
    expect(page.locator(".overview .run")).to_contain_text(f"predicts “{word}”")
    expect(page.get_by_role("button", name="Run the model")).to_be_visible()
    n_layers = page.locator('.overview [data-box^="cross."]').count()
    assert page.evaluate("ran").count("memory plan-runner") == 2 * n_layers  # across the bridge, and into each layer
    expect(page.locator(".overview .plan-runner")).to_have_count(0)
    page.get_by_role("button", name="Run the model").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.locator(".overview .token").first.click()  # a touch ends it
    expect(page.get_by_role("button", name="Run the model")).to_be_visible()


def test_a_clicked_cell_is_patched_enters_the_link_and_is_undone(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], Path]
) -> None:
    page = open_page("?text=The+cat+is+sleeping+on+the+sofa.", path="causal")
    grid = page.get_by_role("grid", name="Encoder, after each layer")
    cell = grid.get_by_role("button", name=re.compile(r"^0, cat: \+?\d+% of the difference"))
    expect(cell).to_be_visible()
    screenshot(page, "causal-map")
    assert url_params(page).get("interventions", "") == ""
    before = page.locator(".target-row").inner_text()
    cell.click()
    announcement = page.get_by_text("With the patch the translation is")
    expect(announcement).to_be_visible()
    page.wait_for_url(re.compile("interventions="))
    assert "encoder.0.residual.after@1" in url_params(page).get("interventions", "")
    page.reload()
    expect(announcement).to_be_visible()
    page.get_by_role("button", name=re.compile("taken from")).click()
    expect(announcement).to_have_count(0)
    expect(page.locator(".target-row")).to_have_text(before, use_inner_text=True)
    assert url_params(page).get("interventions", "") == ""


@pytest.mark.nightly
def test_on_a_phone_every_row_keeps_its_token_and_shares_have_no_sign(open_page: Callable[..., Page]) -> None:
    page = open_page(
        "?text=the+cat+is+sleeping+on+the+sofa+and+the+dog+is+sleeping+on+the+sofa+too&causal.part=tokens",
        path="causal", width=390, height=844,
    )  # fmt: skip
    grid = page.get_by_role("grid", name="From the source")
    expect(grid).to_be_visible()

    def the_labels_stay_when_it_is_scrolled() -> None:
        assert grid.evaluate("grid => grid.scrollWidth > grid.parentElement.clientWidth"), "it has to be scrolled"
        grid.evaluate("grid => { grid.parentElement.scrollLeft = grid.scrollWidth }")
        for label in grid.get_by_role("rowheader").all():
            assert label.evaluate("label => label.scrollWidth <= label.clientWidth"), label.inner_text()
            assert label.evaluate("label => label.getBoundingClientRect().left >= 0")

    eventually(page, the_labels_stay_when_it_is_scrolled)
    assert not any("+" in cell.inner_text() for cell in grid.get_by_role("gridcell").all())


SENTENCE = "text=I+see+you."
WORDS = ".source-row .token"


@pytest.mark.nightly
def test_the_sentence_is_shown_only_for_questions_about_it(open_page) -> None:
    page = open_page(f"?model=en-fr&{SENTENCE}", path="laboratory")
    expect(page.locator(WORDS).first).to_be_visible()
    with speaking("en"):
        without_sentence, toy, with_sentence = (
            tr(name) for name in ("frame.questions_machinery", "laboratory.part_toy", "frame.questions_sentence")
        )
    wait_until_idle(page)
    page.get_by_role("radio", name=without_sentence).click()
    page.wait_for_url("**laboratory.part=kernel**")
    expect(page.locator(WORDS).first).to_be_hidden()
    expect(page.get_by_role("button", name="Glossary")).to_be_visible()
    wait_until_idle(page)
    select_option(page, "Question", toy)
    page.wait_for_url("**laboratory.part=toy**")
    wait_until_idle(page)
    page.get_by_role("radio", name=with_sentence).click()
    expect(page.locator(WORDS).first).to_be_visible()
    expect(page.get_by_role("radio", name=with_sentence)).to_be_checked()


def test_every_question_about_positions_can_be_asked_from_the_keyboard(open_page) -> None:
    page = open_page(f"?{SENTENCE}", path="positions")
    expect(page.locator(WORDS).first).to_be_visible()
    wait_until_idle(page)
    box = page.get_by_role("combobox", name="Question")
    box.focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url(re.compile(r"positions\.part=(sentence|beyond)"))


def test_the_line_below_a_model_chooses_it(open_page) -> None:
    page = open_page(f"?{SENTENCE}")
    expect(page.locator(WORDS).first).to_be_visible()
    wait_until_idle(page)
    page.locator(".st-key-model_picker button").click()
    page.get_by_text("English → German").click(force=True)  # the surrounding entry receives the click
    page.wait_for_url("**model=en-de*")


def test_inside_opens_on_the_head_that_explore_opens(open_page) -> None:
    def head_of(page: Page) -> tuple[str, ...]:
        page.wait_for_url(re.compile(r"layer=\d.*head=\d|head=\d.*layer=\d"))
        return tuple(re.search(rf"[?&]{name}=(\d+)", page.url)[1] for name in ("layer", "head"))  # type: ignore[index]

    assert head_of(open_page(f"?{SENTENCE}")) == head_of(open_page(f"?{SENTENCE}", path="inside"))


def test_on_a_phone_the_open_head_is_below_the_sentence_and_all_heads_below_it(open_page) -> None:
    page = wait_until_drawn(open_page(f"?{SENTENCE}", width=390, height=844))

    def head_is_above_heads() -> None:
        heads, open_head = page.locator(".regard .heads"), page.locator(".regard .desk > .card:not(.heads)")
        head_box, heads_box = open_head.bounding_box(), heads.bounding_box()
        assert head_box is not None and heads_box is not None
        assert head_box["y"] < 600 and head_box["y"] + head_box["height"] <= heads_box["y"]

    eventually(page, head_is_above_heads)


@pytest.mark.nightly
def test_fine_tuning_offers_the_data_before_the_settings(open_page) -> None:
    page = open_page("?model=tiny", path="fine_tune", width=1280, height=720)
    button = page.get_by_role("button", name="Train", exact=True)
    expect(button).to_be_in_viewport()
    rate = page.get_by_role("spinbutton", name=re.compile("Learning rate"))
    expect(rate).to_be_hidden()
    page.get_by_text("How it is trained").click()
    expect(rate).to_be_visible()
