"""The Decode page: play, step, fork, switch heads off, force rows, undo, and a link that restores everything."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

import model
from tests.browser.actions import bounding_box, eventually, url_params, wait_until_idle
from tests.checkpoint import tiny_bundle
from viz.components.decoding import SOURCE, Player, play_of_trace
from viz.components.decoding.player import pack
from viz.i18n import group
from viz.panels.stage.verdict import spoken
from viz.plain_text import chip_text

pytestmark = pytest.mark.nightly
SENTENCE = "the cat is on the sofa"
TEXT = f"?text={SENTENCE.replace(' ', '+')}"
Open = Callable[..., Page]


def target_tokens(page: Page) -> list[str]:
    """The tokens of the translation."""
    return page.locator(".target-row .token").all_inner_texts()


def step_of(page: Page) -> tuple[int, int]:
    match = re.fullmatch(r"step (\d+) of (\d+)", page.locator(".count").inner_text())
    assert match
    return int(match[1]), int(match[2])


def wait_for_step(page: Page, step: int) -> Page:
    expect(page.locator(".count")).to_have_text(re.compile(rf"^step {step} of"))
    return page


def verdict_texts(page: Page) -> tuple[str, str]:
    """The translation before and after the changes, as the line under the sentence shows both."""
    before, after = (
        page.locator(".verdict").evaluate(
            """(line, hidden) => {
              const copy = line.cloneNode(true);
              for (const node of copy.querySelectorAll(hidden)) node.remove();
              return copy.textContent;
            }""",
            hidden,
        )
        for hidden in ("ins", "del")
    )
    return " ".join(before.split()), " ".join(after.split())


def expect_verdict(page: Page, before: model.Trace, after: model.Trace) -> None:
    """Expect the line to strike out ``before`` and insert ``after``, and a screen reader to announce both."""
    expect(page.locator(".verdict del").first).to_be_visible()
    expect(page.locator(".verdict ins").first).to_be_visible()
    words = tuple(" ".join(spoken(trace).words) for trace in (before, after))
    assert verdict_texts(page) == words
    expect(page.locator(".stage .said")).to_have_text(f"The translation is now: {words[1]}. Before: {words[0]}.")


def test_the_bars_follow_a_slider_and_the_translation_follows_its_release(open_page: Open) -> None:
    page = wait_for_step(open_page(f"{TEXT}&method=sample&seed=3", path="decode"), 1)
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 2)
    bars, slider = page.locator(".next .bar .number"), page.get_by_role("slider", name="Temperature")
    before = bars.all_inner_texts()
    box = bounding_box(slider)
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, middle, steps=4)
    flattened = bars.all_inner_texts()
    assert flattened != before and "temperature" not in page.url, "the bars have changed and nothing has run"
    page.mouse.move(box["x"] + 2, middle, steps=4)
    assert bars.first.inner_text() > before[0], "a low temperature sharpens"
    page.mouse.move(box["x"] + box["width"] * 0.6, middle, steps=4)
    page.mouse.up()
    page.wait_for_function("new URLSearchParams(location.search).has('temperature')")
    assert 2.5 < float(url_params(page)["temperature"]) < 3.6
    wait_for_step(page, 2)
    top_k = page.get_by_role("slider", name="Top k")
    top_k.focus()
    page.keyboard.press("Home")
    expect(page.locator(".next .remark")).to_contain_text("1 of ")
    expect(page.locator(".next .bar[data-out]")).not_to_have_count(0)
    page.wait_for_function("new URLSearchParams(location.search).get('top_k') === '1'")


@pytest.mark.by_day
def test_a_translation_is_played_stepped_and_scrubbed(open_page: Open) -> None:
    page = wait_for_step(open_page(TEXT, path="decode"), 1)
    _, count = step_of(page)
    assert count == len(target_tokens(page)) > 2
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 2)
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, 1)
    first = page.locator(".next .bar").first.inner_text()
    page.get_by_role("button", name="One step forward").click()
    wait_for_step(page, 2)
    assert page.locator(".next .bar").first.inner_text() != first
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play").click()
    wait_for_step(page, count)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.locator(".scrub").fill("2")
    wait_for_step(page, 2)
    chosen = page.locator(".next .bar[aria-pressed=true] .piece")
    expect(chosen).to_have_text(target_tokens(page)[1])
    focused = page.locator(".target-row .token[data-focus]")
    expect(focused).to_have_text(target_tokens(page)[1])
    assert page.locator(".target-row .token[data-later]").count() == count - 2
    shares = [
        100 * float(node.evaluate("column => column.style.getPropertyValue('--share')"))
        for node in page.locator("[data-kind=cross] .column").all()
    ]
    assert 97 <= sum(shares) <= 103
    page.wait_for_url(re.compile(r"decode\.step=1"))


@pytest.mark.by_day
def test_a_forced_word_and_a_head_off_are_in_the_verdict_and_the_link_until_they_are_undone(
    open_page: Open, checkpoint: Path
) -> None:
    page = wait_for_step(open_page(TEXT, path="decode"), 1)
    before = target_tokens(page)
    alternative = page.locator(".next .bar[aria-pressed=false]:not([data-special])").first
    word = alternative.locator(".piece").inner_text()
    alternative.click()
    expect(page.locator(".target-row .token").first).to_have_text(word)
    page.wait_for_url(re.compile("prefix="))
    expect(page.get_by_role("button", name=re.compile("begins with"))).to_be_visible()
    bundle, forced = model.load(checkpoint), [int(url_params(page)["prefix"])]
    plain, forked = (model.translate(bundle, SENTENCE, max_length=28, prefix=prefix) for prefix in ((), forced))
    expect_verdict(page, plain, forked)

    page.get_by_role("button", name="Switch heads off").click()
    page.get_by_test_id("stPopoverBody").get_by_text("All heads of this layer").click()
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Switch off").click()
    page.wait_for_url(re.compile("interventions=off"))
    link = page.url
    ablation = model.Interventions(tuple(model.HeadOff("cross", 0, head) for head in (0, 1)))
    changed = model.translate(bundle, SENTENCE, prefix=forced, interventions=ablation, max_length=28)
    expected = list(map(chip_text, changed.target_tokens))
    assert expected != before
    expect(page.locator(".target-row .token")).to_have_text(expected)
    expect_verdict(page, plain, changed)

    reopened = open_page("?" + urlsplit(link).query, path="decode")
    expect(reopened.get_by_role("button", name=re.compile("begins with"))).to_be_visible()
    expect(reopened.locator(".target-row .token")).to_have_text(expected)
    new_visitor = wait_for_step(open_page(TEXT, path="decode"), 1)
    assert target_tokens(new_visitor) == before
    expect(new_visitor.locator(".verdict")).to_be_empty()

    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo all").click()
    expect(page.locator(".verdict")).to_be_empty()
    expect(page.locator(".target-row .token")).to_have_text(before)
    assert not {"prefix", "interventions"} & set(url_params(page))


def test_a_row_is_forced_by_hand_and_zeros_are_refused(open_page: Open) -> None:
    page = wait_for_step(open_page(TEXT, path="decode"), 1)
    strip = page.locator("[data-kind=cross]")
    strip.locator(".head-grid button").nth(3).click()
    columns = strip.locator(".column")
    expect(columns.first).to_have_attribute("role", "slider")
    for column in columns.all():
        column.focus()
        column.press("PageDown")
    force = strip.get_by_role("button", name="Force this row")
    expect(force).to_be_disabled()
    expect(strip.get_by_text("This row has no weight")).to_be_visible()
    columns.nth(2).press("PageUp")
    expect(columns.nth(2)).to_have_attribute("aria-valuenow", "100")
    force.click()
    page.wait_for_url(re.compile("interventions=force"))
    expect(page.get_by_role("button", name=re.compile("forced"))).to_be_visible()
    expect(columns.nth(2)).to_have_attribute("aria-valuenow", "100")
    assert url_params(page)["interventions"].startswith("force:x.1.1.0=0,0,1")


def test_the_beam_is_a_tree_that_can_be_forked(open_page: Open) -> None:
    page = open_page(TEXT + "&method=beam&beam_size=3", path="decode")
    nodes = page.locator(".tree .node")
    expect(page.locator(".tree .node[data-focus]")).to_have_count(1)
    n_nodes = nodes.count()
    assert page.locator(".tree .node[data-fate=pruned]").count() > 3
    pruned = page.locator(".tree .node[data-fate=pruned]").first
    token = pruned.locator("text").text_content() or ""
    pruned.click()
    expect(page.locator(".next .bar[aria-pressed=true] .piece")).to_have_text(token)
    page.get_by_role("button", name="Continue from here").last.click()
    page.wait_for_url(re.compile(r"decode\.forks="))
    expect(page.get_by_role("button", name="Forks (1)")).to_be_visible()
    expect(page.locator(".tree .node[data-fork]").first).to_be_attached()
    assert nodes.count() > n_nodes
    page.get_by_role("button", name="Fit the whole tree").click()
    page.get_by_role("button", name="Forks (1)").click()
    expect(nodes).to_have_count(n_nodes)


def test_an_important_head_is_listed_and_switched_off(open_page: Open) -> None:
    page = open_page(TEXT + "&decode.question=heads", path="decode")
    cells = page.locator(".grids .cell")
    expect(cells).to_have_count(12)
    assert any(text not in ("", "0") for text in cells.all_inner_texts())
    cells.nth(5).click()
    page.wait_for_url(re.compile("interventions=off"))
    expect(page.locator(".grids .cell[data-off]")).to_have_count(1)
    wait_until_idle(page)
    box = bounding_box(page.locator(".grids .cell[data-off]"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.locator(".grids").evaluate("grids => grids.replaceChildren(...[...grids.children].map(x => x.cloneNode(1)))")
    page.mouse.up()  # the press counts although the cell was replaced before its end
    expect(page.locator(".grids .cell[data-off]")).to_have_count(0)


def test_the_measured_heads_stay_when_ablation_is_cancelled(open_page: Open) -> None:
    page = open_page(TEXT + "&decode.question=heads&decode.scope=set", path="decode")
    box = page.get_by_role("textbox", name="Sentences and their translations")
    box.fill("\n".join(["the cat is on the sofa\tle chat est sur le canapé"] * 300))
    box.press("Control+Enter")
    page.get_by_role("button", name="Try every head on 300 sentences").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text(re.compile(r"\d of 12 heads"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile(r"Stopped after \d+ of 12 heads"))).to_be_visible()
    wait_for_step(page, 1)
    page.get_by_role("button", name="One step forward").click()
    wait_for_step(page, 2)


def test_the_words_of_the_player_follow_the_language(open_page: Open) -> None:
    page = wait_for_step(open_page(TEXT, path="decode"), 1)
    page.get_by_role("button", name="One step forward").click()
    wait_for_step(page, 2)

    def select_french() -> None:
        """Click again if a rerun replaces the menu under the pointer."""
        if (menu := page.get_by_role("button", name="EN", exact=True)).count():
            menu.click()
            page.get_by_role("menuitem", name="Français").or_(page.get_by_text("Français", exact=True)).first.click()
        expect(page.locator(".count")).to_have_text(re.compile(r"^étape 2 sur"), timeout=15_000)

    eventually(page, select_french)
    expect(page.locator(".player")).not_to_contain_text("Next token")
    expect(page.get_by_role("button", name="Une étape en avant")).to_be_visible()


@pytest.mark.parametrize(("path", "view"), [("decode", ".player .remark"), ("inside", ".inside .line")])
def test_a_view_formats_numbers_in_its_language_before_the_stage_is_drawn(
    open_page: Open, path: str, view: str
) -> None:
    page = open_page(f"{TEXT}&language=fr", path=path)
    held_requests: list[Route] = []
    page.route("**/regard.sentence.*.js", lambda route: held_requests.append(route))
    page.reload()
    number = page.locator(view).first
    expect(number).to_have_text(re.compile(r"\d,\d"))
    expect(number).not_to_have_text(re.compile(r"\d\.\d"))
    eventually(page, lambda: bool(held_requests))
    assert not page.locator(".target-row").count()
    for route in held_requests:
        route.continue_()


@pytest.mark.parametrize("dark", [False, True])
def test_disabled_buttons_are_legible(open_page: Open, dark: bool) -> None:
    page = wait_for_step(open_page(TEXT, path="decode", dark=dark), 1)
    page.get_by_role("button", name="Switch heads off").click()
    button = page.locator(".st-key-off_apply button")
    expect(button).to_be_disabled()
    assert contrast(button) > 2
    page.locator(".st-key-off_layer_whole label").click()
    expect(button).to_be_enabled()
    page.mouse.move(0, 0)
    eventually(page, lambda: contrast(button) > 4.5)


def contrast(node: Locator) -> float:
    """Contrast of a node's text to its background (WCAG 2.2, 1.4.3), given the opacity of all its ancestors."""
    return node.evaluate(
        """async (node) => {
          await Promise.all(node.getAnimations({ subtree: true }).map((each) => each.finished));
          const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          const over = (colour, ground, share) => {
            probe.globalAlpha = 1;
            probe.fillStyle = `rgb(${ground})`;
            probe.fillRect(0, 0, 1, 1);
            probe.globalAlpha = share;
            probe.fillStyle = colour;
            probe.fillRect(0, 0, 1, 1);
            return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
          };
          const line = [];
          for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) line.unshift(at);
          let ground = [255, 255, 255];
          let share = 1;
          for (const each of line) {
            const style = getComputedStyle(each);
            share *= Number(style.opacity);
            ground = over(style.backgroundColor, ground, share);
          }
          const words = node.querySelector("p") ?? node;
          const ink = over(getComputedStyle(words).color, ground, share);
          const light = (rgb) => {
            const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
            const [r, g, b] = rgb.map((x) => linear(x / 255));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
          };
          return Math.max(light(ink), light(ground)) / Math.min(light(ink), light(ground));
        }"""
    )


