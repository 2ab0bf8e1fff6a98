"""The words that a class has written on its phones: for the teacher with what the model reads in each, then for all."""

import hashlib
import json
from dataclasses import asdict

import streamlit as st

from viz.components.written import Shown, written
from viz.i18n import group, tr
from viz.panels import handwriting
from viz.panels.reading import find_bundle, use_model
from viz.rooms.questions import Question
from viz.rooms.room import WORDS, Room
from viz.state import session

MOST_SHOWN = 24
"""Words beside each other on a screen that the last row reads."""
_READ_AT_ONCE = 2
"""Words that are read in one run of the teacher's page, which follows the class every second."""
_ACTS = ("take", "hide", "send_away")
_GALLERY, _LISTED = "room_written", "room.written"
_AFTER_NAME = ("title", "key")


def gallery(room: Room, question: Question) -> None:
    """The words on the teacher's page, once the teacher wants them there."""
    words = handwriting.words_of(room, question)
    is_listed = st.toggle(tr("room.write_list"), session.recall(_LISTED, bool), key="room_write_list")
    session.remember(_LISTED, is_listed)
    if not (is_listed and words):
        return
    written(_read(words), texts=group("pad"), acts=_ACTS, key=_GALLERY, on_act=lambda: _act(room, question))
    st.caption(tr("room.write_read"))
    if len(words) > MOST_SHOWN:
        st.caption(tr("room.write_some", n=MOST_SHOWN, all=len(words)))


def show_on_screens(room: Room, question: Question) -> None:
    """Close the question, and show the words on all screens."""
    words = handwriting.words_of(room, question)
    rows = [_without_name(handwriting.shown(each.text, handwriting.read(each.text))) for each in words[-MOST_SHOWN:]]
    content = json.dumps({"rows": rows, "n": len(words)}, ensure_ascii=False, separators=(",", ":")).encode()
    room.show_words(question.id, f"{WORDS}-{hashlib.sha256(content).hexdigest()[:16]}", content)


def _read(words: list[handwriting.Word]) -> list[Shown]:
    """The newest words; of those that come at once some are read in the next run."""
    left, found = _READ_AT_ONCE, []
    for each in words[-MOST_SHOWN:]:
        is_known = handwriting.is_known(each.text)
        word = handwriting.read(each.text) if is_known or left > 0 else None
        left -= not is_known
        found.append(handwriting.shown(each.text, word, key=each.key))
    return found


def _without_name(shown: Shown) -> dict[str, object]:
    return {name: value for name, value in asdict(shown).items() if name not in _AFTER_NAME}


def _act(room: Room, question: Question) -> None:
    """What the teacher wants done with a word."""
    act, _, key = str(session.component_value(_GALLERY, "act")).partition(" ")
    word = next((each for each in handwriting.words_of(room, question) if each.key == key), None)
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
