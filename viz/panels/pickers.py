"""Pickers that several pages have: one of a few names in a row, and a layer with one of its heads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from viz.i18n import tr
from viz.state import session


def one_in_a_row(label: str, names: Mapping[Any, str], **options: Any) -> None:
    """One of a few values side by side; one is always chosen.

    Args:
        label: says what is chosen, for screen readers.
        names: the words on each value.
        options: further arguments of ``st.segmented_control``, ``session.bind`` among them.
    """
    st.segmented_control(
        label, [*names], format_func=names.__getitem__, required=True, label_visibility="collapsed", **options
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
