"""A handwritten word as the source: where the model attends, and what it reads without a letter."""

from typing import Any

import numpy as np
import streamlit as st

from model import Bundle
from model.picture import Picture, is_picture
from model.teaching.measured.handwriting import PaintedOut, ReadWord, most_expected, painted_out, written_words
from viz import cache
from viz.components.written import draw_words
from viz.figures import drawings
from viz.figures.drawings import Drawing
from viz.i18n import group, tr
from viz.lesson.choices import AREA, Choices, is_changed
from viz.lesson.scene import Scene
from viz.lesson.views import Act, Pictures, chances
from viz.panels import handwriting, teacher_room
from viz.panels.reading import Reading
from viz.plain_text import chip_text
from viz.rooms.store import StoreError
from viz.state import session

SECOND = 1
"""The letter that the question is about."""
_MIN_LETTERS = 2
_KEY, _OF_CLASS, _LETTER = "lesson.reader_word", "lesson.reader_class", "lesson.reader_letter"
_MAX_WORDS = 6


def _choices() -> Choices:
    """The page's choices; the defaults outside a page (when files are written)."""
    return session.choices_of(Choices, AREA) if session.is_drawing() else Choices()


def has_reader(bundle: Bundle) -> str:
    """A model that reads handwriting."""
    return "" if handwriting.has_reader() else "lesson.need_reader"


def word() -> ReadWord:
    """The word that the class has written; the first word shipped with the model where nothing is read in it."""
    class_word = handwriting.read(_choices().word)
    if class_word is not None and class_word.letters:
        return class_word
    shipped = handwriting.read(written_words(handwriting.reader())[0].picture)
    assert shipped is not None
    return shipped


def paint_out(read: ReadWord) -> PaintedOut:
    """The word without the chosen letter, or the most probable in context; raises EmptyTextError when nothing is
    left."""
    chosen = _choices().letter
    reader = handwriting.reader()
    place = chosen[0] if chosen else cache.compute(most_expected, reader, text=read.picture)
    return cache.compute(painted_out, reader, text=read.picture, place=min(place, len(read.letters) - 1))


def measured_effect(reading: Reading) -> str:
    """The effect of painting the letter out."""
    read = word()
    if len(read.letters) < _MIN_LETTERS:
        return tr("lesson.reader_short")
    return tr("lesson.reader_measured", **_numbers(paint_out(read)))


class Reader(Scene):
    """The picture with the weights of a head on it, before and after a letter is painted out."""

    def named(self, reading: Reading) -> dict[str, object]:
        """The letter that is painted out."""
        return {"letter": chip_text(paint_out(word()).letter)}

    def numbers(self, reading: Reading, n_tried: int | None = None) -> dict[str, object]:
        """Where the head attends, and the letter's probability before and after."""
        read = word()
        first = reading.selection.first_index
        layer, head = read.head
        second = float(read.looks_at_ink[SECOND].max())
        return _numbers(paint_out(read)) | {
            "second": chip_text(read.letters[SECOND]), "head": f"{layer + first}·{head + first}",
            "share": chances(second)[0], "strips": read.looks.shape[1],
        }  # fmt: skip

    def allows(self, reading: Reading) -> bool:
        """Whether the word has enough letters to compare."""
        return len(word().letters) >= _MIN_LETTERS

    def question_translation(self, reading: Reading) -> str:
        """The letters read."""
        return self.about(reading)[1]

    def about(self, reading: Reading) -> tuple[str, str]:
        """The picture and the letters read in it."""
        read = word()
        return read.picture, "".join(map(chip_text, read.letters))

    def draw_question(self, reading: Reading) -> None:
        """Draw the picture without weights, and the pad for another word."""
        picture, text = self.about(reading)
        texts = group("pad") | {"nothing_read": f"→ {text}"}
        draw_words([handwriting.shown_word(picture, None)], texts=texts, key=_KEY, has_pad=True, on_text=_take)
        _of_class()

    def shows(self, reading: Reading) -> bool | None:
        """Whether a head's attention moves along the word that the class has written."""
        return word().goes_along if _choices().word else None

    def draw(self, reading: Reading) -> None:
        """The word; after the change without the letter too."""
        read, titles = word(), (tr("lesson.reader_whole"), tr("lesson.reader_painted"))
        words = [handwriting.shown_word(read.picture, read, title=titles[0])]
        if is_changed() and self.allows(reading):
            after = paint_out(read).after
            words.append(handwriting.shown_word(after.picture, after, title=titles[1]))
        draw_words(words, texts=group("pad"), key=_KEY, letter=SECOND, has_pad=not is_changed(), on_text=_take)
        if not is_changed():
            _of_class()

    def draw_choice(self, reading: Reading) -> None:
        """Which letter is painted out."""
        read = word()
        if len(read.letters) < _MIN_LETTERS:
            return
        names = [f"{place}. {chip_text(letter)}" for place, letter in enumerate(read.letters, 1)]
        session.seed_widget(_LETTER, paint_out(read).place, read.picture)
        st.selectbox(
            tr("lesson.reader_letter"), range(len(names)), format_func=names.__getitem__, key=_LETTER, width=200,
            on_change=_choose_letter,
        )  # fmt: skip

    def compared(self, before: Reading, reading: Reading) -> None:
        """None: the view shows both words."""

    def pictures(self, reading: Reading) -> Pictures:
        """The word with the weights of the second letter, and with a letter painted out; on paper without weights."""
        read = word()
        plain = _drawing(read, None)
        after, caption = _drawing(paint_out(read).after, None), tr("lesson.reader_picture")
        return Pictures(_drawing(read, SECOND), after, plain, caption, question=plain)

    def act(self, before: Reading, reading: Reading) -> Act:
        """Both words with the weights of their letters."""
        read = word()
        return {"kind": "words", "rows": [_row(read), _row(paint_out(read).after)],
                "titles": ("lesson.reader_whole", "lesson.reader_painted")}  # fmt: skip


