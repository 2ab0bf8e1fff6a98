"""The lesson in a room: a scene's question opens on the phones, and the class's votes are counted as its guess."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from viz.i18n import tr
from viz.lesson.choices import TIE
from viz.lesson.quiz import of_scene
from viz.lesson.scenes import SCENES
from viz.panels import teacher_room
from viz.panels.classroom.results import countdown, shares
from viz.panels.reading import Reading, find_reading
from viz.rooms.questions import Question, again, times_asked
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.state import session
from viz.state.turns import in_turn

POLL_SECONDS = 1.0


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
    """The hands are counted: the question stays on all screens without votes."""
    room = _any_room()
    question = room.question() if room else None
    if room and question and question.by_hands and _is_of(question, scene):
        room.reveal(question.id)


def take_vote(room: Room, scene: str, options: tuple[str, ...] | list[str], vote: Callable[[int], None]) -> None:
    """Open a scene's question on the phones, and count; ``vote`` is called with the most chosen option at the close."""
    _open(room, scene)
    st.fragment(in_turn(_draw), run_every=POLL_SECONDS)(room, scene, options, vote)


def result(scene: str, options: Sequence[str]) -> bool:
    """What the class answered in a scene; False when no class has."""
    room = voting_room(scene)
    question = _last(room, scene) if room else None
    if room is None or question is None:
        return False
    tally = room.tally(question.id)
    if not tally or room.fields().get("hidden"):
        return False
    counts = [tally.get(str(i), 0) for i in range(len(options))]
    earlier = [question.earlier.get(str(i), 0) for i in range(len(options))]
    shares(options, counts, earlier=earlier, right=question.right if question.is_explained else "")
    return True


@dataclass(frozen=True, slots=True)
class Explained:
    """What is said when a scene is explained, in each language."""

    why: Mapping[str, str]
    replies: Mapping[str, Sequence[str]]
    """To those who chose each option."""


def explain(scene: str, explained: Explained) -> None:
    """Show the right option and its reason on all screens, and to each phone the reply to its own answer."""
    room = _any_room()
    question = _last(room, scene) if room else None
    if room and question:
        room.explain(question.id, **_written(question, explained))


def keep_up(scene: str, before: Reading, explained: Callable[[], Explained]) -> None:
    """Write the sentence and the model of now into a scene's question on the phones, and explain it anew.

    Args:
        before: the sentence without the scene's change.
        explained: called only for a question that is explained already.
    """
    room = _any_room()
    question = room.question() if room else None
    about = _about(scene, before)
    if room is None or question is None or not _is_of(question, scene):
        return
    if about != {name: getattr(question, name) for name in about}:
        room.restate(question.id, **about, **(_written(question, explained()) if question.is_explained else {}))


def _about(scene: str, reading: Reading | None) -> dict[str, Any]:
    """What a question of the lesson is about."""
    if reading is None:
        return {}
    sentence, text = next(each for each in SCENES if each.name == scene).about(reading)
    return {"sentence": sentence, "text": text, "about": reading.bundle.fingerprint}


def _written(question: Question, explained: Explained) -> dict[str, Any]:
    said = {code: each[int(question.right)] for code, each in explained.replies.items()}
    return {
        "why": dict(explained.why), "said": said,
        "replies": {code: tuple(each) for code, each in explained.replies.items()},
    }  # fmt: skip


def is_asked(scene: str) -> bool:
    """Whether the class has answered a scene's question, so that it can vote on it again."""
    room = voting_room(scene)
    question = room.question() if room else None
    return bool(question and _is_of(question, scene) and question.is_revealed and not question.is_explained)


def is_skipped(scene: str) -> bool:
    """Whether nobody has answered a scene's question: it was skipped."""
    room = voting_room(scene)
    question = _last(room, scene) if room else None
    return room is None or bool(question and not room.n_votes(question.id))


def ask_again(scene: str) -> None:
    """Open a scene's question once more, after the class has discussed it; both distributions are kept."""
    room = voting_room(scene)
    before = room.question() if room else None
    if room and before and _is_of(before, scene):
        room.ask(again(before, room.tally(before.id), times=_times_asked(room, scene)))


def bring_back(scene: str) -> None:
    """Where another scene's question is on the phones, put this one's there as it was left: the teacher went back.

    Without one that was asked, the other question only leaves the phones.
    """
    room = _any_room()
    question = room.question() if room else None
    if room and question and question.id.startswith("lesson.") and not _is_of(question, scene):
        own = _last(room, scene)
        if own is not None and own.is_revealed:
            room.bring_back(own)
        else:
            room.drop_question(question.id)


def _last(room: Room, scene: str) -> Question | None:
    """The scene's question as it stands: the one on the phones, or the last that was asked."""
    now = room.question()
    if now is not None and _is_of(now, scene):
        return now
    asked = [question for question in room.asked() if _is_of(question, scene)]
    return asked[-1] if asked else None


def _any_room() -> Room | None:
    try:
        return teacher_room.current_room()
    except StoreError:
        return None


def _open(room: Room, scene: str, *, by_hands: bool = False) -> None:
    current = room.question()
    if current is None or not _is_of(current, scene) or (current.by_hands != by_hands and not current.is_revealed):
        last = _last(room, scene)
        is_open = last is not None and not last.is_revealed and last.by_hands == by_hands
        name = last.id if last is not None and is_open else f"lesson.{scene}#{_times_asked(room, scene) + 1}"
        question = of_scene(scene, name)
        if question is not None:
            room.ask(dataclasses.replace(question, by_hands=by_hands, **_about(scene, find_reading())))


def _times_asked(room: Room, scene: str) -> int:
    return times_asked(room.asked(), f"lesson.{scene}")


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
    """The option with the most votes; ``TIE`` where two have as many, or nobody has voted."""
    tally = room.tally(question.id)
    most = max(tally.values(), default=0)
    first = [int(option) for option, n in tally.items() if n == most]
    return first[0] if len(first) == 1 else TIE


def _is_of(question: Question, scene: str) -> bool:
    return question.id.partition("#")[0] == f"lesson.{scene}"
