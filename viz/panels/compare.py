"""Two sentences, or two models on one sentence, side by side and subtracted."""

from __future__ import annotations

import streamlit as st

from viz import cache, session
from viz.i18n import tr
from viz.panels import frame
from viz.panels.reading import Reading, read_as


def menu() -> None:
    """Choose what to compare with."""
    selection = session.read()
    is_on = bool(selection.other_text.strip() or selection.other_model)
    with st.popover(tr("explore.compare"), type="primary" if is_on else "secondary", key="compare"):
        st.text_input(tr("explore.other_text"), placeholder=selection.text, **session.bind("other_text"))
        names = ["", *cache.model_names(), *session.private_models()]
        shown = selection.other_model if selection.other_model in names else ""
        labels = frame.model_labels(names) | {"": tr("explore.same_model")}
        st.selectbox(
            tr("explore.other_model"),
            names,
            format_func=labels.__getitem__,
            **session.bind("other_model", shown=shown),
        )
        st.caption(tr("explore.compare_help"))
        if is_on:
            st.button(tr("explore.compare_end"), key="compare_end", on_click=_end)


def other(here: Reading) -> Reading | None:
    """What is compared with, or None."""
    selection = here.selection
    known = (*cache.model_names(), *session.private_models())
    model = selection.other_model if selection.other_model in known else ""
    if not selection.other_text.strip() and not model:
        return None
    return read_as(here, text=selection.other_text, model=model)


def _end() -> None:
    session.change(other_text="", other_model="")
