"""Widgets that several pages have: pickers, a slider and a table of decimals, a progress bar with a button to cancel.

Streamlit writes the numbers of its own sliders and tables the English way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from model.progress import Progress
from viz import processors
from viz.i18n import number, tr
from viz.plain_text import chip_text
from viz.state import session

if TYPE_CHECKING:
    import pandas as pd

DIGITS, STEP = 3, 0.001
"""Of the decimals of a table."""


def segmented_picker(label: str, names: Mapping[Any, str], *, is_labelled: bool = False, **options: Any) -> Any:
    """A choice among a few values side by side; one is always chosen.

    Args:
        label: says what is chosen, for screen readers alone unless ``is_labelled``.
        names: the words on each value.
        options: further arguments of ``st.segmented_control``, ``session.bind`` among them.
    """
    visibility = "visible" if is_labelled else "collapsed"
    return st.segmented_control(
        label, [*names], format_func=names.__getitem__, required=True, label_visibility=visibility, **options
    )


def question_picker(area: session.Area, groups: Mapping[str, Sequence[str]], current: str) -> None:
    """Choose one of the questions that a page answers, grouped by whether they are about the reader's sentence.

    Args:
        area: has the question as its choice ``part``.
        groups: the names of the questions in each group, "sentence" or "machinery"; their words are ``part_…``.
        current: the name of the question that the page answers now.
    """
    groups = {name: questions for name, questions in groups.items() if questions}
    group = next(name for name, questions in groups.items() if current in questions)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="page_questions"):
        if len(groups) > 1:
            key = f"{area.name}.group"
            session.seed_widget(key, group, group)
            names = {name: tr(f"frame.questions_{name}") for name in groups}
            segmented_picker(
                tr("frame.questions"), names, key=key,
                on_change=lambda: area.change(part=groups[session.widget_value(key)][0]),
            )  # fmt: skip
        st.selectbox(
            tr(f"{area.name}.part"),
            groups[group],
            format_func={name: tr(f"{area.name}.part_{name}") for name in groups[group]}.__getitem__,
            label_visibility="collapsed",
            width=420,
            **area.bind("part", value=current),
        )


def token_picker(label: str, pieces: Sequence[str], *, place: Any = st, **options: Any) -> int:
    """A choice among tokens, numbered as the reader counts; ``options`` are further arguments of ``st.selectbox``.

    Args:
        place: the column that it is drawn in.
    """
    names = [f"{number} · {chip_text(piece)}" for number, piece in enumerate(pieces, session.read().first_index)]
    return place.selectbox(label, range(len(names)), format_func=names.__getitem__, **options)


def head_picker(n_layers: int, n_heads: int, bind: Callable[[str], dict[str, Any]], *, width: int = 130) -> None:
    """A layer and a head beside each other, tied by ``bind`` (as ``session.bind``) to the choices "layer" and
    "head"."""
    first = session.read().first_index
    for name, count in (("layer", n_layers), ("head", n_heads)):
        st.selectbox(
            tr(f"inside.{name}"),
            range(count),
            format_func=[tr(f"positions.{name}", n=i + first) for i in range(count)].__getitem__,
            label_visibility="collapsed",
            width=width,
            **bind(name),
        )


def decimal_slider(
    label: str, field: str, low: float, high: float, step: float, *, area: session.Area = session.SHARED,
    **arguments: Any,
) -> None:  # fmt: skip
    """A slider tied to a choice, from ``low`` to ``high``; a value between two steps shows as the nearer one."""
    options = [round(low + place * step, 6) for place in range(round((high - low) / step) + 1)]
    value = getattr(area.read(), field)
    nearest = min(options, key=lambda option: abs(option - value))
    st.select_slider(
        label, options, format_func=lambda option: number(option, ".2f"), **arguments, **area.bind(field, value=nearest)
    )


def decimal_table(table: pd.DataFrame, **arguments: Any) -> None:
    """A table in which the browser writes decimals as its reader does, all with three digits."""
    exact = table.select_dtypes(np.floating).astype(float)
    columns = {
        str(name): st.column_config.NumberColumn(format="localized", step=None if is_whole else STEP)
        for name, is_whole in ((exact % 1 == 0) | exact.isna()).all().items()
    }
    rounded = table.copy()
    rounded[exact.columns] = exact.round(DIGITS)  # the browser would cut further digits off
    st.dataframe(rounded, hide_index=True, column_config=columns, **arguments)


@contextmanager
def progress(
    *, key: str, help: str, on_cancel: Callable[[], None] | None = None
) -> Iterator[Callable[[str], Progress]]:
    """Yield ``show``: given the key of a message with ``done`` and ``total``, it returns the function that moves the
    bar. Any click on the page cancels the run, not only this button's.

    Args:
        key: of the button.
        help: tells what is kept of the work, or shown instead.
        on_cancel: called before the next run; needed where that run would start the same work again.
    """
    place = st.empty()
    with place.container():
        bar = st.progress(0.0)
        st.button(tr("decode.cancel"), key=key, help=help, on_click=on_cancel)

    def show(words: str) -> Progress:
        return lambda done, total: bar.progress(done / total, tr(words, done=done, total=total))

    with processors.all_processors():
        yield show
    place.empty()


def complete(
    parts: Iterable[Any], words: str, *, store: Callable[[Any], object] = lambda part: None, **button: Any
) -> Any:
    """The last of the results that ``parts`` yields, each ``done`` of ``total``, with ``progress`` and its arguments.

    Args:
        words: key of the bar's message.
        store: called with each result before the bar moves, because a click ends the run there.
    """
    with progress(**button) as show:
        last = None
        for last in parts:
            store(last)
            show(words)(last.done, last.total)
    return last


def duration(seconds: float) -> str:
    """Seconds up to a minute and a half, then minutes."""
    if seconds < 90:
        return tr("fine_tune.seconds", n=math.ceil(seconds))
    return tr("fine_tune.minutes", n=round(seconds / 60))
