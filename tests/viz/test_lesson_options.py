"""The options of the lesson's questions and of the quiz: neither their length nor their place tells which is right."""

import re
from collections import Counter

import pytest

from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson.choices import N_OPTIONS
from viz.lesson.links import NAMES
from viz.lesson.quiz import QUIZ, quiz
from viz.lesson.scenes import SCENES
from viz.rooms.questions import AFTER, BEFORE


def options(language: str, key: str) -> list[str]:
    with speaking(language):
        return tr(key).split("|")


def told_by_length(lists: list[tuple[list[str], int]]) -> tuple[int, int]:
    """How often the right option is a longest one, and how often it alone is the shortest."""
    longest = shortest = 0
    for words, right in lists:
        lengths = [len(option) for option in words]
        assert max(lengths) <= 1.5 * min(lengths), words
        own = lengths.pop(right)
        longest += own >= max(lengths)
        shortest += own < min(lengths)
    return longest, shortest


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_right_option_of_a_scene_is_not_told_by_its_length(language: str) -> None:
    longest, shortest = told_by_length([(options(language, each.options), each.right) for each in SCENES])
    assert longest <= 5 and shortest <= 5, (longest, shortest)  # a third would be chance


@pytest.mark.parametrize("offer", [BEFORE, AFTER])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_right_option_of_the_quiz_is_told_neither_by_length_nor_by_place(language: str, offer: str) -> None:
    items = quiz(offer)
    words = [(list(item.options[language][:-1]), item.right) for item in items if len(item.options[language][0]) > 5]
    longest, shortest = told_by_length(words)
    assert longest <= 4 and shortest <= 4, (longest, shortest)
    assert max(Counter(item.right for item in items).values()) <= 4
    assert {item.options[language][-1] for item in items} == {options(language, "quiz.unknown")[0]}


def test_the_two_quizzes_ask_about_the_same_in_other_words() -> None:
    before, after = quiz(BEFORE), quiz(AFTER)
    assert [item.id for item in before] == [item.id for item in after] == list(QUIZ)
    for one, other in zip(before, after, strict=True):
        assert one.right == other.right and one.why == other.why
        assert all(one.words[code] != other.words[code] for code in LANGUAGES)


def test_the_right_option_stands_at_each_place_as_often() -> None:
    found = Counter(question.right for question in SCENES)
    assert len(found) == N_OPTIONS and max(found.values()) - min(found.values()) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_most_one_question_is_answered_by_yes_yes_and_no(language: str) -> None:
    """Else a class learns that the one that says no is right."""
    answer = {"en": r"(Yes|No),", "fr": r"(Oui|Non),", "zh": r"(不?能|不?是)，"}[language]
    found = [each.name for each in SCENES if all(re.match(answer, text) for text in options(language, each.options))]
    assert len(found) <= 1, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_about_time_has_the_reply_about_time(language: str) -> None:
    """Phones in three languages vote for the same option by its place."""
    word = {"en": r"longer|time", "fr": "temps", "zh": "时间"}[language]
    both = (options(language, f"lesson.mask_{part}") for part in ("options", "reply"))
    assert [[i for i, text in enumerate(texts) if re.search(word, text)] for texts in both] == [[1], [1]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_option_has_a_reply_and_no_option_stands_twice(language: str) -> None:
    for question in SCENES:
        assert len(set(options(language, question.options))) == N_OPTIONS
        assert len(options(language, f"lesson.{question.name}_reply")) == N_OPTIONS


def test_every_scene_has_the_name_of_its_module_and_a_right_option():
    assert tuple(scene.name for scene in SCENES) == NAMES
    assert all(0 <= scene.right < N_OPTIONS for scene in SCENES)
