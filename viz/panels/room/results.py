"""The class's answers, readable from the last row: bars, taps beside the head's own row, taps in the grid."""

from __future__ import annotations

import numpy as np
import streamlit as st

from viz import session
from viz.figures.votes import Answer, taps, votes
from viz.i18n import number, tr
from viz.rooms.questions import Question
from viz.rooms.room import Room


def results(room: Room, question: Question, language: str) -> None:
    """Draw the answers to a revealed question, and what explains the right one."""
    tally = room.tally(question.id)
    if not tally:
        st.caption(tr("room.no_votes"))
    if question.kind == "quiz":
        _quiz(question, tally, language)
    elif question.kind == "head":
        _heads(question, tally)
    elif question.kind == "source":
        _tokens(question, tally, language)
    else:
        names = question.options.get(language, question.options["en"])
        bars(names, [tally.get(str(i), 0) for i in range(len(names))], right=question.right, key="room_results")
    if why := question.why.get(language):
        st.markdown(why)


def bars(names: tuple[str, ...], counts: list[int], *, right: str, key: str, characters: int = 68) -> None:
    """One bar an answer."""
    total = sum(counts)
    answers = [
        Answer(name, n / max(1, total), str(place) == right)
        for place, (name, n) in enumerate(zip(names, counts, strict=True))
    ]
    figure = votes(answers, mode=session.mode(), class_name=tr("room.votes_of", n=total), characters=characters)
    st.altair_chart(figure, theme=None, key=key, alt=tr("room.votes"))


def _quiz(question: Question, tally: dict[str, int], language: str) -> None:
    for place, item in enumerate(question.items):
        counts = [tally.get(f"{place}.{i}", 0) for i in range(len(item.options[language]))]
        st.subheader(item.words[language], anchor=False)
        bars(item.options[language], counts, right=str(item.right), key=f"room_{item.id}")
        st.caption(item.why[language])


def _tokens(question: Question, tally: dict[str, int], language: str) -> None:
    """The class's taps in one row, the head's own weights in the next."""
    total = max(1, sum(tally.values()))
    shares = [tally.get(str(i), 0) / total for i in range(question.n)]
    rows = np.array([shares, question.measured], np.float32)  # (2, S)
    right = (1, int(question.right)) if question.right else None
    figure = taps(
        rows, rows=(tr("room.votes"), tr("room.measured")), columns=question.options[language], mode=session.mode(),
        right=right,
    )  # fmt: skip
    st.altair_chart(figure, theme=None, key="room_results", alt=tr("room.votes"))


def _heads(question: Question, tally: dict[str, int]) -> None:
    """The class's taps in the grid, and beside them the measured importance of each head."""
    shape, total = question.shape, max(1, sum(tally.values()))
    shares = np.array(
        [[tally.get(f"{layer}.{head}", 0) / total for head in range(shape[1])] for layer in range(shape[0])], np.float32
    )  # (L, H)
    names = {"rows": [str(i + question.first) for i in range(shape[0])],
             "columns": [str(i + question.first) for i in range(shape[1])]}  # fmt: skip
    found = tuple(map(int, question.right.split("."))) if question.right else ()
    right = (found[0], found[1]) if found else None
    left, beside = st.columns(2, gap="medium")
    with left:
        _grid(shares, tr("room.heads_tapped"), names, right, "room_results")
    if question.measured:
        lost = np.array(question.measured, np.float32).reshape(shape)  # (L, H)
        top = float(lost.max()) or 1.0
        texts = [[number(-value, ".1f") if value >= 0.05 else "" for value in line] for line in lost]
        with beside:
            _grid(lost / top, tr("room.heads_measured"), names, right, "room_measured", texts)
    st.caption(tr("room.heads_read"))


def _grid(
    values: np.ndarray, title: str, names: dict[str, list[str]], right: tuple[int, int] | None, key: str,
    texts: list[list[str]] | None = None,
) -> None:  # fmt: skip
    figure = taps(values, mode=session.mode(), title=title, right=right, texts=texts, **names)
    st.altair_chart(figure, theme=None, key=key, alt=title)
