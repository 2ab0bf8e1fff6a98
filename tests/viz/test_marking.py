"""Marking the words in which two translations differ."""

import re

import numpy as np
import pytest

from viz.lesson.views import marked
from viz.panels.classroom import results


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
    assert tuple(re.sub(r"[\\\u2060]", "", text) for text in marked(before, after)) == (marked_before, marked_after)


def test_model_output_is_not_rendered_as_markdown():
    assert marked("a *b* c", "a c") == ("a ~~\u2060\\*b\\*\u2060~~ c", "a c")


def test_punctuation_beside_a_letter_is_marked_by_signs_that_markdown_reads():
    """Markdown would show an emphasis mark between a letter and punctuation (CommonMark 0.31, 6.2: left-flanking)."""
    assert marked("汤姆是医生吗?", "汤姆是医生。")[1] == "汤姆是医生**\u2060。\u2060**"


@pytest.mark.parametrize(("counts", "expected"), [([1, 0], [100, 0]), ([3, 1], [75, 25]), ([0, 0], [0, 0])])
def test_an_answer_is_shaded_by_its_share_of_the_votes(monkeypatch, counts, expected):
    html = []
    monkeypatch.setattr(results.st, "html", html.append)
    results.shares(["one", "two"], counts)
    assert [int(share) for share in re.findall(r"--share:(\d+)%", html[0])] == expected


@pytest.mark.parametrize(("values", "inks", "labels"), [
    ([[0.1, 0.8]], [12, 100], ["10%", "80%"]),
    ([[0.0, 0.0]], [0, 0], ["", ""]),
    ([[0.004, 0.5]], [1, 100], ["", "50%"]),
])  # fmt: skip
def test_the_largest_share_of_taps_is_the_darkest_and_no_tap_is_no_ink(values, inks, labels):
    html = results.taps(np.array(values), rows=["<r>"], columns=["a", "b"], right=(0, 1))
    cells = re.findall(r'<td class="tap (.*?)" style="--ink:(\d+)%">(.*?)</td>', html)
    assert [(int(ink), text) for _, ink, text in cells] == list(zip(inks, labels, strict=True))
    assert ["right" in kind for kind, *_ in cells] == [False, True] and "&lt;r&gt;" in html
