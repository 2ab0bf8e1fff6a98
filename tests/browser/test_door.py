"""The front page for a newcomer: the offered change, pins and weights by pointer and keyboard, no layout shift, and a
focus that is never lost."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

import model
from model.teaching.sentences import front_of
from tests.browser.actions import assert_shared_files, bounding_box, eventually, url_params, wait_until_idle
from viz.theme import DARK

Open = Callable[..., Page]
MOVES = {
    "test_a_newcomer_sees_a_change_that_a_typed_sentence_removes",
    "test_a_reader_who_acts_first_sees_no_automatic_change",
}
FRENCH = "?model=en-fr"
FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node.className || node.tagName;
}"""


def wait_until_settled(page: Page) -> Page:
    page.locator(".regard[data-drawn-grid]").wait_for()
    wait_until_idle(page)
    return page


def pins(page: Page) -> set[str]:
    return set(url_params(page).get("pins", "").split())


def tops(page: Page) -> list[float]:
    return [bounding_box(page.locator(part))["y"] for part in (".target-row", ".toolbar", ".grid-scroller")]


def test_a_change_is_offered_as_soon_as_it_is_measured_and_nothing_moves(open_page: Open) -> None:
    page = wait_until_settled(open_page(f"{FRENCH}&text=The+boy+is+eating+an+apple."))
    if not page.locator(".way-surprise").count():  # otherwise an earlier test has measured it
        before = tops(page)
        page.get_by_role("button", name="Which of these matter here?").click()
        expect(page.locator(".way-surprise")).to_be_visible()
        wait_until_idle(page)
        assert tops(page) == pytest.approx(before, abs=2)
    offer = page.locator(".way-surprise").inner_text()
    head = re.findall(r"\d+·\d+", offer)[0]
    expect(page.locator(".matters .surprise")).to_contain_text(head)
    page.locator(".way-surprise").press("Enter")
    expect(page.locator(".outcome .verdict ins")).not_to_have_count(0)
    layer, head = head.split("·")
    assert f"x.{layer}.{head}" in url_params(page)["interventions"]


def test_a_newcomer_sees_a_change_that_a_typed_sentence_removes(open_page: Open) -> None:
    # Heads are measured while the reader is idle.
    wait_until_settled(open_page()).get_by_text("when switched off alone").wait_for()
    page = wait_until_settled(open_page(is_new=True))
    line = page.locator(".outcome .verdict")
    expect(line.locator("ins, del")).not_to_have_count(0)
    wait_until_idle(page)
    assert url_params(page)["interventions"].startswith("off:x.")
    page.get_by_role("button", name="Try your own sentence").click()
    box = page.get_by_role("textbox", name="Sentence to translate")
    box.fill("the cat is sleeping")
    box.press("Enter")
    expect(page.locator(".words")).to_contain_text("cat")
    wait_until_idle(page)
    expect(line.locator("ins, del")).to_have_count(0)
    assert "interventions" not in url_params(page)
    page.goto(page.url.partition("?")[0])  # a second visit
    wait_until_settled(page)
    expect(page.locator(".way-surprise")).to_be_visible()
    page.wait_for_timeout(2500)
    expect(page.locator(".way-surprise")).to_be_visible()
    assert "interventions" not in url_params(page)


HOLD_PULSE = """
const { toggleAttribute } = Element.prototype, { setTimeout } = window;
Element.prototype.toggleAttribute = function (name, force) {
  if (name === "data-pulse" && force)
    window.setTimeout = (endPulse) => Object.assign(window, { setTimeout, endPulse });
  return toggleAttribute.call(this, name, force);
};"""
"""Makes the pulse before the automatic change last until `endPulse` is called, however slow the machine is."""


@pytest.mark.nightly
def test_a_reader_who_acts_first_sees_no_automatic_change(open_page: Open, server: str) -> None:
    wait_until_settled(open_page()).get_by_text("when switched off alone").wait_for()
    page = open_page(path="class", is_new=True)
    page.add_init_script(HOLD_PULSE)
    page.goto(server)
    page.locator(".way-surprise[data-pulse]").wait_for()
    page.keyboard.press("Tab")
    page.evaluate("endPulse()")
    page.locator(".way-surprise:not([data-pulse])").wait_for()
    wait_until_idle(page)
    expect(page.locator(".way-surprise")).to_be_visible()
    assert "interventions" not in url_params(page)


def test_a_change_is_shared_as_a_link_a_picture_and_a_loop(open_page: Open) -> None:
    page = wait_until_settled(open_page(FRENCH, dark=True))
    page.locator(".way-surprise").click()
    page.get_by_role("button", name="Share this change").click()
    dialog = page.get_by_role("dialog", name="Share this change")
    expect(dialog.get_by_role("img", name=re.compile("^Without head .* becomes “"))).to_be_visible()
    assert dialog.evaluate("each => getComputedStyle(each).getPropertyValue('--good')") == DARK.good
    link = dialog.get_by_role("textbox").input_value()
    assert_shared_files(page, dialog)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Share this change")).to_be_focused()
    recipient = wait_until_settled(open_page(urlsplit(link)._replace(scheme="", netloc="", path="").geturl()))
    expect(recipient.locator(".outcome .verdict")).to_have_text(page.locator(".outcome .verdict").inner_text())


