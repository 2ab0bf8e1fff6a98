"""The lesson in a room: a scene's question opens on the phones, and the class's votes are its guess."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from viz.i18n import tr
from viz.lesson.choices import TIE
from viz.lesson.quiz import of_scene
from viz.lesson.scenes import SCENES
from viz.panels import teacher_room
from viz.panels.reading import Reading, find_reading
from viz.panels.votes import countdown, shares
from viz.rooms.questions import Question, asked_again, times_asked
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.state import session
from viz.state.turns import in_turn

POLL_SECONDS = 1.0
Explanation = dict[str, dict[str, Any]]
"""A scene's ``why``, ``said`` and ``replies`` as fields of its ``Question``."""


def voting_room(scene: str) -> Room | None:
    """The room, if the teacher holds one, a phone has joined and the class does not vote by show of hands."""
    try:
        room = teacher_room.current_room()
        return room if room is not None and room.n_devices() and not _is_by_hands(scene) else None
    except StoreError:
        return None


def ask_by_hands(scene: str) -> None:
    """Show a scene's question on all screens while the teacher counts hands, if there is a room."""
    if (room := _any_room()) is not None:
        _open(room, scene, by_hands=True)


def close_by_hands(scene: str) -> None:
    """End a vote by show of hands: the question stays on all screens, without votes."""
    room = _any_room()
    question = _on_phones(room, scene)
    if room and question and question.by_hands:
        room.reveal(question.id)


def take_vote(room: Room, scene: str, options: tuple[str, ...] | list[str], vote: Callable[[int], None]) -> None:
    """Open a scene's question on the phones and count votes; at the close call ``vote`` with the most chosen option."""
    _open(room, scene)
    st.fragment(in_turn(_draw), run_every=POLL_SECONDS)(room, scene, options, vote)


def result(scene: str, options: Sequence[str]) -> bool:
    """Draw the class's answers in a scene, and return whether there are any."""
    room = voting_room(scene)
    question = _last(room, scene)
    if room is None or question is None:
        return False
    tally = room.tally(question.id)
    if not tally or room.fields().get("hidden"):
        return False
    counts = [tally.get(str(i), 0) for i in range(len(options))]
    earlier = [question.earlier.get(str(i), 0) for i in range(len(options))]
    shares(options, counts, earlier=earlier, right=question.right if question.is_explained else "")
    return True


def explain(scene: str, explanation: Explanation) -> None:
    """Show the right option and its reason on all screens, and to each phone the reply to its own answer."""
    room = _any_room()
    question = _last(room, scene)
    if room and question:
        room.explain(question.id, **explanation)


def update_question(scene: str, before: Reading, explanation: Callable[[], Explanation]) -> None:
    """Update sentence and model (``before`` the change) and the explanation in a scene's question on the phones."""
    room = _any_room()
    question = _on_phones(room, scene)
    about = _about(scene, before)
    if room and question and about != {name: getattr(question, name) for name in about}:
        room.restate(question.id, **about, **(explanation() if question.is_explained else {}))


def _about(scene: str, reading: Reading | None) -> dict[str, Any]:
    """The fields of a question that say what it is about."""
    if reading is None:
        return {}
    sentence, text = next(candidate for candidate in SCENES if candidate.name == scene).about(reading)
    return {"sentence": sentence, "text": text, "about": reading.bundle.fingerprint}


def can_vote_again(scene: str) -> bool:
    """Whether the class can vote on a scene's question again: it was answered and is not explained yet."""
    question = _on_phones(voting_room(scene), scene)
    return bool(question and question.is_revealed and not question.is_explained)


def is_skipped(scene: str) -> bool:
    """Whether nobody has answered a scene's question: it was skipped."""
    room = voting_room(scene)
    question = _last(room, scene)
    return room is None or bool(question and not room.n_votes(question.id))


def ask_again(scene: str) -> None:
    """Open a scene's question again after a discussion; both vote counts are kept."""
    room = voting_room(scene)
    before = _on_phones(room, scene)
    if room and before:
        room.ask(asked_again(before, room.tally(before.id), times=_times_asked(room, scene)))