def test_a_shorter_translation_may_arrive_while_a_longer_one_is_played(browser: Browser) -> None:
    """The sentence changes while the player is at a step that the next translation does not have."""
    bundle = tiny_bundle()
    fields = {
        "node": -1, "cross": (-1, -1), "decoder_self": (-1, -1), "speed": 0.01, "contribution": None, "sampling": None,
        "ranks": None, "suppressed_id": -1, "n_fixed": 0, "first_index": 0, "words": group("decode"),
    }  # fmt: skip
    traces = [model.translate(bundle, SENTENCE, max_length=length) for length in (8, 2)]
    assert [len(trace.target) for trace in traces] == [5, 2]
    long, short = (
        list(pack(Player(play=play_of_trace(bundle, trace), key=str(len(trace.target)), step=3, **fields)))
        for trace in traces
    )
    page = browser.new_page()
    page.add_script_tag(type="module", content=SOURCE.javascript.replace("export default ", "window.draw = ") + "\n")
    page.wait_for_function("() => window.draw")
    draw = """(bytes) => window.draw({
      data: new Uint8Array(bytes), parentElement: document.body, setTriggerValue: () => undefined})"""
    page.evaluate(draw, long)
    focused = page.locator(".strip[data-kind=decoder_self] .column")
    expect(focused).to_have_count(4)
    page.locator(".play").click()
    expect(page.locator(".play")).to_contain_text("Pause")
    page.evaluate(draw, short)
    expect(page.locator(".play")).to_contain_text("Play")
    expect(focused).to_have_count(2)
    page.close()
