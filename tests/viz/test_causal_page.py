"""The Causal page: maps, bars and groups, patches by click, and messages for mistakes."""

import dataclasses
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import streamlit as st

import model
from model.interpret.causal import patch_of_cell, patch_of_head, read_pair
from model.interpret.minimal_pairs import minimal_pairs
from model.intervention_text import read_interventions
from tests.viz.page import page_text, press, run_page
from viz import cache
from viz.causal import attribution, groups, maps
from viz.causal.choices import DEFAULT_FIRST
from viz.figures.contributions import Bar, contribution_bars
from viz.i18n import LANGUAGES, number


@pytest.fixture
def open_causal(monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, "tiny")

    return lambda **params: run_page("causal", **params)


@pytest.mark.nightly("exact-residual")
@pytest.mark.parametrize("measure", ["residual", "attention", "feed_forward", "heads"])
@pytest.mark.parametrize("values", ["exact", "estimated"])
def test_the_pair_and_its_map_are_shown(open_causal, measure, values):
    app = open_causal(causal__what=measure, causal__values=values)
    assert "The first difference is **chien**" in page_text(app)
    assert ("Correlation with the estimate" in page_text(app)) == (values == "exact")


def test_a_message_announces_the_computation_of_contributions(open_causal, monkeypatch):
    messages = []
    spinner = st.spinner
    monkeypatch.setattr(st, "spinner", lambda text: messages.append(text) or spinner(text))
    open_causal(causal__part="tokens", text="The old cat sees a dog.")
    assert messages == ["Computing …", "Computing …"], "ALTI+ and the erasure that it is compared with"


def test_a_patch_of_the_link_is_a_chip_and_changes_the_translation(open_causal):
    last = len(model.load("tiny").model.encoder.layers) - 1
    app = open_causal(
        interventions=f"patch:encoder.{last}.residual.after@1=text:The%20dog%20is%20sleeping%20on%20the%20sofa."
    )
    assert any("taken from" in button.label for button in app.button)
    assert "With the patch the translation is “Le chien" in page_text(app)
    app.button(key="change.0").click().run()
    assert "With the patch" not in page_text(app)


@pytest.mark.nightly(but=("change2--fr",))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("change", "factor"), [("add:-1.5,1", "1[.,]5"), ("scale:0.25", "0[.,]25"), ("out:" + "1," * 127 + "1", "")]
)
def test_a_change_of_the_link_is_a_chip_with_its_factor(open_causal, language, change, factor):
    app = open_causal(language=language, interventions=f"patch:decoder.1.residual.after={change}")
    chip = app.button(key="change.0").label
    assert re.search(factor, chip.replace("\\", ""))


@pytest.mark.parametrize(
    ("params", "has_notice"), [({}, False), ({"interventions": "off:x.0.0"}, True), ({"method": "beam"}, True)]
)
def test_a_pair_shows_that_active_interventions_do_not_count(open_causal, params, has_notice):
    assert ("only patches apply here" in page_text(open_causal(**params))) is has_notice


def test_sentences_that_are_translated_alike_are_explained(open_causal):
    app = open_causal(causal__first="The cat is sleeping on the sofa.")
    assert "gives both sentences the same translation" in page_text(app)


def test_without_a_second_sentence_the_page_names_the_remedy(open_causal):
    app = open_causal(causal__first=" ")
    assert "choose a pair" in page_text(app)


def test_one_of_three_pairs_is_a_click_away_where_there_is_no_second_sentence(open_causal):
    pair = minimal_pairs("gender")[0]
    app = open_causal(text="It is raining.")
    app.button(key="first.gender").click().run()
    assert app.query_params["text"] == pair.second
    assert app.text_input(key="choice.causal.first").value == pair.first


@pytest.mark.nightly
def test_another_sentence_is_compared_with_its_partner_and_never_with_an_unrelated_one(open_causal):
    pair = minimal_pairs("gender")[0]
    app = open_causal(text=pair.second)
    assert app.text_input(key="choice.causal.first").value == pair.first and "The first difference is" in page_text(app)
    app = open_causal(text="It is raining.")
    assert app.text_input(key="choice.causal.first").value == "" and "choose a pair" in page_text(app)
    app.text_input(key="choice.causal.first").set_value(DEFAULT_FIRST).run()
    assert app.query_params["causal.first"] == DEFAULT_FIRST, "a reader may compare with it"


def test_a_shipped_pair_is_read_with_a_click(open_causal):
    app = open_causal()
    pair = minimal_pairs("gender")[0]
    app.button(key="pair.gender.0").click().run()
    assert pair.second in str(app.query_params)


