"""The lesson's questions: one for each scene, each with three options of which one is right."""

from __future__ import annotations

import pytest

from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson.choices import N_OPTIONS
from viz.lesson.links import NAMES
from viz.lesson.scenes import SCENES


def test_every_scene_has_the_name_of_its_module_and_a_right_option():
    assert tuple(scene.name for scene in SCENES) == NAMES
    assert all(0 <= scene.right < N_OPTIONS for scene in SCENES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_as_many_options_as_can_be_voted_for(language):
    with speaking(language):
        for scene in SCENES:
            assert len(set(tr(scene.options).split("|"))) == N_OPTIONS
            assert tr(scene.title) and tr(scene.question)
