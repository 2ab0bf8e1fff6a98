"""The lesson's questions: one for each scene, each with three options of which one is right."""

from __future__ import annotations

import pytest

from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson.questions import N_OPTIONS, QUESTIONS
from viz.lesson.scenes import SCENES


def test_every_scene_has_one_question_in_the_same_order():
    assert [question.id for question in QUESTIONS] == [scene.name for scene in SCENES]
    assert all(0 <= question.right < N_OPTIONS for question in QUESTIONS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_as_many_options_as_can_be_voted_for(language):
    with speaking(language):
        for question in QUESTIONS:
            assert len(set(tr(question.options).split("|"))) == N_OPTIONS
            assert tr(question.title) and tr(question.words)