@pytest.mark.parametrize("params", [{}, {"causal__step": "1", "causal__rival": "3"}, {"causal__step": "900"}])
def test_the_parts_of_a_score_are_drawn(open_causal, params):
    app = open_causal(causal__part="direct", **params)
    assert "the sum of these bars" in page_text(app)


@pytest.mark.parametrize("method", ["alti", "raw", "erasure"])
def test_contributions_of_tokens_are_drawn_with_their_agreement(open_causal, method):
    app = open_causal(causal__part="tokens", causal__method=method)
    assert "not the best" in page_text(app)
    assert ("Rank correlation with removal" in page_text(app)) == (method != "erasure")


def test_the_agreement_over_a_corpus_is_a_click_away(open_causal):
    app = open_causal(causal__part="tokens")
    app.button(key="on_corpus").click().run()
    assert "corpus.view" in app.query_params
    assert "Removal takes the token out of the sentence" in page_text(app)


def test_a_group_is_measured_when_asked(open_causal, monkeypatch):
    pairs = minimal_pairs("gender")[:2]
    monkeypatch.setattr("viz.causal.groups.minimal_pairs", lambda group: pairs)
    app = open_causal(causal__part="group", causal__group="gender")
    assert "Each pair has its own map" in page_text(app)
    app.button(key="group_start").click().run()
    assert "Mean over" in page_text(app)


def interrupt_after_first(generate):
    """A generator that ends after its first results, as if a click had interrupted it."""

    def first_results(*args, **options):
        for result in generate(*args, **options):
            yield result
            st.stop()

    return first_results


def test_a_cancelled_group_retains_its_measured_pairs(open_causal, monkeypatch):
    app = open_causal(causal__part="group", causal__group="polarity")
    assert not any(button.key == "group_cancel" for button in app.button), "there is nothing to cancel"
    monkeypatch.setattr(groups, "group_map_as_it_comes", interrupt_after_first(groups.group_map_as_it_comes))
    press(app, "group_start", "group_cancel")
    assert "Stopped after 1 of" in page_text(app)
    assert not any(button.key == "group_cancel" for button in app.button)


def test_a_cancelled_group_makes_no_claim_about_unread_pairs(open_causal, monkeypatch):
    equal_pair = minimal_pairs("number")[0]
    pairs = [replace(equal_pair, second=equal_pair.first)] * 2
    monkeypatch.setattr(groups, "minimal_pairs", lambda group: pairs)
    app = open_causal(causal__part="group", causal__group="number")
    monkeypatch.setattr(groups, "group_map_as_it_comes", interrupt_after_first(groups.group_map_as_it_comes))
    press(app, "group_start", "group_cancel")
    assert "Stopped after 1 of 2" in page_text(app) and "every pair" not in page_text(app)


def test_a_group_whose_pairs_are_all_translated_alike_has_a_message_instead_of_a_mean(open_causal, monkeypatch):
    equal_pair = minimal_pairs("number")[0]
    monkeypatch.setattr(groups, "minimal_pairs", lambda group: [replace(equal_pair, second=equal_pair.first)])
    app = open_causal(causal__part="group", causal__group="number")
    app.button(key="group_start").click().run()
    assert "every pair alike" in page_text(app) and "Mean over" not in page_text(app)


def test_a_map_that_takes_long_can_be_cancelled_for_the_estimate(open_causal, monkeypatch):
    monkeypatch.setattr(maps, "causal_map_as_it_comes", interrupt_after_first(maps.causal_map_as_it_comes))
    app = open_causal(causal__first="The dog is sleeping on the sofa.", text="The cat is on the sofa.")
    assert "Estimated from" not in page_text(app)
    app.button(key="map_cancel").click().run()
    assert "Estimated from one gradient" in page_text(app)
    assert not any(button.key == "map_cancel" for button in app.button)


@pytest.mark.parametrize(("gap", "says"), [(0.01, "at most 0.01 nats"), (50.0, "Do not rely on these numbers")])
def test_integrated_gradients_report_their_completeness_gap(open_causal, monkeypatch, gap, says):
    attribute = attribution.token_attribution

    def measured(*args, method, **rest):
        attribution = attribute(*args, method=method, **rest)
        return attribution if attribution.gap is None else replace(attribution, gap=gap)

    monkeypatch.setattr(attribution, "token_attribution", measured)
    app = open_causal(causal__part="tokens", causal__method="integrated_gradients", text=f"It is cold {gap}.")
    assert says in page_text(app)


def test_integrated_gradients_can_be_cancelled_for_alti(open_causal, monkeypatch):
    def interrupted(*args, method, on_progress=None):
        if on_progress is not None:
            on_progress(1, 9)
            st.stop()
        return attribute(*args, method=method)

    attribute = attribution.token_attribution
    monkeypatch.setattr(attribution, "token_attribution", interrupted)
    app = open_causal(causal__part="tokens", causal__method="integrated_gradients", text="It is cold.")
    assert "Rank correlation" not in page_text(app)
    app.button(key="tokens_cancel").click().run()
    assert "A row sums to 100" in page_text(app) and "Rank correlation" in page_text(app)


