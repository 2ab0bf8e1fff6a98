"""Words written by a class on its phones: for the teacher with the model's reading of each, then for all screens."""

import hashlib
import json
from dataclasses import asdict

import streamlit as st

from viz.components.written import Shown, draw_words
from viz.i18n import group, tr
from viz.panels import handwriting
from viz.panels.reading import find_bundle, use_model
from viz.rooms.questions import Question
from viz.rooms.room import WORDS, Room
from viz.state import session

MAX_SHOWN = 24
"""Maximum words on a screen that stays readable from the back of a classroom."""
_READ_AT_ONCE = 2
"""Maximum words read in one run of the teacher's page, which reruns every second."""
_ACTS = ("take", "hide", "send_away")
_GALLERY, _LISTED = "room_written", "room.written"


def gallery(room: Room, question: Question) -> None:
    """Draw the words on the teacher's page, if the teacher has switched them on."""
    words = handwriting.words_of(room, question)
    is_listed = st.toggle(tr("room.write_list"), session.recall(_LISTED, bool), key="room_write_list")
    session.remember(_LISTED, is_listed)
    if not (is_listed and words):
        return
    draw_words(_read_words(words), texts=group("pad"), acts=_ACTS, key=_GALLERY, on_act=lambda: _act(room, question))
    st.caption(tr("room.write_read"))
    if len(words) > MAX_SHOWN:
        st.caption(tr("room.write_some", n=MAX_SHOWN, all=len(words)))


def show_on_screens(room: Room, question: Question) -> None:
    """Close the question, and show the words on all screens."""
    words = handwriting.words_of(room, question)
    pictures = (handwriting.shown_word(word.text, handwriting.read(word.text)) for word in words[-MAX_SHOWN:])
    rows = [
        {name: value for name, value in asdict(picture).items() if name not in ("title", "key")} for picture in pictures
    ]
    content = json.dumps({"rows": rows, "n": len(words)}, ensure_ascii=False, separators=(",", ":")).encode()
    room.show_words(question.id, f"{WORDS}-{hashlib.sha256(content).hexdigest()[:16]}", content)


def _read_words(words: list[handwriting.Word]) -> list[Shown]:
    """The newest words with their readings; beyond ``_READ_AT_ONCE`` new ones, the rest are read in later runs."""
    budget, pictures = _READ_AT_ONCE, []
    for word in words[-MAX_SHOWN:]:
        is_cached = handwriting.is_cached(word.text)
        reading = handwriting.read(word.text) if is_cached or budget > 0 else None
        budget -= not is_cached
        pictures.append(handwriting.shown_word(word.text, reading, key=word.key))
    return pictures


def _act(room: Room, question: Question) -> None:
    """Carry out the teacher's action on a word."""
    act, _, key = str(session.component_value(_GALLERY, "act")).partition(" ")
    word = next((word for word in handwriting.words_of(room, question) if word.key == key), None)
    if word is None:
        return
    if act == "take":
        if (bundle := find_bundle()) is None or bundle.picture is None:
            use_model(handwriting.reader().name)
        session.new_sentence(word.text)
        return
    if act == "send_away":
        room.remove([word.device])
    elif act == "hide":
        room.drop_vote(question.id, word.device)
    if question.is_revealed:
        show_on_screens(room, question)
