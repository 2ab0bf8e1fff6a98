"""Checks the lesson's scene on a handwritten word, with that word."""

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


def draw_word(word: str, strip: int) -> tuple[Picture, list[tuple[float, float]]]:
    """A picture of a handwritten word, and the strips at which each letter begins and ends."""
    lines, ends, x_offset = [], [], 0.0
    for letter in word:
        strokes = [[(SIZE * (x_offset + x), SIZE * y) for x, y in stroke] for stroke in LETTERS[letter]["strokes"]]
        lines += strokes
        across = [x for stroke in strokes for x, _ in stroke]
        ends.append((min(across), max(across)))
        x_offset += LETTERS[letter]["width"] + GAP
    heights = [y for line in lines for _, y in line]
    scale = 25 / (max(heights) - min(heights))  # the ink is 28 pixels high, including a pen of 3 pixels
    first = ends[0][0]
    return Picture.drawn(lines), [tuple((4 + 1.5 + (x - first) * scale) / strip for x in bounds) for bounds in ends]


@pytest.mark.parametrize("word", ["hello", "line", "about"])
def test_one_head_looks_at_the_strokes_of_the_second_letter(hand, word):
    picture, ends = draw_word(word, hand.picture.strip)
    trace = read_word(hand, text=picture.text)
    assert trace.text == word and trace.goes_along
    begin, end = ends[SECOND]
    looked = int(trace.looks_at_ink[SECOND].argmax())
    assert begin - 1.5 <= looked + 0.5 <= end + 0.5, (begin, end, looked)


def test_the_probabilities_are_those_of_the_word_with_the_letter_painted_over(hand):
    text = written_words(hand)[0].picture
    place = most_expected(hand, text=text)
    result = painted_out(hand, text=text, place=place)
    source = hand.picture
    grey = Picture.of_text(text).prepared(source).pixels.copy()
    n_strips = source.width // source.strip
    strips = [strip for strip in range(n_strips) if strip in result.strips]
    for strip in strips:
        grey[:, source.strip * strip : source.strip * (strip + 1)] = 0
    assert strips and Picture.of_text(result.after.picture).prepared(source) == Picture(grey)
    word = result.before.text
    assert result.chance == pytest.approx(math.exp(model.score(hand, Picture(grey), word).log_probs[place]), rel=1e-4)
    assert result.before.chances[place] == pytest.approx(
        math.exp(model.score(hand, text, word).log_probs[place]), rel=1e-3
    )
    blind = Interventions(blocked_keys=tuple(BlockedKey("cross", strip) for strip in range(n_strips)))
    without = model.score(hand, text, word, interventions=blind)
    assert result.by_language == pytest.approx(math.exp(without.log_probs[place]), rel=1e-4)
    assert without.candidates is not None and without.candidates.pieces[place][0] == result.expected
    assert result.after.text == model.translate(hand, Picture(grey)).text.rstrip("\n")


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scenes_claims_are_measured_on_its_word(hand, language):
    text = written_words(hand)[0].picture
    result = painted_out(hand, text=text, place=most_expected(hand, text=text))
    assert (result.before.text, result.letter, result.is_gap, result.expected) == ("beauty", "u", True, "u")
    assert result.after.text[result.place] == " " or " " in result.after.text
    reading = reading_of(model.load(), "I like tea.")
    with speaking(language):
        numbers, measured = reader.SCENE.numbers(reading), reader.measured(reading)
        answer = tr("lesson.reader_answer", **numbers)
        displayed = chances(result.before.chances[result.place], result.chance, result.chance_expected)
        assert all(share in answer and share in measured for share in displayed)
        assert tr("lesson.reader_gap") in answer and tr("lesson.reader_read") not in answer
        assert chances(float(result.before.looks_at_ink[SECOND].max()))[0] in answer
        assert "beauty" in tr("lesson.reader_expect")


def test_a_word_of_one_letter_asks_for_a_longer_one(hand):
    picture, _ = draw_word("o", 4)
    trace = read_word(hand, text=picture.text)
    assert not trace.goes_along or len(trace.letters) > 1
