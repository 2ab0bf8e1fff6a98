"""A teacher's own questions: kept with the room, and shared as a file."""

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import streamlit as st

from viz.i18n import LANGUAGES, tr
from viz.rooms.inbox import clean
from viz.rooms.questions import Question
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.state import session

TABLE = "own"
"""The room's table of its teacher's questions."""
FEWEST, MOST = 2, 5
"""Options of a question."""
MOST_QUESTIONS = 50
LONGEST_QUESTION, LONGEST_OPTION = 300, 120
MOST_BYTES = 200_000
PREFIX = "own."
_WORDS, _OPTIONS, _ADD, _FILE = "room_own_words", "room_own_options", "room_own_add", "room_own_file"
_MISHAPS = "room.own_mishaps"
_ASTERISKS = "*＊"
"""The mark of the right option, as keyboards for Latin and for Chinese letters write it."""


class OwnQuestionError(ValueError):
    """Text that is no question with two to five options."""


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """A question in the teacher's own words, the same in all languages."""

    question: str
    options: tuple[str, ...]
    right: int = -1
    """Which option is right, from 0; -1 when none is."""

    def __post_init__(self) -> None:
        if not self.question or not FEWEST <= len(self.options) <= MOST or not all(self.options):
            raise OwnQuestionError(f"a question needs words and {FEWEST} to {MOST} options: {self.options!r}")
        if not -1 <= self.right < len(self.options):
            raise OwnQuestionError(f"there is no option {self.right}")

    @property
    def key(self) -> str:
        """A name that is the same for the same words."""
        return hashlib.sha256(repr((self.question, self.options)).encode()).hexdigest()[:12]

    def asked(self, name: str) -> Question:
        """The question as phones receive it."""
        options = dict.fromkeys(LANGUAGES, self.options)
        right = "" if self.right < 0 else str(self.right)
        return Question(id=name, words=dict.fromkeys(LANGUAGES, self.question), options=options, n=len(self.options),
                        right=right)  # fmt: skip


def read(text: str) -> tuple[OwnQuestion, ...]:
    """The questions of a file that ``written`` made.

    Raises:
        OwnQuestionError: for anything else.
    """
    try:
        questions = json.loads(text)["questions"][:MOST_QUESTIONS]
        return tuple(_own(each["question"], each["options"], each.get("right", -1)) for each in questions)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise OwnQuestionError("the text is no file of questions") from error


def written(questions: list[OwnQuestion]) -> str:
    """A file of questions."""
    return json.dumps({"questions": [asdict(each) for each in questions]}, ensure_ascii=False, indent=1) + "\n"


def kept(room: Room) -> dict[str, OwnQuestion]:
    """The room's own questions by name, the first written first."""
    stored = sorted(map(json.loads, room.store.table(room.code, TABLE).values()), key=lambda each: each.get("at", 0))
    questions = [_own(each["question"], each["options"], each["right"]) for each in stored]
    return {each.key: each for each in questions}


def keep(room: Room, question: OwnQuestion) -> None:
    """Keep a question for as long as the room is open."""
    written_at = {"at": time.time()}  # a table has no order
    room.store.once(room.code, TABLE, question.key, json.dumps(asdict(question) | written_at), most=MOST_QUESTIONS)


def panel(room: Room) -> None:
    """Write a question, save all as a file, open a file."""
    with st.popover(tr("room.own_question"), icon=":material/edit:", key="room_own"):
        for name in (_WORDS, _OPTIONS):
            session.seed_widget(name, "", len(kept(room)))  # empty for the next one
        st.text_input(tr("room.own_words"), key=_WORDS, max_chars=LONGEST_QUESTION)
        st.text_area(tr("room.own_options"), key=_OPTIONS, height=120, placeholder=tr("room.own_hint"))
        st.button(tr("room.own_add"), key=_ADD, type="primary", on_click=_add, args=(room,))
        _say_mishap(_ADD)
        _share(room)


def _share(room: Room) -> None:
    questions = kept(room)
    for key, each in questions.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(each.question)
            st.button(tr("room.sentence_drop"), key=f"room_own_drop_{key}", type="tertiary",
                      on_click=room.store.remove, args=(room.code, TABLE, key))  # fmt: skip
    st.download_button(tr("room.own_save"), written(list(questions.values())), "questions.json", "application/json",
                       key="room_own_save", on_click="ignore", disabled=not questions)  # fmt: skip
    st.file_uploader(tr("room.own_open"), type="json", key=_FILE, on_change=_read_file, args=(room,), max_upload_size=1)
    _say_mishap(_FILE)


def _add(room: Room) -> None:
    lines = [line.strip() for line in (session.widget_value(_OPTIONS) or "").splitlines() if line.strip()]
    right = next((i for i, line in enumerate(lines) if line[0] in _ASTERISKS), -1)
    options = [line.lstrip(_ASTERISKS) for line in lines]
    with _mishaps_said(_ADD, "room.own_wrong"):
        keep(room, _own(session.widget_value(_WORDS) or "", options, right))


def _read_file(room: Room) -> None:
    """A callback, so that a run that is broken off reads the file too."""
    file = session.widget_value(_FILE)
    with _mishaps_said(_FILE, "room.own_unread"):
        if file is not None and file.size > MOST_BYTES:
            raise OwnQuestionError("too large")
        for question in read(file.getvalue().decode("utf-8", "replace")) if file is not None else ():
            keep(room, question)


@contextmanager
def _mishaps_said(where: str, words: str) -> Iterator[None]:
    """Say a mistake for as long as the input stands: this part of the page draws itself again every second."""
    mishap = ""
    try:
        yield
    except OwnQuestionError:
        mishap = words
    except StoreError:
        mishap = "room.reload"
    session.recall(_MISHAPS, dict)[where] = mishap


def _say_mishap(where: str) -> None:
    if words := session.recall(_MISHAPS, dict).get(where):
        st.warning(tr(words))


def _own(question: object, options: object, right: object) -> OwnQuestion:
    if not isinstance(question, str) or not isinstance(options, list | tuple) or not isinstance(right, int):
        raise OwnQuestionError("a question is text, its options a list, the right one a number")
    names = tuple(clean(str(name))[:LONGEST_OPTION] for name in options)
    return OwnQuestion(clean(question)[:LONGEST_QUESTION], names, right)
