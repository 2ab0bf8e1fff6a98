"""The teacher's live view of a room: its phones, the question, its results, the class's sentences."""

from collections.abc import Callable

import streamlit as st

from viz.i18n import current_language, tr
from viz.panels import teacher_room
from viz.panels.errors import show
from viz.panels.reading import Reading, find_reading
from viz.panels.votes import countdown, heading, results
from viz.plain_text import chip_text, escape_markdown
from viz.room import ask, teacher_questions, written
from viz.rooms.questions import Question, asked_again, times_asked
from viz.rooms.report import AFTER, BEFORE, learning_csv, votes_csv
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.state import session
from viz.state.turns import in_turn

POLL_SECONDS = 1.0
MAX_SENTENCES = 30
_REDRAW = "room.redraw"
_WORD = "room_word"


def console() -> None:
    """Draw the console, rerun every second while the room is open."""
    st.fragment(in_turn(_draw), run_every=POLL_SECONDS)()


def _draw() -> None:
    if session.recall(_REDRAW, bool):
        session.remember(_REDRAW, False)
        st.rerun()
    try:
        room = teacher_room.current_room()
        if room is None:
            st.rerun()
        question = room.question()
        _door(room)
        if question is None:
            _ask(room)
        else:
            _draw_question(room, question)
        _sentences(room)
        _end(room)
    except StoreError:
        st.warning(tr("room.reload"), icon=":material/cloud_off:")


def _ask(room: Room) -> None:
    reading = find_reading()
    labels = {offer.id: offer.label for offer in ask.offers(reading, teacher_questions.stored_questions(room))}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = int(bool(room.n_votes(BEFORE)))  # the first quiz stays in the list: a teacher may show it to latecomers
        offer = st.selectbox(
            tr("room.ask"), list(labels), first, format_func=lambda name: str(labels.get(name, name)), key="room_offer"
        )
        st.button(tr("room.ask_open"), type="primary", icon=":material/how_to_vote:", key="room_ask", on_click=_open,
                  args=(room,))  # fmt: skip
        teacher_questions.panel(room)
    if reading is not None and offer == "source":
        _choose_head(reading)
        ask.draw_thumbnails(reading, chosen=(reading.selection.layer, reading.selection.head))
    if reading is not None and offer == "head":
        ask.draw_thumbnails(reading)


def _choose_head(reading: Reading) -> None:
    """Draw the choice of the head and the word that the question is about."""
    layers, heads = reading.bundle.config.n_decoder_layers, reading.bundle.config.n_decoder_heads
    first = reading.selection.first_index
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, n in (("layer", layers), ("head", heads)):
            names = [tr(f"positions.{name}", n=i + first) for i in range(n)]
            value = min(getattr(reading.selection, name), n - 1)
            st.selectbox(tr(f"inside.{name}"), range(n), format_func=names.__getitem__, width=140,
                         **session.bind(name, value=value))  # fmt: skip
        tokens = [chip_text(piece) for piece in reading.trace.target.pieces]
        session.seed_widget(_WORD, ask.row_in_question(reading), reading.trace.text)
        st.selectbox(tr("room.ask_word"), range(len(tokens)), format_func=tokens.__getitem__, width=220, key=_WORD)
    question = ask.question_of("source", reading, times=0, row=_chosen_row())
    if question is not None:
        st.markdown(f"**{escape_markdown(question.words[current_language()])}**")


def _chosen_row() -> int:
    row = session.widget_value(_WORD)
    return row if isinstance(row, int) else -1


def _open(room: Room) -> None:
    offer = session.widget_value("room_offer")
    if not isinstance(offer, str):
        return
    times = times_asked(room.asked_questions(), offer)
    question = ask.question_of(
        offer,
        find_reading(),
        times=times,
        teacher_questions=teacher_questions.stored_questions(room),
        row=_chosen_row(),
    )
    if question is not None:
        room.ask(question)
        _redraw_page(question)


def _draw_question(room: Room, question: Question) -> None:
    language, is_hidden = current_language(), bool(room.fields().get("hidden"))
    if question.is_over and not question.is_revealed:
        room.reveal(question.id)
        return
    is_written = question.kind == "write"
    heading(question.words.get(language, question.words["en"]))
    phones, answers = room.counted()
    if not question.is_revealed:
        st.metric(tr("room.ask"), tr("room.answers_of", n=answers, phones=phones), label_visibility="collapsed")
        if question.id == BEFORE:
            st.caption(tr("room.before_note"))
    elif is_hidden:
        st.caption(tr("room.hidden"))
    elif not is_written:
        results(room, question, language)
    if is_written:
        written.gallery(room, question)
    with st.container(horizontal=True, gap="small"):
        _next_act(room, question)
        if question.is_revealed:
            st.toggle(tr("room.hide"), is_hidden, key="room_hide", on_change=_switch, args=(room.hide, "room_hide"))
        if question.id != BEFORE:
            st.button(tr("room.drop"), key="room_drop", on_click=_act, args=(question, room.drop_question, question.id))
    if question.kind == "head" and not question.right:
        _measure(room, question)


