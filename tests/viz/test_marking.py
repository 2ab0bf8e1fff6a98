"""The words in which two translations differ."""

from __future__ import annotations

import pytest

from viz.panels.lesson.marking import marked


@pytest.mark.parametrize(
    ("before", "after", "lost", "found"),
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
def test_only_words_that_differ_are_marked(before, after, lost, found):
    assert tuple(text.replace("\\", "") for text in marked(before, after)) == (lost, found)


def test_what_a_model_wrote_is_no_markdown():
    assert marked("a *b* c", "a c") == (r"a ~~\*b\*~~ c", "a c")
