"""The class's answers, readable from the last row: a line for each answer, taps beside what was measured."""

import time
from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from viz.i18n import number, tr
from viz.plain_text import escape_markdown
from viz.rooms.questions import AFTER, BEFORE, Question
from viz.rooms.room import Room

SECONDS_LEFT = 30
"""Until a vote closes by itself, once the teacher lets it."""


def results(room: Room, question: Question, language: str) -> None:
    """Draw the votes on a closed question, and once it is explained the right answer and its reason."""
    tally = room.tally(question.id)
    if not tally:
        st.caption(tr("room.no_votes"))
    if question.kind == "quiz":
        _quiz(room, question, tally, language)
    elif question.kind == "head":
        _heads(question, tally)
    elif question.kind == "source" and question.is_explained:
        _tokens(question, tally, language)
    else:
        names = question.options.get(language, question.options["en"])
        counts, earlier = ([votes.get(str(i), 0) for i in range(len(names))] for votes in (tally, question.earlier))
        right, measured = (question.right, question.measured) if question.is_explained else ("", ())
        shares(names, counts, earlier=earlier, right=right, measured=measured)
    if question.is_explained and (why := question.why.get(language)):
        st.markdown(why)


def shares(
    names: Sequence[str], counts: Sequence[int], *, right: str = "", earlier: Sequence[int] = (),
    chosen: int | None = None, measured: Sequence[float] = (),
) -> None:  # fmt: skip
    """A line for each answer, shaded by its share of the votes; nothing is redrawn while nothing changes.

    Args:
        right: the right answer in the form of a vote; empty before it is shown.
        earlier: the votes before the class discussed it.
        chosen: index of the reader's own answer, where there is no class.
        measured: the model's own probability of each answer.
    """
    total, before = sum(counts), sum(earlier)
    lines = []
    for place, name in enumerate(names):
        label = number(counts[place] / total, ".0%") if total else ""
        if before:
            label = f"<small>{number(earlier[place] / before, '.0%')} →</small> {label}"
        if measured:
            label = f"{label} <small>{escape(tr('room.model_says', share=number(measured[place], '.0%')))}</small>"
        marks = " ✓" if str(place) == right else ""
        classes = "".join((" right" if marks else "", " own" if place == chosen else ""))
        share = 100 * counts[place] / max(1, total)
        lines.append(
            f'<div class="regard-answer{classes}" style="--share:{share:.0f}%"><span>{escape(name)}{marks}</span>'
            f"<b>{label}</b></div>"
        )
    footer = f'<div class="regard-total">{tr("room.votes_of", n=total)}</div>' if total else ""
    st.html(f'<div class="regard-answers">{"".join(lines)}{footer}</div>')


def _quiz(room: Room, question: Question, tally: dict[str, int], language: str) -> None:
    """The class before and after in one picture, then each question."""
    before, after = (room.shares(name, [item.id for item in question.items]) for name in (BEFORE, AFTER))
    if question.id == AFTER and before and len(before) == len(after):
        st.html(_learning([item.about.get(language, item.words[language]) for item in question.items], before, after))
    for place, item in enumerate(question.items):
        counts = [tally.get(f"{place}.{i}", 0) for i in range(len(item.options[language]))]
        st.markdown(f"**{item.words[language]}**")
        shares(item.options[language], counts, right=str(item.right))
        st.caption(item.why[language])


def _learning(names: Sequence[str], before: Sequence[float], after: Sequence[float]) -> str:
    """A line for each question: the share of right answers before and after."""
    lines = [
        f'<tr><th>{escape(name)}</th><td><span class="track"><i class="old" style="left:{100 * old:.0f}%"></i>'
        f'<i class="new" style="left:{100 * new:.0f}%"></i></span></td>'
        f"<td>{number(old, '.0%')} → {number(new, '.0%')}</td></tr>"
        for name, old, new in zip(names, before, after, strict=True)
    ]
    legend = f'<i class="old"></i>{tr("room.learning_before")} <i class="new"></i>{tr("room.learning_after")}'
    head = f"<h3>{tr('room.learning')}</h3><p>{legend}</p>"
    return f'<div class="regard-learning">{head}<table>{"".join(lines)}</table></div>'


