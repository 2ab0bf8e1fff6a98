"""The static site: the model runs in the page and computes what Python computes."""

from functools import partial
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Route, expect

import model
from model.teaching.choosing import telling
from tests.browser.actions import PATIENCE, eventually, url_params
from tests.browser.static_site import (
    GO_HOME,
    MAN_BITES_DOG,
    enter_sentence,
    expect_translation,
    hold_model_files,
    source_row,
    status_line,
    translation_text,
    wait_for_model,
)
from tests.serving import ROOT

pytestmark = pytest.mark.nightly


@pytest.mark.by_day
def test_it_opens_on_a_sentence_and_takes_another(open_site) -> None:
    page = wait_for_model(open_site())
    assert page.get_by_role("textbox").input_value() == GO_HOME
    ablation = telling(model.load(), GO_HOME)
    assert ablation is not None
    enter_sentence(page, MAN_BITES_DOG)
    page.wait_for_url(f"**text={quote_plus(MAN_BITES_DOG)}*")
    expect(page.get_by_role("radio", name=f"Layer {ablation.layer} · Head {ablation.head}")).to_be_checked()
    expect_translation(page, model.translate(model.load(), MAN_BITES_DOG).text)
    undo = page.get_by_role("button", name="Undo", exact=True)
    page.get_by_role("button", name="Off", exact=True).click()
    expect(undo).to_be_visible(timeout=PATIENCE)
    page.go_back()
    expect(page.get_by_role("textbox")).to_have_value(GO_HOME)
    expect_translation(page, model.translate(model.load(), GO_HOME).text)
    expect(undo).to_be_hidden()
    page.locator("summary", has_text="Sentences to try").click()
    page.get_by_role("button", name=MAN_BITES_DOG).click()
    expect(source_row(page)).to_contain_text("man")


@pytest.mark.by_day
def test_a_link_restores_every_change_and_each_can_be_undone(open_site) -> None:
    bundle = model.load()
    page = open_site(f"?text={quote_plus(MAN_BITES_DOG)}&positions=zero&off=cross.3.6&force=cross.2.1.3.2~4&lang=fr")
    changed = model.Interventions(
        heads_off=(model.HeadOff("cross", 3, 6),), source_positions=model.PositionEdit("zero"),
        forced_rows=(model.ForcedRow("cross", 2, 1, 3, (0, 0, 1, 0, 1)),),
    )  # fmt: skip
    expect_translation(page, model.translate(bundle, MAN_BITES_DOG, interventions=changed).text)
    expect(page.locator(".stage-target del").first).to_be_visible()
    page.get_by_role("button", name="croisée 2·1, ligne 4 choisie").click()
    expect(page.get_by_role("button", name="ligne 4 choisie")).to_be_hidden()
    assert url_params(page)["interventions"] == "off:x.3.6 move:zero.0"
    page.get_by_role("button", name="Tout annuler").click()
    expect_translation(page, model.translate(bundle, MAN_BITES_DOG).text)
    expect(page.locator(".stage-target del")).to_have_count(0)
    assert "interventions" not in url_params(page)
    page.get_by_role("button", name="Annuler", exact=True).click()
    expect(page.locator(".stage-target del").first).to_be_visible()
    assert url_params(page)["interventions"] == "off:x.3.6 move:zero.0"


@pytest.mark.parametrize("level", ["", "&level=heads"], ids=["stage", "all heads"])
def test_a_head_is_switched_off_where_it_is_shown(open_site, level: str) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}&layer=2&head=1{level}"))
    page.get_by_role("button", name="Switch this head off" if level else "Off", exact=not level).click()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_visible(timeout=PATIENCE)
    assert url_params(page)["interventions"] == "off:x.2.1"


def test_decoding_continues_from_another_candidate(open_site) -> None:
    bundle = model.load()
    page = open_site(f"?text={quote_plus(MAN_BITES_DOG)}")
    trace = model.translate(bundle, MAN_BITES_DOG)
    assert trace.candidates is not None
    wait_for_model(page)
    page.locator('[data-name="target 1"]').click()
    second = int(trace.candidates.ids[1, 1])
    expected = model.translate(bundle, MAN_BITES_DOG, prefix=(trace.target.ids[0], second))
    page.locator(".stage-bars .bar").nth(1).click()
    expect_translation(page, expected.text)
    assert url_params(page)["prefix"] == f"{trace.target.ids[0]}.{second}"
    page.reload()
    expect_translation(page, expected.text)


def test_another_model_is_chosen_and_stored_in_the_link(open_site) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}&interventions=off:x.3.6"))
    page.get_by_role("combobox", name="Model").select_option("tiny")
    tiny = model.load(ROOT / "pretrained" / "tiny")
    expect_translation(page, model.translate(tiny, MAN_BITES_DOG).text)
    expect(page.locator(".stage-target del")).to_have_count(0)
    assert url_params(page)["model"] == "tiny" and "interventions" not in url_params(page)
    page.reload()
    expect_translation(page, model.translate(tiny, MAN_BITES_DOG).text)
    page.go_back()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_visible()
    assert url_params(page)["interventions"] == "off:x.3.6"


