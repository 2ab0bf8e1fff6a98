"""A click whose element is replaced between mousedown and mouseup."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from viz.components.code import FOLDER
from viz.components.modules import join

PAGE = """<!doctype html><body style="margin: 0"><div id="host"></div><script type="module">
const place = host.attachShadow({ mode: "open" });
window.heard = [];
window.draw = (...names) => place.replaceChildren(...names.map((name) => {
    const button = document.createElement("button");
    button.style = "display: block; width: 200px; height: 50px";
    button.append(Object.assign(document.createElement("b"), { textContent: name }));
    button.addEventListener("click", () => heard.push(name));
    return button;
}));
draw("Layer 1", "Layer 2");
%s
keepPresses(window);
keepPresses(window);
</script>"""


@pytest.fixture
def page(browser: Browser):
    context = browser.new_context(viewport={"width": 300, "height": 200}, has_touch=True)
    page = context.new_page()
    page.set_content(PAGE % join(FOLDER / "shared" / "dom.js"))
    page.wait_for_function("() => window.draw")
    yield page
    context.close()


def clicks_during_redraw(
    page: Page, *names: str, down: int = 25, up: int = 25, button: Literal["left", "right"] = "left"
) -> list[str]:
    """The elements that received a click while parts with these names were replaced between press and release."""
    page.mouse.move(100, down)
    page.mouse.down(button=button)
    page.evaluate("names => names.length && draw(...names)", names)
    page.mouse.move(100, up)
    page.mouse.up(button=button)
    return page.evaluate("heard.splice(0)")


def test_an_element_that_is_replaced_under_the_pointer_gets_one_click(page: Page) -> None:
    assert clicks_during_redraw(page) == ["Layer 1"]
    assert clicks_during_redraw(page, "Layer 1", "Layer 2") == ["Layer 1"]
    assert clicks_during_redraw(page, "Layer 1", "Layer 2", down=75, up=75) == ["Layer 2"]


def test_an_element_with_another_name_at_the_same_place_gets_no_click(page: Page) -> None:
    assert clicks_during_redraw(page, "Layer 3", "Layer 4") == []
    assert clicks_during_redraw(page) == ["Layer 3"]


def test_a_press_that_ends_elsewhere_or_of_another_button_is_no_click(page: Page) -> None:
    assert clicks_during_redraw(page, "Layer 1", "Layer 2", down=25, up=75) == []
    assert clicks_during_redraw(page, "Layer 1", "Layer 2", button="right") == []


def test_a_tap_counts_once(page: Page) -> None:
    page.touchscreen.tap(100, 25)
    assert page.evaluate("heard.splice(0)") == ["Layer 1"]
    page.evaluate("addEventListener('touchstart', () => draw('Layer 1', 'Layer 2'))")
    page.touchscreen.tap(100, 25)
    assert page.evaluate("heard.splice(0)") == ["Layer 1"]
