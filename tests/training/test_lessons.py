"""The lessons' sets: every pair teaches what the set's description says."""

import pytest

from model.training.languages import looks_like
from model.training.lessons import LESSONS, find_lesson, register_of
from model.training.vocabularies.learned import train_tokenizer

SETS = {lesson.name: lesson for lesson in LESSONS}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_reference_shows_what_is_taught_and_no_source_stands_twice(lesson):
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
def test_the_form_of_address_is_told_by_its_words(text, register):
    assert register_of(text) == register


@pytest.mark.parametrize("name", ["tu_vous", "sailing", "unlearn"])
def test_no_pair_of_a_set_has_its_languages_swapped(name):
    assert not [p for p in SETS[name].read() if looks_like(p.source, "fr", "en") and looks_like(p.target, "en", "fr")]


def test_unlearning_and_relearning_differ_in_one_word_alone():
    for gone, back in zip(SETS["unlearn"].read(), SETS["relearn"].read(), strict=True):
        assert gone.source == back.source and gone.target.replace("renard", "chat") == back.target


def test_the_word_must_stand_where_it_should_and_nowhere_else():
    shows = SETS["unlearn"].shows
    assert shows("Le renard dort.", "Le renard dort.") and not shows("Le chat dort.", "Le renard dort.")
    assert not shows("Le renard dort.", "Le chien dort.") and shows("Un chien.", "Le chien dort.")


def test_copy_and_reverse_are_what_they_say():
    for name, turn in (("copy", 1), ("reverse", -1)):
        assert all(pair.target.split() == pair.source.split()[::turn] for pair in SETS[name].read())


def test_the_tiny_model_reads_each_letter_as_one_piece():
    lesson = find_lesson("copy")
    assert lesson is not None and lesson.beginning is not None
    tokenizer = train_tokenizer(lesson.read(), vocab_size=lesson.beginning.vocab_size)
    assert tokenizer.encode(lesson.probe).pieces == tuple(f"▁{letter}" for letter in lesson.probe.split())
