"""The lesson's links, options and quiz, and the words that are marked in two translations."""

import re
from collections import Counter

import numpy as np
import pytest

from model.teaching.sentences import collection
from tests.viz.page import run_page, url_param
from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson.choices import N_OPTIONS, NAMES, NAMES_BY_FORMER_NUMBER, Choices
from viz.lesson.quiz import QUIZ, quiz
from viz.lesson.scenes import SCENES
from viz.lesson.views import mark_changes
from viz.panels import votes
from viz.rooms.questions import AFTER, BEFORE
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
def test_a_link_without_a_sentence_opens_its_scene_with_the_scenes_sentence(scene):
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


@pytest.mark.parametrize(
    ("before", "after", "marked_before", "marked_after"),
    [
        ("Tom est-il médecin ?", "Tom est médecin.", "Tom ~~est-il~~ médecin ~~?~~", "Tom **est** médecin."),
        ("J'adore le chocolat.", "J'adore le chocolat colocatat.", "J'adore le chocolat.",
         "J'adore le chocolat **colocatat.**"),
        ("Le chat dort.", "Le chat dort.", "Le chat dort.", "Le chat dort."),
        ("Il dort.", "Il dort !", "Il dort.", "Il dort **!**"),
        ("Oui.", "Oui!", "~~Oui.~~", "**Oui!**"),
        ("我爱巧克力。", "我恨巧克力。", "我~~爱~~巧克力。", "我**恨**巧克力。"),
        ("", "Le chat", "", "**Le chat**"),
    ],
)  # fmt: skip
def test_only_words_that_differ_are_marked(before, after, marked_before, marked_after):
    assert tuple(re.sub(r"[\\\u2060]", "", text) for text in mark_changes(before, after)) == (
        marked_before,
        marked_after,
    )


def test_model_output_is_not_rendered_as_markdown():
    assert mark_changes("a *b* c", "a c") == ("a ~~\u2060\\*b\\*\u2060~~ c", "a c")


def test_punctuation_beside_a_letter_is_marked_by_signs_that_markdown_reads():
    """Markdown would show an emphasis mark between a letter and punctuation (CommonMark 0.31, 6.2: left-flanking)."""
    assert mark_changes("汤姆是医生吗?", "汤姆是医生。")[1] == "汤姆是医生**\u2060。\u2060**"


@pytest.mark.parametrize(("counts", "expected"), [([1, 0], [100, 0]), ([3, 1], [75, 25]), ([0, 0], [0, 0])])
def test_an_answer_is_shaded_by_its_share_of_the_votes(monkeypatch, counts, expected):
    html = []
    monkeypatch.setattr(votes.st, "html", html.append)
    votes.shares(["one", "two"], counts)
    assert [int(share) for share in re.findall(r"--share:(\d+)%", html[0])] == expected


@pytest.mark.parametrize(("values", "inks", "labels"), [
    ([[0.1, 0.8]], [12, 100], ["10%", "80%"]),
    ([[0.0, 0.0]], [0, 0], ["", ""]),
    ([[0.004, 0.5]], [1, 100], ["", "50%"]),
])  # fmt: skip
def test_the_largest_share_of_taps_is_the_darkest_and_no_tap_is_no_ink(values, inks, labels):
    html = votes.taps(np.array(values), rows=["<r>"], columns=["a", "b"], right=(0, 1))
    cells = re.findall(r'<td class="tap (.*?)" style="--ink:(\d+)%">(.*?)</td>', html)
    assert [(int(ink), text) for _, ink, text in cells] == list(zip(inks, labels, strict=True))
    assert ["right" in kind for kind, *_ in cells] == [False, True] and "&lt;r&gt;" in html