def restore_question(scene: str) -> None:
    """After the teacher went back: replace another scene's question on the phones by this scene's, in its last state.

    If this scene's was never asked, the other question is only removed.
    """
    room = _any_room()
    question = room.question() if room else None
    if room and question and question.id.startswith("lesson.") and not _is_of(question, scene):
        last = _last(room, scene)
        if last is not None and last.is_revealed:
            room.restore_question(last)
        else:
            room.drop_question(question.id)


def _on_phones(room: Room | None, scene: str) -> Question | None:
    """The scene's question, if it is the one on the phones."""
    question = room.question() if room else None
    return question if question and _is_of(question, scene) else None


def _last(room: Room | None, scene: str) -> Question | None:
    """The scene's question: the one on the phones, or the last that was asked."""
    current = _on_phones(room, scene)
    if room is None or current is not None:
        return current
    previous = [question for question in room.asked_questions() if _is_of(question, scene)]
    return previous[-1] if previous else None


def _any_room() -> Room | None:
    try:
        return teacher_room.current_room()
    except StoreError:
        return None


def _open(room: Room, scene: str, *, by_hands: bool = False) -> None:
    current = _on_phones(room, scene)
    if current is None or (current.by_hands != by_hands and not current.is_revealed):
        last = _last(room, scene)
        is_open = last is not None and not last.is_revealed and last.by_hands == by_hands
        name = last.id if last is not None and is_open else f"lesson.{scene}#{_times_asked(room, scene) + 1}"
        if (question := of_scene(scene, name)) is not None:
            room.ask(dataclasses.replace(question, by_hands=by_hands, **_about(scene, find_reading())))


def _times_asked(room: Room, scene: str) -> int:
    return times_asked(room.asked_questions(), f"lesson.{scene}")


def _draw(room: Room, scene: str, options: tuple[str, ...] | list[str], vote: Callable[[int], None]) -> None:
    try:
        question = room.question()
        if question is not None and _is_of(question, scene) and question.is_over and not question.is_revealed:
            room.reveal(question.id)
            question = room.question()
        if question is not None and _is_of(question, scene) and question.is_revealed:  # here, or in another tab
            vote(_most_chosen(room, question))
            st.rerun()
        phones, answers = room.counted()
    except StoreError:
        st.caption(tr("room.reload"))
        return
    st.markdown("\n".join(f"- {option}" for option in options))
    # Only the number of votes: the answers stay hidden until they are revealed.
    st.metric(tr("room.ask"), tr("room.answers_of", n=answers, phones=phones), label_visibility="collapsed")
    with st.container(horizontal=True, gap="small"):
        name = question.id if question else ""
        st.button(
            tr("room.close_vote" if answers else "room.skip_vote"), type="primary" if answers else "secondary",
            key="lesson.reveal", on_click=room.reveal, args=(name,), shortcut="PageDown",
        )  # fmt: skip
        if question is not None:
            countdown(room, question)
        st.button(tr("room.by_hands"), type="tertiary", key="lesson.by_hands", on_click=_by_hands, args=(room, scene))
    if _is_by_hands(scene):
        st.rerun()


def _by_hands(room: Room, scene: str) -> None:
    session.remember(f"room.by_hands.{scene}", True)
    _open(room, scene, by_hands=True)


def _is_by_hands(scene: str) -> bool:
    return session.recall(f"room.by_hands.{scene}", bool)


def _most_chosen(room: Room, question: Question) -> int:
    """The option with the most votes; ``TIE`` where no option has most, or nobody has voted."""
    tally = room.tally(question.id)
    n_votes = max(tally.values(), default=0)
    winners = [int(option) for option, n in tally.items() if n == n_votes]
    return winners[0] if len(winners) == 1 else TIE


def _is_of(question: Question, scene: str) -> bool:
    return question.id.partition("#")[0] == f"lesson.{scene}"
