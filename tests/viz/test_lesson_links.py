"""Links of the lesson name scenes; links that number the earlier twelve scenes still open the right ones."""

import pytest

from model.teaching.sentences import collection
from tests.viz.page import run_page, url_param
from viz.i18n import tr
from viz.lesson.choices import NAMES, NAMES_BY_FORMER_NUMBER, Choices
from viz.lesson.scenes import SCENES
from viz.state.rules import from_params, to_params


@pytest.mark.nightly(but=("9", "7", "6", "3", "10"))
@pytest.mark.parametrize(("number", "name"), list(enumerate(NAMES_BY_FORMER_NUMBER)))
def test_a_number_in_an_earlier_link_opens_the_scene_that_it_meant(open_page, number, name):
    app = open_page("lesson", **{"lesson.scene": str(number)})
    assert any(tr(f"lesson.{name}_question") in text.value for text in app.markdown)


def test_votes_and_explanations_of_an_earlier_link_belong_to_the_scenes_that_they_meant():
    votes, explained = "1.2.3.1.2.3.1.2.3.1.2.3", "0.6.11"
    choices = from_params(Choices, {"votes": votes, "explained": explained})
    by_name = {name: choices.vote(place) for place, name in enumerate(NAMES)}
    assert [by_name[name] for name in NAMES_BY_FORMER_NUMBER] == [int(vote) - 1 for vote in votes.split(".")]
    assert {name for name, vote in by_name.items() if vote is None} == set(NAMES) - set(NAMES_BY_FORMER_NUMBER)
    assert set(NAMES) - set(NAMES_BY_FORMER_NUMBER) == {"layer", "loss", "since", "reader"}
    assert [NAMES[place] for place in choices.explained] == ["box", "mask", "share"]


def test_a_link_that_is_written_now_names_the_scenes_and_reads_back():
    places = {name: place for place, name in enumerate(NAMES)}
    votes = tuple(2 if name == "loss" else 4 if name == "box" else 0 for name in NAMES[: places["loss"] + 1])
    choices = Choices(scene=places["train"], votes=votes, explained=(places["layer"], places["mask"]))
    params = to_params(choices)
    assert params == {"scene": "train", "votes": "box4.loss2", "explained": "layer.mask"}
    assert from_params(Choices, params) == choices


@pytest.mark.nightly("box", "mask", "heads", "cross", "positions")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_link_with_no_sentence_opens_its_scene_with_the_scenes_own(scene):
    app = run_page("lesson", lesson__scene=scene.name)
    assert any(tr(f"lesson.{scene.name}_question") in text.value for text in app.markdown)
    assert url_param(app, "text") == collection().scenes[scene.name]


@pytest.mark.parametrize("text", ["", "nowhere", "-1", "1.5", "²", "box2"])
def test_a_scene_that_does_not_exist_is_the_first_one(text):
    assert from_params(Choices, {"scene": text}).scene == 0


@pytest.mark.parametrize("text", ["9" * 5000, "box9999.x1", "..", "box", "layer1.layer", "a.b.c", "²", "1.99999.2"])
def test_votes_that_nobody_has_written_are_read_without_an_error(text):
    choices = from_params(Choices, {"votes": text, "explained": text, "scene": text})
    assert len(choices.votes) <= len(SCENES) and all(0 <= place < len(SCENES) for place in choices.explained)
    assert 0 <= choices.scene < len(SCENES)
