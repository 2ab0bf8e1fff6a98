"""The whole Explore page: views, choices in the link, undo, downloads."""

import csv
import io
import json
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Page, expect

import model
from tests.browser.waiting import download, eventually, open_files_dialog
from viz.plain_text import chip_text

pytestmark = pytest.mark.nightly
SENTENCE = "the dog is on the sofa ."
QUERY = f"?text={quote_plus(SENTENCE)}&layer=0&head=0"


@pytest.fixture(scope="module")
def trace(checkpoint):
    return model.translate(model.load(checkpoint), SENTENCE)


def wait_for_stage(page: Page) -> None:
    expect(page.locator(".target-row .token").first).to_be_visible()
    expect(page.get_by_role("toolbar")).to_be_visible()


@pytest.mark.by_day
def test_a_heads_exact_weight_is_read_under_the_pointer(open_page, trace):
    page = open_page(QUERY.replace("&layer=0&head=0", "&layer=1&head=1"))
    wait_for_stage(page)
    page.locator("summary", has_text="Numbers").click()
    page.locator("summary", has_text="Strongest links").click()
    strongest = page.locator("table.links td.number").first
    expect(strongest).to_be_visible()
    assert float(strongest.inner_text()) == pytest.approx(float(trace.attention.cross[1, 1].max()), rel=1e-3)


@pytest.mark.by_day
def test_a_chosen_kind_is_in_the_link_and_restored_by_it(open_page):
    page = open_page(QUERY)
    wait_for_stage(page)
    page.get_by_role("toolbar").get_by_text("Encoder", exact=True).click()
    page.wait_for_url("**kind=encoder_self**")
    reopened = open_page("?" + page.url.partition("?")[2])
    wait_for_stage(reopened)
    expect(reopened.get_by_text("encoder self-attention").first).to_be_visible()


@pytest.mark.by_day
def test_a_head_switched_off_gives_another_translation_and_undo_brings_it_back(open_page, checkpoint, trace):
    page = open_page(QUERY)
    wait_for_stage(page)
    page.get_by_role("button", name="Switch this head off").click()
    changed = model.translate(
        model.load(checkpoint),
        SENTENCE,
        max_length=2 * len(SENTENCE.split()) + 16,
        interventions=model.Interventions((model.HeadOff("cross", 0, 0),)),
    )
    assert changed.target_tokens != trace.target_tokens
    expect(page.locator(".target-row .token")).to_have_text(list(map(chip_text, changed.target_tokens)))
    page.wait_for_url("**interventions=off**")
    page.get_by_role("button", name="cross 0·0 off").click()
    expect(page.locator(".target-row .token")).to_have_text(list(map(chip_text, trace.target_tokens)))


@pytest.mark.by_day
def test_pointing_at_a_token_shades_what_it_attends_to(open_page, trace):
    page = open_page(QUERY)
    wait_for_stage(page)
    page.locator(".target-row .token").nth(1).hover()
    row = trace.attention.cross[0, 0, 1]
    strongest = page.locator(".source-row .token").nth(int(row.argmax()))
    expect(strongest).to_have_attribute("data-strong", "")
    page.mouse.move(5, 800)
    expect(strongest).not_to_have_attribute("data-strong", "")


def test_a_second_sentence_is_compared(open_page):
    page = open_page(QUERY)
    wait_for_stage(page)
    page.locator(".st-key-tools_menu").get_by_role("button", name="Tools").click()
    page.get_by_role("textbox", name="Second sentence").fill("the cat is on the sofa .")
    page.get_by_role("textbox", name="Second sentence").press("Enter")
    expect(page.get_by_role("toolbar").get_by_text("difference")).to_be_visible()
    page.wait_for_url("**other_text=**")


def test_the_table_holds_every_weight(open_page, trace):
    page = open_page(QUERY)
    wait_for_stage(page)
    open_files_dialog(page)
    table = download(page, page.get_by_role("button", name="Table (CSV)")).content
    rows = list(csv.DictReader(io.StringIO(table.decode())))
    expected = trace.attention.cross[1, 0, 2, 3]
    weights = [
        float(row["weight"])
        for row in rows
        if (row["kind"], row["layer"], row["head"], row["query_index"], row["key_index"])
        == ("cross", "1", "0", "2", "3")
    ]
    assert weights == [pytest.approx(float(expected), rel=1e-5)]


def test_attention_from_elsewhere_opens_in_the_same_views(open_page, tmp_path):
    file = tmp_path / "elsewhere.json"
    weights = [[[[1.0, 0.0], [0.25, 0.75]]]]
    file.write_text(
        json.dumps({"schema": "regard-attention/1", "source_tokens": ["ein", "Hund"], "encoder_self": weights})
    )
    page = open_page(QUERY)
    wait_for_stage(page)
    open_files_dialog(page)
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_text("Showing elsewhere.json")).to_be_visible()
    expect(page.get_by_role("button", name="Back to the sentence")).to_be_visible()


def test_presenter_mode_enlarges_the_sentence(open_page):
    plain, large = open_page(QUERY), open_page(QUERY + "&presenter=1")
    wait_for_stage(plain)
    wait_for_stage(large)
    tokens = [page.locator(".source-row .token").first for page in (plain, large)]

    def one_is_larger() -> None:
        small, big = (token.evaluate("token => token.getBoundingClientRect().height") for token in tokens)
        assert big > 1.5 * small

    eventually(large, one_is_larger)


def test_a_high_layer_in_the_link_is_moved_inside_the_model(open_page):
    page = open_page(QUERY.replace("&layer=0&head=0", "&layer=11&head=15"))
    wait_for_stage(page)
    page.wait_for_url("**layer=1**")
    assert "layer=11" not in page.url


def test_escape_unpins_a_token_pinned_on_the_stage(open_page):
    page = open_page(QUERY)
    wait_for_stage(page)
    token = page.locator(".source-row .token").nth(1)
    token.click()
    page.wait_for_url("**pins=k1**")
    token.press("Escape")
    page.wait_for_url(lambda address: "pins=" not in address)