def _row(read: ReadWord) -> dict[str, Any]:
    drawn_word = handwriting.shown_word(read.picture, read)
    return {"text": drawn_word.text, "letters": drawn_word.letters, "looks": drawn_word.looks}


def _numbers(result: PaintedOut) -> dict[str, object]:
    before, after, expected = chances(result.before.chances[result.place], result.chance, result.chance_expected)
    outcome = "gap" if result.is_gap else "read" if result.is_read else "other"
    return {
        "letter": chip_text(result.letter), "before": before, "after": after,
        "text": "".join(map(chip_text, result.after.letters)), "expected": chip_text(result.expected),
        "chance": expected, "begun": "".join(map(chip_text, result.before.letters[: result.place])) or "…",
        "outcome": tr(f"lesson.reader_{outcome}"),
    }  # fmt: skip


def _drawing(read: ReadWord, letter: int | None) -> Drawing:
    """The inked strips of a word, and below them what is read."""
    source = handwriting.reader().picture
    assert source is not None
    grey = Picture.of_text(read.picture).prepared(source).pixels[:, : read.n_inked * source.strip]
    weights = np.zeros(read.n_inked, np.float32) if letter is None else read.looks_at_ink[letter]
    return drawings.strips(grey, weights, width=source.strip, below=f"→ {''.join(map(chip_text, read.letters))}")


def _take() -> None:
    """Use a word that was written on the pad."""
    text = session.component_value(_KEY, "text")
    if isinstance(text, str) and is_picture(text):
        session.change_part(Choices, AREA, word=text, letter=())


def _choose_letter() -> None:
    place = session.widget_value(_LETTER)
    if isinstance(place, int):
        session.change_part(Choices, AREA, letter=(place,))


def _of_class() -> None:
    """Draw the words that the class has written in its room, to choose one of them."""
    texts = _written_by_class()
    if not texts:
        return
    with st.popover(tr("lesson.reader_class")):
        words = [handwriting.shown_word(text, handwriting.read(text), key=str(i)) for i, text in enumerate(texts)]
        draw_words(words, texts=group("pad"), acts=("use",), key=_OF_CLASS, on_act=lambda: _use_of_class(texts))


def _use_of_class(texts: list[str]) -> None:
    place = str(session.component_value(_OF_CLASS, "act")).partition(" ")[2]
    if place.isdecimal() and int(place) < len(texts):
        session.change_part(Choices, AREA, word=texts[int(place)], letter=())


def _written_by_class() -> list[str]:
    """The newest words of the last writing question."""
    try:
        room = teacher_room.current_room()
        questions = [question for question in room.asked_questions() if question.kind == "write"] if room else []
        if not room or not questions:
            return []
        return [word.text for word in handwriting.words_of(room, questions[-1])][-_MAX_WORDS:]
    except StoreError:
        return []


SCENE = Reader(
    name="reader", right=1, page="explore", minutes=5, needs=(has_reader,), measured=measured_effect,
    reads_sentence=False, lines=3,
)  # fmt: skip