def store_pair(monkeypatch, bundle, pair):
    """Store the pair of a map, and nothing else, in the session."""
    memory = {maps._PAIR: (bundle.fingerprint, pair)}
    monkeypatch.setattr("viz.state.session.recall", lambda name, make: memory[name] if name in memory else make())


def test_a_click_applies_the_patch_of_its_cell(monkeypatch):
    bundle = model.load("tiny")
    pair = read_pair(bundle, DEFAULT_FIRST, "The cat is sleeping on the sofa.")
    applied = []
    monkeypatch.setattr(maps, "session_patch", applied.append)
    monkeypatch.setattr(maps, "find_bundle", lambda: bundle)
    store_pair(monkeypatch, bundle, pair)
    for cell in ([0, 2, 1], [9, 0, 0], [0, 99, 99], ["a", 0, 0], None, [0, True, 1]):
        monkeypatch.setattr("viz.state.session.component_value", lambda key, name, cell=cell: cell)
        maps._take_cell()
    assert applied == [patch_of_cell(bundle, pair, "encoder.residual", 2, 1)]
    assert read_interventions("patch:encoder.1.residual.after@1=text:x").patches[0].positions == (1,)
    monkeypatch.setattr("viz.state.session.component_value", lambda key, name: [0, 2, 1])
    monkeypatch.setattr(maps, "find_bundle", lambda: dataclasses.replace(bundle, fingerprint="another"))
    maps._take_cell()
    assert len(applied) == 1, "another model has come into use since the map was drawn"


def test_a_click_on_a_head_applies_the_patch_that_its_cell_measured(monkeypatch):
    bundle = model.load("tiny")
    pair = read_pair(bundle, "The cats are sleeping.", "The cat is sleeping.")
    applied = []
    monkeypatch.setattr(maps, "session_patch", applied.append)
    monkeypatch.setattr(maps, "find_bundle", lambda: bundle)
    store_pair(monkeypatch, bundle, pair)
    for cell in ([0, 1, 1], [2, 0, 1], [2, 99, 0], [0, 0, 99]):
        monkeypatch.setattr("viz.state.session.component_value", lambda key, name, cell=cell: cell)
        maps._take_head()
    assert applied == [patch_of_head(bundle, pair, "encoder_self", 1, 1), patch_of_head(bundle, pair, "cross", 0, 1)]


def test_bars_keep_their_order_and_show_their_sign():
    chart = contribution_bars([Bar("b", 1.5), Bar("a", -0.5)], mode="light", value_name="score").to_dict()
    rows = chart["layer"][0]["data"]["values"] if "data" in chart["layer"][0] else chart["data"]["values"]
    assert [(row["name"], row["text"]) for row in rows] == [("b", "+1.50"), ("a", "−0.50")]


@pytest.mark.nightly
def test_a_patch_is_weighed_with_all_else_that_is_in_force(open_causal):
    bundle, text = model.load("tiny"), "The cat is sleeping on the sofa."
    ablations = "off:x.0.0 off:x.1.1"
    patch = "patch:encoder.0.residual.after@1=zero"
    plain = model.translate(bundle, text, interventions=read_interventions(ablations))
    interventions = read_interventions(f"{ablations} {patch}")
    change = (
        model.score(bundle, text, plain.target.ids, interventions=interventions).log_probs.sum() - plain.log_probs.sum()
    )
    alone = model.score(bundle, text, model.translate(bundle, text).target.ids, interventions=read_interventions(patch))
    assert abs(change - (alone.log_probs.sum() - model.translate(bundle, text).log_probs.sum())) > 0.02
    app = open_causal(interventions=f"{ablations} {patch}")
    assert number(float(change), "+.2f") in page_text(app)


def test_on_a_phone_the_replaced_activation_has_two_lines(open_causal):
    assert open_causal().button_group(key="choice.causal.what").proto.wrap


def test_the_largest_contributions_are_drawn_and_all_others_added_up():
    heads = [SimpleNamespace(kind="cross", layer=0, head=head) for head in range(30)]
    values = np.arange(30.0) * np.where(np.arange(30) % 2, 1, -1)
    all_parts: Any = SimpleNamespace(values=values, writers=heads)
    largest: Any = SimpleNamespace(values=values[:24], writers=heads[:24])
    bars = attribution._bars(all_parts, 1)
    assert [bar.value for bar in bars] == [*values[6:], values[:6].sum()]
    assert len(attribution._bars(largest, 1)) == 24
