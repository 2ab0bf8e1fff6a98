"""The lesson in a room: a scene's question opens on the phones, and the class's votes are counted as its guess."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from viz import session
from viz.i18n import current_language, tr
from viz.panels.room import ask, held
from viz.panels.room.results import bars
from viz.rooms.questions import Question
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.turns import in_turn

POLL_SECONDS = 1.0


def room(scene: str) -> Room | None:
    """The room, if the teacher holds one, a phone has joined and the class does not vote by show of hands."""
    try:
        found = held.room()
        return found if found is not None and found.n_devices() and not _is_by_hands(scene) else None
    except StoreError:
        return None


def take_vote(found: Room, scene: str, options: tuple[str, ...] | list[str], vote: Callable[[int], None]) -> None:
    """Open a scene's question on the phones, and count; ``vote`` is called with the most chosen option on Reveal."""
    _open(found, scene)
    st.fragment(in_turn(_draw), run_every=POLL_SECONDS)(found, scene, options, vote)


def leave(scene: str) -> None:
    """Take a scene's question off the phones, so that they show what the class does next."""
    found = room(scene)
    question = found.question() if found else None
    if found and question and question.id.startswith(f"lesson.{scene}#"):
        found.drop_question()


def result(scene: str) -> None:
    """What the class answered in a scene, as bars."""
    found = room(scene)
    asked = [question for question in found.asked() if _is_of(question, scene)] if found else []
    tally = found.tally(asked[-1].id) if found and asked else {}
    if found is None or not tally or found.fields().get("hidden"):
        return
    names = asked[-1].options[current_language()]
    counts = [tally.get(str(i), 0) for i in range(len(names))]
    bars(names, counts, right=asked[-1].right, key="lesson.room", characters=40)


def _open(found: Room, scene: str) -> None:
    current = found.question()
    if current is None or not _is_of(current, scene):
        question = ask.question_of(f"lesson.{scene}", None, times=ask.times_asked(found.asked(), f"lesson.{scene}"))
        if question is not None:
            found.ask(question)


def _draw(found: Room, scene: str, options: tuple[str, ...] | list[str], vote: Callable[[int], None]) -> None:
    try:
        question = found.question()
        if question is not None and _is_of(question, scene) and question.is_revealed:  # here, or in another tab
            vote(_most_chosen(found, question))
            st.rerun()
        phones, answers = found.counted()
    except StoreError:
        st.caption(tr("room.reload"))
        return
    st.markdown("\n".join(f"- {option}" for option in options))
    # Only the number of votes: the answers stay hidden until they are revealed.
    st.metric(tr("room.ask"), tr("room.answers_of", n=answers, phones=phones), label_visibility="collapsed")
    with st.container(horizontal=True, gap="small"):
        st.button(tr("room.reveal"), type="primary", key="lesson.reveal", disabled=not answers, on_click=found.reveal)
        st.button(tr("room.by_hands"), type="tertiary", key="lesson.by_hands", on_click=_by_hands, args=(found, scene))
    if _is_by_hands(scene):
        st.rerun()


def _by_hands(found: Room, scene: str) -> None:
    session.remember(f"room.by_hands.{scene}", True)
    found.drop_question()


def _is_by_hands(scene: str) -> bool:
    return session.recall(f"room.by_hands.{scene}", bool)


def _most_chosen(found: Room, question: Question) -> int:
    tally = found.tally(question.id)
    return int(max(tally, key=lambda option: (tally[option], option == question.right), default=question.right))


def _is_of(question: Question, scene: str) -> bool:
    return question.id.partition("#")[0] == f"lesson.{scene}"
