"""Switching models, a failing worker and the levels on the static site: everything on screen belongs to the named
model and word."""

import pytest
from playwright.sync_api import Page, Route, expect

import model
from benchmarks.serving import ROOT
from tests.browser.static_site import enter_sentence, expect_translation, status_line, translation_text, wait_for_model
from tests.browser.waiting import PATIENCE, eventually

pytestmark = pytest.mark.nightly
OWN = "The old dog sleeps here."
"""A sentence whose translation is not stored on the site."""
INK = """async () => {
  const { width, height } = document.querySelector(".stage-ribbons");
  const pen = document.querySelector(".stage-ribbons").getContext("2d");
  const ink = () => pen.getImageData(0, 0, width, height).data
    .reduce((sum, value, i) => sum + (i % 4 === 3 && value > 0), 0);
  let [now, frames] = [ink(), 0];
  while (frames < 10) {
    await new Promise(requestAnimationFrame);
    const before = now;
    now = ink();
    frames = now === before ? frames + 1 : 0;
  }
  return now;
}"""
"""The number of pixels of the ribbons once it has been the same for ten frames."""


def wait_until_written(page: Page) -> None:
    """Wait until the sentence is written."""
    page.wait_for_function("() => !document.querySelector('[data-later], [data-name=pause]')")


@pytest.mark.by_day
def test_no_translation_is_shown_under_another_models_name(open_site) -> None:
    held_routes: list[Route] = []
    page = open_site(
        prepare=lambda page: page.route("**/models/tiny/*.safetensors", lambda route: held_routes.append(route))
    )
    wait_for_model(page)
    of_the_first = model.translate(model.load(), OWN).text.replace(" ", "")
    enter_sentence(page, OWN)
    expect_translation(page, of_the_first)
    models = page.get_by_role("combobox", name="Model")
    models.select_option("tiny")
    expect(page.locator(".stage-skeleton")).to_be_visible()
    assert translation_text(page) == ""
    eventually(page, lambda: bool(held_routes))
    models.select_option("en-fr")
    held_routes.pop().abort()  # the abandoned model need not load
    expect_translation(page, of_the_first)
    expect(status_line(page)).not_to_contain_text("could not be loaded")
    models.select_option("tiny")
    eventually(page, lambda: bool(held_routes))
    held_routes.pop().abort()
    expect(status_line(page)).to_contain_text("could not be loaded", timeout=PATIENCE)
    assert translation_text(page) == ""
    page.unroute("**/models/tiny/*.safetensors")
    models.select_option("en-fr")
    expect_translation(page, of_the_first)
    models.select_option("tiny")
    expect_translation(page, model.translate(model.load(ROOT / "pretrained" / "tiny"), OWN).text.replace(" ", ""))


def test_one_head_is_requested_again_after_the_worker_failed(open_site) -> None:
    def fail_once(page: Page) -> None:
        def answer(route: Route) -> None:
            code = route.fetch().text()
            original = "const inside = ("
            assert original in code
            body = code.replace(original, "let failures = 0;\nconst inside = (...all) => {\n"
                                "  if (!failures++) throw new Error('once');\n  return compute(...all);\n};\n"
                                "const compute = (")  # fmt: skip
            route.fulfill(body=body, content_type="text/javascript")

        page.route("**/site/worker.js", answer)

    page = open_site("?level=head&layer=2&head=1", prepare=fail_once)
    expect(page.locator(".inside-said")).to_contain_text("Press the button to try again", timeout=PATIENCE)
    page.get_by_role("button", name="Play the steps").click()
    page.locator(".inside .block").first.wait_for()


def test_the_numbers_of_a_head_follow_the_sentence_to_the_word_where_it_rests(open_site) -> None:
    page = wait_for_model(open_site("?level=head&layer=2&head=1"))
    wait_until_written(page)
    first = page.locator('[data-name="target 0"]')
    first.click()
    eventually(page, lambda: expect_row(page, first.inner_text()))
    page.locator('[data-name="again"]').click()
    page.locator('[data-name="pause"]').wait_for()
    wait_until_written(page)
    word = page.locator('.stage-target [aria-pressed="true"]').inner_text()
    assert word != first.inner_text()
    eventually(page, lambda: expect_row(page, word))


def expect_row(page: Page, word: str) -> None:
    row_text = page.evaluate("""() => document.querySelector(".inside-holder").shadowRoot
        .querySelector(".block").textContent""")
    assert word in row_text, (word, row_text)


def test_the_ribbons_are_there_again_after_the_whole_model(open_site) -> None:
    page = wait_for_model(open_site())
    wait_until_written(page)
    before = page.evaluate(INK)
    assert before > 1000
    page.get_by_role("tab", name="The whole model").click()
    page.locator(".plan-box").first.wait_for()
    page.get_by_role("tab", name="The sentence").click()
    wait_until_written(page)

    def is_there() -> None:
        assert abs(page.evaluate(INK) - before) < 0.1 * before

    eventually(page, is_there)