def test_the_language_changed_while_another_model_loads_keeps_the_translation_on_screen(open_site) -> None:
    routes: list[Route] = []
    page = open_site(f"?text={quote_plus(MAN_BITES_DOG)}", prepare=partial(hold_model_files, routes=routes))
    wait_for_model(page)
    page.get_by_role("combobox", name="Model").select_option("tiny")
    expect(status_line(page)).to_contain_text("Loading the model")
    before = translation_text(page)
    page.get_by_role("button", name="Français").click()
    expect(status_line(page)).to_contain_text("Chargement du modèle")
    assert translation_text(page) == before
    for route in routes:
        route.continue_()
    tiny = model.load(ROOT / "pretrained" / "tiny")
    expect_translation(page, model.translate(tiny, MAN_BITES_DOG).text)


def test_another_model_chosen_while_a_sentence_is_translated_loads_without_an_error(open_site) -> None:
    routes: list[Route] = []
    page = open_site(f"?text={quote_plus(MAN_BITES_DOG)}", prepare=partial(hold_model_files, routes=routes))
    wait_for_model(page)
    page.get_by_role("textbox").fill("I am hungry.")
    page.get_by_role("combobox", name="Model").evaluate("""select => {
        document.querySelector("form").requestSubmit();
        select.value = "tiny";
        select.dispatchEvent(new Event("change"));
    }""")

    eventually(page, lambda: bool(routes))  # the worker requests the files after it has translated the sentence
    expect(status_line(page)).to_contain_text("Loading the model")
    expect(page.locator(".site-failed")).to_have_count(0)
    routes[0].continue_()
    expect_translation(page, model.translate(model.load(ROOT / "pretrained" / "tiny"), "I am hungry.").text)


def test_a_link_and_back_restore_the_head(open_site) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}&layer=2&head=1&level=heads"))
    expect(page.locator(".regard[data-drawn-main]")).to_contain_text("Layer 2 · Head 1")
    enter_sentence(page, "I am hungry.")
    expect(page.locator(".regard[data-drawn-main]")).to_contain_text("hungry")
    page.locator(".grid-base").press("ArrowRight")
    expect(page.locator(".regard")).to_contain_text("Layer 2 · Head 2")
    page.wait_for_url("**layer=2&head=2*")
    reopened = wait_for_model(open_site(f"?{page.url.partition('?')[2]}"))
    expect(reopened.locator(".regard")).to_contain_text("Layer 2 · Head 2")
    reopened.get_by_role("tab", name="The sentence").click()
    expect(reopened.get_by_role("radio", name="Layer 2 · Head 2")).to_be_checked()
    page.go_back()
    expect(page.locator(".regard")).to_contain_text("Layer 2 · Head 1")
    page.go_forward()
    expect(page.locator(".regard")).to_contain_text("Layer 2 · Head 2")


def test_an_example_of_a_head_that_matters_opens_that_head_and_closes_the_examples(open_site) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}&heads=0.5"))
    page.locator("summary", has_text="Sentences to try").click()
    page.get_by_role("button", name=GO_HOME).click()
    ablation = telling(model.load(), GO_HOME)
    assert ablation is not None
    expect_translation(page, ablation.before)
    square = page.get_by_role("radio", name=f"Layer {ablation.layer} · Head {ablation.head}")
    expect(square).to_be_checked()
    expect(page.get_by_role("button", name=GO_HOME)).to_be_hidden()
    page.get_by_role("button", name="Off", exact=True).click()
    expect_translation(page, ablation.after)
    page.locator("summary", has_text="Sentences to try").click()
    enter_sentence(page, MAN_BITES_DOG)
    expect(page.get_by_role("button", name=GO_HOME)).to_be_hidden()


def test_a_translation_that_cannot_be_trusted_is_warned_of(open_site) -> None:
    page = wait_for_model(open_site())
    expect(status_line(page)).to_be_empty()
    for text, warning in (
        ("Ich verstehe nicht, was du sagst.", "Try everyday English words"),
        ("你好，世界", "This model reads English"),
        ("👍🏽👍🏽👍🏽", "most of this text is unknown to it. No model on this page reads it"),
        ("THE CAT IS SLEEPING.", "few words that are written in capitals"),
    ):
        enter_sentence(page, text)
        expect(status_line(page)).to_contain_text(warning)
    page.get_by_role("button", name="Read it in lower case").click()
    expect(page.get_by_role("textbox")).to_have_value("The cat is sleeping.")
    expect(status_line(page)).to_be_empty()


def test_the_continuation_after_another_word_is_on_the_screen(open_site) -> None:
    page = wait_for_model(open_site(f"?text={quote_plus(MAN_BITES_DOG)}", width=390))
    page.locator('[data-name="again"]').wait_for()  # until the sentence is written, the word at a place changes
    before = translation_text(page)
    page.locator(".stage-bars .bar").nth(1).click()
    page.wait_for_url("**prefix=*")
    page.locator(".stage-target del").first.wait_for()
    assert translation_text(page) != before
    expect(page.locator(".stage-target")).to_be_in_viewport()


def test_words_of_the_page_change_with_the_language(open_site) -> None:
    page = open_site(locale="zh-CN")
    expect(page.get_by_role("button", name="翻译")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("button", name="Traduire")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "fr"
    expect(page.locator("footer")).to_contain_text("licences : models/en-fr/README.md")
