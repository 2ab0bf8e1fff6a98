"""The levels of the static site: one head, all heads, the whole model, and interventions that break it."""

from urllib.parse import quote_plus

import numpy as np
import pytest
from playwright.sync_api import expect

import model
from model.interpret.ablation import head_effects
from tests.browser.actions import PATIENCE, url_params
from tests.browser.static_site import (
    EFFECTS,
    GO_HOME,
    MAN_BITES_DOG,
    TWO_FRAMES,
    enter_sentence,
    expect_score,
    expect_translation,
    translation_text,
    wait_for_model,
)

pytestmark = pytest.mark.nightly
COUNT_MOVES = """() => {
  window.moves = 0;
  const { scrollIntoView } = Element.prototype;
  Element.prototype.scrollIntoView = function (...how) { window.moves += 1; scrollIntoView.apply(this, how); };
}"""


def test_drawings_follow_the_colour_scheme_and_printing(open_site) -> None:
    page = wait_for_model(open_site("?model=tiny&level=heads"))
    page.locator(".regard[data-drawn-main]").wait_for()
    image = page.evaluate("document.querySelector('.map-base').toDataURL()")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("before => document.querySelector('.map-base').toDataURL() !== before", arg=image)
    dark = page.evaluate("document.querySelector('.map-base').toDataURL()")
    page.evaluate(
        "addEventListener('beforeprint', () => { window.printed = document.querySelector('.map-base').toDataURL(); })"
    )
    page.pdf()
    assert page.evaluate("printed") == image
    assert page.evaluate("document.querySelector('.map-base').toDataURL()") == dark


COUNT_SCORES = """
window.scores = 0;
window.failing = true;
window.Worker = class extends Worker {
  postMessage(message) {
    if (message.kind !== "score") return super.postMessage(message);
    window.scores += 1;
    const id = window.failing && window.scores === 3 ? { kind: "no such request" } : {};
    return super.postMessage({ ...message, ...id });
  }
};
"""
"""Counts the forward passes that score a translation; while `failing` is true, the worker fails at the third."""


def test_every_head_is_tried_once_on_the_sentence_on_screen_as_python_does_and_again_after_an_error(open_site) -> None:
    page = wait_for_model(open_site(prepare=lambda page: page.add_init_script(COUNT_SCORES)))
    enter_sentence(page, MAN_BITES_DOG)
    bundle = model.load()
    trace = model.translate(bundle, MAN_BITES_DOG)
    expect_translation(page, trace.text)
    wait_for_model(page)
    page.locator(".heads-matter").click()
    expect(page.locator(".heads [role=status]")).to_contain_text("Press the button to try again")
    page.evaluate("Object.assign(window, { failing: false, scores: 0 })")
    page.evaluate("() => { for (let i = 0; i < 3; i++) document.querySelector('.heads-matter').click(); }")
    expect(page.locator(".heads")).to_contain_text("The fuller a square")
    effects = head_effects(bundle, trace).totals("cross")
    effects_on_page = page.evaluate(EFFECTS)
    assert len(effects_on_page) == effects.size
    assert int(np.argmax(effects_on_page)) == int(effects.argmin())
    assert np.allclose(effects_on_page, np.clip(-effects.ravel() / max(1, -effects.min()), 0, 1), atol=0.01)
    assert page.evaluate("scores") == effects.size + 1  # one of them for the first press


def test_a_pressed_tab_keeps_the_focus_for_the_arrow_keys(open_site) -> None:
    page = wait_for_model(open_site("?model=tiny"))
    page.get_by_role("tab", name="One head").click()
    expect(page.get_by_role("tab", name="One head")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="All heads")).to_be_focused()
    expect(page.locator('[role=tab][aria-selected="true"]')).to_have_text(["All heads"])


@pytest.mark.by_day
def test_one_head_is_shown_number_by_number(open_site) -> None:
    page = wait_for_model(open_site("?level=head&layer=2&head=1"))
    page.locator('[data-name="target 2"]').click()
    page.locator(".inside .result").wait_for()
    trace = model.record(model.load(), GO_HOME, names=("decoder.2.cross.scores",))
    scores = trace["decoder.2.cross.scores"][0, 1, 2]
    expect_score(page, scores)


def test_a_key_ends_the_play(open_site) -> None:
    page = open_site("?level=head&layer=2&head=1")
    expect(page.locator(".inside-said")).to_contain_text("meets each key", timeout=PATIENCE)
    page.locator(".inside .block", has_text="÷ √32").locator("canvas").press("ArrowDown")
    # Without waiting: at its end the animation would show the same.
    assert page.locator(".inside-said").inner_text() == "Point at a number, or use the arrow keys."


