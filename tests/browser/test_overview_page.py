"""Overview follows the clicked word, and its labels keep their size on every screen."""

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import eventually

Open = Callable[..., Page]
TEXT = "?text=the+cat+is+sleeping+on+the+sofa+."
MOVES = {"test_the_model_runs_on_the_map_for_the_word_that_is_followed"}
"""Tests of animations (``open_page`` in conftest.py)."""


def expect_followed(page: Page, index: int) -> None:
    expect(page.locator(".target-row .token").nth(index)).to_have_attribute("data-focus", "")
    page.wait_for_url(f"**overview.step={index}**" if index != 2 else "**/overview**")


@pytest.mark.nightly("1440")
@pytest.mark.parametrize("width", [1440, 390])
def test_the_map_follows_a_word_of_the_sentence_and_one_of_its_own(open_page: Open, width: int) -> None:
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
