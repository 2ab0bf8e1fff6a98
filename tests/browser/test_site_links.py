"""Links between the static site and the application: each opens what the other shows."""

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.static_site import (
    MAN_BITES_DOG,
    SITE,
    enter_sentence,
    expect_translation,
    translation_text,
    wait_for_model,
)

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


def params_of(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


def application_link(page: Page) -> str:
    """Path and query of the page's link to the application."""
    link = page.locator(".share a")
    link.evaluate("each => each.addEventListener('click', event => event.preventDefault())")
    link.click()
    parts = urlsplit(str(link.get_attribute("href")))
    return f"{parts.path.removeprefix('/app/')}?{parts.query}"


def site_link(page: Page) -> str:
    """The query of the application's link to the site."""
    page.locator(".st-key-icon_settings button:visible").click()  # a narrow screen also has a hidden one
    link = page.locator(f'[data-testid="stPopoverBody"] a[href^="{SITE}"]').first
    return f"?{urlsplit(str(link.get_attribute('href'))).query}"


def translation_in_application(page: Page) -> str:
    expect(page.locator(".target-row .token").first).to_be_visible()
    tokens = page.locator(".target-row .token:not([data-special])").all_text_contents()
    return "".join(tokens).replace(" ", "").replace("␣", "")


@pytest.mark.parametrize("params", [CHANGED, DRAWN, BEGUN], ids=["changed", "drawn", "begun"])
def test_a_link_of_the_page_opens_in_the_application_and_leads_back(
    open_site: Callable[..., Page], open_page: Callable[..., Page], params: dict[str, str]
) -> None:
    page = wait_for_model(open_site(f"?{urlencode(params)}"))
    translated = translation_text(page)
    path, _, query = application_link(page).partition("?")
    app_page = open_page(f"?{query}", path=path)
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
    path, _, query = application_link(page).partition("?")
    assert path == "inside"
    app_page = open_page(f"?{query}", path=path, width=390)  # a phone has the link in the settings
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


def test_the_word_that_is_looked_at_and_the_look_of_the_heads_are_in_the_link(open_site: Callable[..., Page]) -> None:
    page = wait_for_model(open_site(f"?{urlencode({'text': MAN_BITES_DOG})}"))
    page.locator(".stage-target .stage-token").nth(1).click()
    page.wait_for_url("**pins=q1*")
    page.reload()
    wait_for_model(page)
    expect(page.locator('.stage-target [aria-pressed="true"]')).to_have_attribute("data-place", "1")
    page.locator(".stage-source .stage-token").nth(2).click()
    page.wait_for_url("**pins=k2*")
    page.reload()
    wait_for_model(page)
    expect(page.locator('.stage-source [aria-pressed="true"]')).to_have_attribute("data-place", "2")
    page.get_by_role("tab", name="All heads").click()
    page.get_by_role("button", name="Lines", exact=True).click()
    page.wait_for_url("**view=lines*")
    page.reload()
    expect(page.locator(".lines-base")).to_be_visible()
