"""The site with a decoder-only model, which continues a text and attends to what it has read."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

import model
from model.bundle import Bundle
from model.interventions import HeadAblation, Interventions
from tests.browser.actions import PATIENCE, url_params
from tests.browser.static_site import (
    EFFECTS,
    GO_HOME,
    enter_sentence,
    expect_score,
    expect_translation,
    site_opener,
    translation_text,
    wait_for_model,
)
from tests.serving import ROOT, serving
from viz.export.gallery import Entry, prompt_entries
from viz.export.site import write_site
from viz.export.stored import n_read, telling_head
from viz.i18n import LANGUAGES, speaking, tr

pytestmark = pytest.mark.nightly

BEGINNING = "Tom asked Mary if she"
OTHER = "I would like to"


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return model.load(ROOT / "pretrained" / "tiny-decoder")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, bundle: Bundle) -> Iterator[str]:
    """The address of a site with a translation model and a decoder-only model."""
    folder: Path = tmp_path_factory.mktemp("alone")
    models = [model.load(), bundle]
    write_site(models, [Entry("head_matters", GO_HOME), *prompt_entries(models)], folder)
    with serving(folder) as served:
        yield f"{served}/"


@pytest.fixture
def open_site(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    with site_opener(browser, address) as opener:
        yield lambda query="", **options: opener(f"?model=tiny-decoder{query}", **options)


def expected_continuation(bundle: Bundle, text: str, interventions: Interventions = Interventions()) -> str:  # noqa: B008
    """Python's continuation of a text."""
    ids = model.translate(bundle, text, interventions=interventions).target.ids[n_read(bundle, text) :]
    assert bundle.target_tokenizer
    return bundle.target_tokenizer.decode(ids)


def test_a_text_is_continued_as_in_python_before_and_after_the_model_has_loaded(open_site, bundle) -> None:
    page = open_site()
    page.locator('.stage-target [data-name="target 0"]').wait_for(state="attached")
    stored = translation_text(page)
    assert stored == expected_continuation(bundle, BEGINNING).replace(" ", "")
    wait_for_model(page)
    assert translation_text(page) == stored
    enter_sentence(page, OTHER)
    expect_translation(page, expected_continuation(bundle, OTHER))
    source_tokens = page.locator(".stage-source .stage-token")
    expect(source_tokens).to_have_count(len(model.translate(bundle, OTHER).prefix))
    expect(source_tokens.first).to_have_text("start")


def test_written_tokens_are_read_in_the_next_step(open_site) -> None:
    page = wait_for_model(open_site(f"&text={OTHER}"))
    page.locator('[data-name="again"]').click()
    later = page.locator(".stage-source [data-later]")
    expect(later.first).to_be_attached()  # a token that is not yet written is not yet read
    expect(later).to_have_count(0)


def test_a_head_is_switched_off_and_the_continuation_follows(open_site, bundle) -> None:
    ablation = telling_head(bundle, BEGINNING)
    assert ablation is not None
    page = wait_for_model(open_site())
    page.locator(f'.heads-square[data-head="{ablation.layer}.{ablation.head}"]').click()
    page.locator('[data-name="power"]').click()
    interventions = Interventions(heads_off=(HeadAblation("decoder_self", ablation.layer, ablation.head),))
    expect_translation(page, expected_continuation(bundle, BEGINNING, interventions))
    expect(page.locator(".stage-target del").first).to_be_attached()
    assert url_params(page)["interventions"] == f"off:d.{ablation.layer}.{ablation.head}"
    page.reload()
    expect_translation(page, expected_continuation(bundle, BEGINNING, interventions))
    page.locator('[data-name="power"]').click()
    expect_translation(page, expected_continuation(bundle, BEGINNING))


