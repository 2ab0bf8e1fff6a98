"""A stranger opens the site by a link and follows only its suggestions."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import model
from model.teaching.choosing import Telling
from tests.browser.actions import LOCALES, PATIENCE, url_params
from tests.browser.static_site import expect_translation, translation_text
from tests.serving import ROOT, serving
from viz.export.gallery import Entry, project_entries
from viz.export.site import write_site
from viz.export.stored import opening
from viz.i18n import group, speaking

pytestmark = pytest.mark.nightly
NAMES = ("en-fr", "en-de", "en-zh")
NAMED = {"button", "link", "radio", "radiogroup", "tab", "tablist", "textbox", "combobox", "slider", "heading",
         "image", "progressbar", "DisclosureTriangle"}  # fmt: skip
"""Roles that need an accessible name."""
SMALL = """[...document.querySelectorAll("button, a, input, select, textarea, summary")].filter(
    each => each.checkVisibility()).map(each => [each.outerHTML, each.getBoundingClientRect()]).filter(
    ([, { width, height }]) => width < 24 || height < 24).map(([text]) => text)"""
"""Targets smaller than the 24 by 24 pixels that WCAG 2.2 requires."""
FRAMES = "most => new Promise(end => { const go = n => n ? requestAnimationFrame(() => go(n - 1)) : end(); go(most); })"


@pytest.fixture(scope="module")
def openings() -> dict[str, tuple[Entry, Telling]]:
    """By shipped model: the entry of its opening sentence, and the head whose ablation changes the translation."""
    by_model = {}
    for name in NAMES:
        bundle = model.load(ROOT / "pretrained" / name)
        entry, ablation = opening(bundle, project_entries([bundle]))
        assert ablation is not None, f"{name} has no sentence on which a head matters"
        by_model[name] = (entry, ablation)
    return by_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, openings: dict[str, tuple[Entry, Telling]]) -> Path:
    out = tmp_path_factory.mktemp("stranger") / "below" / "a" / "folder"
    out.mkdir(parents=True)
    entries = [entry for entry, _ in openings.values()]
    write_site([model.load(ROOT / "pretrained" / name) for name in NAMES], entries, out)
    return out


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    # The site works in any folder of a host.
    with serving(folder.parents[2]) as host:
        yield f"{host}/below/a/folder/"


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    contexts, complaints = [], []

    def open_phone(query: str = "", *, language: str = "en", dark: bool = False, reduced_motion: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale=LOCALES[language],
            color_scheme="dark" if dark else "light", reduced_motion="reduce" if reduced_motion else "no-preference",
        )  # fmt: skip
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address + query)
        return page

    yield open_phone
    for context in contexts:
        for page in context.pages:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()
    assert not complaints, complaints


@pytest.mark.nightly("fr", "zh")
@pytest.mark.parametrize(("language", "dark"), [("en", False), ("zh", True), ("fr", False)])
def test_a_stranger_sees_one_change_undoes_it_and_types_a_sentence(phone, openings, language: str, dark: bool) -> None:
    page = phone(language=language, dark=dark)
    page.locator(".stage-target del").wait_for()  # the page has played its change
    expect(page.locator(".stage-same")).to_contain_text("·")
    _, ablation = openings["en-fr"]
    assert translation_text(page) == ablation.after.replace(" ", "")
    assert not url_params(page), "the automatic change is not in the address"
    expect(page.locator(".stage-target")).to_be_in_viewport()
    page.locator('[data-name="undo"]').tap()
    expect(page.locator(".way-surprise")).to_be_visible()
    assert translation_text(page) == ablation.before.replace(" ", "")
    page.locator(".way-surprise").tap()
    page.locator(".stage-target del").wait_for()
    page.locator('[data-name="try_own"]').tap()
    box = page.locator(".page-own textarea")
    expect(box).to_be_focused()
    page.keyboard.type("I love you.")
    page.keyboard.press("Enter")
    expect(page.locator(".stage-source")).to_contain_text("love")
    page.locator(".showing[data-live] .stage-target .stage-token").first.wait_for()
    page.reload()
    page.goto(page.url.partition("?")[0])
    page.locator(".showing[data-live]").wait_for()
    expect(page.locator(".way-surprise")).to_be_visible()
    expect(page.locator(".stage-target del")).to_have_count(0)  # it plays only once


def test_no_change_is_played_with_reduced_motion_or_after_the_readers_first_action(phone) -> None:
    for reduced_motion in (True, False):
        page = phone(reduced_motion=reduced_motion)
        if not reduced_motion:
            page.locator(".stage-line").tap()
        page.locator(".showing[data-live]").wait_for()
        page.evaluate(FRAMES, 90)
        expect(page.locator(".way-surprise")).to_be_visible()
        expect(page.locator(".stage-target del")).to_have_count(0)


@pytest.mark.parametrize("name", NAMES)
def test_the_offered_change_is_the_one_measured_on_that_model(phone, openings, name: str) -> None:
    page = phone(f"?model={name}", reduced_motion=True)  # otherwise the page plays the change
    _, ablation = openings[name]
    page.locator(".showing[data-live]").wait_for()
    page.locator(".way-surprise").tap()
    expect_translation(page, ablation.after)
    assert url_params(page)["interventions"] == f"off:x.{ablation.layer}.{ablation.head}"


def test_with_the_keyboard_alone_the_translation_changes(phone) -> None:
    page = phone(reduced_motion=True)
    button = page.locator(".way-surprise")
    button.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if button.evaluate("there => there === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.locator(".stage-target del").wait_for()
    expect(page.locator('[data-name="undo"]')).to_be_focused()


@pytest.mark.by_day
def test_a_screen_reader_finds_the_sentence_the_heads_and_the_instructions(phone, openings) -> None:
    page = phone(reduced_motion=True)
    entry, ablation = openings["en-fr"]
    word = entry.text.split()[1]
    page.locator(".showing[data-live]").wait_for()
    tree = page.locator("#app").aria_snapshot()
    for part in (
        'heading "Regard" [level=1]', 'group "English sentence"', 'group "Translation"', f'button "{word}"',
        'radiogroup "Heads of the cross-attention', 'button "Off"',
        f'radio "Layer {ablation.layer} · Head {ablation.head}" [checked]',
        'tablist "Look closer"', 'tab "The whole model"', 'textbox "Type an English sentence"',
        "Click any word", "Switch off head",
        'heading "Six questions" [level=2]',
    ):  # fmt: skip
        assert part in tree, (part, tree)
    nameless = page.evaluate("""[...document.querySelectorAll("button, a, input, select, textarea")].filter(each =>
        each.checkVisibility() && !each.textContent.trim() && !each.getAttribute("aria-label") && !each.labels?.length
        ).map(each => each.outerHTML)""")
    assert nameless == []


def test_a_full_stop_is_large_enough_for_a_finger(phone) -> None:
    page = phone(reduced_motion=True)
    page.locator(".showing[data-live]").wait_for()
    for side in ("source", "target"):
        stop = page.locator(f".stage-{side} .stage-token", has_text=".").last
        assert stop.inner_text().strip() == "."
        wide, high = stop.evaluate("""stop => {
            stop.scrollIntoView({ block: "center" });
            const { left, top, width, height } = stop.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            const reach = isAcross => Array.from({ length: 81 }, (_, i) => i - 40).filter(by =>
                document.elementFromPoint(x + (isAcross ? by : 0), y + (isAcross ? 0 : by)) === stop).length;
            return [reach(true), reach(false)];
        }""")
        assert wide >= 24 and high >= 43, (side, wide, high)


@pytest.mark.parametrize("language", LOCALES)
def test_the_accessibility_tree_is_whole_and_in_one_language(phone, language: str) -> None:
    page = phone(language=language, reduced_motion=True)
    page.locator(".showing[data-live]").wait_for()
    assert page.evaluate("document.documentElement.lang") == language
    assert page.locator(".stage-source").get_attribute("lang") == "en"
    assert page.locator(".stage-target").get_attribute("lang") == "fr"
    session = page.context.new_cdp_session(page)
    for tab in page.get_by_role("tab").all():
        tab.tap()
        page.wait_for_function("""() => {
            const panel = document.querySelector(".levels-panel");
            return panel.hidden || panel.lastChild.childElementCount > 0;
        }""")
        assert page.evaluate(SMALL) == []
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        named_roles = [
            (node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]
        ]
        assert [role for role, name in named_roles if role in NAMED and not name.strip()] == []
        assert [role for role, _ in named_roles].count("main") == 1
        assert not foreign(language) & {name for _, name in named_roles}


def foreign(language: str) -> set[str]:
    """Texts of the page in the other languages that are no texts of this one."""

    def texts(code: str) -> set[str]:
        with speaking(code):
            return {text for area in ("site", "attention", "inside", "gallery") for text in group(area).values()}

    return set.union(*(texts(code) for code in LOCALES if code != language)) - texts(language)


def test_it_plays_without_the_model_and_a_touch_pauses_it(phone) -> None:
    page = phone("?embed")
    page.route("**/*.safetensors", lambda route: None)
    page.goto(page.url)
    page.locator("[data-later]").first.wait_for(state="attached")
    page.wait_for_function("() => document.querySelectorAll('[data-later]').length < 6")
    page.locator(".stage-line").tap()
    n_remaining = page.locator("[data-later]").count()
    assert n_remaining > 0
    step = page.locator(".stage-count").inner_text()
    page.evaluate(FRAMES, 60)
    assert page.locator(".stage-count").inner_text() == step
    page.get_by_role("button", name="Play", exact=True).tap()
    page.wait_for_function("() => document.querySelectorAll('[data-later]').length === 0")
    assert not page.locator("footer").is_visible()