def test_the_whole_model_writes_the_sentence_word_by_word(open_site) -> None:
    page = wait_for_model(open_site("?level=model"))
    expect(page.locator(".plan-box")).to_have_count(4 * 2 + 4 * 3)
    expect(page.locator(".levels-panel")).to_contain_text("the translation is complete", timeout=PATIENCE)
    expect(page.locator(".plan-output")).to_have_text("→ end")


def test_each_question_sets_the_page_above_and_back_returns(open_site) -> None:
    page = wait_for_model(open_site())
    questions = page.locator("[data-question]")
    expect(questions).to_have_count(6)
    for question in questions.all():
        question.click()
        name = question.get_attribute("data-question")
        address_part = {"positions": "move%3Areverse", "head": "level=head", "heads": "off%3Ax", "model": "level=model",
                  "words": "method=sample"}.get(str(name), "text=")  # fmt: skip
        page.wait_for_url(f"**{address_part}*")
        wait_for_model(page)
    page.go_back()
    page.wait_for_url("**level=model*")
    expect(page.get_by_role("tab", name="The whole model")).to_have_attribute("aria-selected", "true")


def test_a_temperature_changes_the_translation_and_the_seed_in_the_link_restores_it(open_site) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}&method=sample&temperature=1.8&seed=5"))
    sampled = translation_text(page)
    page.reload()
    wait_for_model(page)
    assert translation_text(page) == sampled
    assert sampled != model.translate(model.load(), MAN_BITES_DOG).text.replace(" ", "")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_broken_translation_is_visible_beside_the_intervention(open_site, width: int) -> None:
    bundle = model.load()
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}", width=width))
    page.get_by_role("tab", name="Break it").click()
    expect(page.get_by_role("tab", name="Break it")).to_be_in_viewport(ratio=1)
    plain = model.translate(bundle, MAN_BITES_DOG).text
    page.locator(".levels-panel").get_by_role("button", name="reversed").click()
    changes = model.Interventions(source_positions=model.PositionEdit("reverse"))
    expect_translation(page, model.translate(bundle, MAN_BITES_DOG, interventions=changes).text)
    expect(page.locator(".stage-target del").first).to_be_attached()
    expect(page.locator(".stage-target")).to_be_in_viewport(ratio=0.9)
    assert url_params(page)["interventions"] == "move:reverse.0"
    page.locator(".levels-panel").get_by_role("button", name="as it is").click()
    hidden = page.locator(".site-hiding").get_by_role("button", name="man")
    hidden.click()
    expect(hidden).to_have_attribute("aria-pressed", "true")
    assert url_params(page)["interventions"] == "block:x.1..."
    hidden.click()
    expect_translation(page, plain)
    expect(page.locator(".stage-target del")).to_have_count(0)
    assert "interventions" not in url_params(page)


@pytest.mark.nightly("390")
@pytest.mark.parametrize("width", [1280, 390])
def test_levels_open_in_the_place_of_the_sentence_and_back_and_escape_leave_them(open_site, width: int) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}", width=width))
    page.get_by_role("tab", name="The whole model").click()
    for part in (".plan-output", ".plan-tokens >> nth=0"):  # the whole plan fits one screen
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator(".stage-sentence")).to_be_hidden()  # the plan shows the sentence at its bottom
    expect(page.locator(".plan-tokens").first).to_contain_text("dog")
    page.go_back()
    expect(page.locator(".stage-sentence")).to_be_visible()
    expect(page.locator(".levels-panel")).to_be_hidden()
    square = page.locator('.heads-square[aria-checked="true"]')
    square.click()
    page.locator(".inside .result").wait_for()
    assert url_params(page)["level"] == "head"
    page.keyboard.press("Escape")
    expect(page.locator(".levels-panel")).to_be_hidden()
    assert "level" not in url_params(page)
    expect(page.get_by_role("tab", name="The sentence")).to_be_focused()


def test_after_back_nothing_moves_between_a_press_and_its_release(open_site) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}", width=390))
    page.get_by_role("tab", name="The whole model").click()
    page.locator(".plan-output").wait_for()
    page.wait_for_function("() => scrollY > 0")  # to the plan
    page.evaluate(COUNT_MOVES)
    page.go_back()
    page.locator(".stage-sentence").wait_for()
    page.evaluate(TWO_FRAMES)  # in the first one the browser scrolls to where the reader was
    page.locator('.heads-square[aria-checked="true"]').hover()
    page.mouse.down()
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("moves") == 0
    page.mouse.up()
    page.locator(".inside .result").wait_for()


