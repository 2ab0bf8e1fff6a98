"""Words written by hand, as the model that reads pictures reads them, and the choice of a word to compare with."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from model.bundle import Bundle
from model.errors import RegardError
from model.picture import is_picture
from model.teaching.measured.handwriting import ReadWord, painted_out, read_word
from model.trace import Trace
from viz import cache
from viz.components.written import Shown, draw_words
from viz.i18n import group, tr
from viz.panels.reading import find_bundle
from viz.plain_text import chip_text
from viz.rooms.questions import Question
from viz.rooms.room import Room
from viz.shipped_models import shipped_models
from viz.state import session


@dataclass(frozen=True, slots=True)
class Word:
    """A word that a phone has written."""

    key: str
    """Names it in the browser, without naming the phone."""
    device: str
    text: str


def words_of(room: Room, question: Question) -> list[Word]:
    """The class's words, in the order in which the phones joined."""
    votes = room.votes(question.id)
    devices = [phone.device for phone in room.phones() if phone.device in votes]
    return [Word(hashlib.sha256(device.encode()).hexdigest()[:12], device, votes[device]) for device in devices]


def has_reader() -> bool:
    """Whether there is a model that reads pictures: the one in use, or one that comes with the program."""
    return bool(_chosen_reader() or _shipped_reader())


def reader() -> Bundle:
    """The model in use if it reads pictures, else the shipped one; raises CheckpointError when it cannot be opened."""
    return _chosen_reader() or cache.shipped_model(_shipped_reader())


def read(text: str) -> ReadWord | None:
    """A picture's word as the model reads it, cached; None where it cannot be read."""
    try:
        return cache.compute(read_word, reader(), text=text)
    except RegardError:
        return None


def is_cached(text: str) -> bool:
    """Whether ``read`` takes it from the cache."""
    return cache.is_computed(read_word, reader(), text=text)


def strip_width(bundle: Bundle) -> int:
    """Width of a strip in pixels; 0 for a model that reads no pictures."""
    return 0 if bundle.picture is None else bundle.picture.strip


def shown_word(text: str, word: ReadWord | None, *, title: str = "", key: str = "") -> Shown:
    """A word for the component; without letters until the model has read it."""
    letters = () if word is None else tuple(map(chip_text, word.letters))
    looks = () if word is None else tuple(tuple(round(100 * float(w)) for w in row) for row in word.looks_at_ink)
    return Shown(text=text, letters=letters, looks=looks, strip=strip_width(reader()), title=title, key=key)


def _chosen_reader() -> Bundle | None:
    bundle = find_bundle() if session.is_drawing() else None
    return bundle if bundle is not None and bundle.picture is not None else None


def _shipped_reader() -> str:
    return next((shipped.name for shipped in shipped_models().values() if shipped.reads_pictures), "")


def without_letter(text: str, place: int) -> str:
    """The picture without a letter, as text; "" where nothing is read in it or nothing would be left."""
    try:
        return cache.compute(painted_out, reader(), text=text, place=place).after.picture
    except RegardError:
        return ""


def without_a_letter(text: str) -> str:
    """The picture without the first letter whose absence changes what is read, as text; "" where there is none."""
    word = read(text)
    for place in range(len(word.letters) if word else 0):
        other = without_letter(text, place)
        reading = read(other) if other else None
        if word and reading and reading.text != word.text:
            return other
    return ""


def columns_of(bundle: Bundle, *traces: Trace) -> tuple[tuple[str, ...], str]:
    """The names of the source tokens, and their picture as text where they are its strips: up to the first empty strip
    after the ink of all pictures."""
    source = traces[0].source
    if bundle.picture is None:
        return tuple(map(chip_text, source.pieces)), ""
    words = (read(trace.source_text) for trace in traces)
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
    word = read(text)
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
    words = [shown_word(other, read(other), title=tr("pad.other_word"))] if other else []
    draw_words(words, texts=group("pad"), key=pad, has_pad=not places, on_text=take_word)
