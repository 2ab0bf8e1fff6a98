"""What the lesson says of a word written by hand, measured on the word that it says it of."""

import math

import pytest

import model
from model import BlockedKey, Interventions, Picture
from model.teaching.measured.handwriting import most_expected, painted_out, read_word
from model.teaching.written_words import written_words
from tests.browser.handwriting import LETTERS
from tests.viz.test_facts_of_the_lesson import reading_of
from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson.scenes import reader
from viz.lesson.scenes.reader import SECOND
from viz.lesson.views import chances

GAP, SIZE = 0.25, 40  # between letters, in heights of small ones; and their height in pixels


@pytest.fixture(scope="module")
def hand():
    return model.load("reader")


def drawn(word: str) -> tuple[Picture, list[tuple[float, float]]]:
    """A word in the letters of a finger, and where each letter begins and ends in the picture, in strips."""
    lines, ends, left = [], [], 0.0
    for letter in word:
        strokes = [[(SIZE * (left + x), SIZE * y) for x, y in stroke] for stroke in LETTERS[letter]["strokes"]]
        lines += strokes
        across = [x for stroke in strokes for x, _ in stroke]
        ends.append((min(across), max(across)))
        left += LETTERS[letter]["width"] + GAP
    heights = [y for line in lines for _, y in line]
    scale = 25 / (max(heights) - min(heights))  # the ink is 28 pixels high, the pen 3 of them
    first = ends[0][0]
    return Picture.drawn(lines), [tuple((4 + 1.5 + (x - first) * scale) / 6 for x in each) for each in ends]


@pytest.mark.parametrize("word", ["hello", "line", "about"])
def test_one_head_looks_at_the_strokes_of_the_second_letter(hand, word):
    picture, ends = drawn(word)
    read = read_word(hand, text=picture.text)
    assert read.text == word and read.goes_along
    begin, end = ends[SECOND]
    looked = int(read.looks_at_ink[SECOND].argmax())
    assert begin - 1.5 <= looked + 0.5 <= end + 0.5, (begin, end, looked)


def test_the_probabilities_are_those_of_the_word_with_the_letter_painted_over(hand):
    text = written_words(hand)[0].picture
    place = most_expected(hand, text=text)
    found = painted_out(hand, text=text, place=place)
    source = hand.picture
    grey = Picture.of_text(text).prepared(source).pixels.copy()
    strips = [strip for strip in range(64) if strip in found.strips]
    for strip in strips:
        grey[:, 6 * strip : 6 * strip + 6] = 0
    assert strips and Picture.of_text(found.after.picture).prepared(source) == Picture(grey)
    word = found.before.text
    assert found.chance == pytest.approx(math.exp(model.score(hand, Picture(grey), word).log_probs[place]), rel=1e-4)
    assert found.before.chances[place] == pytest.approx(
        math.exp(model.score(hand, text, word).log_probs[place]), rel=1e-3
    )
    blind = Interventions(blocked_keys=tuple(BlockedKey("cross", strip) for strip in range(64)))
    without = model.score(hand, text, word, interventions=blind)
    assert found.by_language == pytest.approx(math.exp(without.log_probs[place]), rel=1e-4)
    assert without.candidates is not None and without.candidates.pieces[place][0] == found.expected
    assert found.after.text == model.translate(hand, Picture(grey)).text.rstrip("\n")


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_scene_says_of_its_own_word_is_measured_on_it(hand, language):
    text = written_words(hand)[0].picture
    found = painted_out(hand, text=text, place=most_expected(hand, text=text))
    assert (found.before.text, found.letter, found.is_gap, found.expected) == ("beauty", "u", True, "u")
    assert found.after.text[found.place] == " " or " " in found.after.text
    here = reading_of(model.load(), "I like tea.")
    with speaking(language):
        numbers, said = reader.SCENE.numbers(here), reader.measured(here)
        answer = tr("lesson.reader_answer", **numbers)
        shown = chances(found.before.chances[found.place], found.chance, found.chance_expected)
        assert all(share in answer and share in said for share in shown)
        assert tr("lesson.reader_gap") in answer and tr("lesson.reader_read") not in answer
        assert chances(float(found.before.looks_at_ink[SECOND].max()))[0] in answer
        assert "beauty" in tr("lesson.reader_expect")


def test_a_word_of_one_letter_asks_for_a_longer_one(hand):
    picture, _ = drawn("o")
    read = read_word(hand, text=picture.text)
    assert not read.goes_along or len(read.letters) > 1