def _next_act(room: Room, question: Question) -> None:
    """Draw the button for the next step: close the vote, vote again, or show the answer."""
    if question.id == BEFORE:
        st.button(tr("room.close_quiz"), type="primary", key="room_drop", on_click=_act,
                  args=(question, room.drop_question, question.id))  # fmt: skip
    elif question.kind == "write":
        if not question.is_revealed:
            st.button(tr("room.write_show"), type="primary", key="room_reveal", on_click=_act,
                      args=(question, written.show_on_screens, room, question))  # fmt: skip
    elif not question.is_revealed:
        close = room.explain if question.kind == "quiz" else room.reveal
        st.button(tr("room.close_vote"), type="primary", key="room_reveal", on_click=_act,
                  args=(question, close, question.id))  # fmt: skip
        countdown(room, question)
    elif not question.is_explained:
        st.button(tr("room.show_answer"), type="primary", key="room_explain", on_click=_act,
                  args=(question, room.explain, question.id))  # fmt: skip
        st.button(tr("room.vote_again"), key="room_again", on_click=_act, args=(question, _ask_again, room, question))


def _act(question: Question, act: Callable[..., object], *arguments: object) -> None:
    """Carry out the teacher's act on a question."""
    act(*arguments)
    _redraw_page(question)


def _ask_again(room: Room, question: Question) -> None:
    times = times_asked(room.asked_questions(), question.id.partition("#")[0])
    room.ask(asked_again(question, room.tally(question.id), times=times))


def _redraw_page(question: Question) -> None:
    """Rerun the whole page where the stage hides what the class is guessing."""
    if question.step >= 0:
        session.remember(_REDRAW, True)


def _measure(room: Room, question: Question) -> None:
    """While the class thinks, measure the importance of each head."""
    reading = find_reading()
    if reading is None or not ask.is_about(question, reading):
        return
    with st.spinner(tr("room.measuring")):
        *_, effects = ask.head_effects(reading)
        room.store_results(question.id, right=ask.most_effective(effects), measured=ask.losses(effects))
    st.rerun()


def _switch(change: Callable[[bool], object], key: str) -> None:
    change(bool(session.widget_value(key)))


def _sentences(room: Room) -> None:
    sent = room.sentences()
    if session.read().presenter and not st.toggle(tr("room.sentences_show"), key="room_sentences"):
        return
    with st.expander(tr("room.sentences", n=len(sent)), icon=":material/forum:"):
        if not sent:
            st.caption(tr("room.sentences_none"))
        for sentence in sent[:MAX_SENTENCES]:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(sentence.text if sentence.n == 1 else f"{sentence.text}  ×{sentence.n}")
                st.button(tr("room.sentence_open"), key=f"room_take_{sentence.key}", on_click=_take,
                          args=(room, sentence.key, sentence.text))  # fmt: skip
                st.button(tr("room.sentence_drop"), key=f"room_drop_{sentence.key}", type="tertiary",
                          on_click=room.drop_sentence, args=(sentence.key,))  # fmt: skip
                st.button(tr("room.remove_sender"), key=f"room_away_{sentence.key}", type="tertiary",
                          icon=":material/person_remove:", help=tr("room.remove_sender_help"),
                          on_click=lambda key=sentence.key: room.remove(room.senders(key)))  # fmt: skip


def _take(room: Room, key: str, text: str) -> None:
    session.new_sentence(text)
    room.drop_sentence(key)
    session.remember(_REDRAW, True)


def _end(room: Room) -> None:
    ids = {question.id for question in room.asked_questions()}
    with st.container(horizontal=True, gap="small"):
        st.toggle(tr("room.pause"), bool(room.fields().get("paused")), key="room_pause", on_change=_switch,
                  args=(room.pause, "room_pause"))  # fmt: skip
        st.download_button(tr("room.csv"), votes_csv(room, current_language()), "votes.csv", "text/csv",
                           key="room_csv", on_click="ignore", disabled=not ids)  # fmt: skip
        st.download_button(tr("room.csv_learning"), learning_csv(room), "learning.csv", "text/csv",
                           key="room_learning", on_click="ignore", disabled=not {BEFORE, AFTER} <= ids)  # fmt: skip
        with st.popover(tr("room.close"), icon=":material/logout:", key="room_close"):
            st.caption(tr("room.close_sure"))
            st.button(tr("room.close"), type="primary", key="room_close_sure", on_click=teacher_room.close_room)


def draw_room_ended(code: str) -> None:
    """Draw the notice that the room of the link has ended."""
    show(tr("room.screen_gone"), tr("room.gone", code=code))


MAX_LISTED = 100
"""Maximum phones to choose from, those that joined last."""


def _door(room: Room) -> None:
    """Draw the number of phones, and the controls to remove phones and close the door."""
    phones, is_shut = room.phones(), room.is_shut()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(tr("room.here", n=len(phones)) + (f" · {tr('room.shut')}" if is_shut else ""))
        icon = ":material/lock:" if is_shut else ":material/door_open:"
        with st.popover(tr("room.phones"), icon=icon, type="tertiary", key="room_phones"):
            st.toggle(tr("room.door"), is_shut, key="room_door", help=tr("room.door_help"), on_change=_switch,
                      args=(room.shut, "room_door"))  # fmt: skip
            names = {
                phone.device: tr("room.phone_came", n=place, time=session.clock_time(phone.came))
                for place, phone in enumerate(phones, start=1)
            }
            newest = list(names)[: -MAX_LISTED - 1 : -1]
            st.multiselect(tr("room.remove_phones"), newest, format_func=names.__getitem__, key="room_leaving",
                           placeholder=tr("room.choose_phones"), disabled=not newest)  # fmt: skip
            st.button(tr("room.remove"), key="room_remove", on_click=_remove, args=(room,), disabled=not newest)


def _remove(room: Room) -> None:
    chosen = session.widget_value("room_leaving")
    if isinstance(chosen, list):
        room.remove(str(device) for device in chosen)
