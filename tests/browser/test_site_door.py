"""The first screen of the static site: the effect of a change, sharing it, and tabs that stay in place."""

import base64
import re
from urllib.parse import quote_plus

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import model
from model.decoding.sampling import Sampling
from model.teaching.choosing import telling
from tests.browser.actions import LOCALES, assert_shared_files, eventually, message_in
from tests.browser.static_site import GO_HOME, MAN_BITES_DOG, PATIENCE, expect_translation, wait_for_model
from tests.browser.test_story import assert_shares
from tests.serving import ROOT

pytestmark = pytest.mark.nightly
TABS = ("head", "heads", "model", "break", "sentence")
MOVED = """() => [".stage-source", ".stage-target", ".heads-grid", ".stage-bars", ".levels-nav"].map(each =>
    Math.round(document.querySelector(each).getBoundingClientRect().top))"""


def wait_for_animations(page: Page) -> None:
    """Wait until no animation runs and the page is not busy."""
    page.wait_for_function("() => !document.getAnimations().length && !document.querySelector('.showing[data-busy]')")


def switch_head_off(page: Page) -> None:
    """Switch off the head that the page suggests."""
    page.locator(".way-surprise").click()
    page.locator(".stage-target del").wait_for()


@pytest.mark.nightly("1280-800")
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_change_is_explained_and_moves_nothing(open_site, width: int, height: int) -> None:
    page = wait_for_model(open_site(width=width, height=height))
    ablation = telling(model.load(), GO_HOME)
    assert ablation is not None
    expect(page.locator(".heads-name")).to_contain_text("picks “")
    wait_for_animations(page)
    before = page.evaluate(MOVED)
    switch_head_off(page)
    expect(page.locator(".stage-same")).to_contain_text(f"Without head {ablation.layer}·{ablation.head}, “")
    wait_for_animations(page)
    assert page.evaluate(MOVED) == before
    page.locator('[data-name="undo"]').click()
    expect(page.locator(".way-surprise")).to_be_focused()
    wait_for_animations(page)
    assert page.evaluate(MOVED) == before


def test_a_change_is_shared_as_a_link_a_picture_and_a_loop_of_ten_seconds(open_site) -> None:
    dialog = open_share_dialog(open_site)
    link = dialog.get_by_role("textbox").input_value()
    assert_shared_files(dialog.page, dialog)
    dialog.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    recipient = open_site(link[link.index("?") :])
    ablation = telling(model.load(), GO_HOME)
    assert ablation is not None
    expect_translation(recipient, ablation.after)
    expect(recipient.locator(".stage-target del")).to_be_visible()


NO_WEBP = """
const whole = HTMLCanvasElement.prototype.toBlob;
HTMLCanvasElement.prototype.toBlob = function (take, type, quality) {
  return whole.call(this, take, type === "image/webp" ? "image/png" : type, quality);
};
localStorage.setItem("regard-met", "1");
"""
"""Makes canvases encode a PNG in place of a WebP, as browsers without a WebP encoder do."""
PLAYED = """async ([content, type]) => {
  const video = document.createElement("video");
  video.muted = true;
  video.src = URL.createObjectURL(await (await fetch(`data:${type};base64,${content}`)).blob());
  const at = async seconds => {
    const is_there = new Promise(resolve => video.addEventListener("seeked", resolve, { once: true }));
    video.currentTime = seconds;
    await is_there;
    const canvas = Object.assign(document.createElement("canvas"), { width: 96, height: 54 });
    const pen = canvas.getContext("2d");
    pen.drawImage(video, 0, 0, 96, 54);
    return [...pen.getImageData(0, 0, 96, 54).data];
  };
  await new Promise((resolve, reject) => Object.assign(video, { onloadeddata: resolve, onerror: reject }));
  const [written, changed] = [await at(3), await at(8)];
  await at(1000); // only then is the length of a recording known
  return { size: [video.videoWidth, video.videoHeight], seconds: video.currentTime, written, changed };
}"""
"""Plays a video and returns two of its frames."""


def open_share_dialog(open_site, script: str = "") -> Locator:
    """Open the dialog of a change in a browser that has run a script first."""
    page = wait_for_model(open_site(prepare=lambda page: page.add_init_script(script)))
    switch_head_off(page)
    page.locator('[data-name="share_change"]').click()
    return page.get_by_role("dialog")


def test_a_browser_that_encodes_no_webp_records_the_loop_as_a_video(open_site, browser: Browser) -> None:
    dialog = open_share_dialog(open_site, NO_WEBP)
    with dialog.page.expect_download(timeout=PATIENCE) as saved:
        dialog.get_by_role("button", name="Save the loop").click()
    kind = saved.value.suggested_filename.removeprefix("regard.")
    assert kind in ("mp4", "webm")
    player = browser.new_page()
    content = saved.value.path().read_bytes()
    frames = player.evaluate(PLAYED, [base64.b64encode(content).decode(), f"video/{kind}"])
    player.close()
    assert frames["size"] == [960, 540] and 9.5 < frames["seconds"] < 13
    differences = np.abs(np.subtract(frames["written"], frames["changed"]))
    assert (differences > 40).sum() > 50  # words are struck out and others inserted