def test_a_hidden_word_can_no_longer_be_looked_at(open_site, bundle) -> None:
    page = wait_for_model(open_site("&level=break"))
    expect(page.locator(".site-orders")).to_have_count(0)  # this model has no positions to change separately
    page.locator(".site-hiding").get_by_role("button", name="Mary").click()
    hidden = Interventions(blocked_keys=(model.BlockedKey("decoder_self", 3),))
    expect_translation(page, expected_continuation(bundle, BEGINNING, hidden))
    assert url_params(page)["interventions"] == "block:d.3..."
    expect(page.locator(".site-chip").first).to_contain_text("“Mary” hidden")


def test_one_head_shows_the_numbers_that_python_records(open_site, bundle) -> None:
    page = wait_for_model(open_site("&level=head&layer=2&head=5"))
    page.locator('[data-name="target 1"]').click()
    page.locator(".inside .result").wait_for()
    row = n_read(bundle, BEGINNING) + 1
    scores = model.record(bundle, BEGINNING, names=("decoder.2.self.scores",))["decoder.2.self.scores"][0, 5, row]
    expect_score(page, scores[: row + 1])


def test_the_whole_model_is_one_stack_without_a_bridge(open_site) -> None:
    page = wait_for_model(open_site("&level=model"))
    expect(page.locator(".plan-box")).to_have_count(4 * 2)
    expect(page.locator(".plan-bridge, .plan-box.cross")).to_have_count(0)
    expect(page.locator(".levels-panel")).to_contain_text("the text is complete", timeout=PATIENCE)
    expect(page.locator(".plan-output")).to_have_text("→ end")
    expect(page.locator(".plan-tokens")).to_contain_text(BEGINNING.replace(" ", ""))


def test_all_heads_are_those_of_self_attention_and_the_one_that_matters_most_is_pythons(open_site, bundle) -> None:
    page = wait_for_model(open_site("&level=heads"))
    page.locator(".regard[data-drawn-main]").wait_for()
    expect(page.locator(".regard")).to_contain_text("decoder self-attention")
    page.get_by_role("tab", name="The text").click()
    page.get_by_role("button", name="Which of these matter here?").click()
    expect(page.locator(".heads")).to_contain_text("The fuller a square")
    text = expected_continuation(bundle, BEGINNING)
    scores = [
        model.score(bundle, BEGINNING, text, interventions=Interventions((HeadAblation("decoder_self", *place),)))
        for place in np.ndindex(4, 8)
    ]
    effects = [score.log_probs[n_read(bundle, BEGINNING) :].sum() for score in scores]
    effects_on_page = page.evaluate(EFFECTS)
    assert len(effects_on_page) == len(effects)
    assert int(np.argmax(effects_on_page)) == int(np.argmin(effects))


def test_models_of_both_kinds_are_chosen_in_turn_and_back_returns(open_site, bundle) -> None:
    page = wait_for_model(open_site("&language=en"))
    page.get_by_role("combobox").select_option("en-fr")
    expect_translation(page, model.translate(model.load(), GO_HOME).text)
    expect(page.get_by_role("button", name="Translate")).to_be_visible()
    assert "kind" not in url_params(page)
    page.go_back()
    expect_translation(page, expected_continuation(bundle, BEGINNING))
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    page.get_by_role("combobox").select_option("en-fr")
    wait_for_model(page)
    page.get_by_role("combobox").select_option("tiny-decoder")
    expect_translation(page, expected_continuation(bundle, BEGINNING))
    assert url_params(page)["kind"] == "decoder_self"


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_it_speaks_of_a_text_and_its_continuation(open_site, language: str) -> None:
    page = wait_for_model(open_site(f"&language={language}", width=390))
    with speaking(language):
        expect(page.get_by_role("button", name=tr("site_alone.translate"), exact=True)).to_be_visible()
        expect(page.locator(".questions h2")).to_have_text(tr("site_alone.questions"))
    expect(page.locator("[data-question]")).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for question in page.locator("[data-question]").all():
        question.click()
        wait_for_model(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