def test_the_map_is_walked_cell_by_cell_and_read_as_a_table(open_page: Open) -> None:
    page = wait_until_settled(open_page(FRENCH))
    trace = model.translate(model.load(), front_text())
    weights = trace.attention.cross
    assert weights is not None
    layer, head = (int(url_params(page)[name]) for name in ("layer", "head"))
    head_weights = weights[layer, head]
    cell = page.get_by_role("gridcell")
    expect(cell).to_have_count(1)
    cell.focus()
    n_rows, n_columns = head_weights.shape
    for key, row, column in (("ArrowDown", 1, 0), ("ArrowRight", 1, 1), ("End", 1, n_columns - 1), ("Home", 1, 0),
                             ("Control+End", n_rows - 1, n_columns - 1), ("ArrowDown", n_rows - 1, n_columns - 1),
                             ("Control+Home", 0, 0)):  # fmt: skip
        page.keyboard.press(key)
        expect(cell).to_have_attribute("aria-colindex", str(column + 1))
        expect(page.get_by_role("grid").get_by_role("row")).to_have_attribute("aria-rowindex", str(row + 1))
        label = str(cell.get_attribute("aria-label"))
        percent = float(label.rsplit(":", 1)[1].strip().rstrip("%"))
        assert abs(percent / 100 - float(head_weights[row, column])) < 0.006, label
        assert page.evaluate(FOCUSED) == "map-cell"
    page.keyboard.press("Enter")
    eventually(page, lambda: pins(page) == {"q0"})
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    table = page.locator("table.weights")
    expect(table.get_by_role("row")).to_have_count(n_rows + 1)
    numbers = [
        [float(text) for text in row.locator("td").all_text_contents()] for row in table.locator("tbody tr").all()
    ]
    assert abs(head_weights - numbers).max() < 0.006
    page.keyboard.press("a")
    expect(table.get_by_role("row")).to_have_count(0)
    eventually(page, lambda: page.evaluate(FOCUSED) == "map-cell")


def front_text() -> str:
    front = front_of(model.load())
    assert front is not None
    return front.text


@pytest.mark.nightly
def test_the_heads_are_a_group_of_radio_buttons(open_page: Open) -> None:
    page = wait_until_settled(open_page(f"{FRENCH}&layer=0&head=0"))
    radios = page.get_by_role("radiogroup", name=re.compile("cross")).get_by_role("radio")
    expect(radios).to_have_count(32)
    expect(page.locator(".grid-radio[tabindex='0']")).to_have_count(1)
    radios.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    chosen = page.get_by_role("radio", name="Layer 1 · Head 1", exact=True)
    expect(chosen).to_have_attribute("aria-checked", "true")
    expect(chosen).to_be_focused()
    page.wait_for_url("**layer=1&head=1**")


@pytest.mark.nightly
def test_the_tour_works_without_browser_storage(open_page: Open) -> None:
    page = wait_until_settled(open_page(FRENCH))
    page.evaluate("""() => {
        for (const name of ["getItem", "setItem"]) Storage.prototype[name] = () => { throw new Error("no storage"); };
    }""")
    page.get_by_role("button", name="Tour", exact=True).click()
    card = page.locator(".regard-tour .card")
    expect(card.locator("header")).to_contain_text("1 / 5")
    card.get_by_role("button", name="Next").click()
    expect(card.locator("header")).to_contain_text("2 / 5")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)


@pytest.mark.nightly
def test_two_choices_in_the_explorer_are_stored_when_the_page_is_left_at_once(open_page: Open) -> None:
    page = wait_until_settled(open_page(f"{FRENCH}&layer=0&head=0"))
    page.locator(".grid-radio[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    page.get_by_role("link", name="Decode", exact=True).click()
    page.wait_for_url(lambda address: "/decode" in address and "layer=1" in address and "head=2" in address)


def test_a_page_is_found_by_its_task_and_states_its_purpose(open_page: Open) -> None:
    page = wait_until_settled(open_page(FRENCH))
    page.get_by_test_id("stTopNavSection").filter(has_text="Research").click()
    page.get_by_text("Causal", exact=True).click()
    expect(page.get_by_role("heading", name="Which part of the model makes the difference?")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^Causal · Can I see you tomorrow.* · Regard$"))
    first = page.get_by_role("textbox", name=re.compile("Take activations from this sentence"))
    expect(first).to_have_value("Can I see him tomorrow?")