def test_a_browser_that_can_make_no_loop_gets_a_message(open_site) -> None:
    dialog = open_share_dialog(open_site, f"{NO_WEBP}; window.MediaRecorder = undefined;")
    dialog.get_by_role("button", name="Save the loop").click()
    expect(dialog).to_contain_text("cannot make a loop")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_tabs_stay_where_they_are(open_site, width: int, height: int) -> None:
    page = wait_for_model(open_site(width=width, height=height))
    wait_for_animations(page)
    tabs = page.locator(".levels-nav")
    box = tabs.bounding_box()

    def tabs_have_not_moved() -> None:
        page.evaluate("scrollTo(0, 0)")  # the page scrolls to a plan that would end below the screen
        assert tabs.bounding_box() == box

    for view in TABS:
        page.locator(f'[role="tab"][data-view="{view}"]').click()
        page.locator(f'[role="tab"][data-view="{view}"][aria-selected="true"]').wait_for()
        wait_for_animations(page)
        eventually(page, tabs_have_not_moved)


UNDER_PLAN = """() => [...document.querySelectorAll(".plan-tokens span")].every(each =>
    each.getBoundingClientRect().bottom <= document.querySelector(".page-nav").getBoundingClientRect().top)"""
COVERED_SQUARES = """() => [...document.querySelectorAll(".plan-box:not(.plain)")].filter(box => {
  const lefts = [...box.querySelectorAll(".plan-head")].map(each => each.getBoundingClientRect().left);
  return box.querySelector("text").getBoundingClientRect().right > Math.min(...lefts);
}).map(box => box.textContent)"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
@pytest.mark.parametrize("language", LOCALES)
def test_the_plan_of_the_whole_model_is_above_a_phones_tabs(
    open_site, language: str, width: int, height: int, dark: bool
) -> None:
    def prepare(page: Page) -> None:
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")

    page = wait_for_model(open_site(width=width, height=height, locale=LOCALES[language], prepare=prepare))
    press_word = page.get_by_text(message_in(language, "site.press_word"))
    expect(press_word).to_be_visible()
    page.locator('[role="tab"][data-view="model"]').click()
    expect(page.locator(".plan-tokens span").nth(4)).to_be_attached()
    expect(press_word).to_be_hidden()  # a phone has no ribbons
    if width == 390:  # the plan does not fit a smaller screen
        page.wait_for_function(UNDER_PLAN)
    page.locator(".plan-head").first.wait_for(state="attached")
    eventually(page, lambda: page.evaluate(COVERED_SQUARES) == [])
    page.locator(".way-surprise").click()
    expect(page.locator(".stage-same")).to_contain_text(re.compile(r"\d·\d"))


def test_a_term_opens_its_entry_of_the_glossary_and_escape_closes_it(open_site) -> None:
    page = wait_for_model(open_site())
    for term in ("decoder", "cross-attention"):
        page.locator(".term", has_text=term).first.click()
        expect(page.locator(".term-about")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".term-about")).to_have_count(0)
        expect(page.locator(".term", has_text=term).first).to_be_focused()


def test_the_end_of_a_sentence_is_called_the_end(open_site) -> None:
    page = wait_for_model(open_site())
    expect(page.locator(".stage-source [data-special]")).to_have_text("end")
    page.locator(".stage-target [data-special]").click()
    expect(page.locator(".stage-bars .bar").first).to_contain_text("end")
    page.get_by_role("tab", name="All heads").click()
    page.locator(".regard[data-drawn-main]").wait_for()
    page.locator(".map-cell").press("End")
    expect(page.locator(".map-cell")).to_have_attribute("aria-label", re.compile("looks at end"))
    assert "</s>" not in page.locator("#app").inner_text()


def test_the_bars_on_the_stage_follow_the_handles(open_site) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}&level=break"))
    page.locator('[data-name="target 1"]').click()
    handle = page.locator('.levels-panel [data-name="heat"]')
    greedy_bars = page.locator(".stage-bars .number").all_inner_texts()
    handle.evaluate("each => { each.value = 15; each.dispatchEvent(new Event('input')); }")
    eventually(page, lambda: page.locator(".stage-bars .number").all_inner_texts() != greedy_bars)
    handle.fill("15")
    page.wait_for_url("**temperature=1.5*")
    sampling = Sampling(temperature=1.5, seed=1)
    trace = model.translate(
        model.load(ROOT / "pretrained" / "en-fr"), MAN_BITES_DOG, method="sample", sampling=sampling
    )
    expect_translation(page, trace.text)
    page.locator('[data-name="target 1"]').click()
    assert_shares(page, ".stage-bars .bar", trace, 1, sampling)
