"""The first moments of the static site: stored results before the model has loaded, without layout shift."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import model
from tests.browser.classroom import LOCALES
from tests.browser.static_site import (
    GO_HOME,
    MAN_BITES_DOG,
    PATIENCE,
    expect_translation,
    source_row,
    translation_text,
    wait_for_model,
)
from tests.browser.waiting import bounding_box

pytestmark = pytest.mark.nightly

SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) shifts.push([value, sources.map(({ node }) => node?.className ?? node?.nodeName).join(" ")]);
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFTED = 0.02
"""The largest layout shift; Lighthouse calls 0.1 good."""


@pytest.mark.parametrize(("language", "width", "height"), [("en", 1440, 900), ("zh", 390, 844), ("fr", 390, 844)])
def test_nothing_jumps_while_it_loads_and_plays(
    browser: Browser, site_address: str, width: int, height: int, language: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, locale=LOCALES[language])
    context.add_init_script(SHIFTS)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(site_address)
    wait_for_model(page)
    page.wait_for_function(
        "() => !document.querySelector('[data-later]') && !document.querySelector('[data-name=pause]')"
    )
    page.locator("[data-question]").first.wait_for(state="attached")
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) < MOST_SHIFTED, shifts
    context.close()


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


def test_the_first_picture_needs_one_script_and_what_is_typed_meanwhile_stays(open_site) -> None:
    held_routes: list[Route] = []

    def hold(page: Page) -> None:
        page.route("**/site/deferred.js", lambda route: held_routes.append(route))

    page = open_site(prepare=hold)
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
    assert held_routes
    for route in held_routes:
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
