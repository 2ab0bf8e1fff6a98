"""The static site in links, embedded in other pages, and linked with the application."""

import html
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote_plus

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

import model
from benchmarks.serving import ROOT, serving
from tests.browser.static_site import (
    APPLICATION,
    COMPARE_WITH_GOLDEN,
    MAN_BITES_DOG,
    PATIENCE,
    expect_translation,
    translation_text,
    wait_for_model,
)
from tests.js import engine_golden
from viz.export.site import picture_of
from viz.state.rules import from_params
from viz.state.selection import Selection

pytestmark = pytest.mark.nightly
GOLDEN = json.loads(engine_golden.FILE.read_text("utf-8"))


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


def test_each_example_has_a_page_with_its_own_title_and_picture(site_folder: Path) -> None:
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


def test_back_from_the_application_leads_to_what_the_page_showed(browser: Browser, site_address: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    page = context.new_page()
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
    context.close()


def test_the_element_shows_the_site_in_a_course_page_of_another_host(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    course = tmp_path / "course.html"
    course.write_text(
        f'<!doctype html><script src="{site_address}code/site/embed.js"></script><h1>Course</h1>'
        '<regard-page text="I am hungry." level="head" language="fr" height="700" title="A head"></regard-page>'
    )
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    with serving(tmp_path) as host:  # a different origin
        page = context.new_page()
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
        context.close()
