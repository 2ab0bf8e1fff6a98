"""Pasted and uploaded pairs: how they are read, and which problems are reported for each row."""

from typing import Any

import pytest

from model.training.languages import looks_like
from model.training.rows import check_rows, pairs_of, read_table, read_text
from model.training.settings import TrainingError


def checked(text, **options):
    usual: dict[str, Any] = {
        "count_pieces": lambda side: len(side.split()),
        "max_pieces": 10,
        "languages": ("en", "fr"),
    }
    return check_rows(read_text(text), **usual | options)


@pytest.mark.parametrize("separator", ["\t", " | ", " = ", " => ", " → ", " ||| "])
def test_pasted_pairs_may_be_parted_by_any_usual_sign(separator):
    rows = checked(f"Hello.{separator}Bonjour.\nYes.{separator}Oui.")
    assert [(row.source, row.target) for row in rows] == [("Hello.", "Bonjour."), ("Yes.", "Oui.")]


def test_each_row_says_its_problem_and_the_good_ones_remain():
    text = (
        "Good morning.\tBonjour.\nalone\n\tvide\nGood morning.\tBonjour.\n\n"
        "one two three four five six seven eight nine ten eleven\tlong\n"
        "Le chat est dans la maison.\tThe cat is in the house."
    )
    rows = checked(text)
    assert [row.problem for row in rows] == [None, "one_column", "empty_side", "duplicate", "too_long", "swapped"]
    assert [row.number for row in rows] == [1, 2, 3, 4, 6, 7]
    assert [pair.source for pair in pairs_of(rows)] == ["Good morning."]


def test_a_translation_in_two_versions_is_no_duplicate():
    assert [row.problem for row in checked("You.\tTu.\nYou.\tVous.")] == [None, None]


def test_csv_keeps_commas_and_line_breaks_inside_quotation_marks_and_drops_its_heading():
    content = b'source,target\n"Hello, you","Bonjour, toi"\n"two\nlines",deux\n'
    rows = check_rows(read_table(content, name="a.csv"), count_pieces=len, max_pieces=99)
    assert [(row.source, row.target) for row in rows] == [("Hello, you", "Bonjour, toi"), ("two lines", "deux")]


def test_a_semicolon_separates_where_it_is_the_commoner_sign():
    lines = read_table(b"a;b, c\nd;e", name="x.csv")
    assert [cells for _, cells in lines] == [["a", "b, c"], ["d", "e"]]


@pytest.mark.parametrize(
    ("content", "words"), [(b"\xff\xfe\x00", "not UTF-8"), (b'"a,b\n' + b"x" * 200_000, "close its quotation marks")]
)
def test_a_file_that_is_no_text_says_what_to_do(content, words):
    with pytest.raises(TrainingError, match=words):
        read_table(content, name="x.csv")


def test_tokens_that_are_markup_or_control_characters_stay_text():
    rows = checked("<script>alert(1)</script>\tx\x00y\u202e")
    assert rows[0].source == "<script>alert(1)</script>" and "\x00" not in rows[0].target


def test_nothing_gives_no_rows():
    assert checked("") == () and checked("\n \n") == ()


@pytest.mark.parametrize(
    ("text", "language", "other"),
    [("Le chat dort.", "fr", "en"), ("The cat sleeps.", "en", "fr"), ("Der Hund ist müde.", "de", "en"),
     ("猫在沙发上睡觉。", "zh", "en"), ("Кошка спит.", "ru", "en")],
)  # fmt: skip
def test_a_sentence_looks_like_its_language(text, language, other):
    assert looks_like(text, language, other) and not looks_like(text, other, language)


def test_a_name_alone_looks_like_neither():
    assert not looks_like("Tom.", "en", "fr") and not looks_like("Tom.", "fr", "en")
