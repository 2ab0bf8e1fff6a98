"""The site before its model has loaded, while models are switched, and after its worker has failed."""

from functools import partial

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import model
from tests.browser.actions import LOCALES, PATIENCE, bounding_box, eventually
from tests.browser.static_site import (
    GO_HOME,
    MAN_BITES_DOG,
    change_worker,
    enter_sentence,
    expect_translation,
    hold_model_files,
    hold_requests,
    source_row,
    status_line,
    translation_text,
    wait_for_model,
)
from tests.serving import ROOT

pytestmark = pytest.mark.nightly

SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) shifts.push([value, sources.map(({ node }) => node?.className ?? node?.nodeName).join(" ")]);
}).observe({ type: "layout-shift", buffered: true });
"""
MAX_SHIFT = 0.02
"""The largest layout shift; Lighthouse calls 0.1 good."""


@pytest.mark.parametrize(("language", "width", "height"), [("en", 1440, 900), ("zh", 390, 844), ("fr", 390, 844)])
def test_nothing_jumps_while_it_loads_and_plays(
    browser: Browser, site_address: str, width: int, height: int, language: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": height}, locale=LOCALES[language])
    page.add_init_script(SHIFTS)
    page.set_default_timeout(PATIENCE)
    page.goto(site_address)
    wait_for_model(page)
    page.wait_for_function(
        "() => !document.querySelector('[data-later]') && !document.querySelector('[data-name=pause]')"
    )
    page.locator("[data-question]").first.wait_for(state="attached")
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < MAX_SHIFT, shifts
    page.close()


def test_a_press_on_a_tool_while_it_plays_is_not_only_a_pause(open_site) -> None:
    page = open_site()
    page.wait_for_function("() => document.querySelector('[data-name=pause]')")
    before, after = page.evaluate("""() => {
        const step = () => Number(/\\d+/.exec(document.querySelector(".stage-count").textContent)[0]);
        const tool = document.querySelector("[data-name=step_on]"), at = step();
        const { x, y } = tool.getBoundingClientRect();
        tool.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        document.elementFromPoint(x + 5, y + 5) === tool && tool.click();
        return [at, step()];
    }""")
    assert after == before + 1
    expect(page.locator("[data-name=play]")).to_be_visible()


def test_the_button_beside_a_long_text_is_as_high_as_one_line(open_site) -> None:
    page = wait_for_model(open_site(width=390))
    box, button = page.get_by_role("textbox"), page.get_by_role("button", name="Translate")
    one_line = bounding_box(box)["height"]
    box.fill(" ".join([MAN_BITES_DOG] * 12))
    assert bounding_box(box)["height"] > 3 * one_line
    assert abs(bounding_box(button)["height"] - one_line) < 2
    bottoms = [bounding_box(part)["y"] + bounding_box(part)["height"] for part in (box, button)]
    assert abs(bottoms[0] - bottoms[1]) < 1


def test_the_first_picture_needs_one_script_and_typed_text_stays_when_the_others_load(open_site) -> None:
    routes: list[Route] = []
    page = open_site(prepare=partial(hold_requests, pattern="**/site/deferred.js", routes=routes))
    page.wait_for_function("() => document.querySelector('.stage-target .stage-token') && "
                           "!document.querySelector('[data-later]')")  # fmt: skip
    assert translation_text(page) == model.translate(model.load(), GO_HOME).text.replace(" ", "")
    scripts = page.evaluate("performance.getEntriesByType('resource').map(each => each.name).filter(each => "
                            "each.endsWith('.js') || each.includes('models/'))")  # fmt: skip
    assert [script.rpartition("/")[2] for script in scripts if not script.endswith("deferred.js")] == ["main.js"]
    box = page.get_by_role("textbox")
    box.fill(MAN_BITES_DOG)
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("button", name="Traduire")).to_be_visible()
    expect(box).to_have_value(MAN_BITES_DOG)
    box.press("Enter")
    assert routes
    for route in routes:
        route.continue_()
    expect(box).to_have_value(MAN_BITES_DOG)
    expect_translation(page, model.translate(model.load(), MAN_BITES_DOG).text)
    expect(source_row(page)).to_contain_text("bites")
    assert "bites" in page.url


def test_the_model_takes_over_without_a_seam(open_site) -> None:
    """A model that arrives while the stored translation is written neither restarts it nor removes words."""
    page = open_site(prepare=lambda page: page.add_init_script("""
        window.written = [];
        const note = () => {
          const root = document.querySelector(".showing");
          if (root) {
            const later = root.querySelectorAll("[data-later]").length;
            written.push([later, "live" in root.dataset, root.querySelectorAll(".stage-target [data-place]").length]);
            if (!later && "live" in root.dataset) return;
          }
          requestAnimationFrame(note);
        };
        requestAnimationFrame(note);
    """))  # fmt: skip
    wait_for_model(page)
    page.wait_for_function("() => !document.querySelector('[data-later]')")
    steps = page.evaluate("written")
    remaining = [later for later, _, total in steps if total]
    assert remaining == sorted(remaining, reverse=True)


TYPED = "The old dog sleeps here."
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
    routes: list[Route] = []
    page = wait_for_model(open_site(prepare=partial(hold_model_files, routes=routes)))
    of_the_first = model.translate(model.load(), TYPED).text.replace(" ", "")
    enter_sentence(page, TYPED)
    expect_translation(page, of_the_first)
    models = page.get_by_role("combobox", name="Model")
    models.select_option("tiny")
    expect(page.locator(".stage-skeleton")).to_be_visible()
    assert translation_text(page) == ""
    eventually(page, lambda: bool(routes))
    models.select_option("en-fr")
    routes.pop().abort()  # the abandoned model need not load
    expect_translation(page, of_the_first)
    expect(status_line(page)).not_to_contain_text("could not be loaded")
    models.select_option("tiny")
    eventually(page, lambda: bool(routes))
    routes.pop().abort()
    expect(status_line(page)).to_contain_text("could not be loaded", timeout=PATIENCE)
    assert translation_text(page) == ""
    page.unroute("**/models/tiny/*.safetensors")
    models.select_option("en-fr")
    expect_translation(page, of_the_first)
    models.select_option("tiny")
    expect_translation(page, model.translate(model.load(ROOT / "pretrained" / "tiny"), TYPED).text.replace(" ", ""))


def test_one_head_is_requested_again_after_the_worker_failed(open_site) -> None:
    failing_once = """let failures = 0;
        const inside = (...all) => {
          if (!failures++) throw new Error("once");
          return compute(...all);
        };
        const compute = ("""
    prepare = partial(change_worker, part="const inside = (", replacement=failing_once)
    page = open_site("?level=head&layer=2&head=1", prepare=prepare)
    expect(page.locator(".inside-said")).to_contain_text("Press the button to try again", timeout=PATIENCE)
    page.get_by_role("button", name="Play the steps").click()
    page.locator(".inside .block").first.wait_for()


def test_the_numbers_of_a_head_follow_the_playing_sentence_to_its_last_word(open_site) -> None:
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
    eventually(page, lambda: abs(page.evaluate(INK) - before) < 0.1 * before)