def _tokens(question: Question, tally: dict[str, int], language: str) -> None:
    """The class's taps in one row, the head's own weights in the next."""
    total = max(1, sum(tally.values()))
    shares = [tally.get(str(i), 0) / total for i in range(question.n)]
    right = (1, int(question.right)) if question.right else None
    rows = (tr("room.votes"), tr("room.measured"))
    st.html(taps(np.array([shares, question.measured]), rows=rows, columns=question.options[language], right=right))


def _heads(question: Question, tally: dict[str, int]) -> None:
    """The class's taps in the grid, and beside them the measured importance of each head."""
    (layers, heads), total = question.shape, max(1, sum(tally.values()))
    shares = np.array([[tally.get(f"{layer}.{head}", 0) / total for head in range(heads)] for layer in range(layers)])
    rows, columns = ([str(i + question.first) for i in range(n)] for n in question.shape)
    layer, _, head = question.right.partition(".") if question.is_explained else ("", "", "")
    right = (int(layer), int(head)) if layer else None
    tapped, measured_column = st.columns(2, gap="medium")
    tapped.html(taps(shares, rows=rows, columns=columns, title=tr("room.heads_tapped"), right=right))
    if question.measured and question.is_explained:
        lost = np.array(question.measured).reshape(question.shape)  # (L, H)
        texts = [[number(-value, ".1f") if value >= 0.05 else "" for value in line] for line in lost.tolist()]
        measured = lost / (float(lost.max()) or 1.0)
        measured_column.html(
            taps(measured, rows=rows, columns=columns, title=tr("room.heads_measured"), right=right, texts=texts)
        )
    st.caption(tr("room.heads_read"))


def taps(
    values: NDArray[np.floating], *, rows: Sequence[str], columns: Sequence[str], title: str = "",
    right: tuple[int, int] | None = None, texts: Sequence[Sequence[str]] | None = None,
) -> str:  # fmt: skip
    """Cells (R, C) of 0 to 1, darker for larger values, as HTML.

    Args:
        right: the cell that is framed as the right answer.
        texts: the text in each cell; by default its percentage, and nothing below half a percent.
    """
    clean = np.clip(np.nan_to_num(values), 0, 1)  # (R, C)
    inks = (clean / (float(clean.max(initial=0)) or 1.0)).tolist()
    labels = texts or [[number(value, ".0%") if value >= 0.005 else "" for value in line] for line in clean.tolist()]
    longest = max(map(len, columns))
    names = "".join(f'<th scope="col"><em>{escape(name)}</em></th>' for name in columns)
    lines = [f"<tr><td></td>{names}</tr>"]
    for i, name in enumerate(rows):
        kinds = ["right " * ((i, j) == right) + "full" * (ink > 0.55) for j, ink in enumerate(inks[i])]
        cells = (
            f'<td class="tap {kind}" style="--ink:{100 * ink:.0f}%">{text}</td>'
            for kind, ink, text in zip(kinds, inks[i], labels[i], strict=True)
        )
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>')
    return (
        f'<div class="regard-taps{" slanted" if longest > 2 else ""}" style="--columns:{len(columns)};'
        f'--longest:{min(14, longest)}"><table><caption>{escape(title)}</caption>{"".join(lines)}</table></div>'
    )


def heading(words: str, *, level: int = 2) -> None:
    """Draw a heading (``level`` 2) or subheading (3) of text that somebody typed; Markdown in it is escaped."""
    draw = st.header if level == 2 else st.subheader
    draw(escape_markdown(words), anchor=False)


def countdown(room: Room, question: Question) -> None:
    """The button that closes the vote after a while, or how long it has left."""
    if not question.closes:
        st.button(tr("room.countdown", n=SECONDS_LEFT), key="room_countdown", type="tertiary", icon=":material/timer:",
                  on_click=room.limit, args=(question.id, SECONDS_LEFT))  # fmt: skip
    else:
        seconds = max(0, round(question.closes - time.time()))
        st.markdown(f":material/timer: {tr('room.countdown_left', n=seconds)}", width="content")
