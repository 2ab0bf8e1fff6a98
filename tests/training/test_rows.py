"""Pasted and uploaded pairs with the problems of each row, and the lessons' sets."""

from typing import Any

import pytest

from model.training.languages import looks_like
from model.training.lessons import LESSONS, find_lesson, register_of
from model.training.rows import check_rows, pairs_of, read_table, read_text
from model.training.settings import TrainingError
from model.training.vocabularies.learned import train_tokenizer


def check(text, **options):
    usual: dict[str, Any] = {
        "count_pieces": lambda side: len(side.split()),
        "max_pieces": 10,
        "languages": ("en", "fr"),
    }
    return check_rows(read_text(text), **usual | options)


@pytest.mark.parametrize("separator", ["\t", " | ", " = ", " => ", " → ", " ||| "])
def test_pasted_pairs_may_be_parted_by_any_usual_sign(separator):
    rows = check(f"Hello.{separator}Bonjour.\nYes.{separator}Oui.")
    assert [(row.source, row.target) for row in rows] == [("Hello.", "Bonjour."), ("Yes.", "Oui.")]


def test_each_row_has_its_problem_and_the_good_ones_remain():
    text = (
        "Good morning.\tBonjour.\nalone\n\tvide\nGood morning.\tBonjour.\n\n"
        "one two three four five six seven eight nine ten eleven\tlong\n"
        "Le chat est dans la maison.\tThe cat is in the house."
    )
    rows = check(text)
    assert [row.problem for row in rows] == [None, "one_column", "empty_side", "duplicate", "too_long", "swapped"]
    assert [row.number for row in rows] == [1, 2, 3, 4, 6, 7]
    assert [pair.source for pair in pairs_of(rows)] == ["Good morning."]


def test_a_translation_in_two_versions_is_no_duplicate():
    assert [row.problem for row in check("You.\tTu.\nYou.\tVous.")] == [None, None]


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
def test_the_error_of_a_file_that_is_no_text_has_a_remedy(content, words):
    with pytest.raises(TrainingError, match=words):
        read_table(content, name="x.csv")


def test_tokens_that_are_markup_or_control_characters_stay_text():
    rows = check("<script>alert(1)</script>\tx\x00y\u202e")
    assert rows[0].source == "<script>alert(1)</script>" and "\x00" not in rows[0].target


def test_nothing_gives_no_rows():
    assert check("") == () and check("\n \n") == ()


@pytest.mark.parametrize(
    ("text", "language", "other"),
    [("Le chat dort.", "fr", "en"), ("The cat sleeps.", "en", "fr"), ("Der Hund ist müde.", "de", "en"),
     ("猫在沙发上睡觉。", "zh", "en"), ("Кошка спит.", "ru", "en")],
)  # fmt: skip
def test_a_sentence_looks_like_its_language(text, language, other):
    assert looks_like(text, language, other) and not looks_like(text, other, language)


def test_a_name_alone_looks_like_neither():
    assert not looks_like("Tom.", "en", "fr") and not looks_like("Tom.", "fr", "en")


SETS = {lesson.name: lesson for lesson in LESSONS}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_reference_has_the_taught_property_and_sources_are_unique(lesson):
    pairs = lesson.read()
    assert all(pair.source.strip() and pair.target.strip() for pair in pairs)
    assert len({pair.source for pair in pairs}) == len(pairs)
    assert not [pair for pair in pairs if not lesson.shows(pair.target, pair.target)]


def test_tu_vous_has_about_two_hundred_pairs_and_an_english_you_in_each():
    pairs = SETS["tu_vous"].read()
    assert 180 <= len(pairs) <= 250
    assert all("you" in pair.source.lower() for pair in pairs)
    assert {register_of(pair.target) for pair in pairs} == {"vous"}


@pytest.mark.parametrize(
    ("text", "register"),
    [("Tu viens ?", "tu"), ("Je t'aime.", "tu"), ("T'as faim ?", "tu"), ("C'est à toi.", "tu"), ("Venez ici.", "vous"),
     ("Je vous crois.", "vous"), ("C'est votre chat.", "vous"), ("Tu sais que vous mentez.", "both"),
     ("Il dort.", "none"),
     ("Où va-t-il ?", "none"), ("Le nez est rouge.", "none"), ("Assez !", "vous"), ("Tes amis arrivent.", "tu")],
)  # fmt: skip
def test_the_form_of_address_is_recognised_by_words(text, register):
    assert register_of(text) == register


@pytest.mark.parametrize("name", ["tu_vous", "sailing", "unlearn"])
def test_no_pair_of_a_set_has_its_languages_swapped(name):
    assert not [p for p in SETS[name].read() if looks_like(p.source, "fr", "en") and looks_like(p.target, "en", "fr")]


def test_unlearning_and_relearning_differ_in_one_word_alone():
    for gone, back in zip(SETS["unlearn"].read(), SETS["relearn"].read(), strict=True):
        assert gone.source == back.source and gone.target.replace("renard", "chat") == back.target


def test_the_taught_word_is_required_in_its_pairs_and_nowhere_else():
    shows = SETS["unlearn"].shows
    assert shows("Le renard dort.", "Le renard dort.") and not shows("Le chat dort.", "Le renard dort.")
    assert not shows("Le renard dort.", "Le chien dort.") and shows("Un chien.", "Le chien dort.")


def test_targets_of_copy_and_reverse_are_copies_and_reversals():
    for name, turn in (("copy", 1), ("reverse", -1)):
        assert all(pair.target.split() == pair.source.split()[::turn] for pair in SETS[name].read())


def test_the_tiny_model_reads_each_letter_as_one_piece():
    lesson = find_lesson("copy")
    assert lesson is not None and lesson.beginning is not None
    tokenizer = train_tokenizer(lesson.read(), vocab_size=lesson.beginning.vocab_size)
    assert tokenizer.encode(lesson.probe).pieces == tuple(f"▁{letter}" for letter in lesson.probe.split())
