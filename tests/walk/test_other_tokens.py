"""Choices that name tokens are dropped when the sentence or the vocabulary changes."""

import dataclasses
from urllib.parse import parse_qsl

import pytest

import model
from tests.checkpoint import tiny_bundle, zip_folder
from tests.walk import models
from tests.walk.browser import Browser, data_of
from tests.walk.checks import check_against_model, private_models
from tests.walk.widgets import pressable
from viz import cache
from viz.causal import choices as causal
from viz.decode.choices import Choices
from viz.plain_text import chip_text
from viz.state import session

NAMED = {"prefix": "12.13", "pins": "q1 k2", "interventions": "off:x.0.1 force:x.0.0.0=1,0 block:x.1..."}
TEXT = "the cat is sleeping"


def captions(browser: Browser) -> list[str]:
    """The captions of the explorer's views."""
    explorer = browser.explorer()
    assert explorer is not None
    return [view["caption"] for view in explorer[1]["views"]]


def translate_without_a_head(bundle: model.Bundle) -> model.Trace:
    """The translation with the ablation that ``NAMED`` contains."""
    interventions = model.Interventions((model.HeadOff("cross", 0, 1),))
    return model.translate(bundle, TEXT, interventions=interventions, max_length=26)


@pytest.mark.nightly
def test_another_vocabulary_is_not_begun_with_ids_of_the_first():
    browser = Browser(params={"text": TEXT, **NAMED}, private={"reversed": models.private("twin")})
    browser.press("choice..model", "reversed")
    check_against_model(browser)
    assert browser.params == {"text": TEXT, "model": "reversed", "interventions": "off:x.0.1"} | {
        name: browser.params[name] for name in ("layer", "head") if name in browser.params
    }


@pytest.mark.nightly
def test_a_model_of_the_same_tokens_keeps_the_choices():
    tuned = dataclasses.replace(tiny_bundle(seed=3), name="tuned")
    browser = Browser(params={"text": TEXT, **NAMED}, private={"tuned": tuned})
    browser.press("choice..model", "tuned")
    check_against_model(browser)
    assert {name: browser.params.get(name) for name in NAMED} == NAMED


def test_a_second_model_of_other_tokens_is_compared_without_them():
    twin = models.private("twin")
    browser = Browser(params={"text": TEXT, **NAMED, "other_model": "reversed"}, private={"reversed": twin})
    assert captions(browser)[1].startswith(f"{TEXT} → {translate_without_a_head(twin).text} · ")


@pytest.mark.nightly
def test_a_link_to_a_model_that_is_not_open_forces_no_tokens_in_its_substitute():
    """Its ids are other words here; they apply again when its file is opened."""
    link = {"text": TEXT, "model": "tiny 3", "decode.forks": "12.13", **NAMED}
    browser = Browser(page="checkpoints", params=link)
    check_against_model(browser)
    waiting = browser.params["waiting"]
    assert browser.params == {
        "text": TEXT, "model": "tiny 3", "interventions": "off:x.0.1", "tokens_of": cache.model_names()[0],
        "waiting": waiting,
    }  # fmt: skip
    assert dict(parse_qsl(waiting)) == {"decode.forks": "12.13", **NAMED}
    browser.reload()
    assert browser.params["waiting"] == waiting, "a second refresh and a link passed on keep it"
    browser.go("explore")
    stage = data_of(browser.component("sentence"))
    expected = translate_without_a_head(cache.bundle(cache.model_names()[0]))
    assert [chip["text"] for chip in stage["target"]] == [chip_text(piece) for piece in expected.target_tokens]
    browser.go("checkpoints")
    browser.drop("mine.zip", models.archive(7))
    check_against_model(browser)
    assert list(private_models(browser)) == ["tiny 3"], "the name of the link"
    assert {name: browser.params.get(name) for name in link} == link
    assert "tokens_of" not in browser.params


def test_suspended_choices_apply_again_after_a_substitute_model_with_other_tokens():
    models.private("twin")
    link = {"text": TEXT, "model": "tiny 3", **NAMED}
    browser = Browser(page="checkpoints", params=link)
    browser.drop("mine.zip", zip_folder(models.folder() / "twin"))
    assert list(private_models(browser)) == ["tiny 3"], "the name of the link"
    assert browser.params == link


