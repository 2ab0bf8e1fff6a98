"""The static site in links, embedded in other pages, and linked with the application."""

import html
import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

import model
from tests.browser.actions import params_of
from tests.browser.static_site import (
    APPLICATION,
    COMPARE_WITH_GOLDEN,
    MAN_BITES_DOG,
    PATIENCE,
    SITE,
    enter_sentence,
    expect_translation,
    translation_text,
    wait_for_model,
)
from tests.js import engine_golden
from tests.serving import ROOT, serving
from viz.export.site import picture_of
from viz.state.rules import from_params
from viz.state.selection import Selection

pytestmark = pytest.mark.nightly

CHANGED = {
    "text": MAN_BITES_DOG, "model": "en-fr", "layer": "3", "head": "6", "pins": "q1",
    "interventions": "off:x.3.6 force:x.2.1.3=0,0,1,0,1 block:x.2... move:reverse.0",
}  # fmt: skip
DRAWN = {"text": MAN_BITES_DOG, "model": "en-fr", "method": "sample", "temperature": "0.8", "seed": "3"}
BEGUN = {
    "text": MAN_BITES_DOG, "model": "en-fr", "language": "fr", "prefix": "3000.1731", "kind": "encoder_self",
    "layer": "1", "head": "1",
}  # fmt: skip


def application_link(page: Page) -> tuple[str, str]:
    """Path and query of the page's link to the application."""
    link = page.locator(".share a")
    link.evaluate("each => each.addEventListener('click', event => event.preventDefault())")
    link.click()
    parts = urlsplit(str(link.get_attribute("href")))
    return parts.path.removeprefix("/app/"), f"?{parts.query}"


def site_link(page: Page) -> str:
    """The query of the application's link to the site."""
    page.locator(".st-key-icon_settings button:visible").click()  # a narrow screen also has a hidden one
    link = page.locator(f'[data-testid="stPopoverBody"] a[href^="{SITE}"]').first
    return f"?{urlsplit(str(link.get_attribute('href'))).query}"


def translation_in_application(page: Page) -> str:
    expect(page.locator(".target-row .token").first).to_be_visible()
    return translation_text(page, ".target-row .token")


@pytest.mark.parametrize("params", [CHANGED, DRAWN, BEGUN], ids=["changed", "drawn", "begun"])
def test_a_link_of_the_page_opens_in_the_application_and_leads_back(
    open_site: Callable[..., Page], open_page: Callable[..., Page], params: dict[str, str]
) -> None:
    page = wait_for_model(open_site(f"?{urlencode(params)}"))
    translated = translation_text(page)
    path, query = application_link(page)
    app_page = open_page(query, path=path)
    assert translation_in_application(app_page) == translated
    site_page = open_site(site_link(app_page))
    expect_translation(site_page, translated)
    returned = params_of(site_page.url)
    assert {name: returned.get(name) for name in params} == params
    expect(site_page.locator(".page-unread")).to_be_hidden()


def test_the_level_and_the_token_lead_to_the_application_page_that_shows_them(
    open_site: Callable[..., Page], open_page: Callable[..., Page]
) -> None:
    page = wait_for_model(
        open_site(f"?{urlencode({'text': MAN_BITES_DOG, 'layer': '2', 'head': '1', 'level': 'head', 'pins': 'q2'})}")
    )
    path, query = application_link(page)
    assert path == "inside"
    app_page = open_page(query, path=path, width=390)  # a phone has the link in the settings
    expect(app_page.get_by_role("combobox", name="Token")).to_have_value(re.compile("^2 · "))
    returned = params_of(site_link(app_page))
    assert (returned["level"], returned["pins"], returned["layer"], returned["head"]) == ("head", "q2", "2", "1")
    site_page = wait_for_model(open_site(f"?{urlencode(returned)}"))
    expect(site_page.get_by_role("tab", name="One head")).to_have_attribute("aria-selected", "true")
    expect(site_page.locator(".inside .result")).to_be_visible()


