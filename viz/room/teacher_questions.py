"""Questions written by the teacher: stored with the room, and shared as a file."""

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import streamlit as st

from viz.i18n import LANGUAGES, tr
from viz.rooms.door import clean
from viz.rooms.questions import Question
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.state import session

TABLE = "own"
"""The room's table of its teacher's questions."""
MIN_OPTIONS, MAX_OPTIONS = 2, 5
"""Options of a question."""
MAX_QUESTIONS = 50
MAX_WORDS, MAX_OPTION = 300, 120
"""Characters of a question and of an option."""
MAX_BYTES = 200_000
PREFIX = "own."
_WORDS, _OPTIONS, _ADD, _FILE = "room_own_words", "room_own_options", "room_own_add", "room_own_file"
_ERRORS = "room.own_mishaps"
_ASTERISKS = "*＊"
"""The mark of the right option, on Latin and Chinese keyboards."""


class TeacherQuestionError(ValueError):
    """Input that is not a question with two to five options."""


@dataclass(frozen=True, slots=True)
class TeacherQuestion:
    """A question in the teacher's words, the same in all languages."""

    question: str
    options: tuple[str, ...]
    right: int = -1
    """Which option is right, from 0; -1 when none is."""

    def __post_init__(self) -> None:
        if not self.question or not MIN_OPTIONS <= len(self.options) <= MAX_OPTIONS or not all(self.options):
            raise TeacherQuestionError(
                f"a question needs words and {MIN_OPTIONS} to {MAX_OPTIONS} options: {self.options!r}"
            )
        if not -1 <= self.right < len(self.options):
            raise TeacherQuestionError(f"there is no option {self.right}")

    @property
    def key(self) -> str:
        """A digest of question and options."""
        return hashlib.sha256(repr((self.question, self.options)).encode()).hexdigest()[:12]

    def as_question(self, name: str) -> Question:
        """The question as phones receive it."""
        options = dict.fromkeys(LANGUAGES, self.options)
        right = "" if self.right < 0 else str(self.right)
        return Question(id=name, words=dict.fromkeys(LANGUAGES, self.question), options=options, n=len(self.options),
                        right=right)  # fmt: skip


def read(text: str) -> tuple[TeacherQuestion, ...]:
    """The questions of a file that ``write_questions`` made; raises TeacherQuestionError for anything else."""
    try:
        questions = json.loads(text)["questions"][:MAX_QUESTIONS]
        return tuple(_check_question(item["question"], item["options"], item.get("right", -1)) for item in questions)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TeacherQuestionError("the text is no file of questions") from error


def write_questions(questions: list[TeacherQuestion]) -> str:
    """A file of questions."""
    return json.dumps({"questions": [asdict(question) for question in questions]}, ensure_ascii=False, indent=1) + "\n"


def stored_questions(room: Room) -> dict[str, TeacherQuestion]:
    """The room's stored questions by key, in the order in which they were written."""
    items = sorted(map(json.loads, room.store.table(room.code, TABLE).values()), key=lambda item: item.get("at", 0))
    questions = [_check_question(item["question"], item["options"], item["right"]) for item in items]
    return {question.key: question for question in questions}


def store(room: Room, question: TeacherQuestion) -> None:
    """Store a question while the room is open."""
    written_at = {"at": time.time()}  # a table has no order
    room.store.once(room.code, TABLE, question.key, json.dumps(asdict(question) | written_at), max_keys=MAX_QUESTIONS)


def panel(room: Room) -> None:
    """Draw the form for a question, and the download and upload of all."""
    with st.popover(tr("room.own_question"), icon=":material/edit:", key="room_own"):
        for name in (_WORDS, _OPTIONS):
            session.seed_widget(name, "", len(stored_questions(room)))  # cleared for the next question
        st.text_input(tr("room.own_words"), key=_WORDS, max_chars=MAX_WORDS)
        st.text_area(tr("room.own_options"), key=_OPTIONS, height=120, placeholder=tr("room.own_hint"))
        st.button(tr("room.own_add"), key=_ADD, type="primary", on_click=_add, args=(room,))
        _draw_error(_ADD)
        _share(room)


def _share(room: Room) -> None:
    questions = stored_questions(room)
    for key, question in questions.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(question.question)
            st.button(tr("room.sentence_drop"), key=f"room_own_drop_{key}", type="tertiary",
                      on_click=room.store.remove, args=(room.code, TABLE, key))  # fmt: skip
    content = write_questions(list(questions.values()))
    st.download_button(
        tr("room.own_save"), content, "questions.json", "application/json", key="room_own_save", on_click="ignore",
        disabled=not questions,
    )  # fmt: skip
    st.file_uploader(tr("room.own_open"), type="json", key=_FILE, on_change=_read_file, args=(room,), max_upload_size=1)
    _draw_error(_FILE)


def _add(room: Room) -> None:
    lines = [line.strip() for line in (session.widget_value(_OPTIONS) or "").splitlines() if line.strip()]
    right = next((i for i, line in enumerate(lines) if line[0] in _ASTERISKS), -1)
    options = [line.lstrip(_ASTERISKS) for line in lines]
    with _errors_noted(_ADD, "room.own_wrong"):
        store(room, _check_question(session.widget_value(_WORDS) or "", options, right))


def _read_file(room: Room) -> None:
    """Read the uploaded file, in a callback: an aborted run would not."""
    file = session.widget_value(_FILE)
    with _errors_noted(_FILE, "room.own_unread"):
        if file is not None and file.size > MAX_BYTES:
            raise TeacherQuestionError("too large")
        for question in read(file.getvalue().decode("utf-8", "replace")) if file is not None else ():
            store(room, question)


@contextmanager
def _errors_noted(where: str, words: str) -> Iterator[None]:
    """Store the key of an error's message, which is shown until the next input: the fragment reruns every second."""
    message = ""
    try:
        yield
    except TeacherQuestionError:
        message = words
    except StoreError:
        message = "room.reload"
    session.recall(_ERRORS, dict)[where] = message


def _draw_error(where: str) -> None:
    if words := session.recall(_ERRORS, dict).get(where):
        st.warning(tr(words))


def _check_question(question: object, options: object, right: object) -> TeacherQuestion:
    if not isinstance(question, str) or not isinstance(options, list | tuple) or not isinstance(right, int):
        raise TeacherQuestionError("a question is text, its options a list, the right one a number")
    names = tuple(clean(str(name))[:MAX_OPTION] for name in options)
    return TeacherQuestion(clean(question)[:MAX_WORDS], names, right)