@pytest.mark.nightly
def test_layers_that_the_substitute_lacks_are_suspended():
    """The decoders have three and two layers."""
    link = {"text": TEXT, "model": "uneven of Ada", "kind": "decoder_self", "layer": "2", "head": "1",
            "interventions": "off:d.2.0"}  # fmt: skip
    browser = Browser(params=link)
    check_against_model(browser)
    assert (browser.params["layer"], browser.params.get("interventions")) == ("1", None)
    reopened = Browser(params=browser.params, private={"uneven of Ada": models.private("uneven")})
    check_against_model(reopened)
    assert reopened.params == link
    browser.write("the dog is on the sofa")
    assert "waiting" not in browser.params


def test_choices_made_in_a_substitute_model_belong_to_it():
    browser = Browser(params={"text": TEXT, "model": "gone", **NAMED})
    browser.choose_head("cross", 0, 0, pins=["q0"])
    assert browser.params["pins"] == "q0", "the tokens of the model that is shown can be pinned"
    browser.reload()
    assert browser.params["pins"] == "q0", "and a refresh keeps that"
    browser.press("model_keep")
    assert (browser.params["pins"], browser.params["interventions"]) == ("q0", "off:x.0.1")
    assert "tokens_of" not in browser.params and "prefix" not in browser.params


def test_tokens_of_a_substitute_are_not_those_of_the_model_that_is_opened_later():
    params = {"text": TEXT, "model": "reversed", "tokens_of": cache.model_names()[0], **NAMED}
    browser = Browser(params=params, private={"reversed": models.private("twin")})
    assert {name: browser.params.get(name) for name in (*NAMED, "tokens_of")} == {
        "prefix": None, "pins": None, "interventions": "off:x.0.1", "tokens_of": None,
    }  # fmt: skip


def test_another_sentence_begins_without_the_forks_and_the_reference_of_the_last():
    unrelated = {"decode.question": "why", "decode.speed": "2", "method": "beam"}
    params = {"text": TEXT, "decode.forks": "12.13", "decode.reference": "le chat", "decode.node": "3", **unrelated}
    browser = Browser(page="decode", params=params)
    browser.write("the dog")
    assert browser.params == {"text": "the dog", **unrelated}
    browser.back()
    assert browser.params == params, "and Back finds them again"


def test_choices_that_belong_to_a_sentence_are_choices_of_a_page():
    fields = {f"{causal.AREA}.{field.name}" for field in dataclasses.fields(causal.Choices)}
    fields |= {f"decode.{field.name}" for field in dataclasses.fields(Choices)}
    assert set(session.SENTENCE_PARAMS) <= fields


def test_a_rival_is_never_the_word_itself():
    trace = model.translate(models.private("twin"), TEXT)
    browser = Browser(
        page="decode", private={"reversed": models.private("twin")},
        params={"text": TEXT, "model": "reversed", "decode.question": "why", "decode.why_step": "0",
                "decode.why_rival": str(trace.target.ids[0])},
    )  # fmt: skip
    assert "why" in browser.components(), "the contrast is drawn, with the most probable other word"


def test_a_head_opened_from_the_map_is_looked_at_alone():
    browser = Browser(page="overview", params={"text": TEXT, "heads": "0.0 1.0"})
    browser.say("overview.map", "open", "cross.1#1")
    browser.run()
    assert (browser.params.get("layer"), browser.params.get("head")) == ("1", "1")
    assert "heads" not in browser.params


@pytest.mark.parametrize("first", ["0", "1"])
def test_tokens_are_counted_on_the_overview_as_everywhere(first):
    browser = Browser(page="overview", params={"text": TEXT, "first_index": first})
    picker = pressable(browser.elements())["choice.overview.step"]
    assert getattr(picker, "options")[0].startswith(f"{first} · ")  # noqa: B009
    overview = data_of(browser.component("overview.map"))
    assert overview["first"] == int(first)


@pytest.mark.nightly
def test_a_caption_names_the_first_changes_and_counts_the_others():
    browser = Browser(params={"text": TEXT, "interventions": "off:x.0.1", "prefix": "12", "language": "en"})
    assert "cross 0·1 off, begins with “" in captions(browser)[0]
    ablations = " ".join(f"off:{kind}.{layer}.0" for kind in "xed" for layer in (0, 1))
    browser = Browser(params={"text": TEXT, "interventions": ablations})
    assert "0·0 off, 3 more changes · " in captions(browser)[0]


def test_a_link_of_an_earlier_version_still_names_the_second_model():
    params = {"text": TEXT, "model": "reversed", "other_model": str(models.shared_model())}
    assert len(captions(Browser(params=params, private={"reversed": models.private("twin")}))) == 2