def test_the_page_names_the_unsupported_parts_of_a_link_until_a_sentence_is_typed(
    open_site: Callable[..., Page],
) -> None:
    params = {"text": MAN_BITES_DOG, "method": "beam", "interventions": "off:x.3.6 patch:encoder.3.residual.after=zero"}
    page = wait_for_model(open_site(f"?{urlencode(params)}"))
    notice = page.locator(".page-unread")
    expect(notice).to_contain_text("a patched activation, beam search")
    expect(notice.get_by_role("link", name="Open in the application")).to_have_attribute(
        "href", re.compile("method=beam")
    )
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_visible()
    enter_sentence(page, "I am hungry.")
    expect(notice).to_be_hidden()
    french_page = open_site(
        f"?{urlencode({'text': MAN_BITES_DOG, 'model': 'en-xx', 'interventions': 'off:x.3.6', 'language': 'fr'})}"
    )
    wait_for_model(french_page)
    expect(french_page.locator(".page-unread")).to_contain_text("le modèle en-xx, que cette page n'a pas")
    expect(french_page.locator(".site-chip")).to_have_count(0)


def test_the_pinned_token_and_the_view_of_a_head_are_in_the_link(open_site: Callable[..., Page]) -> None:
    page = wait_for_model(open_site(f"?{urlencode({'text': MAN_BITES_DOG})}"))
    for side, place, pin in (("target", 1, "q1"), ("source", 2, "k2")):
        page.locator(f".stage-{side} .stage-token").nth(place).click()
        page.wait_for_url(f"**pins={pin}*")
        page.reload()
        wait_for_model(page)
        expect(page.locator(f'.stage-{side} [aria-pressed="true"]')).to_have_attribute("data-place", str(place))
    page.get_by_role("tab", name="All heads").click()
    page.get_by_role("button", name="Lines", exact=True).click()
    page.wait_for_url("**view=lines*")
    page.reload()
    expect(page.locator(".lines-base")).to_be_visible()


GOLDEN = engine_golden.golden("engine")


def setup(site_folder: Path) -> dict[str, Any]:
    """The data that the site's page loads at its start."""
    (path,) = site_folder.glob("code/*/site.json")
    return json.loads(path.read_text("utf-8"))


def test_a_shared_link_has_an_icon_a_description_and_a_picture(open_site, site_folder: Path) -> None:
    page = open_site()
    metadata = page.evaluate("""Object.fromEntries([...document.querySelectorAll("meta[name], meta[property]")].map(
        each => [each.getAttribute("name") ?? each.getAttribute("property"), each.content]))""")
    assert len(metadata["description"]) > 50 and metadata["og:description"] == metadata["description"]
    assert "Regard" in metadata["og:title"] and metadata["twitter:card"] == "summary_large_image"
    for path in (metadata["og:image"], page.locator("link[rel=icon]").get_attribute("href")):
        assert page.evaluate("async path => (await fetch(path)).status", path) == 200
    assert Image.open(site_folder / "social.png").size == (1200, 630)
    shared = setup(site_folder)["sentences"][2]["share"]
    linked_page = (site_folder / shared).read_text("utf-8")
    assert "The man bites the dog. → " in linked_page and 'property="og:image"' in linked_page
    page.goto(f"{page.url.partition('?')[0]}{shared}")
    wait_for_model(page)
    expect(page.get_by_role("textbox")).to_have_value(MAN_BITES_DOG)


def test_each_example_has_a_page_with_its_title_and_picture(site_folder: Path) -> None:
    sentences = setup(site_folder)["sentences"]
    pictures = set()
    for sentence in sentences:
        bundle = model.load(ROOT / "pretrained" / sentence["models"][0])
        trace = model.translate(bundle, sentence["text"])
        file = site_folder / sentence["share"]
        metas = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', file.read_text("utf-8"))
        metadata = {name: html.unescape(value) for name, value in metas}
        assert metadata["og:title"] == metadata["og:image:alt"] == f"{sentence['text']} → {trace.text}"
        assert len(metadata["og:description"]) > 50
        picture = (file.parent / metadata["og:image"]).read_bytes()
        assert Image.open(BytesIO(picture)).size == (int(metadata["og:image:width"]), int(metadata["og:image:height"]))
        assert picture == picture_of(bundle, trace)
        pictures.add(picture)
    assert len(pictures) == len(sentences) > 2


