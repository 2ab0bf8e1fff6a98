"""Neither length nor place of an option reveals the right answer, in the lesson and in the quiz."""

import re
from collections import Counter

import pytest

from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson.choices import N_OPTIONS, NAMES
from viz.lesson.quiz import QUIZ, quiz
from viz.lesson.scenes import SCENES
from viz.rooms.questions import AFTER, BEFORE


def options(language: str, key: str) -> list[str]:
    with speaking(language):
        return tr(key).split("|")


def count_by_length(lists: list[tuple[list[str], int]]) -> tuple[int, int]:
    """How often the right option is among the longest, and how often it is the only shortest."""
    longest = shortest = 0
    for words, right in lists:
        lengths = [len(option) for option in words]
        assert max(lengths) <= 1.5 * min(lengths), words
        right_length = lengths.pop(right)
        longest += right_length >= max(lengths)
        shortest += right_length < min(lengths)
    return longest, shortest


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_length_of_an_option_does_not_reveal_a_scenes_answer(language: str) -> None:
    longest, shortest = count_by_length([(options(language, scene.options), scene.right) for scene in SCENES])
    assert longest <= 5 and shortest <= 5, (longest, shortest)  # chance would be a third


@pytest.mark.parametrize("offer", [BEFORE, AFTER])
@pytest.mark.parametrize("language", LANGUAGES)
def test_neither_length_nor_place_of_an_option_reveals_the_quizs_answer(language: str, offer: str) -> None:
    items = quiz(offer)
    words = [(list(item.options[language][:-1]), item.right) for item in items if len(item.options[language][0]) > 5]
    longest, shortest = count_by_length(words)
    assert longest <= 4 and shortest <= 4, (longest, shortest)
    assert max(Counter(item.right for item in items).values()) <= 4
    assert {item.options[language][-1] for item in items} == {options(language, "quiz.unknown")[0]}


def test_the_two_quizzes_ask_about_the_same_in_other_words() -> None:
    before, after = quiz(BEFORE), quiz(AFTER)
    assert [item.id for item in before] == [item.id for item in after] == list(QUIZ)
    for item, counterpart in zip(before, after, strict=True):
        assert item.right == counterpart.right and item.why == counterpart.why
        assert all(item.words[code] != counterpart.words[code] for code in LANGUAGES)


def test_the_right_option_is_equally_often_at_each_place() -> None:
    counts = Counter(question.right for question in SCENES)
    assert len(counts) == N_OPTIONS and max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_most_one_question_is_answered_by_yes_yes_and_no(language: str) -> None:
    """Otherwise a class learns that "no" is the right answer."""
    answer = {"en": r"(Yes|No),", "fr": r"(Oui|Non),", "zh": r"(不?能|不?是)，"}[language]
    names = [scene.name for scene in SCENES if all(re.match(answer, text) for text in options(language, scene.options))]
    assert len(names) <= 1, names


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_about_time_has_the_reply_about_time(language: str) -> None:
    """Phones vote by an option's place, which must mean the same in each language."""
    word = {"en": r"longer|time", "fr": "temps", "zh": "时间"}[language]
    lists = (options(language, f"lesson.mask_{part}") for part in ("options", "reply"))
    assert [[i for i, text in enumerate(texts) if re.search(word, text)] for texts in lists] == [[1], [1]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_option_is_unique_and_has_a_reply(language: str) -> None:
    for question in SCENES:
        assert len(set(options(language, question.options))) == N_OPTIONS
        assert len(options(language, f"lesson.{question.name}_reply")) == N_OPTIONS


def test_every_scene_has_the_name_of_its_module_and_a_right_option():
    assert tuple(scene.name for scene in SCENES) == NAMES
    assert all(0 <= scene.right < N_OPTIONS for scene in SCENES)
