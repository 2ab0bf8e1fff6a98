"""The teacher's live part of a room: how many are here, the question, its results, the class's sentences."""

from __future__ import annotations

import streamlit as st

from viz import session
from viz.i18n import current_language, tr
from viz.panels.errors import show
from viz.panels.reading import find_reading
from viz.panels.room import ask, held
from viz.panels.room.results import results
from viz.rooms.questions import Question
from viz.rooms.report import AFTER, BEFORE, learning_csv, votes_csv
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.turns import in_turn

POLL_SECONDS = 1.0
MOST_SENTENCES = 30
_REDRAW = "room.redraw"


def console() -> None:
    """Draw it again every second while the room is open."""
    st.fragment(in_turn(_draw), run_every=POLL_SECONDS)()


def _draw() -> None:
    if session.recall(_REDRAW, bool):
        session.remember(_REDRAW, False)
        st.rerun()
    try:
        room = held.room()
        if room is None:
            st.rerun()
        _draw_room(room)
    except StoreError:
        st.warning(tr("room.reload"), icon=":material/cloud_off:")


def _draw_room(room: Room) -> None:
    question = room.question()
    st.caption(tr("room.here", n=room.n_devices()))
    if question is None:
        _ask(room)
    else:
        _asked(room, question)
    _sentences(room)
    _end(room)


def _ask(room: Room) -> None:
    here = find_reading()
    found = {offer.id: offer.label for offer in ask.offers(here)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(tr("room.ask"), list(found), format_func=found.__getitem__, key="room_offer")
        st.button(tr("room.ask_open"), type="primary", icon=":material/how_to_vote:", key="room_ask", on_click=_open,
                  args=(room,))  # fmt: skip


def _open(room: Room) -> None:
    offer = session.value("room_offer")
    question = ask.question_of(offer, find_reading(), times=ask.times_asked(room.asked(), offer)) if offer else None
    if question is not None:
        room.ask(question)
        _draw_all_again(question)


def _asked(room: Room, question: Question) -> None:
    language, is_hidden, is_before = current_language(), bool(room.fields().get("hidden")), question.id == BEFORE
    st.header(question.words.get(language, question.words["en"]), anchor=False)
    phones, answers = room.counted()
    if not question.is_revealed:
        said = tr("room.answers_of", n=answers, phones=phones)
        st.metric(tr("room.ask"), said, label_visibility="collapsed")
        if is_before:
            st.caption(tr("room.before_note"))
    elif is_hidden:
        st.caption(tr("room.hidden"))
    else:
        results(room, question, language)
    with st.container(horizontal=True, gap="small"):
        if not question.is_revealed:
            st.button(tr("room.reveal"), type="secondary" if is_before else "primary", key="room_reveal",
                      on_click=_reveal, args=(room, question))  # fmt: skip
        else:
            st.toggle(tr("room.hide"), is_hidden, key="room_hide", on_change=_hide, args=(room,))
        st.button(tr("room.drop"), key="room_drop", on_click=_drop, args=(room, question))
    if question.kind == "head" and not question.right:
        _measure(room, question)


def _reveal(room: Room, question: Question) -> None:
    room.reveal()
    _draw_all_again(question)


def _drop(room: Room, question: Question) -> None:
    room.drop_question()
    _draw_all_again(question)


def _draw_all_again(question: Question) -> None:
    """The stage above this part of the page hides what the class is guessing."""
    if question.step >= 0:
        session.remember(_REDRAW, True)


def _measure(room: Room, question: Question) -> None:
    """While the class thinks, measure the importance of each head."""
    here = find_reading()
    if here is None or not ask.is_about(question, here):
        return
    with st.spinner(tr("room.measuring")):
        *_, found = ask.head_effects(here)
        room.learn(question.id, right=ask.most_effective(found), measured=ask.losses(found))
    st.rerun()


def _hide(room: Room) -> None:
    room.hide(bool(session.value("room_hide")))


def _sentences(room: Room) -> None:
    found = room.sentences()
    if session.read().presenter and not st.toggle(tr("room.sentences_show"), key="room_sentences"):
        return
    with st.expander(tr("room.sentences", n=len(found)), icon=":material/forum:"):
        if not found:
            st.caption(tr("room.sentences_none"))
        for sentence in found[:MOST_SENTENCES]:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(sentence.text if sentence.n == 1 else f"{sentence.text}  ×{sentence.n}")
                st.button(tr("room.sentence_open"), key=f"room_take_{sentence.key}", on_click=_take,
                          args=(room, sentence.key, sentence.text))  # fmt: skip
                st.button(tr("room.sentence_drop"), key=f"room_drop_{sentence.key}", type="tertiary",
                          on_click=room.drop_sentence, args=(sentence.key,))  # fmt: skip


def _take(room: Room, key: str, text: str) -> None:
    session.new_sentence(text)
    room.drop_sentence(key)
    session.remember(_REDRAW, True)


def _end(room: Room) -> None:
    asked = {question.id for question in room.asked()}
    with st.container(horizontal=True, gap="small"):
        st.toggle(tr("room.pause"), bool(room.fields().get("paused")), key="room_pause", on_change=_pause, args=(room,))
        st.download_button(tr("room.csv"), votes_csv(room, current_language()), "votes.csv", "text/csv",
                           key="room_csv", on_click="ignore", disabled=not asked)  # fmt: skip
        st.download_button(tr("room.csv_learning"), learning_csv(room), "learning.csv", "text/csv",
                           key="room_learning", on_click="ignore", disabled=not {BEFORE, AFTER} <= asked)  # fmt: skip
        with st.popover(tr("room.close"), icon=":material/logout:", key="room_close"):
            st.caption(tr("room.close_sure"))
            st.button(tr("room.close"), type="primary", key="room_close_sure", on_click=held.close_room)


def _pause(room: Room) -> None:
    room.pause(bool(session.value("room_pause")))


def gone(code: str) -> None:
    """Say that the room of the link has ended, and what to do."""
    show(tr("room.screen_gone"), tr("room.gone", code=code))