def test_the_heads_that_change_the_translation_are_those_that_the_library_finds(open_site) -> None:
    bundle = model.load()
    page = wait_for_model(open_site("?level=heads"))
    page.locator(".matters > button").click()
    summary = page.locator(".matters span")
    expect(summary).to_contain_text("heads change", timeout=4 * PATIENCE)  # 32 translations
    trace = model.translate(bundle, GO_HOME)
    assert trace.attention.cross is not None
    layers, heads = trace.attention.cross.shape[:2]
    ablations = [model.Interventions((model.HeadOff("cross", *place),)) for place in np.ndindex(layers, heads)]
    texts = [model.translate(bundle, GO_HOME, interventions=ablation).text for ablation in ablations]
    changing = sum(text != trace.text for text in texts)
    expect(summary).to_contain_text(f"{changing} of these {layers * heads} heads")
    expect(page.locator(".rings div")).to_have_count(changing)
    expect(page.locator(".site-status")).to_be_empty()


def test_a_change_without_effect_is_reported_beside_the_sentence(open_site) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}&interventions=off:x.0.0", width=390))
    notice = page.locator(".showing .stage-same")
    expect(notice).to_contain_text("The translation stays the same")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(notice).to_contain_text("Click any word")


def test_the_interventions_are_shown_whenever_their_level_is_opened(open_site) -> None:
    page = open_site(f"?text={quote_plus(MAN_BITES_DOG)}")
    page.locator(".showing[data-live]").wait_for()
    for view in ("break", "heads", "break"):
        page.locator(f'[role=tab][data-view="{view}"]').click()
        if view == "break":
            expect(page.locator(".levels-panel .site-experiment").first).to_be_visible()
    led = open_site("?level=break", width=390, height=844)
    expect(led.locator(".levels-panel .site-experiment").first).to_be_visible()


def test_a_forced_row_attends_where_it_is_set(open_site) -> None:
    bundle = model.load()
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}&layer=3&head=6&level=break"))
    page.get_by_text("Choose where a row looks").click()
    page.get_by_label("Row", exact=True).select_option("1")
    page.locator(".site-forcing").get_by_role("button", name="dog").click()
    expect(page.get_by_role("button", name="cross 3·6, row 2 chosen")).to_be_visible()
    place = [piece.strip("▁") for piece in model.translate(bundle, MAN_BITES_DOG).source.pieces].index("dog")
    row = model.ForcedRow("cross", 3, 6, 1, tuple(float(key == place) for key in range(place + 1)))
    expected = model.translate(bundle, MAN_BITES_DOG, interventions=model.Interventions(forced_rows=(row,)))
    expect_translation(page, expected.text)
    assert url_params(page)["interventions"] == f"force:x.3.6.1={place * '0,'}1"


def test_a_level_that_is_left_before_its_numbers_arrive_causes_no_error(open_site) -> None:
    page = wait_for_model(open_site())
    page.get_by_role("tab", name="One head").click()
    page.locator(".inside .result").wait_for()
    page.evaluate("""async () => {
      const open = view => document.querySelector(`[data-view="${view}"]`).click();
      for (let i = 0; i < 5; i++) {
        open("head");
        await new Promise(resolve => setTimeout(resolve)); // the worker has been asked
        open("sentence");
      }
    }""")
    enter_sentence(page, MAN_BITES_DOG)
    # The worker has then answered everything, and no error was logged.
    expect_translation(page, model.translate(model.load(), MAN_BITES_DOG).text)


def test_on_a_phone_an_experiment_is_between_the_sentence_and_the_bars_that_it_changes(open_site) -> None:
    page = wait_for_model(open_site("?level=break", width=390, height=844))
    heat = page.locator('.site-controls [data-name="heat"]')
    heat.evaluate("each => scrollBy({ top: each.getBoundingClientRect().top - 450, behavior: 'instant' })")
    for part in (page.locator(".stage-target .stage-token").first, page.locator(".stage-bars .bar").first, heat):
        expect(part).to_be_in_viewport(ratio=1)
    before = page.locator(".stage-bars .number").first.inner_text()
    heat.fill("20")
    expect(page.locator(".stage-bars .number").first).not_to_have_text(before)
