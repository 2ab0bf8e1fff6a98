"""The pages Inside, Positions, Laboratory, Lesson and Overview: arithmetic under the pointer, dragging, steps."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.teaching.scoring import draw_sample, predict
from tests.browser.actions import bounding_box, button_name, eventually, message_in, wait_until_idle
from viz.components.modules import join
from viz.lesson.scenes import SCENES

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).parents[2]
SENTENCE = "text=the+cat+is+sleeping+on+the+sofa+."
MOVES = {
    "test_a_first_visit_begins_at_the_first_step_and_the_query_slides_over_the_keys",
    "test_played_steps_follow_each_other_and_the_softmax_ends_at_the_models_weights",
    "test_nothing_moves_with_reduced_motion",
    "test_the_prediction_of_the_kernel_follows_the_drag_and_the_width_can_be_learned",
}
"""Tests of animations (``open_page`` in conftest.py)."""


def numbers(text: str) -> list[float]:
    """The numbers in a line of arithmetic."""
    return [float(number.replace("−", "-")) for number in re.findall(r"−?\d+(?:\.\d+)?", text)]


@pytest.mark.by_day
def test_a_scores_arithmetic_adds_up_to_the_score_that_is_shown(open_page):
    page = open_page(f"?{SENTENCE}&inside.step=scores", path="inside")
    line = page.locator(".inside .line")
    line.wait_for()
    folded = line.locator(".rest")
    if folded.count():
        folded.click()
    terms = [numbers(term.inner_text()) for term in line.locator(".term").all()]
    score = numbers(line.locator(".result").inner_text())[0]
    assert len(terms) >= 4
    assert sum(a * b for a, b in terms) == pytest.approx(score, abs=0.05 * len(terms))


def test_pointing_at_another_key_shows_its_arithmetic_and_a_click_selects_it(open_page):
    page = open_page(f"?{SENTENCE}&inside.step=scores", path="inside")
    line = page.locator(".inside .line")
    line.wait_for()
    scores = page.locator(".inside canvas").last
    wait_until_idle(page)
    first = line.inner_text()
    assert "end" not in first

    def choose_last_key(act: Callable[..., None]) -> None:
        width, height = scores.evaluate("canvas => [canvas.clientWidth, canvas.clientHeight]")
        act(position={"x": width / 2, "y": height - 6})
        assert "end" in line.inner_text()

    eventually(page, lambda: choose_last_key(scores.hover))
    eventually(page, lambda: choose_last_key(scores.click))
    page.mouse.move(5, 5)
    expect(line).to_contain_text("end")
    scores.press("Escape")
    expect(line).to_have_text(first)


@pytest.mark.parametrize("touch", [False, True])
def test_a_pair_of_all_queries_and_keys_is_chosen_by_keyboard_and_by_touch(open_page, touch):
    width = 390 if touch else 1440
    page = open_page(f"?{SENTENCE}&inside.step=scores&inside.shown=matrix", path="inside", touch=touch, width=width)
    line, scores = page.locator(".inside .line"), page.locator(".inside canvas").nth(2)
    wait_until_idle(page)
    first = line.inner_text()
    ending = "end]" if touch else ", sleeping]"
    assert ending not in first

    def choose_another_key() -> None:
        if touch:
            box = bounding_box(scores)
            assert box["x"] + box["width"] <= width
            scores.tap(position={"x": box["width"] - 5, "y": 5})
        else:
            for key in ("Escape", "ArrowUp", *["ArrowLeft"] * 9, *["ArrowRight"] * 3):
                scores.press(key)
        assert ending in line.inner_text()

    eventually(page, choose_another_key)
    score = numbers(line.locator(".result").inner_text())[0]
    assert numbers(page.locator(".inside .strip .caption").inner_text())[-1] == pytest.approx(score, abs=0.011)
    if not touch:
        page.keyboard.press("Escape")
        expect(line).to_have_text(first)


def test_on_a_phone_a_sign_begins_the_block_that_follows_it(open_page):
    page = open_page(f"?{SENTENCE}&inside.step=scores&inside.shown=matrix", path="inside", width=390)
    page.locator(".inside .line").wait_for()
    expect(page.locator(".inside .grid > .sign")).to_have_count(0)
    assert page.locator(".inside figcaption .sign").all_inner_texts() == ["·", "="]


def chosen_step(page: Page) -> str:
    return page.locator("[data-testid=stMain] [aria-checked=true], [data-testid=stMain] [aria-pressed=true]").filter(
        has_text=re.compile(r"^\d+ ")
    ).inner_text()  # fmt: skip


@pytest.mark.by_day
def test_a_first_visit_begins_at_the_first_step_and_the_query_slides_over_the_keys(open_page):
    page = open_page(f"?{SENTENCE}", path="inside")
    line, following = page.locator(".inside .line"), page.locator(".inside .steps .next")
    line.wait_for()
    assert chosen_step(page) == "1 Input"
    for step in ("q, k, v", "Split", "q·k"):
        expect(following).to_have_text(f"Next: {step} →")
        following.click()
        page.wait_for_function(
            "step => document.querySelector('[data-testid=stMain]').innerText.includes(step)", arg=step
        )
    page.wait_for_url("**inside.step=scores**")
    expect(page.locator(".inside .ghost")).to_have_count(1)
    first = line.inner_text()
    expect(line).not_to_have_text(first)
    page.locator(".inside canvas").first.click()
    expect(page.locator(".inside .ghost")).to_have_count(0)
    expect(page.locator(".inside[data-moving]")).to_have_count(0)


def test_played_steps_follow_each_other_and_the_softmax_ends_at_the_models_weights(open_page):
    page = open_page(f"?{SENTENCE}&inside.step=mask", path="inside")
    page.locator(".inside .steps .play").click()
    page.wait_for_url("**inside.step=softmax**")
    page.wait_for_url("**inside.step=mix**")
    expect(
        page.locator('.inside canvas[aria-label*="weighted sum"]')
    ).to_be_visible()  # the address changes before the picture
    page.locator(".inside .steps .play").click()
    expect(page.locator(".inside[data-moving]")).to_have_count(0)
    expect(page.locator(".inside .steps .play")).to_have_text("▶ Play")
    result = page.locator(".inside .result").inner_text()
    page.locator(".inside canvas").last.press("Escape")
    expect(page.locator(".inside .result")).to_have_text(result)


def test_nothing_moves_with_reduced_motion(open_page):
    page = open_page(f"?{SENTENCE}&inside.step=split", path="inside")
    page.locator(".inside .line").wait_for()
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.locator(".inside .steps .next").click()
    page.wait_for_url("**inside.step=scores**")
    expect(page.locator(".inside .steps .next")).to_have_text("Next: ÷ √d →")
    expect(page.locator(".inside .steps .play")).to_have_count(0)
    expect(page.locator(".inside .ghost")).to_have_count(0)


def test_choosing_a_step_lights_another_part_of_the_formula(open_page):
    page = open_page(f"?{SENTENCE}&inside.step=scores", path="inside")
    page.locator(".katex").first.wait_for()
    before = page.locator("[data-testid=stMarkdownContainer] .katex").first.inner_html()
    page.get_by_role("button", name=re.compile("Softmax")).or_(
        page.get_by_role("radio", name=re.compile("Softmax"))
    ).first.click()
    expect(page.locator(".inside .line")).to_contain_text("Σ")
    assert page.locator("[data-testid=stMarkdownContainer] .katex").first.inner_html() != before


def test_the_prediction_of_the_kernel_follows_the_drag_and_the_width_can_be_learned(open_page):
    page = open_page(f"?{SENTENCE}&laboratory.part=kernel", path="laboratory")
    root = page.locator(".kernel")
    root.wait_for()
    plot = page.locator(".kernel .plot")
    wait_until_idle(page)

    def drag_query() -> None:
        plot.hover()
        box = bounding_box(plot)
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 60)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 60)
        page.mouse.up()
        assert 3 < float(plot.get_attribute("aria-valuenow") or "nan") < 4

    eventually(page, drag_query)
    query = float(plot.get_attribute("aria-valuenow") or "nan")
    answer, width = (float(root.get_attribute(f"data-{name}") or "nan") for name in ("answer", "width"))
    sample = draw_sample(40, seed=0)
    # The page rounds the query to two digits.
    assert answer == pytest.approx(float(predict(np.array([query]), sample, width)[0]), abs=0.03)
    page.get_by_role("button", name="Learn the width").click()
    page.wait_for_function("Math.abs(Number(document.querySelector('.kernel')?.dataset.width ?? "
                           "[...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('.kernel'))"
                           ".find(Boolean).dataset.width) - 1) > 0.3")  # fmt: skip


def test_a_scene_is_walked_through_by_a_student_alone(open_page, screenshot):
    page = open_page(f"?{SENTENCE}&lesson.scene=explain", path="lesson")
    page.locator("label").filter(has_text=message_in("en", "lesson.explain_options").partition("|")[0]).click()
    page.get_by_role("button", name=button_name(message_in("en", "lesson.vote"))).click()
    expect(page.locator(".st-key-lesson-steps .stSelectbox input").last).to_have_value("13 · Is it an explanation? ✓")
    change = page.get_by_role("button", name="Switch this head off")
    change.click()
    expect(page.get_by_text("Probability of the whole translation", exact=False)).to_be_visible()
    assert "lesson.votes=" in page.url and "interventions=off" in page.url
    screenshot(page, "lesson-explain")
    wait_until_idle(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_text(message_in("en", "lesson.explain_reply").partition("|")[0], exact=True)).to_be_visible()
    wait_until_idle(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_text(f"Scene 14 of {len(SCENES)}", exact=False)).to_be_visible()


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_on_a_projector_the_whole_question_is_in_sight_in_large_type(open_page, language):
    page = open_page(f"?model=en-fr&presenter=1&language={language}", path="lesson", width=1280, height=720)
    for option in message_in(language, "lesson.box_options").split("|"):
        expect(page.get_by_text(option, exact=True)).to_be_in_viewport()
    size = page.locator(".target-row .token").first.evaluate("token => parseFloat(getComputedStyle(token).fontSize)")
    assert size >= 24


def test_the_last_scene_shows_the_map_of_the_chosen_head(open_page):
    page = open_page(f"?{SENTENCE}&lesson.scene=share&lesson.votes=share1&kind=cross&layer=0&head=1", path="lesson")
    expect(page.get_by_role("combobox", name=message_in("en", "inside.head"))).to_have_value(
        message_in("en", "positions.head", n=1)
    )
    before = page.locator(".js-plotly-plot").first.locator(".hm image").first.get_attribute("href")
    page.get_by_text("Encoder", exact=True).click()
    expect(page.locator(".js-plotly-plot .hm image").first).not_to_have_attribute("href", before or "")


def test_a_head_on_the_map_of_the_model_leads_into_that_head(open_page, screenshot):
    page = open_page(f"?{SENTENCE}", path="overview")
    heads = page.locator(".overview .head.cross")
    heads.first.wait_for()
    screenshot(page, "overview")
    heads.nth(1).click()
    page.locator(".inside .line").wait_for()
    assert "/inside" in page.url and "head=1" in page.url


def test_on_a_phone_the_decoder_is_above_the_encoder_and_nothing_is_cut_off(open_page, screenshot):
    page = open_page(f"?{SENTENCE}", path="overview", width=390)
    page.locator(".overview .box").first.wait_for()

    def nothing_is_cut_off_and_the_decoder_stands_above() -> None:
        boxes = page.locator(".overview .box > rect").evaluate_all(
            "all => all.map((e) => e.getBoundingClientRect().toJSON())"
        )
        assert len(boxes) > 8 and all(box["left"] >= 0 and box["right"] <= 390 for box in boxes)
        encoder = page.locator(".overview .box.encoder_self").first.bounding_box()
        decoder = page.locator(".overview .box.decoder_self").first.bounding_box()
        assert encoder is not None and decoder is not None and decoder["y"] + decoder["height"] < encoder["y"]

    eventually(page, nothing_is_cut_off_and_the_decoder_stands_above)
    screenshot(page, "overview-phone")


def test_from_a_head_in_explore_one_click_leads_inside_and_one_back(open_page):
    page = open_page(f"?{SENTENCE}&kind=cross&layer=1&head=1")
    page.get_by_role("button", name="Look inside").click()
    page.locator(".inside .line").wait_for()
    assert "/inside" in page.url and "layer=1" in page.url and "head=1" in page.url
    page.get_by_text("See it in Explore").click()
    page.get_by_role("button", name="Look inside").wait_for()
    assert "/inside" not in page.url and "head=1" in page.url


def test_highlights_on_the_stage_end_with_their_scene(open_page):
    page = open_page(f"?{SENTENCE}&lesson.scene=head&lesson.votes=head1.heads1", path="lesson")
    page.locator(".inside .line").wait_for()
    lit = page.locator(".target-row .token[data-focus]")
    expect(lit).to_have_count(1)
    page.locator(".st-key-lesson-next button").click()
    expect(page.get_by_text(f"Scene 5 of {len(SCENES)}", exact=False)).to_be_visible()
    expect(page.locator(".inside")).to_have_count(0)
    expect(lit).to_have_count(0)
    shades = page.locator(".source-row .token").evaluate_all(
        "tokens => tokens.map((token) => Number(token.style.getPropertyValue('--weight')))"
    )
    assert not any(shades)


def test_large_numbers_are_written_in_scientific_notation(browser):
    code = join(ROOT / "viz/components/inside/js/numbers.js")
    page = browser.new_page()
    numbers = [1.1044904060990698e22, -3.5e7, 123456, 12.345, 0.0042]
    short, exact = page.evaluate(
        f"(numbers) => {{ {code}; return [numbers.map(brief), numbers.map(exact)]; }}", numbers
    )
    page.close()
    assert short == ["1.1e+22", "−3.5e+7", "123456", "12.3", "0.004"]
    assert exact[:2] == ["1.1045e+22", "−3.5000e+7"]
