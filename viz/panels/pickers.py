"""Pickers that several pages have: a few names in a row, a question of a page, and a layer with one of its heads."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from viz.i18n import tr
from viz.state import session


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


def question_picker(area: str, kind: type, groups: Mapping[str, Sequence[str]], current: str) -> None:
    """Choose one of the questions that a page answers, grouped by whether they are about the reader's sentence.

    Args:
        area, kind: where the question is stored, as the choice ``part``.
        groups: the names of the questions in each group, "sentence" or "machinery"; their words are ``part_…``.
        current: the name of the question that the page answers now.
    """
    groups = {name: questions for name, questions in groups.items() if questions}
    group = next(name for name, questions in groups.items() if current in questions)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="page_questions"):
        if len(groups) > 1:
            key = f"{area}.group"
            session.seed_widget(key, group, group)
            names = {name: tr(f"frame.questions_{name}") for name in groups}
            segmented_picker(
                tr("frame.questions"), names, key=key,
                on_change=lambda: session.change_part(kind, area, part=groups[session.widget_value(key)][0]),
            )  # fmt: skip
        st.selectbox(
            tr(f"{area}.part"),
            groups[group],
            format_func={name: tr(f"{area}.part_{name}") for name in groups[group]}.__getitem__,
            label_visibility="collapsed",
            width=420,
            **session.bind("part", kind, area, value=current),
        )


def head_picker(n_layers: int, n_heads: int, bind: Callable[[str], dict[str, Any]], *, width: int = 130) -> None:
    """A layer and a head beside each other, counted as the reader counts.

    Args:
        bind: ties "layer" and "head" to a choice, as ``session.bind`` does.
        width: of each, in pixels.
    """
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