def test_copied_links_and_frames_show_the_same_where_they_are_opened(open_site) -> None:
    page = open_site(
        f"?text={quote_plus(MAN_BITES_DOG)}&layer=3&head=6&level=break&interventions=off:x.3.6+move:reverse.0"
    )
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    wait_for_model(page)
    translated = translation_text(page)
    page.get_by_role("button", name="Copy a link to this").click()
    expect(page.locator(".share")).to_contain_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    recipient = open_site(f"?{link.partition('?')[2]}")
    expect_translation(recipient, translated)
    expect(recipient.get_by_role("tab", name="Break it")).to_have_attribute("aria-selected", "true")
    recipient.get_by_role("tab", name="The sentence").click()
    expect(recipient.get_by_role("radio", name="Layer 3 · Head 6")).to_be_checked()
    page.get_by_role("button", name="Copy code to embed it").click()
    code = page.evaluate("navigator.clipboard.readText()")
    framed = open_site(f"?{code.partition('?')[2].partition(chr(34))[0]}")
    expect_translation(framed, translated)
    expect(framed.locator("footer")).to_be_hidden()
    expect(framed.get_by_role("link", name="Open the whole page")).to_be_visible()


@pytest.mark.by_day
def test_weights_and_attention_in_the_browser_are_those_of_python(open_site) -> None:
    page = open_site()
    cases = [case for case in GOLDEN["cases"] if case["text"] == engine_golden.SHORT]
    furthest = page.evaluate(COMPARE_WITH_GOLDEN, {"cases": cases, "address": "models/en-fr"})
    assert len(furthest) == len(cases)
    assert max(furthest) < 1e-4


def test_back_from_the_application_restores_the_page(browser: Browser, site_address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-US")
    page.set_default_timeout(PATIENCE)
    page.route(f"{APPLICATION}**", lambda route: route.fulfill(body="the application", content_type="text/html"))
    page.goto(f"{site_address}?text={quote_plus(MAN_BITES_DOG)}&layer=3&head=6&level=model&interventions=off:x.3.6")
    wait_for_model(page)
    translated = translation_text(page)
    page.get_by_role("link", name="Open in the application").click()
    page.wait_for_url(f"{APPLICATION}overview?**")
    selection = from_params(Selection, dict(parse_qsl(page.url.partition("?")[2])))
    assert selection.interventions == model.Interventions(heads_off=(model.HeadOff("cross", 3, 6),))
    page.go_back()
    expect_translation(page, translated)
    expect(page.get_by_role("tab", name="The whole model")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="The sentence").click()
    expect(page.get_by_role("radio", name="Layer 3 · Head 6")).to_be_checked()
    page.close()


def test_the_element_shows_the_site_in_a_course_page_of_another_host(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    course = tmp_path / "course.html"
    course.write_text(
        f'<!doctype html><script src="{site_address}code/site/embed.js"></script><h1>Course</h1>'
        '<regard-page text="I am hungry." level="head" language="fr" height="700" title="A head"></regard-page>'
    )
    with serving(tmp_path) as host:  # a different origin
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.set_default_timeout(PATIENCE)
        page.goto(f"{host}/course.html")
        frame = page.frame_locator("regard-page iframe")
        frame.locator(".showing[data-live]").wait_for()
        expect(frame.locator(".stage-source")).to_contain_text("hungry")
        expect(frame.get_by_role("tab", name="Une tête")).to_have_attribute("aria-selected", "true")
        expect(frame.locator("footer")).to_be_hidden()
        assert page.locator("iframe").get_attribute("title") == "A head"
        assert page.locator("iframe").bounding_box()["height"] == 700  # type: ignore[index]
        page.locator("regard-page").evaluate("(each, text) => each.setAttribute('text', text)", MAN_BITES_DOG)
        expect(frame.locator(".stage-source")).to_contain_text("bites")
        frame.locator(".showing[data-live]").wait_for()
        page.close()
