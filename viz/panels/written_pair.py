"""The word to compare with, for a model that reads handwriting: the same word without a letter, or one that the reader
writes."""

from collections.abc import Callable

import streamlit as st

from model.bundle import Bundle
from model.errors import RegardError
from model.picture import is_picture
from model.teaching.measured.handwriting import painted_out
from model.trace import Trace
from viz import cache
from viz.components.written import written
from viz.i18n import group, tr
from viz.panels import handwriting
from viz.plain_text import chip_text
from viz.state import session


def without_letter(text: str, place: int) -> str:
    """The picture without a letter, as text; "" where nothing is read in it or nothing would be left."""
    try:
        return cache.compute(painted_out, handwriting.reader(), text=text, place=place).after.picture
    except RegardError:
        return ""


def without_a_letter(text: str) -> str:
    """The picture without the first letter whose absence changes what is read, as text; "" where there is none."""
    word = handwriting.read(text)
    for place in range(len(word.letters) if word else 0):
        other = without_letter(text, place)
        reading = handwriting.read(other) if other else None
        if word and reading and reading.text != word.text:
            return other
    return ""


def columns_of(bundle: Bundle, *traces: Trace) -> tuple[tuple[str, ...], str]:
    """The names of the source tokens, and their picture as text where they are its strips: up to the first empty strip
    after the ink of all pictures."""
    source = traces[0].source
    if bundle.picture is None:
        return tuple(map(chip_text, source.pieces)), ""
    words = (handwriting.read(trace.source_text) for trace in traces)
    n_inked = max((word.n_inked for word in words if word), default=len(source))
    names = (tr("pad.strip", text=piece) for piece in source.pieces[: n_inked + 1])
    return tuple(names), traces[0].source_text


def choose_other(text: str, other: str, take: Callable[[str], object], *, label: str, key: str) -> None:
    """Draw the choice of the letter to leave out, the resulting word with its reading, and a pad to write another.

    Args:
        text: the picture above, as text.
        other: the word to compare with; "" where none is chosen yet.
        take: called with the text of the chosen word.
        label: of the choice of a letter.
        key: what the keys of the parts begin with.
    """
    word = handwriting.read(text)
    letters = [chip_text(letter) for letter in word.letters] if word else []
    places = [place for place in range(len(letters)) if len(letters) > 1 and without_letter(text, place) == other]
    options = [*range(len(letters)), -1]
    names = [f"{place}. {letter}" for place, letter in enumerate(letters, 1)] + [tr("pad.own_word")]
    letter, pad = f"{key}.letter", f"{key}.pad"
    session.seed_widget(letter, places[0] if places else -1 if other else None, (text, other))

    def take_letter() -> None:
        place = session.widget_value(letter)
        if isinstance(place, int):
            take(without_letter(text, place) if place >= 0 else text)

    def take_word() -> None:
        picture = session.component_value(pad, "text")
        if isinstance(picture, str) and is_picture(picture):
            take(picture)

    st.selectbox(
        label, options, index=None, placeholder="", format_func=names.__getitem__, key=letter, width=280,
        on_change=take_letter,
    )  # fmt: skip
    words = [handwriting.shown(other, handwriting.read(other), title=tr("pad.other_word"))] if other else []
    written(words, texts=group("pad"), key=pad, has_pad=not places, on_text=take_word)
