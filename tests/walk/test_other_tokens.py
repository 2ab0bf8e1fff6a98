"""Choices that name tokens are dropped when the sentence or the vocabulary changes."""

import dataclasses
from urllib.parse import parse_qsl

import pytest

import model
from tests.checkpoint import tiny_bundle, zip_folder
from tests.walk import models
from tests.walk.browser import Browser, data_of
from tests.walk.checks import check_against_model, private_models
from tests.walk.widgets import pressable, state
from viz import cache
from viz.causal import choices as causal
from viz.decode.choices import Choices
from viz.plain_text import chip_text
from viz.state import session

NAMED = {"prefix": "12.13", "pins": "q1 k2", "interventions": "off:x.0.1 force:x.0.0.0=1,0 block:x.1..."}
TEXT = "the cat is sleeping"


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(models.shared()))
    cache.RESULTS.clear()


def choose_model(browser: Browser, name: str) -> None:
    picker = pressable(browser.elements())["choice..model"]
    browser.app.component_states.append(state(picker, name))
    browser.run()
    check_against_model(browser)


@pytest.mark.nightly
def test_another_vocabulary_is_not_begun_with_ids_of_the_first():
    twin = models.private("twin")
    browser = Browser(params={"text": TEXT, **NAMED}, private={"reversed": twin})
    choose_model(browser, "reversed")
    assert browser.params == {"text": TEXT, "model": "reversed", "interventions": "off:x.0.1"} | {
        name: browser.params[name] for name in ("layer", "head") if name in browser.params
    }


@pytest.mark.nightly
def test_a_model_of_the_same_tokens_keeps_what_is_in_force():
    tuned = dataclasses.replace(tiny_bundle(seed=3), name="tuned")
    browser = Browser(params={"text": TEXT, **NAMED}, private={"tuned": tuned})
    choose_model(browser, "tuned")
    assert {name: browser.params.get(name) for name in NAMED} == NAMED


def test_a_second_model_of_other_tokens_is_compared_without_them():
    browser = Browser(
        params={"text": TEXT, **NAMED, "other_model": "reversed"}, private={"reversed": models.private("twin")}
    )
    explorer = browser.explorer()
    assert explorer is not None
    plain = model.translate(
        models.private("twin"), TEXT, interventions=model.Interventions((model.HeadOff("cross", 0, 1),)), max_length=26
    )
    caption = explorer[1]["views"][1]["caption"]
    assert caption.startswith(f"{TEXT} → {plain.text} · ")


@pytest.mark.nightly
def test_a_link_to_a_model_that_is_not_open_forces_no_tokens_of_the_model_shown():
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
    plain = model.translate(
        cache.bundle(cache.model_names()[0]), TEXT, max_length=26,
        interventions=model.Interventions((model.HeadOff("cross", 0, 1),)),
    )  # fmt: skip
    assert [chip["text"] for chip in stage["target"]] == [chip_text(piece) for piece in plain.target_tokens]
    browser.go("checkpoints")
    browser.app.file_uploader(key="checkpoint_files").set_value([("mine.zip", models.archive(7), "application/zip")])
    browser.run()
    check_against_model(browser)
    assert list(private_models(browser)) == ["tiny 3"], "else this test says nothing: another name was free"
    assert {name: browser.params.get(name) for name in link} == link
    assert "tokens_of" not in browser.params


def test_suspended_choices_apply_again_after_a_substitute_model_with_other_tokens():
    models.private("twin")
    link = {"text": TEXT, "model": "tiny 3", **NAMED}
    browser = Browser(page="checkpoints", params=link)
    file = ("mine.zip", zip_folder(models.folder() / "twin"), "application/zip")
    browser.app.file_uploader(key="checkpoint_files").set_value([file])
    browser.run()
    assert list(private_models(browser)) == ["tiny 3"], "else this test says nothing: another name was free"
    assert browser.params == link


@pytest.mark.nightly
def test_layers_that_the_model_shown_lacks_wait_for_theirs():
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
    browser.app.component_states.append(state(pressable(browser.elements())["model_keep"], True))
    browser.run()
    assert (browser.params["pins"], browser.params["interventions"]) == ("q0", "off:x.0.1")
    assert "tokens_of" not in browser.params and "prefix" not in browser.params


def test_tokens_of_a_stand_in_are_not_those_of_the_model_that_is_opened_later():
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
def test_a_caption_names_what_is_changed_and_counts_the_rest():
    browser = Browser(params={"text": TEXT, "interventions": "off:x.0.1", "prefix": "12", "language": "en"})
    explorer = browser.explorer()
    assert explorer is not None
    assert "cross 0·1 off, begins with “" in explorer[1]["views"][0]["caption"]
    ablations = " ".join(f"off:{kind}.{layer}.0" for kind in "xed" for layer in (0, 1))
    explorer = Browser(params={"text": TEXT, "interventions": ablations}).explorer()
    assert explorer is not None
    assert "0·0 off, 3 more changes · " in explorer[1]["views"][0]["caption"]


def test_a_link_of_an_earlier_version_still_names_the_second_model():
    browser = Browser(
        params={"text": TEXT, "model": "reversed", "other_model": str(models.shared())},
        private={"reversed": models.private("twin")},
    )
    explorer = browser.explorer()
    assert explorer is not None and len(explorer[1]["views"]) == 2
